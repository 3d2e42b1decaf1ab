package experiment

import (
	"context"
	"time"

	"whorl/sim"
	"whorl/tracer"
)

// A simulated course is a machine in virtual time.
type simulated struct {
	worldly
	load    load
	machine *sim.Machine
	spent   func() bool // nothing is ready that could reduce
}

// A load is a program that is ready for a machine: what experiment needs of it beyond carrying out its work.
type load interface {
	sim.Program
	Boot(m *sim.Machine) error
	Reductions() int64 // commits so far, at most one for each action of the machine
	Answer() string    // what the program has computed so far, "" for nothing
	Inspect() inspector
}

// An inspector shows the work of a load that stands still.
type inspector interface {
	Work(w sim.Work) Pending
	Waiting(most int) (works []Pending, total int)
}

// A verified load has failed when its answer is not the right one, as if it had said so itself: the trace says it too.
type verified struct {
	load
	verify func(answer string) error
}

// Quiet is the load's, and looks at the answer of a load that is done.
func (v *verified) Quiet(m *sim.Machine) error {
	if err := v.load.Quiet(m); err != nil {
		return err
	}
	return v.verify(v.Answer())
}

// A ranked load has works of different priorities.
type ranked interface {
	Rank() func(sim.Work) int64 // nil: they are all equal
}

// beginSim puts the program on a fresh simulated machine. Booted is why it could not start there.
func (f *fghcProgram) beginSim(p *Prepared, rec tracer.Recorder) (c course, booted, err error) {
	s := &simulated{}
	s.outside = p.newWorld(func() time.Duration { return time.Duration(s.machine.Now()) })
	own := f.load(rec, s.outside)
	s.load, s.spent = own, own.Spent
	cfg := p.config
	if r, ok := s.load.(ranked); ok {
		cfg.Rank = r.Rank()
	}
	if p.verify != nil {
		s.load = &verified{s.load, p.verify}
	}
	cfg.Recorder = rec
	if s.machine, err = sim.New(cfg, s.load); err != nil {
		return nil, nil, err
	}
	if rec != nil {
		meta := p.meta()
		f.describe(&meta)
		rec.SetMeta(meta)
	}
	return s, s.load.Boot(s.machine), nil
}

func (s *simulated) advance(ctx context.Context, actions uint64) (bool, error) {
	var more bool
	var err error
	s.during(ctx, func() { more, err = s.machine.Advance(ctx, actions) })
	if err != nil && ctx.Err() != nil { // a program that waits for input then waits for ever
		return true, ctx.Err()
	}
	return more, err
}

// drain lets happen what is left as long as no reduction can come of it.
func (s *simulated) drain(ctx context.Context) (more bool, err error) {
	for more = true; more && err == nil && s.spent(); {
		more, err = s.advance(ctx, 1)
	}
	return more, err
}

func (s *simulated) progress() Progress { return Progress{s.load.Reductions(), s.machine.Now()} }
func (s *simulated) answer() string     { return s.load.Answer() }
func (s *simulated) exit(o Outcome)     { s.machine.Exit(int64(o)) }
func (s *simulated) stats() sim.Stats   { return s.machine.Stats() }
