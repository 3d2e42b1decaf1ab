package kaleidoscope

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/visual/layout/radial"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestBloomShowsExactlyThePast compares the nodes drawn at random moments, in trees of all shapes, with the nodes that ran by then.
func TestBloomShowsExactlyThePast(t *testing.T) {
	sources := []struct {
		name string
		src  tracer.Source
	}{
		{"snail", snail(12, 5, true)}, {"star", star(3000, 3)}, {"bushy", bushy(3000, 7, false)}, {"chain", chain(500, 2)}, {"unordered", unordered(300)},
	}
	for _, test := range sources {
		g, f := shown(t, test.src, 400)
		first, last := slices.Min(g.tree.Time.Numbers()), slices.Max(g.tree.Time.Numbers())
		rapid.Check(t, func(t *rapid.T) {
			until := rapid.Int64Range(first-1, last+1).Draw(t, "until")
			f.Until = &until
			if rapid.Bool().Draw(t, "zoomed") {
				f.Camera.Scale = rapid.Float64Range(1, 300).Draw(t, "scale")
			}
			want := map[[2]int32]bool{} // pixels of the nodes drawn one by one
			nodes := 0
			b := newBrush(f, g)
			m := &mixer{brush: b}
			b.collect()
			for i := range b.items {
				it := &b.items[i]
				past := 0
				for n := it.First; n < it.End; n++ {
					if g.tree.Time.At(int(g.levels.Original(n))) <= until {
						past++
					}
				}
				switch it.Shape {
				case radial.Node:
					if past == 1 {
						x, y := b.pixel(float64(it.Circle), it.Angle())
						want[cell(x, y)] = true
					}
				case radial.Spoke:
					mixes := make([]palette.Mix, it.Outer-it.Circle+1)
					m.add(mixes, it, 1)
					for k := range mixes {
						past -= mixes[k].Len()
					}
					if past != 0 {
						t.Fatalf("%s: a spoke of %d nodes misses %d", test.name, it.Count(), past)
					}
				}
				nodes += it.Count()
			}
			if nodes != g.layout.Len() {
				t.Fatalf("%s: %d of %d nodes", test.name, nodes, g.layout.Len())
			}
			out := scene.New(400, 400)
			view.Draw(g, f, out)
			got := map[[2]int32]bool{}
			for i := range out.Len() {
				switch o := out.Op(i); o.Kind {
				case scene.OpMarks:
					_, _, xy := o.Marks()
					for k := 0; k < len(xy); k += 2 {
						got[cell(xy[k], xy[k+1])] = true
					}
				case scene.OpPolyline: // lines of leaves end at their nodes
					if p, s := o.Polyline(); !s.Closed && want[cell(p[len(p)-2], p[len(p)-1])] {
						got[cell(p[len(p)-2], p[len(p)-1])] = true
					}
				}
			}
			for c := range want {
				if !got[c] {
					t.Fatalf("%s until %d: the node at %v is missing", test.name, until, c)
				}
			}
			for c := range got {
				if !want[c] {
					t.Fatalf("%s until %d: a node at %v is shown too early", test.name, until, c)
				}
			}
		})
	}
}

func cell(x, y float32) [2]int32 {
	return [2]int32{int32(math.Round(float64(x) * 8)), int32(math.Round(float64(y) * 8))}
}

// unordered returns a tree in which nodes may have run before their parents, as in a damaged trace.
func unordered(n int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "unordered", PEs: 2})
	streams := []*tracer.Stream{m.Stream(tracer.StreamInfo{}), m.Stream(tracer.StreamInfo{})}
	for i := range n {
		*streams[i%2].Slot() = tracer.Event{Kind: tracer.Reduce, Task: uint64(i + 1), Ref: uint64((i + 1) / 2), PE: int32(i % 2), Time: int64((i*7919)%n/2*2 + i*i)}
	}
	for _, s := range streams {
		s.Sync()
	}
	return m
}

func TestBloomHidesWhatIsNotYet(t *testing.T) {
	g, f := shown(t, quickSortTrace(), 500)
	x, y := pixelOf(f, 12) // it runs at 11 µs
	before, then := int64(10_999), int64(11_000)
	sel := view.Subtree("t", 12)
	f.Until = &then
	if got, ok := g.Hit(f, x, y); !ok || !got.Equal(sel) {
		t.Errorf("at its time: %+v", got)
	}
	if n := len(g.Locate(f, sel)); n != 1 {
		t.Errorf("at its time its subtree has %d places", n)
	}
	f.Until = &before
	if got, ok := g.Hit(f, x, y); ok && got.Equal(sel) {
		t.Error("the task is hit before its time")
	}
	if n := len(g.Locate(f, sel)); n != 0 {
		t.Errorf("before its time it has %d places", n)
	}
	notes := g.Legend(f).Blocks[2].Notes
	if want := "11 of 23 reductions until 11 µs."; len(notes) != 1 || notes[0] != want {
		t.Errorf("%q, want %q", notes, want)
	}
}

// TestNearestAmongThePast compares Hit with a search through all nodes.
func TestNearestAmongThePast(t *testing.T) {
	g, f := shown(t, bushy(2000, 5, false), 400)
	rapid.Check(t, func(t *rapid.T) {
		until := rapid.Int64Range(-1, slices.Max(g.tree.Time.Numbers())).Draw(t, "until")
		f.Until = &until
		x, y := rapid.Float64Range(0, 400).Draw(t, "x"), rapid.Float64Range(0, 400).Draw(t, "y")
		s := sight(f)
		best := math.Inf(1)
		for n := range int32(g.layout.Len()) {
			if g.tree.Time.At(int(g.levels.Original(n))) <= until {
				px, py := g.layout.Position(n, s.Distance)
				best = min(best, math.Hypot(s.X+px-x, s.Y+py-y))
			}
		}
		k, ok := g.nearest(f, x, y)
		if ok != (best < reachEms*float64(f.Style.Font)) {
			t.Fatalf("found %v, the nearest is %g pixels away", ok, best)
		}
		if ok {
			px, py := g.layout.Position(k, s.Distance)
			if d := math.Hypot(s.X+px-x, s.Y+py-y); d > best+1e-9 {
				t.Fatalf("found a node %g pixels away, the nearest is %g", d, best)
			}
		}
	})
}

