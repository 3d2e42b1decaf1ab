package dtslog

import (
	"strconv"
	"strings"

	"whorl/tracer"
)

// event parses an event line.
func (r *reader) event() error {
	l := &r.line
	now, err := l.time(0, r.digits)
	if err != nil {
		return err
	}
	g := r.log
	if n := len(g.events); n > 0 && now < g.events[n-1].Time {
		return l.wrong(0, "events in the order of their times", "the event is earlier than the one before it")
	}
	what, err := l.name(1, "event", "init", "exit", "fork", "start", "end", "bjoin", "ajoin")
	if err != nil {
		return err
	}
	if r.swapped && what == "fork" {
		what = "start"
	} else if r.swapped && what == "start" {
		what = "fork"
	}
	e := tracer.Event{Time: now, PE: g.node, Peer: tracer.None}
	next := 2 // index of the first word after the required ones
	switch what {
	case "init":
		e.Kind = tracer.Init
	case "exit":
		e.Kind = tracer.Exit
		if next < len(l.words) && l.words[next].key == "" {
			e.Value, err = l.number(next, "exit status", 0, 1<<31-1)
			next++
		}
	case "fork", "bjoin", "ajoin":
		e.Kind = map[string]tracer.Kind{"fork": tracer.Fork, "bjoin": tracer.JoinBegin, "ajoin": tracer.JoinEnd}[what]
		if e.Task, err = r.thread(2, "thread"); err == nil {
			e.Ref, err = r.thread(3, "other thread")
		}
		next = 4
	case "start", "end":
		e.Kind = tracer.Start
		e.Task, err = r.thread(2, "thread")
		if next = 3; what == "end" {
			e.Kind = tracer.End
			if err == nil && next < len(l.words) && l.words[next].key == "" {
				var how string
				how, err = l.name(next, "end", endings[:]...)
				for value, name := range endings {
					if name == how {
						e.Value = int64(value)
					}
				}
				next++
			}
		} else {
			e.Value = 1
		}
	}
	if err == nil {
		err = r.pairs(next, what, &e)
	}
	if err == nil {
		g.events = append(g.events, e)
	}
	return err
}

// endings are the names of the values of End.
var endings = [...]string{"ok", "failed", "cancelled"}

// thread parses the number or the name of a thread.
func (r *reader) thread(at int, what string) (uint64, error) {
	l := &r.line
	if at >= len(l.words) || l.words[at].key != "" || l.words[at].quoted {
		return 0, l.wrong(at, "a thread number or name", "no %s", what)
	}
	s := l.words[at].text
	if strings.Trim(s, "0123456789") == "" {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n == 0 {
			return 0, l.wrong(at, "a thread name, or a number from 1", "invalid thread %q", short(s))
		}
		r.most = max(r.most, uint64(n))
		return uint64(n), nil
	}
	n, ok := r.names[s]
	if !ok {
		n = uint64(len(r.names)) + 1
		r.names[strings.Clone(s)] = n
	}
	return named | n, nil
}

// keys are the optional keys of each event.
var keys = map[string][]string{
	"fork": {"on", "function", "at", "bytes"}, "start": {"from", "function", "attempt", "at"}, "end": {"function"},
	"bjoin": {"at", "from"}, "ajoin": {"at", "from"},
}

