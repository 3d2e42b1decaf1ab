package kaleidoscope

import (
	"context"
	"math"
	"testing"

	"whorl/tracer"
	"whorl/visual/layout/radial"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view/page"
)

func TestRecolouringKeepsTheLayout(t *testing.T) {
	o := open(t, bushy(3000, 5, false))
	draw := func(name, value string) *scene.List {
		t.Helper()
		if err := o.Set(name, value); err != nil {
			t.Fatal(err)
		}
		l, err := page.Shoot(context.Background(), o, 700, 500, page.Shot{})
		if err != nil {
			t.Fatal(err)
		}
		return l.List
	}
	first := draw("color", "pe")
	for i, c := range []string{"time", "procedure", "petime"} {
		if viewtest.Diff(first, draw("color", c)) == "" {
			t.Errorf("%s looks like pe", c)
		}
		if n := o.Data.Runs("colours"); n != i+2 {
			t.Errorf("colours ran %d times, want %d", n, i+2)
		}
	}
	draw("palette", "safe")
	draw("background", "dark")
	for _, s := range []string{"run", "spawntree", "subtree", "levels", "sectors", "tally"} {
		if n := o.Data.Runs(s); n != 1 {
			t.Errorf("stage %s ran %d times, want once", s, n)
		}
	}
	draw("distance", "20") // this changes the layout
	if o.Data.Runs("levels") != 2 || o.Data.Runs("sectors") != 2 || o.Data.Runs("spawntree") != 1 {
		t.Errorf("another distance: levels ran %d times, sectors %d, spawntree %d", o.Data.Runs("levels"), o.Data.Runs("sectors"), o.Data.Runs("spawntree"))
	}
	draw("distance", "4")
	draw("palette", "spectrum")
	draw("background", "light")
	if d := viewtest.Diff(first, draw("color", "pe")); d != "" {
		t.Errorf("with the first parameters again the picture differs: %s", d)
	}
}

func withPEs(pes, n int) *tracer.Memory {
	m := chain(n, 1)
	meta := m.Meta()
	meta.PEs = pes
	m.SetMeta(meta)
	return m
}

// TestColours compares the colours of nodes with their PE, procedure and time.
func TestColours(t *testing.T) {
	scheme := palette.Schemes[0]
	set := scheme.Set(false)
	color := func(g *Geometry, node int) scene.Color { return g.colours.color[g.colours.class[node]] }
	for _, q := range quickSort {
		for _, by := range colorBy.Choices {
			g, _ := shown(t, quickSortTrace(), 500, "color", by)
			node := g.tree.Task.Index(q.task)
			var want scene.Color
			at := float64(q.task-1) / 22
			switch by {
			case byPE:
				want = scene.NRGBA(set[q.pe])
			case byProcedure:
				want = scene.NRGBA(set[map[string]int{"part/4": 0, "qsort/3": 1, "main/1": 2}[q.proc]])
			case byTime:
				want = scene.NRGBA(scheme.Ramp(math.Min(math.Floor(at*timeSteps), timeSteps-1)/(timeSteps-1), false))
			case byPETime:
				want = scene.NRGBA(scheme.Shade(int(q.pe), math.Min(math.Floor(at*shadeSteps), shadeSteps-1)/(shadeSteps-1), false))
			}
			if got := color(g, node); got != want {
				t.Errorf("task %d by %s: %v, want %v", q.task, by, got, want)
			}
		}
	}
}

// TestSpokesConserve checks that items contain every node once, and that a spoke has the mixture of its nodes' colours.
func TestSpokesConserve(t *testing.T) {
	g, f := shown(t, star(30_000, 3), 300)
	set := palette.Schemes[0].Set(false)
	nodes, spokes := 0, 0
	b := newBrush(f, g)
	for it := range g.layout.Items(b.sight) {
		nodes += it.Count()
		if it.Shape != radial.Spoke {
			continue
		}
		spokes++
		var mix palette.Mix
		for n := it.First; n < it.End; n++ {
			mix.Add(palette.ToLight(set[g.tree.PE.At(int(g.levels.Original(n)))]), 1)
		}
		if got, want := (&mixer{brush: b}).colors(&it, 1, nil)[0], scene.NRGBA(mix.Color()); got != want {
			t.Fatalf("spoke of %d nodes: %v, want %v", it.Count(), got, want)
		}
	}
	if nodes != 30_000 || spokes < 100 || spokes > 3000 {
		t.Errorf("%d nodes in %d spokes and others", nodes, spokes)
	}
}
