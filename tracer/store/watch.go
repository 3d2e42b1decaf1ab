package store

import "whorl/tracer"

// Watch calls f with the events of each block that w has written, in the order of the file, and with a description of the trace until then. Events of
// several streams, or with an offset, have to be merged: f gets no block after the first one of a second stream or with an offset. The recording
// waits for f when the queue of blocks is full. f does not keep the events after the call, and does not use w. Watch is called before anything is recorded.
func (w *Writer) Watch(f func(d tracer.Description, es []tracer.Event)) {
	d := &watched{f: f}
	d.parser.f = &File{dict: &tracer.Dict{}}
	d.parser.head = tracer.Head{Dict: d.parser.f.dict, Lenient: true}
	w.watched = d
}

// A watched describes what a Writer has written, to a function that gets the events. The appending goroutine uses it. It has a dictionary of its own,
// because a writer that adds to its dictionary locks it until the appending goroutine has written the entry.
type watched struct {
	f        func(d tracer.Description, es []tracer.Event) // nil when it gets no more events
	parser   parser
	from, to int64
	begun    bool
}

// read passes on a block without events, which the Writer has made.
func (d *watched) read(kind uint8, payload []byte) {
	if d != nil && d.f != nil {
		_ = d.parser.read(kind, payload)
	}
}

// events passes on a block of events.
func (d *watched) events(j *job) {
	if d == nil || d.f == nil {
		return
	}
	if j.stream.number > 0 || j.stream.offset != 0 {
		d.f = nil
		return
	}
	if !d.begun {
		d.begun, d.from, d.to = true, j.info.from, j.info.to
	}
	d.from, d.to = min(d.from, j.info.from), max(d.to, j.info.to)
	for k, n := range j.counts {
		d.parser.f.counts[k] += n
	}
	d.f(d, j.seg.Rows)
}

// Meta implements tracer.Description.
func (d *watched) Meta() tracer.Meta { return d.parser.f.meta }

// Dict implements tracer.Description.
func (d *watched) Dict() *tracer.Dict { return d.parser.f.dict }

// Counts implements tracer.Description.
func (d *watched) Counts() [tracer.NumKinds]int64 { return d.parser.f.Counts() }

// Span implements tracer.Description.
func (d *watched) Span() (from, to int64) { return d.from, d.to }
