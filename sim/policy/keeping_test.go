package policy_test

import (
	"slices"
	"testing"

	"whorl/sim"
	"whorl/sim/policy"
	"whorl/sim/testdata/toy"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// spy is a policy that shows its answers to a function.
type spy struct {
	sim.Policy
	place func(v sim.View, s *sim.Self, hint, to int)
	idle  func(v sim.View, s *sim.Self, a sim.Ask) sim.Ask
}

func (y spy) Place(v sim.View, s *sim.Self, hint int) int {
	to := y.Policy.Place(v, s, hint)
	if y.place != nil {
		y.place(v, s, hint, to)
	}
	return to
}

func (y spy) Idle(v sim.View, s *sim.Self) sim.Ask {
	a := y.Policy.Idle(v, s)
	if y.idle != nil {
		a = y.idle(v, s, a)
	}
	return a
}

func TestDepthFirstUsesOnePE(t *testing.T) {
	for _, c := range []struct {
		policy string
		pes    int
	}{{"depth-first", 1}, {"on-demand", 8}} {
		mem := run(t, sim.Config{Policy: named(t, c.policy), Model: model}, "torus2d", 8, toy.Binary(8))
		if got := mem.Counts()[tracer.Init]; int(got) != c.pes {
			t.Errorf("%s: %d PEs work, want %d", c.policy, got, c.pes)
		}
	}
}

// depthFirst reports whether tasks ran in preorder.
func depthFirst(ran []toy.Run) bool {
	var open []uint64 // the path from the root to the last task
	for _, r := range ran {
		i := slices.Index(open, r.Parent)
		if r.Parent != 0 && i < 0 {
			return false
		}
		open = append(open[:i+1], r.Task)
	}
	return true
}

// On one PE the policies that keep work run depth-first; those that queue it first in, first out do not.
func TestKeepingRunsDepthFirstOnOnePE(t *testing.T) {
	for _, k := range policy.All {
		prog := toy.Binary(6)
		prog.Keep = true
		run(t, sim.Config{Policy: k.New(), Model: model}, "bus", 1, prog)
		if got, want := depthFirst(prog.Ran), k.New().Traits().Stays; got != want {
			t.Errorf("%s runs depth-first: %v, want %v", k.Name, got, want)
		}
	}
}

// ask makes PE 0 spawn n works in one long step and PE 1 ask for some. It returns the works of each answer.
func ask(t *testing.T, pol sim.Policy, n int) (answers [][]uint64, ran []toy.Run) {
	prog := toy.Fan(n, 100_000)
	prog.Keep = true
	prog.Cost = func(depth int) int64 { return 10_000 + 90_000*int64(depth) }
	var last uint64
	for _, e := range tracertest.Events(t, run(t, sim.Config{Policy: pol, Model: model, Seed: 1}, "all", 2, prog), tracer.Kinds(tracer.Move)) {
		if e.Ref != last {
			answers, last = append(answers, nil), e.Ref
		}
		i := len(answers) - 1
		answers[i] = append(answers[i], e.Task)
	}
	return answers, prog.Ran
}

// A thief of half gets the oldest ceil(n/2) of n waiting works, one on demand half of those beyond eight, any other
// thief one. With n+1 children the victim keeps the first in place and pushes tasks n+2, n+1, ... 3, so that n+2 is the
// oldest.
func TestHowMuchIsStolen(t *testing.T) {
	for n := 1; n <= 30; n++ {
		for _, c := range []struct {
			policy string
			want   int
		}{{"steal-half", (n + 1) / 2}, {"steal", 1}, {"on-demand", max(1, (n-8)/2)}, {"steal-near", 1}} {
			answers, _ := ask(t, named(t, c.policy), n+1)
			var want []uint64
			for k := range c.want {
				want = append(want, uint64(n+2-k))
			}
			if !slices.Equal(answers[0], want) {
				t.Errorf("%s of %d works gets %v, want the oldest %v", c.policy, n, answers[0], want)
			}
		}
	}
}

// The busy PE takes its newest work; the asking PE gets the oldest.
func TestOnDemandTakesTheOldest(t *testing.T) {
	answers, ran := ask(t, named(t, "on-demand"), 8)
	if answers[0][0] != 9 {
		t.Errorf("the first task to move is %d, want 9, the oldest", answers[0][0])
	}
	var victim []uint64
	for _, r := range ran {
		if r.PE == 0 {
			victim = append(victim, r.Task)
		}
	}
	if want := []uint64{1, 2, 3}; !slices.Equal(victim[:3], want) {
		t.Errorf("the busy PE runs %v, want %v first", victim, want)
	}
}

// An idle PE under on-demand asks only PEs with work; a thief asks blindly.
func TestOnDemandAsksBusyPEs(t *testing.T) {
	for _, c := range []struct {
		policy string
		want   bool
	}{{"on-demand", false}, {"steal", true}} {
		blind := false
		pol := spy{Policy: named(t, c.policy), idle: func(v sim.View, s *sim.Self, a sim.Ask) sim.Ask {
			if a.From >= 0 && v.Load(a.From) == 0 {
				blind = true
			}
			return a
		}}
		run(t, sim.Config{Policy: pol, Model: model, Seed: 1}, "bus", 16, toy.Binary(8))
		if blind != c.want {
			t.Errorf("%s asks PEs without work: %v, want %v", c.policy, blind, c.want)
		}
	}
}

// victims returns the PEs that a thief on a torus asks before it finds work, when only the furthest PE has some.
func victims(t *testing.T, pol sim.Policy) (distances []int) {
	const pes, thief = 25, 12 // in the middle of a mesh of 5 x 5; the work is in the corner
	prog := toy.Fan(4, 1e6)
	run(t, sim.Config{Seed: 5, Model: model, Policy: spy{Policy: pol, idle: func(v sim.View, s *sim.Self, a sim.Ask) sim.Ask {
		switch {
		case s.PE != thief:
			return sim.Ask{From: sim.Nobody}
		case a.From >= 0:
			distances = append(distances, v.Distance(thief, a.From))
		}
		return a
	}}}, "mesh2d", pes, prog)
	return distances
}

func TestStealNearProbesByDistance(t *testing.T) {
	got := victims(t, named(t, "steal-near"))
	// 4 neighbours, 8 PEs at two hops, 4 of those at three, the PE in the corner, which offers work, and then from the start.
	want := []int{1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 1, 1, 1, 1, 2}
	if len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
		t.Errorf("probes at distances %v, want %v", got, want)
	}
	if control := victims(t, named(t, "steal")); slices.IsSorted(control[:2]) && control[0] == 1 {
		t.Errorf("a random thief probes at distances %v, by distance too", control)
	}
}

