package clocks

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// A host of a test has a clock that shows offset + (1 + drift) * t at the true time t.
type host struct {
	offset int64
	drift  float64
}

func (h host) read(t int64) int64 { return h.offset + t + int64(math.Round(float64(t)*h.drift)) }

// A traffic describes messages between hosts during a second. Each message takes least to most ns.
type traffic struct {
	hosts       []host
	least, most int64
	pairs       [][2]int32 // hosts that exchange messages
	each        int        // round trips of each pair
}

const run = 1_000_000_000

// exchange draws the messages: round trips evenly over the run, the first at its beginning and the last at its end.
func (c traffic) exchange(draw func(low, high int64) int64) []Message {
	var ms []Message
	for _, p := range c.pairs {
		for k := range c.each {
			t := int64(k) * run / int64(max(1, c.each-1))
			for _, way := range [][2]int32{p, {p[1], p[0]}} {
				got := t + draw(c.least, c.most)
				ms = append(ms, Message{way[0], way[1], c.hosts[way[0]].read(t), c.hosts[way[1]].read(got)})
				t = got
			}
		}
	}
	return ms
}

func (c traffic) ranges() (rs []Range) {
	for _, h := range c.hosts {
		rs = append(rs, Range{h.read(0), h.read(run)})
	}
	return rs
}

// worst returns the largest error of a host's times at the ends of the run and in between.
func (c traffic) worst(h int, align func(t int64) int64) (worst int64) {
	for k := range int64(11) {
		t := k * run / 10
		off := align(c.hosts[h].read(t)) - c.hosts[0].read(t)
		worst = max(worst, off, -off)
	}
	return worst
}

// TestAlign checks that Align finds known offsets and drifts within half a round trip and within Bound, for host 2 by way of host 1.
func TestAlign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := traffic{least: 50_000, most: 150_000, pairs: [][2]int32{{0, 1}, {2, 1}}, each: rapid.IntRange(2, 20).Draw(t, "round trips")}
		for range 3 {
			c.hosts = append(c.hosts, host{
				rapid.Int64Range(-1e15, 1e15).Draw(t, "offset"), float64(rapid.IntRange(-200, 200).Draw(t, "ppm")) * 1e-6,
			})
		}
		ms := c.exchange(func(low, high int64) int64 { return rapid.Int64Range(low, high).Draw(t, "ns") })
		clocks := Align(c.ranges(), ms)
		for _, m := range ms {
			if took := clocks[m.To].Time(m.Received) - clocks[m.From].Time(m.Sent); took < -2 {
				t.Fatalf("a message from %d to %d takes %d ns", m.From, m.To, took)
			}
		}
		// The first limits of the two directions are up to two messages apart, over which a line may rise by twice its error over the run.
		slack := 4*c.most*c.most/run + 2
		for h, hops := range []int64{0, 1, 2} {
			half := hops*(c.most+slack) + 2
			worst := c.worst(h, clocks[h].Time)
			if worst > half || worst > clocks[h].Bound+2 || clocks[h].Bound > half || !clocks[h].Known || clocks[h].Skew != 0 {
				t.Fatalf("host %d: times are off by up to %d ns, half a round trip is %d; %+v", h, worst, half, clocks[h])
			}
		}
	})
}

