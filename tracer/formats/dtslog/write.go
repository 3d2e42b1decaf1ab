//go:build !js

package dtslog

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"whorl/tracer"
)

// Write writes the threads of a trace as logs in ns, one after the other for each node that has an event. A node is a PE, or the PEs of one process
// if the trace names processes. Write writes explicit joins for threads that ran on their parent's stack. It omits events that the format lacks
// (messages, moves) and events that do not name their threads. It returns ErrNoThreads for a trace without threads, and an error for PE or thread
// numbers beyond the bounds of the format. It holds all events of threads in memory.
func Write(w io.Writer, src tracer.Source) error {
	first := true
	return writeLogs(src, func(_ string, write func(io.Writer, *printer) error) error {
		p := &printer{within: !first}
		first = false
		return write(w, p)
	})
}

// WriteAll is like Write with a file for each log. The function create is called for each with the name of the file.
func WriteAll(src tracer.Source, create func(name string, write func(io.Writer) error) error) error {
	return writeLogs(src, func(name string, write func(io.Writer, *printer) error) error {
		return create(name, func(w io.Writer) error { return write(w, &printer{}) })
	})
}

// writeLogs calls each for the log of each node, with the name of its file.
func writeLogs(src tracer.Source, each func(name string, write func(io.Writer, *printer) error) error) error {
	events, err := threadEvents(src)
	if err != nil {
		return err
	}
	meta, codes, clock := src.Meta(), src.Dict().Codes(), clockOf(src)
	ns := nodesOf(&meta)
	slices.SortStableFunc(events, func(a, b tracer.Event) int {
		left, _ := ns.place(a.PE)
		right, _ := ns.place(b.PE)
		return cmp.Or(cmp.Compare(left, right), cmp.Compare(a.Time, b.Time))
	})
	for _, l := range ns.logs(events) {
		if err := each(fmt.Sprintf("node%d.dtslog", l.number), func(w io.Writer, p *printer) error {
			p.meta, p.codes, p.clock, p.nodes = meta, codes, clock, ns
			out := bufio.NewWriterSize(w, 1<<16)
			p.head(&l.node)
			for i := range l.events {
				p.event(&l.events[i])
				if _, err := out.Write(p.b); err != nil {
					return err
				}
				p.b = p.b[:0]
			}
			if _, err := out.Write(p.b); err != nil { // of a node without events
				return err
			}
			return out.Flush()
		}); err != nil {
			return err
		}
	}
	return nil
}

// threadEvents returns the events of a trace that a log holds.
func threadEvents(src tracer.Source) (events []tracer.Event, err error) {
	counts := src.Counts()
	if counts[tracer.Fork]+counts[tracer.Start] == 0 {
		return nil, ErrNoThreads
	}
	parent := map[uint64]uint64{}
	err = src.Scan(Kinds, func(es []tracer.Event) error {
		for i := range es {
			e := es[i]
			switch {
			case e.PE < 0 || e.PE >= mostNodes:
				return fmt.Errorf("dtslog: an event on PE %d: expected 0 to %d", e.PE, mostNodes-1)
			case max(e.Task, e.Ref) > mostThread:
				return fmt.Errorf("dtslog: thread %d: expected 1 to %d", max(e.Task, e.Ref), uint64(mostThread))
			case !whole(&e):
				continue
			}
			inline := e.Peer == tracer.Inline && (e.Kind == tracer.Start || e.Kind == tracer.End)
			if e.Peer == tracer.Inline {
				e.Peer = tracer.None
			}
			if e.Kind == tracer.Fork {
				parent[e.Task] = e.Ref
			}
			joiner := parent[e.Task]
			if inline && e.Ref != 0 {
				joiner, e.Ref = e.Ref, 0
			}
			join := tracer.Event{Kind: tracer.JoinBegin, Time: e.Time, Task: joiner, Ref: e.Task, PE: e.PE, Peer: tracer.None}
			if inline && e.Kind == tracer.Start && join.Task != 0 {
				events = append(events, join)
			}
			events = append(events, e)
			if inline && e.Kind == tracer.End && join.Task != 0 {
				join.Kind = tracer.JoinEnd
				events = append(events, join)
			}
		}
		return nil
	})
	return events, err
}

// whole reports whether an event names all its threads.
func whole(e *tracer.Event) bool {
	switch e.Kind {
	case tracer.Init, tracer.Exit, tracer.Busy, tracer.Idle, tracer.Overhead:
		return true
	case tracer.Start, tracer.End:
		return e.Task != 0
	}
	return e.Task != 0 && e.Ref != 0
}

