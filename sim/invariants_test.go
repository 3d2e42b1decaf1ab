package sim_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"whorl/sim"
	"whorl/sim/policy"
	"whorl/sim/testdata/toy"
	"whorl/testdata/must"
	"whorl/tracer"
)

// randomTree draws a tree of tasks with costs and hints that depend on the position in the tree.
func randomTree(t *rapid.T) *toy.Tree {
	kids := rapid.SliceOfN(rapid.IntRange(0, 4), 5, 5).Draw(t, "kids")
	cost := rapid.SliceOfN(rapid.Int64Range(0, 3000), 6, 6).Draw(t, "cost")
	kids[0] += 2
	var prog *toy.Tree
	prog = &toy.Tree{
		Kids: func(depth, index int) int {
			if prog.Count > 300 {
				return 0
			}
			return kids[(depth+index)*(depth%3)%5]
		},
		Cost:  func(depth int) int64 { return cost[depth%6] },
		Limit: 8 - rapid.IntRange(0, 7).Draw(t, "8 - depth"), Size: rapid.IntRange(0, 500).Draw(t, "bytes"), Keep: true,
	}
	if rapid.Bool().Draw(t, "hints") {
		prog.Hint = func(depth, index int) int { return (depth*7+index)%9 - 1 }
	}
	return prog
}

func randomConfig(t *rapid.T) sim.Config {
	k := rapid.SampledFrom(policy.All).Draw(t, "policy")
	pes := rapid.SampledFrom([]int{1, 2, 3, 5, 8, 30, 100}).Draw(t, "PEs")
	net := rapid.SampledFrom(sim.Networks).Draw(t, "network")
	figure := rapid.SampledFrom([]int64{0, 1, 50, 1000})
	return sim.Config{
		Policy: k.New(), PolicyName: k.Name, Network: net.New(pes), Seed: rapid.Uint64().Draw(t, "seed"),
		Model: sim.Model{
			InstructionPs: rapid.SampledFrom([]int64{1, 333, 1000, 2500}).Draw(t, "ps"),
			Latency:       figure.Draw(t, "latency"), Overhead: figure.Draw(t, "overhead"), Gap: figure.Draw(t, "gap"), BytePs: figure.Draw(t, "byte"),
		},
	}
}

// Every run obeys the laws of the machine, for random programs, policies, networks and costs.
func TestLawsOfTheMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := randomConfig(t)
		prog := randomTree(t)
		mem := tracer.NewMemory()
		cfg.Recorder = mem
		m := machineFor(t, cfg, prog)
		l := &laws{m: m, prog: prog, cfg: cfg, holder: map[uint64]int32{}, end: map[uint64]int64{}, over: map[uint64]int64{}, sent: map[uint64]tracer.Event{}}
		l.pes = make([]state, cfg.Network.PEs())
		must.Do(t, mem.Scan(tracer.AllKinds, func(es []tracer.Event) error {
			for _, e := range es {
				if err := l.event(e); err != nil {
					return fmt.Errorf("%+v (%v): %w", e, e.Kind, err)
				}
			}
			return nil
		}))
		must.Do(t, l.total())
	})
}

func machineFor(t *rapid.T, cfg sim.Config, prog *toy.Tree) *sim.Machine {
	m := must.Get(sim.New(cfg, prog))(t)
	prog.Start(m)
	if more, err := m.Advance(t.Context(), 1e6); more || err != nil {
		t.Fatalf("more %v, error %v, %+v", more, err, m.Stats())
	}
	return m
}

type state struct {
	kind     tracer.Kind // Busy, Idle, Overhead; KindInvalid before Init
	since    int64
	spent    [tracer.NumKinds]int64
	busyTill int64
	gate     int64
	worked   bool // it has events other than Busy, Idle and Overhead
	exited   bool
}

// laws follows a trace and checks every event.
type laws struct {
	m    *sim.Machine
	prog *toy.Tree
	cfg  sim.Config
	pes  []state
	now  int64
	path int64 // longest chain of steps

	holder map[uint64]int32 // PE of each task that has moved
	end    map[uint64]int64 // end of each task's step on a machine without waiting
	over   map[uint64]int64 // end of each task's step
	sent   map[uint64]tracer.Event
	n      [tracer.NumKinds]uint64
	bytes  int64
	work   int64
}