// pairs parses the key=value words of an event from the word next on.
func (r *reader) pairs(next int, what string, e *tracer.Event) error {
	l := &r.line
	function, file, row := "", "", int64(0)
	for at := next; at < len(l.words); at++ {
		w := l.words[at]
		if w.key == "" {
			return r.end(at)
		}
		known := false
		for _, k := range keys[what] {
			known = known || k == w.key
		}
		if !known {
			want := "the end of the line"
			if len(keys[what]) > 0 {
				want = "one of: " + strings.Join(keys[what], " ")
			}
			return l.wrong(at, want, "%s has no key %q", what, short(w.key))
		}
		var n int64
		var err error
		switch w.key {
		case "on", "from":
			n, err = l.number(at, "node number", 0, mostNodes-1)
			e.Peer = int32(n)
		case "bytes":
			e.Value, err = l.number(at, "number of bytes", 0, 1<<62)
		case "attempt":
			e.Value, err = l.number(at, "attempt", 1, 1<<31-1)
		case "function":
			function = w.text
		case "at":
			k := strings.LastIndexByte(w.text, ':')
			if k >= 0 {
				row, err = strconv.ParseInt(w.text[k+1:], 10, 32)
			}
			if k <= 0 || err != nil || row < 1 {
				return l.wrong(at, `"FILE:LINE"`, "invalid source position %q", short(w.text))
			}
			file = w.text[:k]
		}
		if err != nil {
			return err
		}
	}
	switch {
	case e.Kind == tracer.JoinBegin || e.Kind == tracer.JoinEnd:
		if file != "" {
			e.Code = r.rec.Dict().Add(tracer.Code{Type: tracer.Line, File: strings.Clone(file), Line: int32(row)})
		}
	case function != "" || file != "":
		e.Code = r.rec.Dict().Add(tracer.Code{Type: tracer.Function, Name: strings.Clone(function), File: strings.Clone(file), Line: int32(row)})
	}
	return nil
}

// record records the logs. It adds the data that depends on all logs: the numbers of named threads, the node where each thread was forked, and
// the node where each joined thread ended.
func (r *reader) record() {
	type known struct {
		forked, ended int32 // nodes
		code          uint32
	}
	threads := map[uint64]known{}
	number := func(task uint64) uint64 {
		if task&named != 0 {
			return r.most + task&^named
		}
		return task
	}
	most := int32(-1)
	hosts := int32(-1) // the last node with a host
	for _, g := range r.order {
		most = max(most, g.node)
		if g.host == "" && g.clock == tracer.Monotonic {
			g.host = "node " + strconv.Itoa(int(g.node)) // the node has its own clock
		}
		if g.host != "" {
			hosts = max(hosts, g.node)
		}
		for i := range g.events {
			e := &g.events[i]
			e.Task, e.Ref = number(e.Task), number(e.Ref)
			if e.Kind != tracer.Fork && e.Kind != tracer.Start && e.Kind != tracer.End {
				continue
			}
			k, ok := threads[e.Task]
			if !ok {
				k = known{tracer.None, tracer.None, 0}
			}
			if e.Kind == tracer.Fork {
				k.forked = g.node
			} else if e.Kind == tracer.End {
				k.ended = g.node
			}
			if e.Code != 0 && (k.code == 0 || e.Kind == tracer.Fork) {
				k.code = e.Code
			}
			threads[e.Task] = k
		}
	}
	meta := tracer.Meta{Program: r.program, Args: r.args, Substrate: "dts", PEs: int(most) + 1, Clock: tracer.Process}
	if hosts >= 0 && int(hosts) < 16*len(r.order)+1024 {
		meta.PEInfo = make([]tracer.PE, most+1)
	}
	for _, g := range r.order {
		meta.Clock = g.clock
		if meta.PEInfo != nil {
			meta.PEInfo[g.node] = tracer.PE{Host: g.host, Process: g.process}
		}
	}
	r.rec.SetMeta(meta)
	for _, g := range r.order {
		name := g.host
		if name == "" {
			name = "node " + strconv.Itoa(int(g.node))
		}
		s := r.rec.Stream(tracer.StreamInfo{Name: name, Clock: g.clock})
		host := r.rec.Dict().Add(tracer.Code{Type: tracer.Host, Name: name})
		for i := range g.events {
			e := g.events[i]
			k := threads[e.Task]
			switch e.Kind {
			case tracer.Init, tracer.Exit:
				e.Code = host
			case tracer.Start, tracer.End:
				if e.Code == 0 {
					e.Code = k.code
				}
				if e.Kind == tracer.Start && e.Peer == tracer.None {
					e.Peer = k.forked
				}
			case tracer.JoinBegin, tracer.JoinEnd:
				if other, ok := threads[e.Ref]; ok && e.Peer == tracer.None {
					e.Peer = other.ended
				}
			}
			if s != nil {
				*s.Slot() = e
			}
		}
		s.Sync()
	}
}
