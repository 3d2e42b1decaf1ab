package detail

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/tracer/derive/lineprofile"
	"whorl/visual/view"
	"whorl/visual/view/viewtest"
)

// TestColumnsAreMoved drags a heading, and the parameter that this writes puts the columns there.
func TestColumnsAreMoved(t *testing.T) {
	g, f, l := shown(t, Kind(), viewtest.Sampled())
	drag := view.Input{Kind: view.DragEnd, FromX: l.x(2) + 3, FromY: l.top - 4, X: l.x(0) + 3, Y: l.top - 4}
	as := Kind().View.Input(f, g, drag)
	if len(as) != 1 || as[0].Do != view.SetParam || as[0].Name != "order" || as[0].Value != "2,0-1" {
		t.Fatalf("%+v", as)
	}
	_, _, l = shown(t, Kind(), viewtest.Sampled(), as[0].Name, as[0].Value)
	if got := l.across.order; !slices.Equal(got, []int32{2, 0, 1}) {
		t.Errorf("columns %d", got)
	}
	_, _, l = shown(t, Kind(), viewtest.Sampled(), "sort", "ticks")
	if got := l.across.order; !slices.Equal(got, []int32{0, 1, 2}) { // 47, 26, 15
		t.Errorf("by ticks %d", got)
	}
	g, f, _ = shown(t, Kind(), viewtest.Sampled(), "order", "2,0-1")
	if as := Kind().View.Input(f, g, press("t")); len(as) != 2 || as[0].Value != "ticks" || as[1].Name != "order" || as[1].Value != "" {
		t.Errorf("sorted, what was moved stays: %+v", as)
	}
	_, _, l = shown(t, Kind(), viewtest.Spike(3000, 9, 3), "sort", "ticks")
	total := map[int32]int64{}
	for i := range l.sums.Lines.Rows {
		pes, ns := l.sums.Lines.Cells(i)
		for k, pe := range pes {
			total[pe] += ns[k]
		}
	}
	if !slices.IsSortedFunc(l.across.order, func(a, b int32) int { return int(total[b] - total[a]) }) || slices.IsSorted(l.across.order) {
		t.Errorf("by ticks %d of %v", l.across.order, total)
	}
}

func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pes := rapid.Permutation([]int32{0, 1, 2, 3, 4, 5, 6}).Draw(t, "order")
		c, err := newColumns("each", "number", writeOrder(pes), &lineprofile.Table{}, 7)
		if err != nil || !slices.Equal(c.order, pes) {
			t.Fatalf("%q is %d, want %d: %v", writeOrder(pes), c.order, pes, err)
		}
		for at, pe := range c.order {
			if c.at[pe] != int32(at) {
				t.Fatalf("PE %d stands at %d, want %d", pe, c.at[pe], at)
			}
		}
	})
	for s, want := range map[string]string{"": "[0 1 2 3]", "3": "[3 0 1 2]", "3-1": "[3 2 1 0]", "2,2,9,1-7": "[2 1 3 0]", "9-1000000000": "[0 1 2 3]"} {
		c, err := newColumns("each", "number", s, &lineprofile.Table{}, 4)
		if err != nil || fmt.Sprint(c.order) != want {
			t.Errorf("%q gives %d, %v; want %s", s, c.order, err, want)
		}
	}
	for _, s := range []string{"x", "1-", "-1", "1-2-3", "99999999999999999999"} {
		if _, err := newColumns("each", "number", s, &lineprofile.Table{}, 4); err == nil || !strings.Contains(err.Error(), "want numbers as in 3,0-2") {
			t.Errorf("%q: %v", s, err)
		}
	}
}

// TestFold compares what columns have with sorting and searching all PEs.
func TestFold(t *testing.T) {
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
		c, err := newColumns(rapid.SampledFrom([]string{"auto", "each", "groups", "ranks"}).Draw(t, "mode"), "number", "", &lineprofile.Table{}, n)
		if err != nil {
			t.Fatal(err)
		}
		a := c.across(rapid.Float64Range(1, 300).Draw(t, "width"), 3, 30)
		out := make([]int64, a.n)
		a.fold(pes, counts, out)
		sorted := slices.Sorted(slices.Values(dense))
		all := 0
		for k := range out {
			var want int64
			if a.ranks {
				want = sorted[k*(n-1)/4]
			} else {
				for _, pe := range a.of(k) {
					want = max(want, dense[pe])
					all++
				}
			}
			if out[k] != want {
				t.Fatalf("column %d of %d has %d, want %d", k, a.n, out[k], want)
			}
			if a.label(k) == "" || a.name(k) == "" {
				t.Fatalf("column %d has no name", k)
			}
		}
		if !a.ranks && all != n {
			t.Fatalf("%d PEs have a column, want %d", all, n)
		}
	})
}
