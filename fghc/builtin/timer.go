package builtin

import (
	"io"
	"time"

	"whorl/fghc/term"
)

// timeOfDay has the argument (time(days, seconds, microseconds)).
func timeOfDay(c Context, args []term.Word) Verdict {
	µs := c.World().clock().Microseconds()
	parts := []term.Word{term.MakeInt(µs / 1e6 / 86400), term.MakeInt(µs / 1e6 % 86400), term.MakeInt(µs % 1e6)}
	args[0] = newStructure(c, term.MakeAtom(c.Symbols().Atom("time")), parts)
	return Yes
}

// instantiateAt has the arguments (time, variable), and while it waits (handle of the timer, variable).
func instantiateAt(c Context, args []term.Word) Verdict {
	w := c.World()
	at := c.Deref(args[0])
	if at.Tag() == term.Ref {
		c.Block(at)
		return Unknown
	}
	if at.Tag() != term.Int {
		due, v := timeFrom(c, at)
		if v != Yes {
			return v
		}
		in := NewInput(alarm{w, due})
		in.Due = due
		handle := w.register(&File{world: w, name: "timer", in: in})
		at = term.MakeInt(int64(handle))
		args[0] = at
	}
	if in := w.file(int(at.Value())).in; !in.Ended() && !c.Await(in) {
		return Unknown
	}
	w.release(int(at.Value()))
	if !c.Unify(args[1], term.Nil) {
		return c.Fault(1, "a variable")
	}
	return Yes
}

// timeFrom converts time(days, seconds, microseconds).
func timeFrom(c Context, t term.Word) (since time.Duration, v Verdict) {
	f, n := functorOf(c, t)
	if t.Tag() != term.Str || n != 3 || c.Symbols().Name(f.Index()) != "time" {
		return 0, c.Fault(0, aTime)
	}
	units := []time.Duration{24 * time.Hour, time.Second, time.Microsecond}
	v = Yes
	for k, p := range structureArgs(c, t, 3) {
		switch p = c.Deref(p); {
		case p.Tag() == term.Ref:
			c.Block(p)
			v = Unknown
		case p.Tag() != term.Int || p.Value() < 0 || p.Value() >= 1<<40 || k == 0 && p.Value() > maxDays:
			return 0, c.Fault(0, aTime)
		default:
			since += time.Duration(p.Value()) * units[k]
		}
	}
	return since, v
}

const (
	aTime   = "a time: time(Days, Seconds, Microseconds)"
	maxDays = 100_000 // keeps times within a Duration
)

// An alarm is a reader that ends when its time comes. If time is virtual it ends at once, because a goal waits for it only when nothing else
// can run.
type alarm struct {
	world *World
	due   time.Duration
}

func (a alarm) Read([]byte) (int, error) {
	if wait := a.due - a.world.clock(); wait > 0 && !a.world.Started.IsZero() {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-a.world.over:
		}
	}
	return 0, io.EOF
}
