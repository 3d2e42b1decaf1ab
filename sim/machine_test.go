package sim_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"whorl/sim"
	"whorl/sim/policy"
	"whorl/sim/testdata/toy"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

func network(t testing.TB, name string, pes int) sim.Network {
	t.Helper()
	return must.Get(sim.NetworkNamed(name, pes))(t)
}

func machine(t testing.TB, cfg sim.Config, prog sim.Program) *sim.Machine {
	t.Helper()
	return must.Get(sim.New(cfg, prog))(t)
}

// finish runs m to its end.
func finish(t testing.TB, m *sim.Machine) {
	t.Helper()
	if more, err := m.Advance(context.Background(), 1e8); more || err != nil {
		t.Fatalf("more %v, error %v, %+v", more, err, m.Stats())
	}
}

// A message leaves after the cost of the step and the sender's overhead. It arrives after the latency of each hop and
// the gap of each byte. The receiver spends its overhead.
func TestMessageCosts(t *testing.T) {
	for _, c := range []struct {
		network string
		to      int32
		bytes   int64
		first   sim.Time // arrival of the first message
		second  sim.Time // arrival of another message of the same step
	}{
		{"all", 2, 64, 500 + 200 + 1000 + 96, 500 + 200 + 96 + 200 + 1000 + 96},
		{"all", 2, 65, 500 + 200 + 1000 + 98, 500 + 200 + 98 + 200 + 1000 + 98}, // 97.5 rounded up
		{"all", 0, 64, 500 + 200 + 96 + 200, 500 + 200 + 96 + 200 + 96},         // to itself, after both have left
		{"ring", 2, 64, 500 + 200 + 2000 + 96, 500 + 200 + 96 + 200 + 2000 + 96},
		{"ring", 4, 64, 500 + 200 + 1000 + 96, 500 + 200 + 96 + 200 + 1000 + 96},
		{"all", 2, 0, 500 + 200 + 1000, 500 + 200 + 200 + 1000}, // the overhead exceeds the gap
	} {
		var got []sim.Time
		prog := toy.Func{
			OnStep: func(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
				p.Send(c.to, sim.Message{Data: 1, Bytes: c.bytes})
				p.Send(c.to, sim.Message{Data: 2, Bytes: c.bytes})
				return 500, 0
			},
			OnDeliver: func(p *sim.PE, m sim.Message) sim.Time {
				if p.ID() != c.to || m.From != 0 || m.Data != uint64(len(got)+1) || m.Bytes != c.bytes {
					t.Errorf("PE %d got %+v", p.ID(), m)
				}
				got = append(got, p.Now())
				return 50
			},
		}
		mem := tracer.NewMemory()
		m := machine(t, sim.Config{Network: network(t, c.network, 5), Policy: policy.Static{}, Model: model, Recorder: mem}, prog)
		m.Boot(0, 1, 1)
		finish(t, m)
		want := []sim.Time{c.first, max(c.second, c.first+50+200)} // the receiver may still handle the first
		if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
			t.Errorf("%s to PE %d, %d bytes: arrive at %v, want %v", c.network, c.to, c.bytes, got, want)
		}
		if end := m.Now(); end != got[1]+50+200 {
			t.Errorf("%s to PE %d: ends at %d, want 250 after %d", c.network, c.to, end, got[1])
		}
		s := m.Stats()
		if s.Messages != 2 || s.Bytes != 2*c.bytes || s.Busy != 500 || s.Overhead < 2*200+2*250 {
			t.Errorf("%s to PE %d: %+v", c.network, c.to, s)
		}
	}
}

func TestTraceOfAMessage(t *testing.T) {
	mem := tracer.NewMemory()
	class := mem.Dict().Add(tracer.Code{Type: tracer.MessageClass, Name: "hello"})
	prog := toy.Func{
		OnStep: func(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
			if w == 2 {
				return 30, 0
			}
			p.Send(1, sim.Message{Class: class, Task: 7, Bytes: 100})
			return 500, 0
		},
		OnDeliver: func(p *sim.PE, m sim.Message) sim.Time {
			p.Wake(2, 8, 1)
			return 50
		},
	}
	m := machine(t, sim.Config{Network: network(t, "all", 3), Policy: policy.Static{}, Model: model, Recorder: mem}, prog)
	m.Boot(0, 1, 7)
	finish(t, m)
	const want = `
0 Init pe=0 code=2 # simulated
0 Busy pe=0 task=7
500 Send pe=0 task=7 ref=1 peer=1 code=1 value=100 # hello
500 Overhead pe=0 code=7 # message
700 Idle pe=0 code=5 # no work
1850 Init pe=1 code=2 # simulated
1850 Recv pe=1 task=7 ref=1 peer=0 code=1 value=100 # hello
1850 Overhead pe=1 code=7 # message
2100 Busy pe=1 task=8
2130 Exit pe=0 code=2 # simulated
2130 Exit pe=1 code=2 # simulated
`
	if got := tracertest.Text(t, mem); !strings.HasSuffix(got, want) {
		t.Errorf("trace\n%s\nwant%s", got, want)
	}
}

