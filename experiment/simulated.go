package experiment

import (
	"context"

	"whorl/sim"
	"whorl/tracer"
)

// A simulated course is a machine in virtual time.
type simulated struct {
	load    load
	machine *sim.Machine
}

// beginSim puts the program on a fresh simulated machine. Booted is why it could not start there.
func (p *Prepared) beginSim(rec tracer.Recorder) (c course, booted, err error) {
	s := &simulated{load: p.program.load(rec)}
	if p.verify != nil {
		s.load = &verified{s.load, p.verify}
	}
	cfg := p.config
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
	return s.machine.Advance(ctx, actions)
}
func (s *simulated) progress() Progress { return Progress{s.load.Reductions(), s.machine.Now()} }
func (s *simulated) answer() string     { return s.load.Answer() }
func (s *simulated) exit(o Outcome)     { s.machine.Exit(int64(o)) }
func (s *simulated) stats() sim.Stats   { return s.machine.Stats() }