// TestClampingFails shows that clamping, which moves only messages that would arrive before they were sent, is off by more than half a round trip
// on the same messages, because it ignores the other direction. It also checks that moving a clock by an hour moves the correction by an hour.
func TestClampingFails(t *testing.T) {
	for _, h := range []host{{offset: 3_000_000}, {offset: -3_000_000, drift: 400e-6}, {offset: 1_000_000, drift: 150e-6}} {
		c := traffic{hosts: []host{{}, h}, least: 50_000, most: 150_000, pairs: [][2]int32{{0, 1}}, each: 20}
		n := int64(0)
		ms := c.exchange(func(low, high int64) int64 { n++; return low + n*7919%(high-low) })
		shift := int64(0)
		for _, m := range ms {
			if m.To == 1 {
				shift = max(shift, m.Sent-m.Received)
			}
		}
		clamped := c.worst(1, func(t int64) int64 { return t + shift })
		if clamped <= c.most {
			t.Errorf("%+v: clamping is off by %d ns only", h, clamped)
		}
		before := Align(c.ranges(), ms)[1]
		if worst := c.worst(1, before.Time); worst > c.most {
			t.Errorf("%+v: off by %d ns", h, worst)
		}
		const hour = 3600 * run
		c.hosts[1].offset += hour
		for i := range ms {
			if ms[i].From == 1 {
				ms[i].Sent += hour
			} else {
				ms[i].Received += hour
			}
		}
		if after := Align(c.ranges(), ms)[1]; after.Offset != before.Offset-hour || after.Drift != before.Drift {
			t.Errorf("%+v: %+v, with an hour more %+v", h, before, after)
		}
	}
}

// TestFewMessages checks that the bound after one round trip allows for any drift, and that a second round trip at the end of the run reduces it.
func TestFewMessages(t *testing.T) {
	c := traffic{hosts: []host{{}, {offset: 5_000_000}}, least: 100, most: 100, pairs: [][2]int32{{0, 1}}, each: 1}
	fixed := func(low, _ int64) int64 { return low }
	got := Align(c.ranges(), c.exchange(fixed))[1]
	if got.Bound < MostDrift*run*0.9 || c.worst(1, got.Time) > got.Bound {
		t.Errorf("one round trip: %+v", got)
	}
	c.each = 2
	if got := Align(c.ranges(), c.exchange(fixed))[1]; got.Bound > 102 || c.worst(1, got.Time) > got.Bound+1 {
		t.Errorf("two round trips: %+v", got)
	}
	ms := c.exchange(fixed)
	if got := Align(c.ranges(), []Message{ms[0], ms[2]})[1]; got.Offset != -5_000_100 || got.Bound != -1 || !got.Known || got.Drift != 0 {
		t.Errorf("one way: %+v; want the fastest message to take no time", got)
	}
	if got := Align(c.ranges(), []Message{ms[1], ms[3]})[1]; got.Offset != -4_999_900 || got.Bound != -1 {
		t.Errorf("the other way: %+v", got)
	}
	if got := Align(c.ranges(), nil); got[1].Known || got[1].Offset != 0 || got[1].Bound != -1 || !got[0].Known || got[0].Bound != 0 {
		t.Errorf("no messages: %+v", got)
	}
	if got := Align(nil, []Message{{0, 1, 2, 3}}); len(got) != 0 {
		t.Errorf("no hosts: %+v", got)
	}
}

// TestIslands checks that two hosts without messages from host 0 are aligned with each other.
func TestIslands(t *testing.T) {
	c := traffic{hosts: []host{{}, {offset: 7_000_000}, {offset: -2_000_000}}, least: 100, most: 100, pairs: [][2]int32{{2, 1}}, each: 2}
	got := Align(c.ranges(), c.exchange(func(low, _ int64) int64 { return low }))
	if got[1].Known || got[2].Known || got[1].Offset != 0 {
		t.Errorf("%+v", got)
	}
	if off := got[2].Time(c.hosts[2].read(run/2)) - got[1].Time(c.hosts[1].read(run/2)); off < -100 || off > 100 {
		t.Errorf("off by %d ns, %+v", off, got)
	}
}

// TestOrder checks that a host waits until hosts with messages in both directions are aligned: then it has bounds on both sides.
func TestOrder(t *testing.T) {
	var ms []Message
	both := func(a, b int32) {
		for at := int64(0); at <= run; at += run / 4 {
			ms = append(ms, Message{a, b, at, at + 100}, Message{b, a, at, at + 100})
		}
	}
	for at := range int64(50) {
		ms = append(ms, Message{0, 1, at, at + 100})
	}
	both(0, 2)
	both(2, 1)
	for h, c := range Align([]Range{{0, run}, {0, run}, {0, run}}, ms) {
		if !c.Known || c.Bound < 0 || c.Bound > 300 {
			t.Errorf("host %d: %+v", h, c)
		}
	}
}

