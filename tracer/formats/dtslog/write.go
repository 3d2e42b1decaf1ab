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

// Write writes the threads of a trace as logs in ns, one after the other for each PE that has an event. It writes explicit joins for threads
// that ran on their parent's stack. It omits events that the format lacks (messages, moves, states of PEs) and events that do not name their
// threads. Write returns ErrNoThreads for a trace without threads, and an error for PE or thread numbers beyond the bounds of the format. It
// holds all events of threads in memory.
func Write(w io.Writer, src tracer.Source) error {
	counts := src.Counts()
	if counts[tracer.Fork]+counts[tracer.Start] == 0 {
		return ErrNoThreads
	}
	var events []tracer.Event
	parent := map[uint64]uint64{}
	err := src.Scan(Kinds, func(es []tracer.Event) error {
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
	if err != nil {
		return err
	}
	slices.SortStableFunc(events, func(a, b tracer.Event) int { return cmp.Or(cmp.Compare(a.PE, b.PE), cmp.Compare(a.Time, b.Time)) })
	out := bufio.NewWriterSize(w, 1<<16)
	p := printer{meta: src.Meta(), codes: src.Dict().Codes(), clock: clockOf(src)}
	for i := range events {
		if i == 0 || events[i].PE != events[i-1].PE {
			p.head(events[i].PE, i == 0)
		}
		p.event(&events[i])
		if _, err := out.Write(p.b); err != nil {
			return err
		}
		p.b = p.b[:0]
	}
	return out.Flush()
}

// whole reports whether an event names all its threads.
func whole(e *tracer.Event) bool {
	switch e.Kind {
	case tracer.Init, tracer.Exit:
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
	b     []byte
	meta  tracer.Meta
	codes []tracer.Code
	clock string
}

// head writes the header of a log.
func (p *printer) head(pe int32, first bool) {
	if !first {
		p.b = append(p.b, '\n')
	}
	p.b = append(p.b, mark+"\n"...)
	if first && p.meta.Program != "" {
		p.b = strconv.AppendQuote(append(p.b, "program "...), p.meta.Program)
		for _, a := range p.meta.Args {
			p.b = strconv.AppendQuote(append(p.b, ' '), a)
		}
		p.b = append(p.b, '\n')
	}
	p.b = strconv.AppendInt(append(p.b, "node "...), int64(pe), 10)
	if int(pe) < len(p.meta.PEInfo) {
		at := p.meta.PEInfo[pe]
		if at.Host != "" {
			p.b = strconv.AppendQuote(append(p.b, ' '), at.Host)
			if at.Process != "" {
				p.b = strconv.AppendQuote(append(p.b, ' '), at.Process)
			}
		}
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
		if e.Peer >= 0 && e.Peer < mostNodes {
			pair(key, int64(e.Peer))
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
