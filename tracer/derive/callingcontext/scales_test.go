package callingcontext

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// TestScales checks that a metric with fractions in only some files is one metric with exact values.
func TestScales(t *testing.T) {
	for _, c := range []struct {
		name   string
		scales []float64 // each with the value 3 on a process of its own
		want   string
	}{
		{"the same", []float64{1, 1}, "1 [3 3]"},
		{"none is one", []float64{0, 1}, "1 [3 3]"},
		{"fractions second", []float64{1, 1 / 1e6}, "1e-06 [3000000 3]"},
		{"fractions first", []float64{1 / 1e6, 1}, "1e-06 [3 3000000]"},
		{"neither is a multiple", []float64{0.25, 0.1}, "0.05 [15 6]"},
		{"three", []float64{1, 0.5, 0.2}, "0.1 [30 15 6]"},
		{"no common scale", []float64{1, math.Pi}, "1 [3 0] 3.141592653589793 [0 3]"},
		{"no room", []float64{1, 1e-19}, "1 [3 0] 1e-19 [0 3]"},
	} {
		m := NewMerger()
		for _, scale := range c.scales {
			m.Add(m.Process(Process{}), m.Call(Root, 1), m.Metric(Metric{Name: "cost", Unit: "units", Scale: scale}), 3)
		}
		m.Metric(Metric{Name: "cost", Unit: "other", Scale: 1})
		tree := m.Tree()
		got := ""
		for k, x := range tree.Metrics[:len(tree.Metrics)-1] {
			got += fmt.Sprintf(" %g %v", x.Scale, tree.Values(1, k, true, nil))
		}
		if got != " "+c.want || tree.Metrics[len(tree.Metrics)-1].Unit != "other" {
			t.Errorf("%s:%s, want %s", c.name, got, c.want)
		}
		if again := m.Tree(); fmt.Sprint(again.Metrics, again.Exclusive) != fmt.Sprint(tree.Metrics, tree.Exclusive) {
			t.Errorf("%s: a second tree differs", c.name)
		}
	}
}

// TestScalesWithoutRoom checks that metrics stay separate if values overflow in the finer scale.
func TestScalesWithoutRoom(t *testing.T) {
	m := NewMerger()
	m.Process(Process{})
	m.Add(0, Root, m.Metric(Metric{Name: "cost", Scale: 1}), 1<<60)
	m.Add(0, Root, m.Metric(Metric{Name: "cost", Scale: 1e-6}), 5)
	if tree := m.Tree(); len(tree.Metrics) != 2 || tree.Total(Root, 0, true) != 1<<60 || tree.Total(Root, 1, true) != 5 {
		t.Errorf("%v: %d", tree.Metrics, tree.Exclusive)
	}
}

func TestPlus(t *testing.T) {
	limit := big.NewInt(Most)
	edge := rapid.OneOf(rapid.Int64Range(-Most, Most), rapid.SampledFrom([]int64{0, 1, -1, Most, -Most, Most - 1, 1 - Most, 1 << 62, -1 << 62}))
	rapid.Check(t, func(t *rapid.T) {
		a, b := edge.Draw(t, "a"), edge.Draw(t, "b")
		want := new(big.Int).Add(big.NewInt(a), big.NewInt(b))
		if want.CmpAbs(limit) > 0 {
			want = new(big.Int).Mul(limit, big.NewInt(int64(want.Sign())))
		}
		if got := Plus(a, b); got != want.Int64() {
			t.Errorf("%d + %d is %d, want %d", a, b, got, want)
		}
	})
	if Plus(math.MinInt64, 0) != -Most || Rounded(math.Inf(1)) != Most || Rounded(-1e30) != -Most || Rounded(float64(Most)) != Most || Rounded(-2.5) != -3 {
		t.Error("beyond the largest or the smallest value")
	}
}

// TestSaturated checks that sums beyond 64 bits saturate, and Saturated reports it; sums just within are exact, and Saturated is false.
func TestSaturated(t *testing.T) {
	for _, c := range []struct {
		values     []int64 // of a process each, in a context of its own
		one        bool    // of one process
		total, sum int64   // of all, and the largest of a process
		beyond     bool
	}{
		{[]int64{1 << 62, 1<<62 - 2}, false, Most - 1, 1 << 62, false},
		{[]int64{1 << 62, 1 << 62}, false, Most, 1 << 62, true},
		{[]int64{1 << 62, 1 << 62, 1 << 62, 1 << 62, 5}, true, Most, Most, true},
		{[]int64{-1 << 62, -1 << 62, -5}, true, -Most, -Most, true},
	} {
		m := NewMerger()
		metric := m.Metric(Metric{Name: "bytes"})
		up := m.Call(Root, 1)
		for i, v := range c.values {
			p := int32(0)
			if i == 0 || !c.one {
				p = m.Process(Process{})
			}
			m.Add(p, m.Call(up, uint32(2+i)), metric, v)
		}
		tree := m.Tree()
		if got := tree.Total(up, metric, true); got != c.total || tree.Total(Root, metric, true) != c.total || tree.Values(up, metric, true, nil)[0] != c.sum || tree.Saturated(metric) != c.beyond {
			t.Errorf("%d: %d in all, %d, beyond: %v", c.values, got, tree.Values(up, metric, true, nil), tree.Saturated(metric))
		}
		for _, f := range tree.Flat(Root, func(node int32, inclusive bool) int64 { return tree.Total(node, metric, inclusive) }) {
			if f.Code == 1 && f.Inclusive != c.total {
				t.Errorf("%d: inclusive %d", c.values, f.Inclusive)
			}
		}
	}
}
