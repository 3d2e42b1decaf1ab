package sim_test

import (
	"testing"

	"whorl/sim"
	"whorl/sim/policy"
	"whorl/sim/testdata/toy"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// Other PEs see new work only when the cost of the step that spawned it is spent.
func TestNewWorkIsSeenWhenItsStepIsOver(t *testing.T) {
	for _, cost := range []int64{3000, 5000} {
		for _, c := range []struct {
			network string
			pol     sim.Policy
			start   sim.Time // of the child that goes to another PE, after the cost is spent
		}{
			{"bus", policy.OnDemand{}, 200 + 1000},                // the thief's overhead and latency
			{"all", policy.OnDemand{}, 200 + 2000 + 96 + 200},     // the request's overhead, latency there and back, 64 bytes, receipt
			{"all", policy.Ring{}, 200 + 1000 + 96 + 200},         // overhead, latency, 64 bytes, receipt
			{"bus", policy.Ring{}, 200 + 1000},                    // overhead, latency
			{"bus", policy.BreadthFirst{}, 100 + 200 + 1000},      // the bus is busy for a gap; overhead and latency of the taker
			{"all", policy.BreadthFirst{}, 200 + 2000 + 96 + 200}, // the queue is at PE 0
		} {
			prog := toy.Fan(2, cost)
			prog.Keep = true
			m := machine(t, sim.Config{Network: network(t, c.network, 2), Policy: c.pol, Model: model}, prog)
			prog.Start(m)
			finish(t, m)
			found := false
			for _, r := range prog.Ran[1:] {
				if r.PE == 1 && !found {
					found = true
					if r.Time != cost+c.start {
						t.Errorf("%T on %s, a step of %d: the child starts at %d, want %d", c.pol, c.network, cost, r.Time, cost+c.start)
					}
				}
			}
			if !found {
				t.Errorf("%T on %s, a step of %d: no child on PE 1: %+v", c.pol, c.network, cost, prog.Ran)
			}
		}
	}
}

// Each further hop between thief and victim costs its latency twice: for the request and for the answer.
func TestHopsOfASteal(t *testing.T) {
	var last sim.Time
	for pes := 2; pes <= 8; pes += 2 {
		thief := pes / 2 // straight across the ring
		var got sim.Time
		prog := toy.Func{Size: 64, OnStep: func(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
			switch {
			case w == 1:
				p.Spawn(2, 2, -1)
				return 500, 3
			case w == 2:
				if got = p.Now(); int(p.ID()) != thief {
					t.Errorf("stolen by PE %d", p.ID())
				}
				return 0, 0
			default:
				return 1e6, 0
			}
		}}
		m := machine(t, sim.Config{Network: network(t, "ring", pes), Policy: only{thief}, Model: model}, prog)
		m.Boot(0, 1, 1)
		finish(t, m)
		if last != 0 && got != last+2000 {
			t.Errorf("%d hops: work arrives at %d, want 2000 after %d", thief, got, last)
		}
		last = got
	}
}

// only is a policy that lets a single PE steal.
type only struct{ thief int }

func (only) Traits() sim.Traits                       { return sim.Traits{LIFO: true, Stays: true} }
func (only) Place(_ sim.View, s *sim.Self, _ int) int { return int(s.PE) }
func (o only) Idle(v sim.View, s *sim.Self) sim.Ask {
	if int(s.PE) != o.thief {
		return sim.Ask{From: sim.Nobody}
	}
	return policy.OnDemand{}.Idle(v, s)
}

// A bus carries one transfer at a time: the transfers of two PEs that place work at the same time are a gap apart.
// Other networks carry both at once.
func TestBusIsShared(t *testing.T) {
	slow := model
	slow.Gap = 700
	for _, c := range []struct {
		network string
		moves   [2]sim.Time
	}{
		{"bus", [2]sim.Time{500 + 200 + 1000, 500 + 700 + 200 + 1000}},
		{"all", [2]sim.Time{500 + 200 + 1000 + 96, 500 + 200 + 1000 + 96}},
	} {
		mem := tracer.NewMemory()
		prog := toy.Func{Size: 64, OnStep: func(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
			if w < 3 {
				p.Spawn(w+2, uint64(w+2), int(w)+1)
			}
			return 500, 0
		}}
		m := machine(t, sim.Config{Network: network(t, c.network, 4), Policy: policy.Static{}, Model: slow, Recorder: mem}, prog)
		m.Boot(0, 1, 1)
		m.Boot(1, 2, 2)
		finish(t, m)
		moves := tracertest.Events(t, mem, tracer.Kinds(tracer.Move))
		if len(moves) != 2 || moves[0].Time != c.moves[0] || moves[1].Time != c.moves[1] || moves[0].PE != 2 || moves[1].PE != 3 {
			t.Errorf("%s: moves %+v, want at %v", c.network, moves, c.moves)
		}
		if n := len(tracertest.Events(t, mem, tracer.Kinds(tracer.Send, tracer.Recv))); (n == 0) != m.Shared() {
			t.Errorf("%s: %d messages", c.network, n)
		}
	}
}

// A busy PE receives a message between two steps; an idle, an asking and a sleeping PE receive it at once. Deliver may
// send messages.
func TestDelivery(t *testing.T) {
	for _, c := range []struct {
		name string
		pol  sim.Policy
	}{{"waits", policy.Static{}}, {"sleeps", policy.OnDemand{}}, {"asks", policy.Steal{}}} {
		var log []int32
		prog := toy.Func{
			OnStep: func(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
				if p.ID() == 0 && w == 1 {
					p.Spawn(5, 5, -1) // work to ask for
					p.Send(1, sim.Message{Data: 6})
					return 100, 3
				}
				return 3000, 0
			},
			OnDeliver: func(p *sim.PE, m sim.Message) sim.Time {
				log = append(log, p.ID())
				if m.Data > 0 {
					p.Send((p.ID()+1)%3, sim.Message{Data: m.Data - 1})
				}
				return 10
			},
		}
		m := machine(t, sim.Config{Network: network(t, "all", 3), Policy: c.pol, Model: model}, prog)
		m.Boot(0, 1, 1)
		finish(t, m)
		if len(log) != 7 {
			t.Errorf("%s: %d deliveries, want 7: %v", c.name, len(log), log)
		}
		for i, pe := range log {
			if pe != int32(i+1)%3 {
				t.Errorf("%s: delivery %d on PE %d", c.name, i, pe)
			}
		}
	}
}

// The number of asks is bounded by the number of works: on a machine much too large for its program, thieves do not poll.
func TestNoPolling(t *testing.T) {
	for _, name := range []string{"on-demand", "steal", "steal-half", "steal-near", "breadth-first"} {
		pol := must.Get(policy.Named(name))(t)
		const tasks = 1 << 10
		prog := toy.Binary(9)
		prog.Cost = func(int) int64 { return 100_000 } // long enough for polls
		m := machine(t, sim.Config{Network: network(t, "torus2d", 20_000), Policy: pol, Model: model, Seed: 1}, prog)
		prog.Start(m)
		finish(t, m)
		most := uint64(4 * tasks) // two blind tries and a successful one for each work
		if name == "steal-near" {
			most = 18 * tasks // sixteen blind tries
		}
		if s := m.Stats(); s.Asks > most || s.Asks == 0 {
			t.Errorf("%s: %d asks, %d of them failed, for %d tasks", name, s.Asks, s.FailedAsks, tasks)
		}
	}
	// The control is a policy that polls.
	prog := toy.Binary(9)
	prog.Cost = func(int) int64 { return 100_000 }
	m := machine(t, sim.Config{Network: network(t, "torus2d", 1000), Policy: polls{}, Model: model, Seed: 1}, prog)
	prog.Start(m)
	finish(t, m)
	if s := m.Stats(); s.Asks < 18<<10 {
		t.Errorf("a polling policy asks only %d times", s.Asks)
	}
}

type polls struct{ policy.Steal }

func (polls) Idle(v sim.View, s *sim.Self) sim.Ask {
	return sim.Ask{From: s.Rand.Other(int(s.PE), v.PEs())}
}

// After Nobody with a Wait the policy is called again after that time, with a Wait of 0 never.
func TestWaiting(t *testing.T) {
	for _, c := range []struct {
		wait sim.Time
		want int
	}{{0, 1}, {100, 11}, {250, 5}} {
		asked := 0
		m := machine(t, sim.Config{PEs: 2, Policy: waiter{c.wait, &asked}}, toy.Func{
			OnStep: func(*sim.PE, sim.Work) (sim.Time, sim.Work) { return 1050, 0 },
		})
		m.Boot(0, 1, 1)
		finish(t, m)
		if asked != c.want {
			t.Errorf("wait %d: asked %d times in 1050 ns, want %d", c.wait, asked, c.want)
		}
	}
}

type waiter struct {
	wait  sim.Time
	asked *int
}

func (waiter) Traits() sim.Traits                       { return sim.Traits{} }
func (waiter) Place(_ sim.View, s *sim.Self, _ int) int { return int(s.PE) }
func (w waiter) Idle(_ sim.View, s *sim.Self) sim.Ask {
	if s.PE == 1 {
		*w.asked++
	}
	return sim.Ask{From: sim.Nobody, Wait: w.wait}
}

// A machine of the largest size runs a program on a quarter of its PEs, with little memory for each PE.
func TestAMillionPEs(t *testing.T) {
	prog := toy.Binary(17)
	m := machine(t, sim.Config{Network: network(t, "torus3d", sim.MaxPEs), Policy: policy.Random{}, Model: model, Seed: 1}, prog)
	prog.Start(m)
	finish(t, m)
	if s := m.Stats(); s.PEs != 1<<20 || s.Steps != 1<<18-1 || s.Worked < 200_000 {
		t.Errorf("%+v", s)
	}
	if peak := peakMiB(); peak > 768 {
		t.Errorf("%.0f MiB", peak)
	}
}

// Two thieves that ask at the same time reach their victim a gap apart on a bus, and together on other networks.
func TestAsksShareTheBus(t *testing.T) {
	slow := model
	slow.Gap = 700
	for _, c := range []struct {
		network string
		apart   sim.Time
	}{{"bus", 700}, {"all", 0}} {
		prog := toy.Fan(3, 5000)
		prog.Keep = true
		n := must.Get(sim.NetworkNamed(c.network, 3))(t)
		m := machine(t, sim.Config{Network: n, Policy: policy.OnDemand{}, Model: slow}, prog)
		prog.Start(m)
		finish(t, m)
		var at []sim.Time
		for _, r := range prog.Ran {
			if r.PE != 0 {
				at = append(at, r.Time)
			}
		}
		if len(at) != 2 || at[1]-at[0] != c.apart {
			t.Errorf("%s: thieves start at %v, want %d apart", c.network, at, c.apart)
		}
	}
}

// TestForkAndSteal: a machine's fork delays the end of the step that forks, its steal the work that is stolen, each by exactly that time.
func TestForkAndSteal(t *testing.T) {
	start := func(m sim.Model) (child, first sim.Time) {
		prog := toy.Func{Size: 64, OnStep: func(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
			if w == 1 {
				p.Spawn(2, 2, -1)
				p.Spawn(3, 3, -1)
				return 5000 + p.Forks(2), 0
			}
			if p.ID() == 1 {
				child = p.Now()
			} else {
				first = p.Now()
			}
			return 10_000, 0
		}}
		machine := machine(t, sim.Config{Network: network(t, "bus", 2), Policy: policy.OnDemand{}, Model: m}, &prog)
		machine.Boot(0, 1, 1)
		finish(t, machine)
		return child, first
	}
	child, first := start(model)
	costly := model
	costly.Fork, costly.Steal = 70, 900
	laterChild, laterFirst := start(costly)
	if laterFirst-first != 2*70 || laterChild-child != 2*70+900 || child == 0 || first != 5000 {
		t.Errorf("with 70 ns for a fork and 900 ns for a steal, two works start at %d and %d, without at %d and %d", laterFirst, laterChild, first, child)
	}
	costly.Steal = -1
	if costly.Check() == nil {
		t.Error("a negative time of a steal is accepted")
	}
}
