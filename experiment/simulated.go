package experiment

import (
	"context"
	"time"

	"whorl/fghc/builtin"
	"whorl/sim"
	"whorl/tracer"
)

// A simulated course is a machine in virtual time.
type simulated struct {
	load    load
	machine *sim.Machine
	outside *builtin.World
}

// A ranked load has works of different priorities.
type ranked interface {
	Rank() func(sim.Work) int64 // nil: they are all equal
}

// beginSim puts the program on a fresh simulated machine. Booted is why it could not start there.
func (p *Prepared) beginSim(rec tracer.Recorder) (c course, booted, err error) {
	s := &simulated{}
	s.outside = p.newWorld(func() time.Duration { return time.Duration(s.machine.Now()) })
	s.load = p.program.load(rec, s.outside)
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
		rec.SetMeta(p.meta())
	}
	return s, s.load.Boot(s.machine), nil
}

func (s *simulated) advance(ctx context.Context, actions uint64) (bool, error) {
	more, err := s.machine.Advance(ctx, actions)
	if err != nil && ctx.Err() != nil { // a program that waits for input then waits for ever
		return true, ctx.Err()
	}
	return more, err
}
func (s *simulated) world() *builtin.World { return s.outside }
func (s *simulated) progress() Progress    { return Progress{s.load.Reductions(), s.machine.Now()} }
func (s *simulated) answer() string        { return s.load.Answer() }
func (s *simulated) exit(o Outcome)        { s.machine.Exit(int64(o)) }
func (s *simulated) stats() sim.Stats      { return s.machine.Stats() }