func TestQuietDecides(t *testing.T) {
	deadlock := errors.New("two wait for each other")
	mem := tracer.NewMemory()
	m := machine(t, sim.Config{PEs: 2, Policy: policy.OnDemand{}, Recorder: mem}, toy.Func{
		OnStep:  func(*sim.PE, sim.Work) (sim.Time, sim.Work) { return 10, 0 },
		OnQuiet: func(m *sim.Machine) error { return deadlock },
	})
	m.Boot(1, 1, 1)
	for range 2 { // the second call returns the same
		if more, err := m.Advance(context.Background(), 100); more || !errors.Is(err, deadlock) {
			t.Errorf("more %v, error %v", more, err)
		}
	}
	exits := tracertest.Events(t, mem, tracer.Kinds(tracer.Exit))
	if len(exits) != 1 || exits[0].PE != 1 || exits[0].Value != 1 || exits[0].Time != 10 {
		t.Errorf("exits %v", exits)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	mem := tracer.NewMemory()
	n := 0
	m := machine(t, sim.Config{PEs: 1, Policy: policy.OnDemand{}, Recorder: mem}, toy.Func{
		OnStep: func(p *sim.PE, w sim.Work) (sim.Time, sim.Work) { // endless
			if n++; n == 10_000 {
				cancel()
			}
			return 1, w
		},
	})
	m.Boot(0, 1, 1)
	if more, err := m.Advance(ctx, 1<<63); !more || !errors.Is(err, context.Canceled) {
		t.Fatalf("more %v, error %v", more, err)
	}
	if n > 20_000 {
		t.Errorf("%d steps, cancelled at 10000", n)
	}
	m.Exit(2)
	m.Exit(3)
	if exits := tracertest.Events(t, mem, tracer.Kinds(tracer.Exit)); len(exits) != 1 || exits[0].Value != 2 {
		t.Errorf("exits %v", exits)
	}
	if more, err := m.Advance(context.Background(), 1); more || err != nil {
		t.Errorf("after Exit more %v, error %v", more, err)
	}
}

// The size of the slices in which a run advances does not change the trace.
func TestSlicesAreInvisible(t *testing.T) {
	run := func(slice uint64) string {
		mem := tracer.NewMemory()
		prog := toy.Binary(7)
		m := machine(t, sim.Config{Network: network(t, "torus2d", 12), Policy: policy.Steal{}, Model: model, Seed: 3, Recorder: mem}, prog)
		prog.Start(m)
		for slices := 0; ; slices++ {
			more := must.Get(m.Advance(context.Background(), slice))(t)
			if !more {
				if slice == 1 && slices < 255 {
					t.Errorf("only %d slices of one action", slices)
				}
				return tracertest.Text(t, mem)
			}
		}
	}
	whole := run(1 << 40)
	for _, slice := range []uint64{1, 2, 7, 100} {
		if run(slice) != whole {
			t.Errorf("slices of %d actions change the trace", slice)
		}
	}
}

// breaks is a policy that breaks a rule.
type breaks struct {
	policy.OnDemand
	place int
	from  int
}

func (b breaks) Place(sim.View, *sim.Self, int) int { return b.place }
func (b breaks) Idle(sim.View, *sim.Self) sim.Ask   { return sim.Ask{From: b.from} }

func TestBrokenRulesAreErrors(t *testing.T) {
	spawn := func(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
		if w == 1 {
			p.Spawn(2, 2, -1)
		}
		return 10, 0
	}
	for _, c := range []struct {
		name string
		pol  sim.Policy
		step func(p *sim.PE, w sim.Work) (sim.Time, sim.Work)
		want string
	}{
		{"places outside", breaks{place: 4, from: sim.Nobody}, spawn, `policy "p" placed work on PE 4 of 4`},
		{"places on no PE", breaks{place: sim.Nobody, from: sim.Nobody}, spawn, `policy "p" placed work on PE -2 of 4`},
		{"asks outside", breaks{from: 9}, spawn, `policy "p" makes PE 1 of 4 ask PE 9`},
		{"asks itself", breaks{from: 1}, spawn, `policy "p" makes PE 1 of 4 ask PE 1`},
		{"forgets", breaks{place: sim.Central, from: sim.Nobody}, spawn, `policy "p" leaves 1 pieces of work where no PE takes them`},
		{"negative cost", policy.OnDemand{}, func(*sim.PE, sim.Work) (sim.Time, sim.Work) { return -1, 0 }, "a step on PE 0 at 0 ns cost -1 ns"},
		{"for ever", policy.OnDemand{}, func(_ *sim.PE, w sim.Work) (sim.Time, sim.Work) { return 1 << 62, w }, "virtual time ran out"},
		{"sends outside", policy.OnDemand{}, func(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
			p.Send(4, sim.Message{})
			return 0, 0
		}, "message sent to PE 4 of 4"},
		{"sends less than nothing", policy.OnDemand{}, func(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
			p.Send(3, sim.Message{Bytes: -1})
			return 0, 0
		}, "message of -1 bytes"},
		{"sends too much", policy.OnDemand{}, func(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
			p.Send(3, sim.Message{Bytes: 1 << 62})
			return 0, 0
		}, "virtual time ran out"},
		{"wakes outside", policy.OnDemand{}, func(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
			p.Wake(1, 1, -1)
			return 0, 0
		}, "work woken on PE -1 of 4"},
	} {
		m := machine(t, sim.Config{PEs: 4, Policy: c.pol, PolicyName: "p", Model: model}, toy.Func{OnStep: c.step})
		m.Boot(0, 1, 1)
		more, err := m.Advance(context.Background(), 1000)
		if more || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: more %v, error %v, want %s", c.name, more, err, c.want)
		}
	}
}

