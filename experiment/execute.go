package experiment

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"

	"whorl/sim"
	"whorl/tracer"
)

// A load is a program that is ready for a machine: what experiment needs of a substrate beyond carrying out its work.
type load interface {
	sim.Program
	Boot(m *sim.Machine) error
	Reductions() int64 // commits so far, at most one for each action of the machine
	Answer() string    // what the program has computed so far, "" for nothing
}

// Outcome is how a run ended. It is the exit status of the PEs in the trace.
type Outcome uint8

// The ways a run ends.
const (
	Done        Outcome = iota
	Failed              // deadlock, a goal that failed, an error at run time
	Limited             // by one of the Limits
	Interrupted         // its context was cancelled
)

var outcomes = [...]string{"done", "failed", "limited", "interrupted"}

func (o Outcome) String() string { return outcomes[o] }

// Progress tells how far a run has come.
type Progress struct {
	Reductions int64
	Virtual    int64 // ns
}

// A Result is how a run ended and what it computed.
type Result struct {
	Outcome Outcome
	Err     error // why the outcome is not Done, else nil
	Answer  string
	Machine sim.Stats
	Wall    time.Duration
}

// sliceActions is how much a machine does before limits are looked at: some ms.
const sliceActions = 1 << 14

// Run carries the program out on a fresh machine and records it in rec, which may be nil and stays open. It calls watch, which may be nil,
// every few ms. A run that failed, met a limit or was interrupted has a Result that says so; the error is for one that could not begin.
// Run may be called again for another run of the same program.
func (p *Prepared) Run(ctx context.Context, rec tracer.Recorder, watch func(Progress)) (*Result, error) {
	begin := time.Now()
	limits := p.Description.Limits
	l := p.program.load(rec)
	cfg := p.config
	cfg.Recorder = rec
	m, err := sim.New(cfg, l)
	if err != nil {
		return nil, err
	}
	if rec != nil {
		rec.SetMeta(p.meta())
	}
	r := &Result{}
	err = l.Boot(m)
	for more := err == nil; more; {
		actions := uint64(sliceActions)
		if n := limits.Reductions; n > 0 {
			actions = min(actions, uint64(n-l.Reductions()))
		}
		more, err = m.Advance(ctx, actions)
		if more && err != nil {
			r.Outcome, err, more = Interrupted, errors.New("interrupted"), false
		} else if more {
			if err = limits.exceeded(l.Reductions(), begin); err != nil {
				r.Outcome, more = Limited, false
			}
		}
		if watch != nil {
			watch(Progress{l.Reductions(), m.Now()})
		}
	}
	switch {
	case r.Outcome > Failed:
		m.Exit(int64(r.Outcome))
	case err != nil:
		r.Outcome = Failed
	case p.verify != nil:
		if err = p.verify(l.Answer()); err != nil {
			r.Outcome = Failed
		}
	}
	r.Err, r.Answer, r.Machine, r.Wall = err, l.Answer(), m.Stats(), time.Since(begin)
	return r, nil
}

// exceeded says which limit has been met, nil for none.
func (l Limits) exceeded(reductions int64, begin time.Time) error {
	switch {
	case l.Reductions > 0 && reductions >= l.Reductions:
		return fmt.Errorf("stopped after %s reductions", Grouped(reductions))
	case l.Time > 0 && time.Since(begin) >= l.Time:
		return fmt.Errorf("stopped after %s", l.Time)
	case l.Memory > 0 && memoryInUse() >= l.Memory:
		runtime.GC() // what nobody needs any more does not count
		if used := memoryInUse(); used >= l.Memory {
			return fmt.Errorf("stopped with %s MiB of memory in use", Grouped(used>>20))
		}
	}
	return nil
}

// memoryInUse is what the process holds in objects and stacks, in bytes.
func memoryInUse() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() + samples[1].Value.Uint64())
}