// TestManyAreLitByAVeil checks that many selected nodes, and no others, are drawn over the veil.
func TestManyAreLitByAVeil(t *testing.T) {
	g, f := shown(t, bushy(1500, 5, false), 600)
	f.State = &view.State{Shared: view.Shared{Selection: view.Selection{Trace: "t", PEs: []view.Span{{First: 2, Last: 2}}}}}
	out := scene.New(600, 600)
	g.Overlay(f, out)
	veils := 0
	var lit []scene.Color
	for i := range out.Len() {
		switch o := out.Op(i); o.Kind {
		case scene.OpRect:
			veils++
		case scene.OpMarks:
			_, _, xy := o.Marks()
			for k := range len(xy) / 2 {
				lit = append(lit, o.ColorAt(k))
			}
		}
	}
	two := scene.NRGBA(palette.Schemes[0].Set(false)[2])
	if veils != 1 || len(lit) < 20 || slices.ContainsFunc(lit, func(c scene.Color) bool { return c != two }) {
		t.Errorf("%d veils, %d points of colours %v", veils, len(lit), lit)
	}
}

// TestOutliersAreFound looks for the one node of another PE among a million: after zooming in, its colour is visible and the tip names it.
func TestOutliersAreFound(t *testing.T) {
	testenv.Sequential(t)
	src := outlier{large(million)}
	g, f := shown(t, src, 800)
	pes := g.tree.PE.Numbers()
	node := slices.Index(pes, 15)
	if node < 0 || slices.Contains(pes[node+1:], 15) {
		t.Fatal("there is no single outlier")
	}
	sel := view.Selection{Trace: "t", PEs: []view.Span{{First: 15, Last: 15}}}
	places := g.Locate(f, sel)
	if len(places) != 1 {
		t.Fatalf("%d places for one node", len(places))
	}
	for range 60 { // zoom in at the mark
		x, y := center(places[0])
		a := g.Input(f, view.Input{Kind: view.Wheel, X: float64(x), Y: float64(y), DY: 1})
		f.Camera = *a[0].Camera
		if places = g.Locate(f, sel); len(places) != 1 {
			t.Fatalf("%d places at scale %g", len(places), f.Camera.Scale)
		}
		if places[0].W() < 3 && places[0].H() < 3 {
			break
		}
	}
	x, y := center(places[0])
	tip, ok := g.Tip(f, float64(x), float64(y))
	if !ok || !slices.ContainsFunc(tip.Lines, func(s string) bool { return strings.Contains(s, " on PE 15,") }) {
		t.Errorf("the tip says %q", tip.Lines)
	}
	out := scene.New(800, 800)
	view.Draw(g, f, out)
	want, seen := g.colours.color[g.colours.class[node]].NRGBA(), false // it may be too small for its pattern
	for i := range out.Len() {
		o := out.Op(i)
		seen = seen || (o.Kind == scene.OpPolygon || o.Kind == scene.OpPolyline) && o.Color.NRGBA() == want
		if o.Kind == scene.OpMarks {
			_, _, xy := o.Marks()
			for k := range len(xy) / 2 {
				seen = seen || o.ColorAt(k).NRGBA() == want
			}
		}
	}
	if !seen {
		t.Error("the picture lacks the colour of the outlier")
	}
}

// outlier returns a trace in which one reduction in the middle ran on PE 15.
type outlier struct{ synthetic }

func (o outlier) Scan(want tracer.KindSet, f func([]tracer.Event) error) error {
	return o.synthetic.Scan(want, func(es []tracer.Event) error {
		for i := range es {
			es[i].PE %= 15
			if es[i].Task == million/2+777 {
				es[i].PE = 15
			}
		}
		return f(es)
	})
}

// TestRememberedSpokesChangeNothing draws frames that may reuse cached colours of spokes, and compares each with a frame drawn without a
// cache.
func TestRememberedSpokesChangeNothing(t *testing.T) {
	testenv.Sequential(t)
	g, f := shown(t, bushy(30_000, 7, false), 300)
	whole := f.Camera
	most := 0
	rapid.Check(t, func(t *rapid.T) {
		for range 4 {
			f.Camera, f.Until = whole, nil
			f.Camera.Scale *= rapid.SampledFrom([]float64{0.2, 1, 1, 1.01, 3}).Draw(t, "zoom")
			f.Camera.X += rapid.SampledFrom([]float64{0, 0.5, 5}).Draw(t, "x")
			if rapid.Bool().Draw(t, "bloom") {
				until := rapid.SampledFrom([]int64{0, 9_000_000, 20_000_000}).Draw(t, "until")
				f.Until = &until
			}
			a, b := scene.New(300, 300), scene.New(300, 300)
			view.Draw(g, f, a)
			most = max(most, len(g.mixed.colors))
			fresh := *g
			fresh.mixed, fresh.located = new(mixed), new(located)
			view.Draw(&fresh, f, b)
			if d := viewtest.Diff(a, b); d != "" {
				t.Fatal(d)
			}
		}
	})
	if most < 50 {
		t.Errorf("only %d spokes are remembered", most)
	}
}
