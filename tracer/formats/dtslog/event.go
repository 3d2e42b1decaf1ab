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
	what, err := l.name(1, "event", "init", "exit", "fork", "start", "end", "bjoin", "ajoin", "busy", "idle", "overhead")
	if err != nil {
		return err
	}
	if r.swapped && what == "fork" {
		what = "start"
	} else if r.swapped && what == "start" {
		what = "fork"
	}
	e := tracer.Event{Time: now, Peer: tracer.None} // record sets the numbers of PEs
	next := 2                                       // index of the first word after the required ones
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
	case "busy", "idle", "overhead":
		e.Kind = map[string]tracer.Kind{"busy": tracer.Busy, "idle": tracer.Idle, "overhead": tracer.Overhead}[what]
		if next < len(l.words) && l.words[next].key == "" {
			e.Task, err = r.thread(next, "thread")
			next++
		}
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
	"init": {"pe"}, "exit": {"pe"},
	"fork": {"on", "function", "at", "bytes", "pe"}, "start": {"from", "function", "attempt", "at", "pe"}, "end": {"function", "pe"},
	"bjoin": {"at", "from", "pe"}, "ajoin": {"at", "from", "pe"},
	"busy": {"reason", "pe"}, "idle": {"reason", "pe"}, "overhead": {"reason", "pe"},
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
			e.Peer, err = l.place(at)
		case "pe":
			n, err = l.number(at, "PE of the node", 0, int64(r.log.pes)-1)
			e.PE = int32(n)
		case "reason":
			e.Code = r.rec.Dict().Add(tracer.Code{Type: tracer.Reason, Name: strings.Clone(w.text)})
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