// The victims of a blind thief are uniformly distributed over the other PEs.
func TestStealPicksRandomVictims(t *testing.T) {
	for _, c := range []struct {
		policy string
		random bool
	}{{"steal", true}, {"steal-half", true}, {"steal-near", false}} {
		const pes = 12
		counts := make([]int, pes-1)
		pol := spy{Policy: named(t, c.policy), idle: func(v sim.View, s *sim.Self, a sim.Ask) sim.Ask {
			if a.From >= 0 && s.Tries == 0 {
				counts[(a.From-int(s.PE)+pes)%pes-1]++
			}
			return a
		}}
		for seed := range uint64(20) {
			run(t, sim.Config{Policy: pol, Model: model, Seed: seed}, "bus", pes, toy.Binary(9))
		}
		if x := testenv.ChiSquared(counts); (x < 29.59) != c.random { // 99.9 % point for 10 degrees of freedom
			t.Errorf("%s: chi-squared %.1f of victims %v, even: want %v", c.policy, x, counts, c.random)
		}
	}
}

// A thief with a lifeline that has work asks a lifeline, except in its first tries after it had work.
func TestLifelines(t *testing.T) {
	for _, pes := range []int{2, 8, 13} {
		asked, others := 0, 0
		y := spy{Policy: named(t, "steal-lifeline")}
		y.idle = func(v sim.View, s *sim.Self, a sim.Ask) sim.Ask {
			if a.From < 0 || s.Tries < 2 && v.Load(a.From) == 0 {
				return a
			}
			some := false
			for bit := 1; bit < pes; bit <<= 1 {
				q := int(s.PE) ^ bit
				if q == a.From {
					asked++
					return a
				}
				some = some || q < pes && v.Load(q) > 0
			}
			others++
			if some && s.Tries >= 2 {
				t.Errorf("of %d PEs, %d asks %d in try %d, and a lifeline has work", pes, s.PE, a.From, s.Tries)
			}
			return a
		}
		run(t, sim.Config{Policy: y, Model: model, Seed: 3}, "bus", pes, toy.Binary(9))
		if asked == 0 || pes == 13 && others == 0 {
			t.Errorf("of %d PEs lifelines are asked %d times, others %d times", pes, asked, others)
		}
	}
}
