package lineplot

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/internal/ranges"
	"whorl/tracer"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// values holds the values of parameters by name.
type values map[string]string

func (v values) Text(name string) string { return v[name] }

// ordered returns the order of pes PEs for a value of the parameter First.
func ordered(t testing.TB, pes int, first string) (*Order, error) {
	t.Helper()
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: pes})
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	p := plotOf(t, m)
	return p.Order(values{"order": first})
}

func TestOrder(t *testing.T) {
	tb := t
	rapid.Check(t, func(t *rapid.T) {
		pes := rapid.Permutation([]int32{0, 1, 2, 3, 4, 5, 6}).Draw(t, "order")
		o, err := ordered(tb, 7, ranges.FormatNumbers(pes))
		if err != nil || !slices.Equal(o.PEs, pes) {
			t.Fatalf("%q gives %v, %v; want %d", ranges.FormatNumbers(pes), o, err, pes)
		}
		for place, pe := range o.PEs {
			if o.Place(pe) != place {
				t.Fatalf("PE %d has place %d, want %d", pe, o.Place(pe), place)
			}
		}
	})
	for _, c := range []struct{ s, want string }{{"", "[0 1 2 3]"}, {"3", "[3 0 1 2]"}, {"3-1", "[3 2 1 0]"}, {"2,2,9,1-7", "[2 1 3 0]"}, {"9-1000000000", "[0 1 2 3]"}} {
		o, err := ordered(t, 4, c.s)
		if err != nil || fmt.Sprint(o.PEs) != c.want {
			t.Errorf("%q gives %v, %v; want %s", c.s, o, err, c.want)
		}
	}
	for _, s := range []string{"x", "1-", "-1", "1-2-3", "99999999999999999999"} {
		if _, err := ordered(t, 4, s); err == nil || !strings.Contains(err.Error(), "expected numbers ") {
			t.Errorf("order %q: error %v", s, err)
		}
	}
}

// TestSort sorts the PEs of viewtest.Sampled. They have 47, 26 and 15 ticks in total; its table lists their ticks by line.
func TestSort(t *testing.T) {
	p := plotOf(t, viewtest.Sampled())
	for _, c := range []struct {
		by, line, first, want string
	}{
		{"number", "", "", "[0 1 2]"},
		{"ticks", "", "", "[0 1 2]"},
		{"line", "", "", "[0 1 2]"}, // line 12 is the hottest
		{"line", "spin.f90:5", "", "[2 0 1]"},
		{"line", "82", "", "[1 0 2]"},
		{"line", "82", "2", "[2 1 0]"},
		{"line", "13", "", "[0 1 2]"}, // line 13 has no ticks
	} {
		o, err := p.Order(values{"sort": c.by, "sortline": c.line, "order": c.first})
		if err != nil || fmt.Sprint(o.PEs) != c.want {
			t.Errorf("%+v: order %v, error %v", c, o, err)
		}
	}
	for _, c := range []struct {
		by, line, want string
		window         view.Span
	}{
		{"ticks", "", "[2 0 1]", view.Span{First: 60, Last: 60}},
		{"ticks", "", "[1 0 2]", view.Span{First: 135, Last: 170}},
		{"ticks", "", "[0 2 1]", view.Span{First: 40, Last: 125}},
		{"line", "12", "[2 0 1]", view.Span{First: 110, Last: 125}},
		{"line", "", "[1 0 2]", view.Span{First: 135, Last: 170}}, // the hottest line of the run
		{"number", "", "[0 1 2]", view.Span{First: 60, Last: 60}},
	} {
		a, err := p.Across(values{"sort": c.by, "sortline": c.line, "processors": Each}, 3)
		if err != nil {
			t.Fatal(err)
		}
		in := a.In(&c.window)
		if again := a.In(&view.Span{First: c.window.First, Last: c.window.Last}); fmt.Sprint(in.PEs) != c.want || again != in || a.In(nil) != a {
			t.Errorf("%+v: order %v, again %v, without a window %v", c, in.PEs, again.PEs, a.In(nil).PEs)
		}
	}
	for _, c := range []struct{ line, want string }{{"x.f90:5", "the trace has no such line"}, {"spin.f90:900", "the trace has no such line"}, {"five", "expected FILE:LINE or LINE"}} {
		if _, err := p.Order(values{"sort": "line", "sortline": c.line}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("sortline %q: error %v, want %q", c.line, err, c.want)
		}
	}
}

// TestFold compares the counts of columns with those found by sorting and searching all PEs.
func TestFold(t *testing.T) {
	tb := t
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "PEs")
		dense := rapid.SliceOfN(rapid.Int64Range(-2, 5), n, n).Draw(t, "counts")
		var pes []int32
		var counts []int64
		for pe, c := range dense {
			if c != 0 || rapid.IntRange(0, 9).Draw(t, "kept") == 0 {
				pes, counts = append(pes, int32(pe)), append(counts, c)
			}
		}
		first := rapid.SliceOf(rapid.Int32Range(0, 39)).Draw(t, "first")
		o, err := ordered(tb, n, strings.Trim(strings.ReplaceAll(fmt.Sprint(first), " ", ","), "[]"))
		if err != nil {
			t.Fatal(err)
		}
		mode, each, groups := rapid.SampledFrom(Processors.Choices).Draw(t, "mode"), rapid.IntRange(0, 50).Draw(t, "each"), rapid.IntRange(1, 50).Draw(t, "groups")
		a := NewAcross(mode, o, each, groups)
		if a.Mode == Groups && a.N > groups || a.Mode == Each && a.N > max(each, 1) || mode == Groups && a.Mode != Groups {
			t.Fatalf("%s of %d PEs with room for %d or %d: %d of %s", mode, n, each, groups, a.N, a.Mode)
		}
		out := make([]int64, a.N)
		a.Fold(pes, counts, out)
		sorted := slices.Sorted(slices.Values(dense))
		all := 0
		for k := range out {
			var want int64
			if a.Ranked() {
				want = sorted[k*(n-1)/4]
			} else {
				for _, pe := range a.PEsOf(k) {
					want = Further(want, dense[pe])
					all++
					if a.Column(pe) != k {
						t.Fatalf("PE %d is in column %d, not in %d", pe, a.Column(pe), k)
					}
				}
			}
			if out[k] != want {
				t.Fatalf("column %d of %d has %d, want %d", k, a.N, out[k], want)
			}
			if a.Label(k) == "" || a.Name(k) == "" {
				t.Fatalf("column %d has no name", k)
			}
		}
		if !a.Ranked() && all != n {
			t.Fatalf("%d PEs have a column, want %d", all, n)
		}
	})
}
