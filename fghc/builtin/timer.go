package builtin

import (
	"time"

	"whorl/fghc/term"
)

// timeOfDay has the argument (time(days, seconds, microseconds)).
func timeOfDay(c Context, args []term.Word) Verdict {
	µs := c.World().Clock().Microseconds()
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
		at = term.MakeInt(int64(w.Register(w.Timer(due))))
		args[0] = at
	}
	if in := w.File(int(at.Value())).In; !in.Ended() && !c.Await(in) {
		return Unknown
	}
	w.Release(int(at.Value()))
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
