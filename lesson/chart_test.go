package lesson

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/visual/scene"
)

// wide measures text as if all letters were as wide as high.
type wide struct{}

func (wide) Width(s string, size float32, _ scene.Face) float32   { return float32(len(s)) * size }
func (wide) Metrics(size float32, _ scene.Face) (m scene.Metrics) { return m }

// TestChart: the axis of heights has room for the ideal line too, in the field of a prediction as in the picture that follows; heights and pixels are
// inverse; and the ideal line is dotted.
func TestChart(t *testing.T) {
	s := &Series{Name: "speedup", X: "PEs", Y: "Speedup", Log: true, Points: []Point{{1, 1}, {2, 1.9}, {4, 3}, {16, 4}}}
	if s.Most() != 4 || s.Top() != 6 {
		t.Errorf("without the ideal line the most is %v and the axis ends at %v", s.Most(), s.Top())
	}
	s.Ideal = "linear"
	if s.Most() != 16 || s.Top() != 20 {
		t.Errorf("with the ideal line the most is %v and the axis ends at %v", s.Most(), s.Top())
	}
	c := NewChart(s, scene.Rect{X0: 10, Y0: 20, X1: 410, Y1: 260}, 1)
	if x := c.X(4); math.Abs(float64(x)-(c.Area.X0+c.Area.X1)/2) > 0.01 {
		t.Errorf("4 of 1 to 16 on a logarithmic axis is at %v of %+v", x, c.Area)
	}
	for _, y := range []float64{0, 3, 20} {
		if got := c.Height(c.Y(y)); math.Abs(got-y) > 1e-4 {
			t.Errorf("the height at the pixel of %v is %v", y, got)
		}
	}
	drawn := func(curve []float64, truth bool) string {
		list := scene.New(420, 280)
		c.Draw(list, wide{}, 1, &ChartStyle{}, curve, truth)
		var b bytes.Buffer
		must.Do(t, list.Dump(&b))
		return b.String()
	}
	axes, all := drawn(nil, false), drawn([]float64{math.NaN(), 2, 3, math.NaN()}, true)
	for _, words := range []string{"Speedup", "PEs", "16", "20"} {
		if !strings.Contains(axes, words) {
			t.Errorf("the axes lack %q:\n%s", words, axes)
		}
	}
	if n := strings.Count(axes, "dash"); n != 1 {
		t.Errorf("%d dotted lines:\n%s", n, axes)
	}
	if a, b := strings.Count(axes, "circle"), strings.Count(all, "circle"); a != 0 || b != 2+4 {
		t.Errorf("%d circles in the empty chart, %d with two drawn and four true points", a, b)
	}
}

// TestChartTicks checks the numbers at the y axis.
func TestChartTicks(t *testing.T) {
	for _, c := range []struct {
		unit string
		top  float64
		want []string
	}{
		{"", 40, []string{"0", "10", "20", "30", "40"}},
		{"", 6, []string{"0.0", "1.5", "3.0", "4.5", "6.0"}},
		{"", 1, []string{"0.00", "0.25", "0.50", "0.75", "1.00"}},
		{"", 0.004, []string{"0.000", "0.001", "0.002", "0.003", "0.004"}},
		{"", 8000, []string{"0", "2,000", "4,000", "6,000", "8,000"}},
		{"%", 1, []string{"0 %", "25 %", "50 %", "75 %", "100 %"}},
		{"%", 0.02, []string{"0.0 %", "0.5 %", "1.0 %", "1.5 %", "2.0 %"}},
		{"ns", 4e6, []string{"0 ns", "1 ms", "2 ms", "3 ms", "4 ms"}},
	} {
		if got := (&Chart{Series: &Series{Unit: c.unit}, Top: c.top}).ticks(); !slices.Equal(got, c.want) {
			t.Errorf("an axis to %v %s has %q, want %q", c.top, c.unit, got, c.want)
		}
	}
}