func TestBadConfigs(t *testing.T) {
	for _, c := range []struct {
		want string
		cfg  sim.Config
	}{
		{"no policy", sim.Config{PEs: 1}},
		{"0 PEs", sim.Config{Policy: policy.Ring{}}},
		{"1048577 PEs", sim.Config{Policy: policy.Ring{}, PEs: sim.MaxPEs + 1}},
		{"network ring has 3 PEs", sim.Config{Policy: policy.Ring{}, PEs: 4, Network: network(t, "ring", 3)}},
		{"Latency -1, expected 0 to", sim.Config{Policy: policy.Ring{}, PEs: 4, Model: sim.Model{InstructionPs: 1, Latency: -1}}},
		{"InstructionPs 0, expected 1 ", sim.Config{Policy: policy.Ring{}, PEs: 4, Model: sim.Model{Latency: 1}}},
	} {
		if _, err := sim.New(c.cfg, toy.Func{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	if _, err := sim.New(sim.Config{PEs: 1, Policy: policy.Ring{}}, nil); err == nil {
		t.Error("a machine without a program")
	}
	m := machine(t, sim.Config{PEs: 2, Policy: policy.Ring{}}, toy.Func{})
	m.Boot(2, 1, 1)
	if _, err := m.Advance(context.Background(), 1); err == nil {
		t.Error("work booted outside the machine")
	}
}

// TestExitAfterTheLastActions checks that actions that run when a program fails, or when its caller ends the run, are part of the run.
func TestExitAfterTheLastActions(t *testing.T) {
	failure := errors.New("failed")
	for _, c := range []struct {
		name    string
		actions uint64
		err     error
	}{
		{"a failure", 100, failure},
		{"a limit", 3, nil},
	} {
		prog := toy.Func{OnStep: func(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
			if w == 3 && c.err != nil {
				p.Stop(c.err)
			}
			return 100 * sim.Time(4-w), 0
		}}
		mem := tracer.NewMemory()
		m := machine(t, sim.Config{Network: network(t, "all", 4), Policy: policy.Static{}, Model: model, Recorder: mem}, prog)
		for pe := range 3 {
			m.Boot(pe, sim.Work(pe+1), uint64(pe+1))
		}
		if _, err := m.Advance(context.Background(), c.actions); !errors.Is(err, c.err) {
			t.Errorf("%s: error %v", c.name, err)
		}
		m.Exit(int64(tracer.Failed))
		if s := m.Stats(); s.Elapsed != 300 || s.Busy != 600 || s.Idle != 600 {
			t.Errorf("%s: %+v", c.name, s)
		}
		const want = `
100 Exit pe=2 code=1 value=1 # simulated
200 Exit pe=1 code=1 value=1 # simulated
300 Exit pe=0 code=1 value=1 # simulated
`
		if got := tracertest.Text(t, mem); !strings.HasSuffix(got, want) {
			t.Errorf("%s: trace\n%s\nwant%s", c.name, got, want)
		}
	}
}
