package detail

import (
	"slices"
	"testing"

	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestColumnsAreMoved drags a heading and applies the parameter that this sets.
func TestColumnsAreMoved(t *testing.T) {
	g, f, l := shown(t, Kind(), viewtest.Sampled())
	drag := view.Input{Kind: view.DragEnd, FromX: l.x(2) + 3, FromY: l.top - 4, X: l.x(0) + 3, Y: l.top - 4}
	as := g.Input(f, drag)
	if len(as) != 1 || as[0].Do != view.SetParam || as[0].Name != "order" || as[0].Value != "2,0-1" {
		t.Fatalf("%+v", as)
	}
	_, _, l = shown(t, Kind(), viewtest.Sampled(), as[0].Name, as[0].Value)
	if got := l.across.PEs; !slices.Equal(got, []int32{2, 0, 1}) {
		t.Errorf("columns %d", got)
	}
	_, _, l = shown(t, Kind(), viewtest.Sampled(), "sort", "ticks")
	if got := l.across.PEs; !slices.Equal(got, []int32{0, 1, 2}) { // 47, 26, 15
		t.Errorf("by ticks %d", got)
	}
	g, f, _ = shown(t, Kind(), viewtest.Sampled(), "order", "2,0-1")
	if as := g.Input(f, press("q")); len(as) != 2 || as[0].Value != "ticks" || as[1].Name != "order" || as[1].Value != "" {
		t.Errorf("sorting keeps the order set by hand: %+v", as)
	}
	g, f, _ = shown(t, Kind(), viewtest.Sampled(), "sort", "ticks")
	f.State.Shared.Selection = view.Selection{Trace: "t", Lines: []view.Lines{{File: "spin.f90", First: 5}}}
	if as := g.Input(f, press("q")); len(as) != 3 || as[0].Name != "sortline" || as[0].Value != "spin.f90:5" || as[1].Value != "line" {
		t.Errorf("then by the selected line: %+v", as)
	}
	_, _, l = shown(t, Kind(), viewtest.Spike(3000, 9, 3), "sort", "ticks")
	total := map[int32]int64{}
	for i := range l.sums.Lines.Rows {
		pes, ns := l.sums.Lines.Cells(i)
		for k, pe := range pes {
			total[pe] += ns[k]
		}
	}
	if !slices.IsSortedFunc(l.across.PEs, func(a, b int32) int { return int(total[b] - total[a]) }) || slices.IsSorted(l.across.PEs) {
		t.Errorf("by ticks %d of %v", l.across.PEs, total)
	}
}
