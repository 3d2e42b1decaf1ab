package policy_test

import (
	"slices"
	"testing"

	"whorl/sim"
	"whorl/sim/testdata/toy"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// Under ring all messages go to the next PE; under random they do not.
func TestRingHasNoTrafficOffTheRing(t *testing.T) {
	for _, c := range []struct {
		policy string
		want   bool
	}{{"ring", true}, {"random", false}} {
		const pes = 7
		mem := run(t, sim.Config{Policy: named(t, c.policy), Model: model, Seed: 1}, "ring", pes, toy.Binary(8))
		sends := tracertest.Events(t, mem, tracer.Kinds(tracer.Send))
		if len(sends) < 400 {
			t.Fatalf("%s: only %d messages", c.policy, len(sends))
		}
		on := true
		for _, e := range sends {
			on = on && e.Peer == (e.PE+1)%pes
		}
		if on != c.want {
			t.Errorf("%s: all messages go to the next PE: %v, want %v", c.policy, on, c.want)
		}
	}
}

// The k-th child that a PE spawns runs on PE + k.
func TestRoundRobinTakesTurns(t *testing.T) {
	for _, c := range []struct {
		policy string
		want   bool
	}{{"round-robin", true}, {"ring", false}} {
		const pes = 5
		prog := toy.Binary(8)
		prog.Kids = func(depth, index int) int { return 1 + (depth+index)%3 }
		prog.Want = 0
		prog.Keep = true
		run(t, sim.Config{Policy: named(t, c.policy), Model: model}, "all", pes, prog)
		parents := map[uint64]int{} // in step order
		for i, r := range prog.Ran {
			parents[r.Task] = i
		}
		slices.SortFunc(prog.Ran[1:], func(a, b toy.Run) int { // children in spawning order
			if a.Parent != b.Parent {
				return parents[a.Parent] - parents[b.Parent]
			}
			return a.Index - b.Index
		})
		turns := true
		var k [pes]int32
		for _, r := range prog.Ran[1:] {
			k[r.From]++
			turns = turns && r.PE == (r.From+k[r.From])%pes
		}
		if turns != c.want || len(prog.Ran) < 50 {
			t.Errorf("%s: %d children in turn: %v, want %v", c.policy, len(prog.Ran)-1, turns, c.want)
		}
	}
}

func TestRandomIsEvenOverTheOthers(t *testing.T) {
	for _, c := range []struct {
		policy string
		want   bool
	}{{"random", true}, {"round-robin", false}, {"least-loaded", false}} {
		const pes = 9
		counts := make([]int, pes)
		for seed := range uint64(5) {
			prog := toy.Binary(9)
			prog.Keep = true
			run(t, sim.Config{Policy: named(t, c.policy), Model: model, Seed: seed}, "all", pes, prog)
			for _, r := range prog.Ran[1:] {
				counts[(r.PE-r.From+pes)%pes]++
			}
		}
		even := counts[0] == 0 && testenv.ChiSquared(counts[1:]) < 24.32 // 99.9 % point for 7 degrees of freedom
		if even != c.want {
			t.Errorf("%s: children on PE + 0, 1, ...: %v, chi-squared %.1f; even over the others: want %v", c.policy, counts, testenv.ChiSquared(counts[1:]), c.want)
		}
	}
	// The control also draws the parent's own PE.
	prog := toy.Binary(9)
	prog.Keep = true
	run(t, sim.Config{Policy: anywhere{named(t, "random")}, Model: model, Seed: 1}, "all", 9, prog)
	if !slices.ContainsFunc(prog.Ran, func(r toy.Run) bool { return r.PE == r.From }) {
		t.Error("a draw from all PEs never hits the parent's")
	}
}

type anywhere struct{ sim.Policy }

func (anywhere) Place(v sim.View, s *sim.Self, _ int) int { return s.Rand.N(v.PEs()) }

// Tasks start in order of creation: on one PE at any cost, on several PEs if the queue costs nothing.
func TestBreadthFirstStartsInOrderOfCreation(t *testing.T) {
	free := sim.Model{InstructionPs: 1000}
	for _, c := range []struct {
		policy string
		pes    int
		model  sim.Model
		want   bool
	}{
		{"breadth-first", 1, model, true},
		{"breadth-first", 4, free, true},
		{"on-demand", 1, model, false},
		{"on-demand", 4, free, false},
	} {
		for _, network := range []string{"bus", "torus2d"} {
			prog := toy.Binary(8)
			prog.Keep = true
			run(t, sim.Config{Policy: named(t, c.policy), Model: c.model}, network, c.pes, prog)
			got := slices.IsSortedFunc(prog.Ran, func(a, b toy.Run) int { return int(a.Task) - int(b.Task) })
			if got != c.want {
				t.Errorf("%s on %d PEs, %s: in order of creation: %v, want %v", c.policy, c.pes, network, got, c.want)
			}
		}
	}
}

// No neighbour has a shorter queue than the PE that least-loaded chooses.
func TestLeastLoadedPassesNoShorterQueue(t *testing.T) {
	for _, c := range []struct {
		policy string
		want   int
	}{{"least-loaded", 0}, {"ring", 1}, {"round-robin", 1}} {
		passed, moved := 0, 0
		pol := spy{Policy: named(t, c.policy), place: func(v sim.View, s *sim.Self, _, to int) {
			if to != int(s.PE) {
				moved++
			}
			for k := 0; v.Near(s, k) >= 0; k++ {
				if v.Load(v.Near(s, k)) < v.Load(to) {
					passed++
					return
				}
			}
		}}
		run(t, sim.Config{Policy: pol, Model: model}, "torus2d", 16, toy.Binary(9))
		if min(passed, 1) != c.want || moved < 100 {
			t.Errorf("%s passed by a shorter queue %d times, moved %d works", c.policy, passed, moved)
		}
	}
}

// Least-loaded only considers neighbours, but a program that fills its machine reaches all PEs.
func TestLeastLoadedSpreads(t *testing.T) {
	for _, c := range []struct {
		policy string
		want   int64
	}{{"least-loaded", 16}, {"depth-first", 1}} {
		mem := run(t, sim.Config{Policy: named(t, c.policy), Model: model}, "torus2d", 16, toy.Binary(9))
		if got := mem.Counts()[tracer.Init]; got != c.want {
			t.Errorf("%s: %d PEs work, want %d", c.policy, got, c.want)
		}
	}
}

// Static puts work on the PE of the hint, modulo the number of PEs, and keeps work without a hint.
func TestStaticHonoursHints(t *testing.T) {
	for _, c := range []struct {
		policy string
		want   bool
	}{{"static", true}, {"depth-first", false}, {"random", false}} {
		const pes = 6
		hint := func(depth, index int) int { return (depth*7+index*4)%14 - 1 }
		prog := toy.Binary(7)
		prog.Hint, prog.Keep = hint, true
		run(t, sim.Config{Policy: named(t, c.policy), Model: model, Seed: 1}, "hypercube", pes, prog)
		honoured, stayed := true, 0
		for _, r := range prog.Ran[1:] {
			to := r.From
			if h := hint(r.Depth, r.Index); h >= 0 {
				to = int32(h % pes)
			} else {
				stayed++
			}
			honoured = honoured && r.PE == to
		}
		if honoured != c.want || stayed == 0 {
			t.Errorf("%s honours hints: %v, want %v", c.policy, honoured, c.want)
		}
	}
}
