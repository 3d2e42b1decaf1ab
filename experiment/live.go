package experiment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"whorl/fghc/emulator"
	"whorl/fghc/report"
	"whorl/sim"
	"whorl/tracer"
)

// liveSlice is the time between two checks of limits on real cores.
const liveSlice = 20 * time.Millisecond

// A real course is a program in FGHC whose PEs are goroutines.
type real struct {
	worldly
	machine *emulator.Machine
	verify  func(answer string) error
	pes     int
	most    int64 // reductions, 0 for no limit
	memory  int64 // bytes, 0 for no limit
	central bool  // the policy has a central queue

	describe func(costError float64) // completes the metadata of the trace; nil for none
}

// beginLive makes the PEs. They start with the first advance.
func (f *fghcProgram) beginLive(p *Prepared, rec tracer.Recorder) (c course, failed, err error) {
	cfg := p.config
	r := &real{verify: p.verify, pes: cfg.PEs, most: p.Description.Limits.Reductions, memory: p.Description.Limits.Memory, central: cfg.Policy.Traits().Central}
	r.outside = p.newWorld(func() time.Duration { return r.machine.Now() })
	r.outside.Started = time.Now()
	m, err := emulator.New(f.code, f.query, emulator.Options{
		PEs: cfg.PEs, Policy: cfg.Policy, Network: cfg.Network, Seed: cfg.Seed, Recorder: rec,
		Slice:    int(min(p.Description.Slice, 1<<31)),
		MaxWords: int(p.Description.Limits.Memory / 8 * 15 / 16), // the machine itself needs the rest
		World:    r.outside,
		Lost:     report.LostWarner(f.code, r.outside.Warn),
	})
	if err != nil {
		return nil, nil, err
	}
	if rec != nil {
		meta := p.meta()
		f.describe(&meta)
		meta.Mode, meta.Clock, meta.Machine, meta.CostModel = tracer.Live, tracer.Monotonic, "", ""
		rec.SetMeta(meta)
		r.describe = func(costError float64) {
			meta.SetCostError(costError)
			rec.SetMeta(meta)
		}
	}
	r.machine = m
	return r, m.Start(), nil
}

func (r *real) advance(ctx context.Context, actions uint64) (bool, error) {
	n := int64(min(actions, 1<<62))
	if n == sliceActions { // as many as there is time for
		n = 1 << 62
		if r.most > 0 {
			n = r.most - r.machine.Reductions()
		}
	}
	var more bool
	r.during(ctx, func() { more = r.machine.Advance(ctx, n, liveSlice) })
	var memory *emulator.MemoryError
	switch {
	case more:
		return true, ctx.Err()
	case errors.As(r.machine.Err(), &memory):
		return false, &limitError{outOfMemory(r.memory)}
	case r.machine.Err() != nil:
		return false, r.machine.Err()
	case r.verify != nil:
		return false, r.verify(r.answer())
	}
	return false, nil
}

func (r *real) drain(ctx context.Context) (more bool, err error) {
	look := r.machine.Inspect()
	_, ready := look.Central(0)
	for pe := range r.pes {
		current, _, n := look.Queue(pe, 0)
		ready += n + look.Coming(pe)
		if current != nil {
			ready++
		}
	}
	if ready > 0 {
		return true, nil
	}
	return r.advance(ctx, 1)
}

func (r *real) progress() Progress {
	return Progress{Reductions: r.machine.Reductions(), Virtual: int64(r.machine.Now())}
}

func (r *real) answer() string { return bindings(r.machine.Answer()) }

func (r *real) exit(o tracer.Outcome) { r.machine.Stop(o, fmt.Errorf("%v", o)) }

// close also notes in the trace how exact the times of reductions are.
func (r *real) close() (status uint8, exited bool, err error) {
	if e, ok := r.machine.CostError(); ok && r.describe != nil {
		r.describe(e)
	}
	return r.worldly.close()
}

func (r *real) stats() sim.Stats {
	s := r.machine.Stats()
	return sim.Stats{PEs: r.pes, Steps: uint64(s.Reductions + s.Suspensions), Steals: uint64(s.Steals), Elapsed: int64(s.Elapsed)}
}

func (r *real) snapshot() *Snapshot {
	p := r.progress()
	s := newSnapshot(p, r.pes)
	look := r.machine.Inspect()
	left := snapshotTotal
	for pe := range min(r.pes, snapshotPEs) {
		current, queue, n := look.Queue(pe, min(snapshotQueue, left))
		h := Standing{PE: pe, Doing: "busy", Clock: p.Virtual, Length: n, Coming: look.Coming(pe), Queue: pendingGoals(queue)}
		if current != nil {
			h.Current = &pendingGoals([]report.Pending{*current})[0]
		} else if n == 0 {
			h.Doing = "idle"
		}
		left -= len(queue)
		s.PEs = append(s.PEs, h)
	}
	if r.central {
		queue, n := look.Central(min(snapshotQueue, left))
		s.Central = &Standing{PE: sim.Central, Clock: p.Virtual, Length: n, Queue: pendingGoals(queue)}
	}
	waiting, n := look.Waiting(snapshotWaits)
	s.Waiting, s.Suspended = pendingGoals(waiting), n
	return s
}
