package figures

import (
	"math"
	"strings"
	"testing"
)

func TestCountAndDuration(t *testing.T) {
	type text struct {
		n    int64
		want string
	}
	for _, c := range []text{{0, "0"}, {999, "999"}, {1000, "1,000"}, {15419, "15,419"}, {-1234567, "-1,234,567"}, {math.MinInt64, "-9,223,372,036,854,775,808"}} {
		if got := Count(c.n); got != c.want {
			t.Errorf("Count(%d) = %s, want %s", c.n, got, c.want)
		}
	}
	for _, c := range []text{
		{0, "0 ns"},
		{7, "7 ns"},
		{999, "999 ns"},
		{1000, "1 µs"},
		{1234, "1.23 µs"},
		{12340, "12.3 µs"},
		{999_499, "999 µs"},
		{999_500, "1 ms"},
		{1_500_000, "1.5 ms"},
		{99_960_000, "100 ms"},
		{999_999_999, "1 s"},
		{3_600_000_000_000, "3,600 s"},
		{-1500, "-1.5 µs"},
	} {
		if got := Duration(c.n); got != c.want {
			t.Errorf("Duration(%d) = %s, want %s", c.n, got, c.want)
		}
	}
}

func TestCounted(t *testing.T) {
	for _, c := range []struct {
		n          int64
		noun, want string
	}{{0, "PE", "0 PEs"}, {1, "process", "1 process"}, {2, "process", "2 processes"}, {1204, "thread", "1,204 threads"}} {
		if got := Counted(c.n, c.noun); got != c.want {
			t.Errorf("%d %s: %q, want %q", c.n, c.noun, got, c.want)
		}
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		part, whole int64
		want        string
	}{{0, 0, ""}, {0, 7, "0 %"}, {7, 7, "100 %"}, {1, 3, "33 %"}, {1, 1000, "0.1 %"}, {1, 1_000_000, "< 0.1 %"}, {999_999, 1_000_000, "> 99 %"}, {4, 100, "4.0 %"}} {
		if got := Percent(c.part, c.whole); got != c.want {
			t.Errorf("%d of %d: %q, want %q", c.part, c.whole, got, c.want)
		}
	}
	if got := SignedPercent(-1, 3); got != "–33 %" {
		t.Errorf("-1 of 3: %q", got)
	}
}

func TestShare(t *testing.T) {
	for _, c := range []struct {
		share    float64
		decimals int
		want     string
	}{{0, 1, "0.0 %"}, {0.125, 1, "12.5 %"}, {0.0001, 1, "0.0 %"}, {0.666, 0, "67 %"}, {-0.5, 1, "-50.0 %"}, {12, 0, "1,200 %"}} {
		if got := Share(c.share, c.decimals); got != c.want {
			t.Errorf("%v: %q, want %q", c.share, got, c.want)
		}
	}
}

// TestColumns formats columns of numbers: one unit and one number of decimals.
func TestColumns(t *testing.T) {
	for _, c := range []struct {
		ns   []int64
		want string
	}{
		{nil, ""},
		{[]int64{0}, "0 ns"},
		{[]int64{3_240_000, 3_200_000, 0}, "3.24 ms|3.20 ms|0.00 ms"},
		{[]int64{34_000_000, 3_880_000}, "34.0 ms|3.9 ms"},
		{[]int64{280_000_000, 2_840_000}, "280.0 ms|2.8 ms"},
		{[]int64{6_760_000, 7_250}, "6.760 ms|0.007 ms"},
		{[]int64{999, 20}, "999 ns|20 ns"},
		{[]int64{999_600}, "1.00 ms"},
		{[]int64{1_190_000_000, 257_000_000}, "1.19 s|0.26 s"},
		{[]int64{12_345_000_000_000, 1_000_000_000}, "12,345.0 s|1.0 s"},
	} {
		if got := strings.Join(Durations(c.ns), "|"); got != c.want {
			t.Errorf("%v: %s, want %s", c.ns, got, c.want)
		}
	}
	for _, c := range []struct {
		parts []int64
		want  string
	}{
		{[]int64{930, 14, 55}, "93.0 %|1.4 %|5.5 %"},
		{[]int64{700, 300}, "70 %|30 %"},
		{[]int64{1000, 0}, "100 %|0 %"},
	} {
		wholes := []int64{1000, 1000, 1000}
		if got := strings.Join(Percents(c.parts, wholes[:len(c.parts)]), "|"); got != c.want {
			t.Errorf("%v: %s, want %s", c.parts, got, c.want)
		}
	}
	if a, b := PercentTo(1, 1_000_000, 1), PercentTo(999_999, 1_000_000, 1); a != "< 0.1 %" || b != "> 99.9 %" {
		t.Errorf("almost nothing is %s, almost all %s", a, b)
	}
}

func TestTimeUnit(t *testing.T) {
	for _, c := range []struct {
		longest float64
		unit    string
		ns      float64
	}{{0, "ns", 1}, {999, "ns", 1}, {1000, "µs", 1e3}, {999_999, "µs", 1e3}, {1e6, "ms", 1e6}, {1e9, "s", 1e9}, {1e15, "s", 1e9}} {
		if unit, ns := TimeUnit(c.longest); unit != c.unit || ns != c.ns {
			t.Errorf("%g ns are given in %s of %g ns, want %s of %g ns", c.longest, unit, ns, c.unit, c.ns)
		}
	}
}
