package sim_test

import (
	"slices"
	"testing"

	"whorl/sim"
	"whorl/sim/policy"
	"whorl/sim/testdata/toy"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// Work woken on its own PE is ready at the end of the step; on another PE over the bus, a latency later. No work moves.
func TestWake(t *testing.T) {
	for home, want := range []sim.Time{500, 500 + 200 + 1000} {
		mem := tracer.NewMemory()
		got := sim.Time(-1)
		prog := toy.Func{OnStep: func(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
			if w == 1 {
				p.Wake(2, 2, int32(home))
				return 500, 0
			}
			if got = p.Now(); int(p.ID()) != home {
				t.Errorf("woken on PE %d, want %d", p.ID(), home)
			}
			return 100, 0
		}}
		m := machine(t, sim.Config{PEs: 2, Policy: policy.Static{}, Model: model, Recorder: mem}, prog)
		m.Boot(0, 1, 1)
		finish(t, m)
		if got != want {
			t.Errorf("woken on PE %d: runs at %d, want %d", home, got, want)
		}
		if moves := tracertest.Events(t, mem, tracer.Kinds(tracer.Move, tracer.Send)); len(moves) != 0 {
			t.Errorf("woken on PE %d: %+v", home, moves)
		}
	}
}

// Resumed work runs after the works of the step that resumes it and before all others, or before the former, or behind
// all works of its PE. Behind them it is the first that another PE gets, once the cost of the step is spent.
func TestTurnsOfResumedWork(t *testing.T) {
	for _, c := range []struct {
		turn  sim.Turn
		pes   int
		ready sim.Work // works that wait before the step
		ran   []sim.Work
		given sim.Work // the work that PE 1 gets first
	}{
		{sim.Next, 1, 2, []sim.Work{9, 6, 5, 4, 3, 2, 1}, 0},
		{sim.Last, 1, 2, []sim.Work{9, 6, 5, 2, 1, 3, 4}, 0},
		{sim.Next, 2, 0, []sim.Work{9, 6, 3, 5, 4}, 3},
		{sim.Last, 2, 0, []sim.Work{9, 6, 4, 5, 3}, 4},
	} {
		for _, ranked := range []bool{false, true} {
			var ran []sim.Work
			var given sim.Work
			var m *sim.Machine
			prog := toy.Func{OnStep: func(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
				ran = append(ran, w)
				if p.ID() == 1 && given == 0 {
					given = w
				}
				if w != 9 {
					if p.Now() < 5000 {
						t.Errorf("work %d runs at %d, before the cost of the step is spent", w, p.Now())
					}
					return 100, 0
				}
				p.Wake(3, 3, 0)
				p.Wake(4, 4, 0)
				p.Spawn(5, 5, -1)
				p.Spawn(6, 6, -1)
				n := int(c.ready) + 4
				q := m.Standing(0, 10)
				if m.Load(0) != n || q.Waiting != n || len(q.Queue) != n || c.turn == sim.Last && q.Queue[n-1].Work != 4 {
					t.Errorf("load %d, waiting %+v; want %d works", m.Load(0), q, n)
				}
				return 5000, 0
			}}
			cfg := sim.Config{PEs: c.pes, Policy: policy.OnDemand{Goals: sim.Goals{Resumed: c.turn}}, Model: sim.Model{InstructionPs: 1000, Latency: 3}}
			if ranked {
				cfg.Rank = func(sim.Work) int64 { return 7 }
			}
			m = machine(t, cfg, prog)
			for w := sim.Work(1); w <= c.ready; w++ {
				m.Boot(0, w, uint64(w))
			}
			m.Boot(0, 9, 9)
			finish(t, m)
			if !slices.Equal(ran, c.ran) || given != c.given {
				t.Errorf("turn %d on %d PEs: ran %v, PE 1 got %d first; want %v and %d", c.turn, c.pes, ran, given, c.ran, c.given)
			}
		}
	}
}

// A PE that makes work ready wakes one that sleeps, and spends half of the time which that takes. One PE wakes another only when none that has been woken still
// looks for work.
func TestWaking(t *testing.T) {
	const first, wake, hold = 100, 1000, 300
	for _, c := range []struct {
		works, pes, others int // others that find work
		longest            sim.Time
		hold               sim.Time
	}{
		{1, 2, 1, 10_000, 0},
		{1, 2, 1, 10_000, hold},
		{1, 2, 0, 10, hold}, // PE 0 takes the work itself
		{2, 3, 2, 10_000, 0},
		{5, 8, 5, 10_000, hold},
	} {
		ran := map[int32]sim.Time{}
		prog := toy.Func{}
		step := 0
		prog.OnStep = func(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
			if w > 1 {
				ran[p.ID()] = p.Now()
				return 5000, 0
			}
			switch step++; step {
			case 1:
				return first, w // the others begin to sleep
			case 2:
				for i := range c.works {
					p.Spawn(sim.Work(2+i), uint64(2+i), -1)
				}
				return 0, w
			}
			return c.longest, 0
		}
		m := machine(t, sim.Config{PEs: c.pes, Policy: policy.Goroutines{}, Model: sim.Model{InstructionPs: 1000, Wake: wake, Hold: c.hold}, Seed: 1}, prog)
		m.Boot(0, 1, 1)
		finish(t, m)
		if delete(ran, 0); len(ran) != c.others {
			t.Errorf("%+v: other PEs run work at %v", c, ran)
		}
		if got := m.Account(0).Overhead; got != wake/2 {
			t.Errorf("%+v: PE 0 spends %d ns to wake others, want %d", c, got, wake/2)
		}
		earliest, latest := sim.Time(0), sim.Time(0)
		for _, at := range ran {
			if latest = max(latest, at); earliest == 0 || at < earliest {
				earliest = at
			}
		}
		newest := sim.Time(0) // how much longer the only work of a PE takes
		if c.works == 1 {
			newest = c.hold
		}
		if c.others > 0 && (earliest < first+(wake+newest)/2 || earliest > first+(wake+newest)*3/2) {
			t.Errorf("%+v: a PE has work at %d", c, earliest)
		}
		if c.others > 1 && latest < first+wake {
			t.Errorf("%+v: PEs have work at %v, want them to wake one another", c, ran)
		}
	}
}