// TestUneven checks that Skew reports messages that still go back in time if a clock is set forward during the run.
func TestUneven(t *testing.T) {
	c := traffic{hosts: []host{{}, {}}, least: 1000, most: 1000, pairs: [][2]int32{{0, 1}}, each: 100}
	ms := c.exchange(func(low, _ int64) int64 { return low })
	const step = 4_000_000 // more than drift can explain
	for i := range ms {
		if ms[i].From == 1 && ms[i].Sent > run/2 {
			ms[i].Sent += step
		} else if ms[i].To == 1 && ms[i].Received > run/2 {
			ms[i].Received += step
		}
	}
	got := Align(c.ranges(), ms)[1]
	worst := int64(0)
	for _, m := range ms {
		sent, received := m.Sent, m.Received
		if m.From == 1 {
			sent = got.Time(sent)
		} else {
			received = got.Time(received)
		}
		worst = max(worst, sent-received)
	}
	if worst <= 0 || worst > got.Skew+2 || got.Skew > step {
		t.Errorf("messages go back by up to %d ns; %+v", worst, got)
	}
}

// TestAnyMessages checks that Align returns clocks for any messages.
func TestAnyMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.OneOf(rapid.Int64Range(0, 100), rapid.Int64())
		hosts := make([]Range, rapid.IntRange(0, 4).Draw(t, "hosts"))
		for i := range hosts {
			hosts[i] = Range{times.Draw(t, "from"), times.Draw(t, "to")}
		}
		ms := make([]Message, rapid.IntRange(0, 10).Draw(t, "messages"))
		for i := range ms {
			ms[i] = Message{
				rapid.Int32Range(-1, 4).Draw(t, "from"), rapid.Int32Range(-1, 4).Draw(t, "to"), times.Draw(t, "sent"), times.Draw(t, "received"),
			}
		}
		for _, c := range Align(hosts, ms) {
			if math.IsNaN(c.Drift) || math.Abs(c.Drift) > 1.01*MostDrift || c.Skew < 0 {
				t.Fatalf("%+v", c)
			}
		}
	})
}

// TestFarBack checks messages that go back in time by more than floats can resolve.
func TestFarBack(t *testing.T) {
	const far = 1 << 61
	got := Align([]Range{{0, far}, {0, far}}, []Message{{0, 1, far, 0}, {1, 0, far, 0}})
	if skew := got[1].Skew; skew < far/2 || skew > far+far/1000 {
		t.Errorf("%+v", got)
	}
}

func BenchmarkAlign(b *testing.B) {
	c := traffic{hosts: []host{{}, {5_000_000, 100e-6}, {-8_000_000, -50e-6}}, least: 50_000, most: 150_000, pairs: [][2]int32{{0, 1}, {1, 2}}, each: 250_000}
	n := int64(0)
	ms := c.exchange(func(low, high int64) int64 { n++; return low + n*7919%(high-low) })
	for b.Loop() {
		Align(c.ranges(), ms)
	}
	b.ReportMetric(float64(len(ms))*float64(b.N)/b.Elapsed().Seconds(), "messages/s")
}

// BenchmarkAlignMany aligns 20,000 hosts. Their messages form a binary tree.
func BenchmarkAlignMany(b *testing.B) {
	hosts := make([]Range, 20_000)
	var ms []Message
	for h := range hosts {
		hosts[h] = Range{0, run}
		if h > 0 {
			ms = append(ms, Message{int32(h / 2), int32(h), 0, 100}, Message{int32(h), int32(h / 2), 0, 100})
		}
	}
	for b.Loop() {
		Align(hosts, ms)
	}
}
