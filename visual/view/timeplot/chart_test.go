package timeplot

import (
	"math/rand/v2"
	"slices"
	"testing"

	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/view"
)

// blank is a chart without data.
type blank struct{ Chart }

func (*blank) Base(*view.Frame, *scene.List)  {}
func (*blank) Legend(*view.Frame) view.Legend { return view.Legend{} }

// TestChart hits a column, finds its time again, and selects a time by a drag.
func TestChart(t *testing.T) {
	b := &blank{Chart{From: 1000, To: 5000, Label: "100", Describe: func(from, to int64) []string { return []string{"nothing"} }}}
	area := scene.Rect{X1: 500, Y1: 300}
	f := &view.Frame{Area: area, Clip: area, Style: view.NewStyle(false, 12), Text: glyph.New(), Trace: "t", State: &view.State{}}
	p := b.Plot(f)
	sel, ok := b.Hit(f, p.X(3000), 100)
	if !ok || sel.Time.First > 3000 || sel.Time.Last < 2995 || sel.Time.Last-sel.Time.First > 20 {
		t.Errorf("a hit at 3000 ns selects %+v", sel.Time)
	}
	if places := b.Locate(f, sel); len(places) != 1 || !places[0].Contains(p.X(3000), 100) {
		t.Errorf("the selected time is located at %v", places)
	}
	if tip, ok := b.Tip(f, p.X(3000), 100); !ok || !slices.Contains(tip.Lines, "nothing") {
		t.Errorf("tip %+v", tip)
	}
	if _, ok := b.Hit(f, p.X(3000), p.In.Y1+5); ok {
		t.Error("a hit on the axis selects a time")
	}
	drag := view.Input{Kind: view.DragStart, X: p.X(4000), Y: 50, FromX: p.X(2000), FromY: 50}
	acts := b.Respond(b, TimeKeys, f, drag)
	if len(acts) != 1 || acts[0].Do != view.Select || acts[0].Selection.Time.First < 1990 || acts[0].Selection.Time.Last > 4010 {
		t.Fatalf("a drag returns %+v, want a selection of 2000 to 4000 ns", acts)
	}
	f.State.Shared.Selection = *acts[0].Selection
	acts = b.Respond(b, TimeKeys, f, view.Input{Kind: view.Press, Key: "z"})
	if f.Camera = *acts[0].Camera; len(acts) != 1 {
		t.Fatalf("key z returns %+v", acts)
	}
	if from, to := b.Seen(f); from > 2010 || from < 1980 || to < 3990 || to > 4020 {
		t.Errorf("%g to %g ns is visible, want 2000 to 4000", from, to)
	}
	drag.Kind, drag.Ctrl, drag.DX = view.Drag, true, 10
	if acts = b.Respond(b, TimeKeys, f, drag); len(acts) != 1 || acts[0].Do != view.SetCamera || acts[0].Camera.X >= f.Camera.X {
		t.Errorf("a drag with Control returns %+v", acts)
	}
	out := scene.New(500, 300)
	f.State.Personal.Hover = sel
	if b.Overlay(f, out); out.Len() < 6 || out.Open() != 0 { // clip, two bands, pop
		t.Errorf("the overlay has %d operations, want at least 6", out.Len())
	}
}

// TestBars checks that equal neighbours form one bar, the largest bar reaches the top, and a small one is visible.
func TestBars(t *testing.T) {
	f := &view.Frame{Area: scene.Rect{X1: 300, Y1: 300}, Style: view.NewStyle(false, 12), Text: glyph.New()}
	p := New(f, 0, 300, 0, 0)
	out := scene.New(300, 300)
	p.Bars(out, []int64{0, 1000, 1000, 1}, nil, scene.RGB(1, 2, 3))
	var got []scene.Rect
	for i := range out.Len() {
		got = append(got, drawtest.Boxes(out.Op(i))...)
	}
	bottom := p.In.Y1
	if want := []scene.Rect{{X0: 1, X1: 3, Y1: bottom}, {X0: 3, Y0: bottom - 1, X1: 4, Y1: bottom}}; out.Len() != 1 || !slices.Equal(got, want) {
		t.Errorf("%d operations with the bars %v, want one with %v", out.Len(), got, want)
	}
}

// TestFill checks the columns of polygons: gaps divide them, and each layer stands on the one below.
func TestFill(t *testing.T) {
	f := &view.Frame{Area: scene.Rect{X1: 300, Y1: 300}, Style: view.NewStyle(false, 12), Text: glyph.New()}
	p := New(f, 0, 300, 0, 0)
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		base, tops := make([]int, r.IntN(12)), []int(nil)
		var want float64
		for i := range base {
			base[i] = r.IntN(4)
			tops = append(tops, base[i]+r.IntN(4))
			want += float64(tops[i] - base[i])
		}
		out := scene.New(300, 300)
		p.Fill(out, 100, base, tops, scene.RGB(1, 2, 3))
		var area float64
		for k := range out.Len() {
			for _, b := range drawtest.Boxes(out.Op(k)) {
				area += b.W() * b.H()
				for i := int(b.X0 - p.In.X0); i < int(b.X1-p.In.X0); i++ {
					if b.Y1 != float64(100-base[i]) || b.Y0 != float64(100-tops[i]) {
						t.Errorf("from %v to %v column %d is %v", base, tops, i, b)
					}
				}
			}
		}
		if area != want {
			t.Errorf("from %v to %v the area is %v, want %v", base, tops, area, want)
		}
	}
}
