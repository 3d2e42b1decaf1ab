package bodies

import (
	"math"
	"slices"
	"testing"

	"whorl/tracer"
	"whorl/visual/layout/nbody"
)

// surge returns a run of 600 rounds of 1000 ns on 4 PEs. The first PE is busy for the whole of each round, the others
// for half of it, and each sends 10 bytes to the next. In the rounds from first to last each sends the given bytes,
// and the second PE is busy for the whole round.
func surge(first, last int, bytes int64) *tracer.Memory { return surges(bytes, [2]int{first, last}) }

// surges is like surge with several ranges of rounds.
func surges(bytes int64, rounds ...[2]int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 4})
	s := m.Stream(tracer.StreamInfo{Name: "sim", Clock: tracer.Virtual})
	for r := range 600 {
		begin, sent, other := int64(r)*1000, int64(10), int64(500)
		if slices.ContainsFunc(rounds, func(s [2]int) bool { return r >= s[0] && r <= s[1] }) {
			sent, other = bytes, 999
		}
		for pe := range int32(4) {
			*s.Slot() = tracer.Event{Time: begin, Kind: tracer.Busy, PE: pe, Peer: -1}
			*s.Slot() = tracer.Event{Time: begin + 1, Kind: tracer.Send, PE: pe, Peer: (pe + 1) % 4, Ref: uint64(r*4) + uint64(pe) + 1, Value: sent}
		}
		*s.Slot() = tracer.Event{Time: begin + 500, Kind: tracer.Idle, PE: 2, Peer: -1}
		*s.Slot() = tracer.Event{Time: begin + 500, Kind: tracer.Idle, PE: 3, Peer: -1}
		*s.Slot() = tracer.Event{Time: begin + other, Kind: tracer.Idle, PE: 1, Peer: -1}
		*s.Slot() = tracer.Event{Time: begin + 999, Kind: tracer.Idle, PE: 0, Peer: -1}
	}
	_ = m.Close()
	return m
}

// TestMeasures compares the measures with values computed by hand, and checks that a surge of traffic and work is
// marked once at each end.
func TestMeasures(t *testing.T) {
	flat := motion(t, surge(-1, -1, 0), Cube())
	// 100 rounds with 4 times the traffic raise the mean to 1.5 of the usual traffic.
	mo := motion(t, surge(300, 399, 40), Cube())
	for _, c := range []struct {
		mo                         *Motion
		round                      int
		traffic, imbalance, within float64
	}{
		{flat, 50, 1, 1 - 0.625, 0.01},
		{flat, 350, 1, 1 - 0.625, 0.01},
		{mo, 50, 1 / 1.5, 1 - 0.625, 0.01},
		{mo, 350, 4 / 1.5, 1 - 0.75, 0.01},
		{mo, 304, 2.5 / 1.5, 1 - 0.6875, 0.25}, // about five rounds of ten
		{mo, 599, 1 / 1.5, 1 - 0.625, 0.01},
	} {
		i := c.mo.Traffic.Interval(int64(c.round)*1000 + 500)
		spread, traffic, imbalance := c.mo.Measures[0].Values[i], c.mo.Measures[1].Values[i], c.mo.Measures[2].Values[i]
		if math.Abs(traffic-c.traffic) > c.within || math.Abs(imbalance-c.imbalance) > c.within {
			t.Errorf("round %d: traffic %.3f, imbalance %.3f; want %.3f and %.3f", c.round, traffic, imbalance, c.traffic, c.imbalance)
		}
		x := c.mo.Places((i + 1) * c.mo.moves)
		if want := nbody.Spread(x) / nbody.Spread(c.mo.Start); spread != want {
			t.Errorf("round %d: spread %g, want %g", c.round, spread, want)
		}
	}
	for i, want := range [][2]bool{{true, false}, {false, true}} { // directions of the two moments of traffic and imbalance
		k := i + 1
		if all := flat.Measures[k].Moments(0.1, 0); len(all) != 0 {
			t.Errorf("%s without a surge: moments %+v", flat.Measures[k].Name, all)
		}
		all := mo.Measures[k].Moments(0.1, 0)
		if len(all) != 2 || all[0].Up != want[0] || all[1].Up != want[1] || !near(mo, all[0].Index, 300) || !near(mo, all[1].Index, 400) {
			t.Errorf("%s: moments %+v", mo.Measures[k].Name, all)
		}
	}
	if all := mo.Measures[1].Moments(0, 1.5); len(all) != 2 || all[0].Fast || !near(mo, all[0].Index, 300) || !near(mo, all[1].Index, 400) {
		t.Errorf("moments at traffic 1.5: %+v", all)
	}
	if all := mo.Measures[1].Moments(0.8, 3); len(all) != 0 {
		t.Errorf("moments for thresholds above all values: %+v", all)
	}
}

// near reports whether interval i is at a round or up to ten intervals after it.
func near(mo *Motion, i, round int) bool {
	d := mo.Traffic.Begins(i)/1000 - int64(round)
	return d >= -1 && d <= following
}

// TestImbalanceLoad checks which load determines the imbalance.
func TestImbalanceLoad(t *testing.T) {
	m := Cube()
	m.Mass = "queue"
	for _, c := range []struct {
		name string
		m    Mapping
		want float64
	}{{"busy", Cube(), 1 - 0.625}, {"absent queue", m, 1 - 0.625}} {
		if got := motion(t, surge(-1, -1, 0), c.m).Measures[2].Values[100]; math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
	mo := motion(t, talk(600, 6, 3), Mesh()) // busy for 200, 300, ... 700 ns
	if got := mo.Measures[2].Values[300]; math.Abs(got-(1-450.0/700)) > 0.01 {
		t.Errorf("imbalance of 200 to 700 ns: %g", got)
	}
	for i := range mo.Traffic.Loads {
		mo.Traffic.Loads[i].Busy, mo.Traffic.Loads[i].Reductions = 0, int64(1+mo.Traffic.Loads[i].Node)
	}
	mo.mean = []float64{0}
	if got := mo.imbalance()[300]; math.Abs(got-(1-3.5/6)) > 0.01 {
		t.Errorf("imbalance of 1 to 6 reductions: %g", got)
	}
}
