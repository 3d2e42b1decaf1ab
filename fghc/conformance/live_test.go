package conformance_test

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"testing"
	"time"

	"whorl/fghc/emulator"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

// A liveRun is a configuration of the emulator.
type liveRun struct {
	policy  string
	pes     int
	seed    uint64
	slice   int  // reductions of a turn, 0 for no turns
	poll    int  // reductions between two safe points, 0 for the default
	collect bool // before every reduction
	traced  bool
	step    int // reductions between two inspections of the run, 0 for none
}

func (s liveRun) String() string {
	return fmt.Sprintf("on real cores, %s, %d PEs, slices of %d, safe points after %d, collecting %t, traced %t, steps of %d", s.policy, s.pes, s.slice, s.poll, s.collect, s.traced, s.step)
}

// patience is the time limit of a run, which takes milliseconds.
const patience = 4 * time.Minute

// live runs a program on real cores. Without a recording it returns the expected tree.
func (c compiled) live(t fataler, s liveRun, want outcome, text string) (o outcome) {
	t.Helper()
	pol := must.Get(policy.Named(s.policy))(t)
	opts := emulator.Options{PEs: s.pes, Policy: pol, Seed: s.seed, Slice: s.slice, Poll: s.poll, Collect: s.collect}
	var mem *tracer.Memory
	if s.traced {
		mem = tracer.NewMemory()
		opts.Recorder = mem
	}
	m := must.Get(emulator.New(c.prog, c.query, opts))(t)
	// A run that hangs would not end by a context either.
	stuck := time.AfterFunc(patience, func() {
		pprof.Lookup("goroutine").WriteTo(os.Stderr, 2)
		panic(fmt.Sprintf("%v: no end\n%s", s, text))
	})
	defer stuck.Stop()
	if s.step == 0 {
		o.err = m.Run(context.Background())
	} else {
		o.err = walk(m, s)
	}
	if !o.judged() {
		t.Fatalf("%v: %v\n%s", s, o.err, text)
	}
	o.nodes, o.shape = int(m.Stats().Reductions), want.shape
	if mem != nil {
		mem.Close()
		o.shape = shape(t, mem)
	}
	for _, b := range m.Answer() {
		o.answers = append(o.answers, b.Name+" = "+renamed(b.Value))
	}
	return o
}

// walk runs a program step by step, and inspects all its goals after each step.
func walk(m *emulator.Machine, s liveRun) error {
	if err := m.Start(); err != nil {
		return err
	}
	for m.Advance(context.Background(), int64(s.step), patience) {
		look := m.Inspect()
		for pe := range s.pes {
			look.Queue(pe, 10)
		}
		look.Central(10)
		look.Waiting(10)
	}
	return m.Err()
}

// tryLive compares the emulator with the reference on a random program, twice on one PE and twice on several.
func tryLive(t fataler, choose func(from, to int) int) sample {
	r := pose(t, choose)
	if !r.decided {
		return r
	}
	c := build(t, r.file, r.goals)
	for _, pes := range []int{1, 1, choose(2, 3), choose(2, 8)} {
		s := liveRun{
			policy: policy.All[choose(0, len(policy.All)-1)].Name, pes: pes, seed: uint64(choose(0, 99)), slice: choose(0, 1) * choose(0, 5), poll: choose(0, 5),
			collect: choose(0, 1) == 1, traced: choose(0, 1) == 1,
		}
		if choose(0, 3) == 0 {
			s.step = choose(1, 20)
		}
		if d := attempt(func() outcome { return c.live(t, s, r.want, r.text) }).differs(r.want); d != "" {
			t.Fatalf("%v: %s\n%s", s, d, r.text)
		}
	}
	return r
}

// TestRandomProgramsLive compares the emulator with the reference on random programs and schedules.
func TestRandomProgramsLive(t *testing.T) { trySamples(t, *samples, 2, tryLive) }

// TestSoakRandomProgramsLive does the same with many programs.
func TestSoakRandomProgramsLive(t *testing.T) {
	testenv.OnlySoak(t)
	trySamples(t, 125*(*samples), 3, tryLive)
}

// FuzzProgramsLive does the same with fuzzed choices.
func FuzzProgramsLive(f *testing.F) { fuzz(f, tryLive) }
