// Package cut makes traces from parts of traces: the events of a time range, or those that a condition selects, with the ancestors of their tasks;
// and it joins traces. Its results are valid traces for all derivations. Package whorl/visual/network says what they hold.
package cut

import (
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/visual/view"
)

// A Tick reports progress, like flow.Tick; nil is allowed.
type Tick func(done, total int64) error

// copier records a trace in memory.
type copier struct {
	growing *store.Growing
	w       *store.Writer
	streams []*tracer.Stream
}

func newCopier() *copier {
	c := &copier{growing: store.NewGrowing()}
	c.w = store.New(c.growing)
	return c
}

// tables copies the codes and the contexts of a trace. code and context return their new ids.
func (c *copier) tables(d *tracer.Dict) (code, context []uint32) {
	codes, contexts := d.Codes(), d.Contexts()
	code, context = make([]uint32, len(codes)), make([]uint32, len(contexts))
	for id := 1; id < len(codes); id++ {
		entry := codes[id]
		if int(entry.Parent) < id {
			entry.Parent = code[entry.Parent]
		}
		code[id] = c.w.Dict().Add(entry)
	}
	for id := 1; id < len(contexts); id++ {
		entry := contexts[id]
		if int(entry.Parent) < id {
			entry.Parent = context[entry.Parent]
		}
		entry.Code = translate(code, entry.Code)
		context[id] = c.w.Dict().AddContext(entry)
	}
	return code, context
}

// translate returns the new id of an id, which is the same if the table lacks it.
func translate(table []uint32, id uint32) uint32 {
	if int(id) < len(table) {
		return table[id]
	}
	return id
}

// begin makes streams like those of a trace, a single one for a trace that is not known by stream.
func (c *copier) begin(src tracer.Source) {
	infos := []tracer.StreamInfo{{}}
	if s, ok := src.(tracer.StreamSource); ok {
		infos = s.Streams()
	}
	for _, info := range infos {
		c.streams = append(c.streams, c.w.Stream(info))
	}
}

// finish returns the trace.
func (c *copier) finish() (tracer.StreamSource, error) {
	if err := c.w.Close(); err != nil {
		return nil, err
	}
	if err := c.growing.Err(); err != nil {
		return nil, err
	}
	return c.growing.Snapshot(), nil
}

// scan calls f with the events of a trace in the order of the run and reports progress. offset is added to the times of the event's
// stream to get times of the run.
func scan(src tracer.Source, tick Tick, done, total int64, f func(stream int, offset int64, e *tracer.Event)) error {
	each := func(stream int, offset int64, es []tracer.Event) error {
		for i := range es {
			f(stream, offset, &es[i])
		}
		if done += int64(len(es)); tick != nil {
			return tick(done, total)
		}
		return nil
	}
	s, ok := src.(tracer.StreamSource)
	if !ok {
		return src.Scan(tracer.AllKinds, func(es []tracer.Event) error { return each(0, 0, es) })
	}
	infos := s.Streams()
	return s.ScanStreams(tracer.AllKinds, func(stream int, es []tracer.Event) error { return each(stream, infos[stream].Offset, es) })
}

// events returns the number of events of a trace.
func events(src tracer.Source) (n int64) {
	counts := src.Counts()
	for _, k := range counts {
		n += k
	}
	return n
}

// note returns the metadata with a sentence that describes the change of the trace.
func note(m tracer.Meta, text string) tracer.Meta {
	m.Extra = append(append([]tracer.KV(nil), m.Extra...), tracer.KV{Key: view.FilterKey, Value: text})
	return m
}