// clockOf returns the common clock of the streams of a source, if they have one.
func clockOf(src tracer.Source) string {
	clock := src.Meta().Clock
	if s, ok := src.(tracer.StreamSource); ok {
		for _, info := range s.Streams() {
			if info.Clock != "" {
				clock = info.Clock
			}
		}
	}
	switch clock {
	case tracer.Process, tracer.Monotonic, tracer.Aligned:
		return clock
	}
	return tracer.Virtual
}

// A printer writes the lines of a log.
type printer struct {
	b      []byte
	within bool // another log of the file comes before
	meta   tracer.Meta
	codes  []tracer.Code
	clock  string
	nodes  nodes
}

// head writes the header of a log.
func (p *printer) head(n *node) {
	if p.within {
		p.b = append(p.b, '\n')
	}
	p.b = append(p.b, mark+"\n"...)
	if !p.within && p.meta.Program != "" {
		p.b = strconv.AppendQuote(append(p.b, "program "...), p.meta.Program)
		for _, a := range p.meta.Args {
			p.b = strconv.AppendQuote(append(p.b, ' '), a)
		}
		p.b = append(p.b, '\n')
	}
	p.b = strconv.AppendInt(append(p.b, "node "...), int64(n.number), 10)
	if int(n.first) < len(p.meta.PEInfo) {
		where := p.meta.PEInfo[n.first]
		if where.Host != "" {
			p.b = strconv.AppendQuote(append(p.b, ' '), where.Host)
			if where.Process != "" {
				p.b = strconv.AppendQuote(append(p.b, ' '), where.Process)
			}
		}
	}
	if n.pes > 1 {
		p.b = strconv.AppendInt(append(p.b, "\npes "...), int64(n.pes), 10)
	}
	p.b = append(append(append(p.b, "\nclock "...), p.clock...), '\n')
}

func (p *printer) event(e *tracer.Event) {
	p.b = strconv.AppendInt(p.b, e.Time, 10)
	word := func(name string) { p.b = append(append(p.b, ' '), name...) }
	task := func(t uint64) { p.b = strconv.AppendUint(append(p.b, ' '), t, 10) }
	pair := func(key string, n int64) {
		p.b = append(append(append(p.b, ' '), key...), '=')
		p.b = strconv.AppendInt(p.b, n, 10)
	}
	peer := func(key string) {
		if e.Peer < 0 || e.Peer >= mostNodes {
			return
		}
		number, k := p.nodes.place(e.Peer)
		pair(key, int64(number))
		if k > 0 {
			p.b = strconv.AppendInt(append(p.b, ':'), int64(k), 10)
		}
	}
	state := func(name string) {
		word(name)
		if e.Task != 0 {
			task(e.Task)
		}
		if int(e.Code) < len(p.codes) && e.Code != 0 {
			p.b = strconv.AppendQuote(append(p.b, " reason="...), p.codes[e.Code].Name)
		}
	}
	switch e.Kind {
	case tracer.Init:
		word("init")
	case tracer.Exit:
		word("exit")
		if e.Value > 0 && e.Value < 1<<31 {
			p.b = strconv.AppendInt(append(p.b, ' '), e.Value, 10)
		}
	case tracer.Fork:
		word("fork")
		task(e.Task)
		task(e.Ref)
		peer("on")
		p.code(e.Code)
		if e.Value > 0 {
			pair("bytes", e.Value)
		}
	case tracer.Start:
		word("start")
		task(e.Task)
		peer("from")
		p.code(e.Code)
		if e.Value > 1 && e.Value < 1<<31 {
			pair("attempt", e.Value)
		}
	case tracer.End:
		word("end")
		task(e.Task)
		if e.Value > 0 && e.Value < int64(len(endings)) {
			word(endings[e.Value])
		}
	case tracer.JoinBegin, tracer.JoinEnd:
		name := "bjoin"
		if e.Kind == tracer.JoinEnd {
			name = "ajoin"
		}
		word(name)
		task(e.Task)
		task(e.Ref)
		peer("from")
		p.code(e.Code)
	case tracer.Busy:
		state("busy")
	case tracer.Idle:
		state("idle")
	case tracer.Overhead:
		state("overhead")
	}
	if _, k := p.nodes.place(e.PE); k > 0 {
		pair("pe", int64(k))
	}
	p.b = append(p.b, '\n')
}

// code writes the function or the line of an event.
func (p *printer) code(id uint32) {
	if int(id) >= len(p.codes) {
		return
	}
	c := &p.codes[id]
	if c.Name != "" && c.Type != tracer.Line {
		p.b = strconv.AppendQuote(append(p.b, " function="...), c.Name)
	}
	if c.File != "" && c.Line > 0 {
		p.b = strconv.AppendQuote(append(p.b, " at="...), c.File+":"+strconv.Itoa(int(c.Line)))
	}
}