func (l *laws) event(e tracer.Event) error {
	if e.Time < l.now {
		return fmt.Errorf("time goes back from %d", l.now)
	}
	l.now = e.Time
	l.n[e.Kind]++
	p := &l.pes[e.PE]
	if (p.kind == tracer.KindInvalid) != (e.Kind == tracer.Init) {
		return fmt.Errorf("the PE is %v", p.kind)
	}
	if p.exited {
		return fmt.Errorf("the PE has left")
	}
	shared := l.m.Shared()
	switch e.Kind {
	case tracer.Reduce, tracer.Move, tracer.Send, tracer.Recv:
		p.worked = true
	}
	switch e.Kind {
	case tracer.Init:
		p.kind, p.since = tracer.Idle, 0
	case tracer.Exit:
		p.spent[p.kind] += e.Time - p.since
		p.exited = true
	case tracer.Busy, tracer.Idle, tracer.Overhead:
		p.spent[p.kind] += e.Time - p.since
		p.kind, p.since = e.Kind, e.Time
	case tracer.Reduce:
		if p.kind != tracer.Busy {
			return fmt.Errorf("the PE is %v", p.kind)
		}
		if e.Time < p.busyTill {
			return fmt.Errorf("the PE's last step lasts until %d", p.busyTill)
		}
		p.busyTill = e.Time + e.Value
		if over := l.over[e.Ref]; e.Time < over {
			return fmt.Errorf("the parent's step lasts until %d", over)
		}
		l.over[e.Task] = e.Time + e.Value
		l.end[e.Task] = l.end[e.Ref] + e.Value
		l.path = max(l.path, l.end[e.Task])
		l.work += e.Value
		from, ok := l.holder[e.Task]
		if !ok {
			from = max(e.Peer, 0) // PE of the parent; the root is on PE 0
		}
		if from != e.PE {
			return fmt.Errorf("PE %d holds the task", from)
		}
	case tracer.Move:
		from, ok := l.holder[e.Task]
		if ok && from != e.Peer || e.Peer == e.PE && !shared && l.cfg.PolicyName != "breadth-first" {
			return fmt.Errorf("PE %d held the task", from)
		}
		l.holder[e.Task] = e.PE
		if (e.Ref == 0) != shared || shared && e.Value != 0 || !shared && e.Value != int64(l.prog.Size) {
			return fmt.Errorf("a move of another kind of network")
		}
		if e.Code == 0 {
			return fmt.Errorf("no reason")
		}
	case tracer.Send:
		if shared {
			return fmt.Errorf("a message on a bus")
		}
		c := l.cfg.Model
		if l.m.Stats().Asks == 0 && e.Time < p.gate { // answers to asks do not wait for the interface
			return fmt.Errorf("the interface is busy until %d", p.gate)
		}
		p.gate = e.Time + max(c.Gap, c.Overhead) + (e.Value*c.BytePs+999)/1000
		l.sent[e.Ref] = e
		l.bytes += e.Value
	case tracer.Recv:
		s, ok := l.sent[e.Ref]
		if !ok || s.PE != e.Peer || s.Peer != e.PE || s.Value != e.Value || s.Task != e.Task || s.Code != e.Code {
			return fmt.Errorf("the message was sent as %+v", s)
		}
		delete(l.sent, e.Ref)
		c := l.cfg.Model
		way := int64(l.cfg.Network.Distance(int(e.PE), int(e.Peer)))*c.Latency + (e.Value*c.BytePs+999)/1000
		if e.Time < s.Time+way {
			return fmt.Errorf("sent at %d, %d away", s.Time, way)
		}
	default:
		return fmt.Errorf("unexpected")
	}
	return nil
}

func (l *laws) total() error {
	s := l.m.Stats()
	if len(l.sent) != 0 {
		return fmt.Errorf("%d messages were not received", len(l.sent))
	}
	if l.n[tracer.Reduce] != s.Steps || l.n[tracer.Move] != s.Moves || l.n[tracer.Send] != s.Messages || l.bytes != s.Bytes || int(l.n[tracer.Init]) != s.Worked {
		return fmt.Errorf("events %v, stats %+v", l.n, s)
	}
	if s.Elapsed != l.now || s.Busy != l.work || s.Elapsed < l.path || s.Elapsed*sim.Time(s.PEs) < l.work {
		return fmt.Errorf("work %d, path %d, last event at %d, stats %+v", l.work, l.path, l.now, s)
	}
	if s.Busy+s.Overhead+s.Idle != s.Elapsed*sim.Time(s.PEs) {
		return fmt.Errorf("the sum of the accounts is wrong: %+v", s)
	}
	for i := range l.pes {
		p := &l.pes[i]
		if p.kind == tracer.KindInvalid {
			continue
		}
		if !p.exited || !p.worked {
			return fmt.Errorf("PE %d is in the trace; left %v, worked %v", i, p.exited, p.worked)
		}
		a := l.m.Account(i)
		if p.spent[tracer.Busy] != a.Busy || p.spent[tracer.Overhead] != a.Overhead || p.spent[tracer.Idle] != a.Idle {
			return fmt.Errorf("PE %d spent %v in its trace, %+v in its account", i, p.spent, a)
		}
	}
	return nil
}
