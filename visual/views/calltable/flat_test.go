package calltable

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/tracer/derive/callingcontext"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestFlat checks the sums of functions, in the whole tree and in a subtree, with recursion counted once.
func TestFlat(t *testing.T) {
	type sums struct {
		in, ex      int64
		least, most int64
	}
	check := func(g *Geometry, want map[string]sums) {
		t.Helper()
		if len(g.rows) != len(want) {
			t.Errorf("rows %q", g.names())
		}
		for _, r := range g.rows {
			name := g.FunctionName(r.code)
			if got := (sums{r.in, r.ex, r.spread.Least, r.spread.Most}); got != want[name] {
				t.Errorf("%s: %+v, want %+v", name, got, want[name])
			}
		}
	}
	g, _ := shown(t, Functions(), viewtest.Called(), 600, 400)
	if got := strings.Join(g.names(), " "); got != "kernel bcast sweep alloc output setup main" {
		t.Errorf("by exclusive: %s", got)
	}
	whole := map[string]sums{
		"main": {664, 8, 82, 90}, "setup": {24, 16, 3, 3}, "sweep": {584, 80, 73, 73}, "output": {48, 16, 5, 13}, "kernel": {404, 404, 43, 63},
		"bcast": {108, 108, 1, 21}, "alloc": {32, 32, 4, 4},
	}
	check(g, whole)
	below, _ := shown(t, Functions(), viewtest.Called(), 600, 400, "root", strconv.FormatUint(g.ID(g.node("main › sweep")), 10))
	check(below, map[string]sums{"sweep": {584, 80, 73, 73}, "kernel": {380, 380, 40, 60}, "bcast": {108, 108, 1, 21}, "alloc": {16, 16, 2, 2}})
	// The flat profile of the program equals that of the derivation.
	for seed := range uint64(3) {
		src := viewtest.Tangle(700, 5, seed)
		g, _ := shown(t, Functions(), src, 600, 400)
		all := g.Flat(callingcontext.Root, g.Sum)
		if len(all) != len(g.rows) {
			t.Fatalf("%d functions, want %d", len(g.rows), len(all))
		}
		repeated := 0
		for i := range all {
			r := g.rows[g.rowOf[int32(all[i].Code)]]
			values := g.FlatValues(&all[i], g.Metric, true, nil)
			if r.in != all[i].Inclusive || r.ex != all[i].Exclusive || r.spread.Least != slices.Min(values) || r.spread.Most != slices.Max(values) {
				t.Fatalf("%s: %+v, want %+v of %v", g.FunctionName(r.code), r, all[i], values)
			}
			if len(all[i].Outermost) < len(all[i].Nodes) {
				repeated++
			}
		}
		if repeated == 0 {
			t.Error("the trace has no recursion")
		}
	}
	few, _ := shown(t, Functions(), viewtest.Called(), 600, 400, "top", "30", "sort", "name") // 3 of 7
	if got := strings.Join(few.names(), " "); got != "bcast kernel sweep" {
		t.Errorf("30 %%: %s", got)
	}
}

// TestDifferences checks the differences of compared processes in rows, for functions summed over their contexts, and their colours.
func TestDifferences(t *testing.T) {
	whole, _ := shown(t, Functions(), viewtest.Called(), 1200, 400)
	program := whole.Tree.Values(0, 0, true, nil)
	for _, value := range []string{"inclusive", "exclusive"} {
		params := []string{"processes", "0-1", "against", "rest", "value", value, "sort", "difference"}
		flat, f := shown(t, Functions(), viewtest.Called(), 1200, 400, params...)
		last := math.Inf(1)
		for _, r := range flat.rows {
			var mean [2]float64
			base := 0.0
			for p, v := range whole.FlatValues(&whole.flat.functions[whole.rows[whole.rowOf[int32(r.code)]].function].Function, 0, value == "inclusive", nil) {
				group, n := 1, float64(len(whole.PE)-2)
				if p < 2 {
					group, n = 0, 2
				}
				mean[group] += float64(v) / n
				base += float64(program[p]) / n / 2
			}
			if want := (mean[0] - mean[1]) / base; math.Abs(r.share-want) > 1e-12 {
				t.Errorf("%s, %s: %v, want %v", value, flat.FunctionName(r.code), r.share, want)
			}
			if math.Abs(r.share) > last {
				t.Errorf("%s stands after a smaller difference", flat.FunctionName(r.code))
			}
			last = math.Abs(r.share)
		}
		tree, g := shown(t, Tree(), viewtest.Called(), 1200, 400, append(params, "open", "0")...)
		for _, r := range tree.rows {
			if r.share != tree.diff.Share[r.node] {
				t.Errorf("%s: %v, want %v", tree.Path(r.node), r.share, tree.diff.Share[r.node])
			}
		}
		for i, x := range []struct {
			g *Geometry
			f *view.Frame
		}{{flat, f}, {tree, g}} {
			out := scene.New(1300, 500)
			view.Draw(x.g, x.f, out)
			seen := map[scene.Color]bool{}
			for k := range out.Len() {
				if o := out.Op(k); o.Kind == scene.OpRect {
					seen[o.Color] = true
				}
			}
			more, less := 0.0, 0.0
			for _, r := range x.g.rows {
				more, less = max(more, r.share), min(less, r.share)
			}
			if x.g.differs != max(more, -less) || more > 0 && !seen[view.Diverging{}.Color(more/x.g.differs)] || less < 0 && !seen[view.Diverging{}.Color(less/x.g.differs)] {
				t.Errorf("table %d lacks the colours of %v and %v", i, more, less)
			}
			if l := x.g.Legend(x.f); l.Blocks[0].Title != "PEs 0-1 compared with all others" {
				t.Errorf("the legend begins with %+v", l.Blocks[0])
			}
			x.f.State.Shared.Selection = view.Selection{Trace: "t", PEs: []view.Span{{First: 3, Last: 4}}}
		}
	}
	// The key compares the selected processes, and stops comparing.
	params := map[string]string{}
	g, f := shown(t, Tree(), viewtest.Called(), 1200, 400)
	f.State.Shared.Selection = view.Selection{Trace: "t", PEs: []view.Span{{First: 3, Last: 4}}}
	if g, f = apply(t, Tree(), g, f, params, view.Input{Kind: view.Press, Key: "d"}); params["processes"] != "3-4" || !g.diff.Compared() || !layout(f, g).showsColumn(byDiffers) {
		t.Errorf("after d the parameters are %v", params)
	}
	if g, f = apply(t, Tree(), g, f, params, view.Input{Kind: view.Press, Key: "d"}); params["processes"] != "" || g.diff.Compared() || layout(f, g).showsColumn(byDiffers) {
		t.Errorf("after a second d the parameters are %v", params)
	}
}
