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
	spent   func() bool // reports that no work that could reduce is ready
}

// A load is a program on a simulated machine, with the methods that an Execution needs.
type load interface {
	sim.Program
	Boot(m *sim.Machine) error
	Reductions() int64 // commits so far, at most one for each action of the machine
	Answer() string    // computed so far, "" for nothing
	Inspect() inspector
}

// An inspector describes the work of a load that stands still.
type inspector interface {
	Work(w sim.Work) Pending
	Waiting(most int) (works []Pending, total int)
}

// A verified load fails if it ends with a wrong answer, so that the trace records the failure.
type verified struct {
	load
	verify func(answer string) error
}

// Quiet verifies the answer of a load that is done.
func (v *verified) Quiet(m *sim.Machine) error {
	if err := v.load.Quiet(m); err != nil {
		return err
	}
	return v.verify(v.Answer())
}

// beginSim puts the program on a fresh simulated machine. failed is the error of a run that could not start.
func (f *fghcProgram) beginSim(p *Prepared, rec tracer.Recorder) (c course, failed, err error) {
	s := &simulated{}
	s.outside = p.newWorld(func() time.Duration { return time.Duration(s.machine.Now()) })
	own := f.load(rec, s.outside, p.config.Speeds)
	s.load, s.spent = own, own.Spent
	cfg := p.config
	cfg.Rank = own.Rank()
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
	if err != nil && ctx.Err() != nil { // an interrupted program that waits for input fails with a deadlock
		return true, ctx.Err()
	}
	return more, err
}

func (s *simulated) drain(ctx context.Context) (more bool, err error) {
	for more = true; more && err == nil && s.spent(); {
		more, err = s.advance(ctx, 1)
	}
	return more, err
}

func (s *simulated) progress() Progress {
	return Progress{Reductions: s.load.Reductions(), Virtual: s.machine.Now()}
}
func (s *simulated) answer() string        { return s.load.Answer() }
func (s *simulated) exit(o tracer.Outcome) { s.machine.Exit(int64(o)) }
func (s *simulated) stats() sim.Stats      { return s.machine.Stats() }

func (s *simulated) snapshot() *Snapshot {
	return machineSnapshot(s.machine, s.progress(), s.load.Inspect())
}
