package charge

import (
	"bytes"
	"math"
	"strconv"
	"testing"

	"whorl/sim"
	"whorl/testdata/must"
	"whorl/tracer"
)

var model = sim.Model{InstructionPs: 2000, Latency: 1000, Overhead: 500, BytePs: 300}

// clocks returns the clocks of some processors in a ring, and their recording in memory.
func clocks(t *testing.T, processors int, o Options) (*Clocks, *tracer.Memory) {
	t.Helper()
	net := must.Get(sim.NetworkNamed("ring", processors))(t)
	mem := tracer.NewMemory()
	o.Network, o.Model, o.Recorder = net, model, mem
	return New(processors, o), mem
}

func text(t *testing.T, c *Clocks, mem *tracer.Memory) string {
	t.Helper()
	c.End(0)
	must.Do(t, mem.Close())
	var b bytes.Buffer
	must.Do(t, tracer.WriteText(&b, mem))
	return b.String()
}

// TestClocks checks that clocks advance by the costs of instructions and, for messages, by the LogGP model.
func TestClocks(t *testing.T) {
	c, mem := clocks(t, 4, Options{})
	code := NewCode(Unit{Name: "p"}, costs(1, 2, 3), strconv.Itoa)
	call := &Call{Code: code}
	c.Begin([]*Code{code})
	inner := code.Repeat(1, 3, 10)
	p := Sequence(2, code.Repeat(0, 1, 1), inner)
	if !c.Spend([]int32{0, 2}, call, &p) || c.Now(0) != 2*(1+50)*2 || c.Now(1) != 0 || c.Now(2) != 204 {
		t.Errorf("processors are at %d, %d and %d ns", c.Now(0), c.Now(1), c.Now(2))
	}
	c.Send(Message{From: 0, To: 2, Size: 1000}, call, 1)
	left := int64(204 + 500)
	if arrived := left + 2*1000 + 300; c.Now(0) != left || c.Now(2) != arrived+500 {
		t.Errorf("the sender is at %d ns and the receiver at %d", c.Now(0), c.Now(2))
	}
	c.Send(Message{From: 1, To: 1, Size: 8}, call, 1)
	c.Send(Message{From: 1, To: 2}, call, 1)
	totals := c.Totals()
	if totals.Instructions != 204 || totals.Messages != 1 || totals.Bytes != 1000 || totals.BusyNs != 408 {
		t.Errorf("totals %+v", totals)
	}
	c.Broadcast([]int32{3, 0, 1, 2}, 8, call, 1)
	c.Reduce([]int32{3, 0, 1, 2}, 8, call, 1)
	if n := c.Totals().Messages; n != 7 {
		t.Errorf("%d messages", n)
	}
	if c.Latest() < c.Now(1) || c.Latest() < c.Now(3) {
		t.Error("a processor is ahead of the latest")
	}
	text(t, c, mem)
	if n := mem.Counts(); n[tracer.Send] != 7 || n[tracer.Recv] != 7 || n[tracer.Exit] != 4 {
		t.Errorf("events %v", n)
	}
}

// TestSpendTooMuch checks that a pattern that would overflow a clock is refused.
func TestSpendTooMuch(t *testing.T) {
	c, _ := clocks(t, 1, Options{})
	code := NewCode(Unit{Name: "p"}, costs(1000), strconv.Itoa)
	p := code.Repeat(0, 1, math.MaxInt64/1000)
	if c.Spend([]int32{0}, &Call{Code: code}, &p) {
		t.Error("a pattern of 2^63 instructions is executed")
	}
}

// TestSamplesOfSteps compares samples with those of a machine that executes instructions one by one, also for a single
// processor that skips instructions without samples.
func TestSamplesOfSteps(t *testing.T) {
	record := func(o Options) string {
		c, mem := clocks(t, 1, o)
		code := NewCode(Unit{Name: "p"}, costs(1, 7, 2, 40, 3), strconv.Itoa)
		call := &Call{Code: code}
		c.Begin([]*Code{code})
		for range 3 {
			if !c.Solo().Skip(code.Cost(0, 2) * model.InstructionPs) {
				p := code.Repeat(0, 2, 1)
				c.Spend([]int32{0}, call, &p)
			}
			p := Sequence(4, code.Repeat(1, 3, 9), Sequence(2, code.Repeat(2, 5, 3)))
			c.Spend([]int32{0}, call, &p)
		}
		if n := c.Totals().Instructions; n != 3*(8+4*(81+270)) {
			t.Errorf("%d instructions", n)
		}
		return text(t, c, mem)
	}
	for _, sample := range []int64{7, 100, 1009} {
		if record(Options{Sample: sample, Apart: true}) != record(Options{Sample: sample, Stepwise: true}) {
			t.Errorf("every %d ns the samples are not those of single steps", sample)
		}
	}
}

// TestWatch checks that Move takes the samples due for the previous statement and that Pass takes none.
func TestWatch(t *testing.T) {
	now := int64(0)
	c, mem := clocks(t, 2, Options{Sample: 10, Live: func() int64 { return now }})
	s := c.Samplers()
	all := s.Watch([]int32{0, 1})
	all.Move(1)
	now = 25
	all.Move(2)
	one := s.Watch([]int32{1})
	one.Follow(all)
	now = 31
	one.Move(3)
	now = 99
	one.Pass()
	one.Sample(101)
	s.Sync()
	must.Do(t, mem.Close())
	sites := map[int32][]uint64{}
	err := mem.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
		for _, e := range es {
			sites[e.PE] = append(sites[e.PE], e.Ref)
		}
		return nil
	})
	if err != nil || len(sites[0]) != 2 || len(sites[1]) != 4 || sites[1][2] != 2 || sites[1][3] != 3 {
		t.Errorf("samples %v, %v", sites, err)
	}
}
