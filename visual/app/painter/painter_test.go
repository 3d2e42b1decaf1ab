package painter

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whorl/visual/app/testdata/desktest"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestLayers draws panes anew only when something has changed: the picture for another camera, and only what lies above it for another selection.
func TestLayers(t *testing.T) {
	k := desktest.Open(t, "on-demand")
	g := New(k.Model, k.Links, k.Cameras, k.Window, k.Out)
	p := k.Pane("kaleidoscope", "on-demand")
	draw := func(ring int) (base, over Look) {
		g.Arrange(p, scene.Rect{X1: 400, Y1: 300})
		k.Settle()
		g.Draw(ring)
		return g.Layers(p)
	}
	base, over := draw(0)
	if base.List == nil || base.List.Len() < 10 || over.Revision == base.Revision {
		t.Fatalf("the picture is not drawn: %+v", base)
	}
	if b, o := draw(0); b.Revision != base.Revision || o.Revision != over.Revision {
		t.Error("the same picture is drawn again")
	}
	if b, o := draw(p.ID); b.Revision != base.Revision || o.Revision == over.Revision {
		t.Error("the ring of the focus is drawn with the picture, or not at all")
	}
	_, over = g.Layers(p)
	k.Actions.Apply(view.Action{Do: view.Select, Selection: &view.Selection{Trace: p.Trace, Tasks: []view.Tasks{{First: 2}}}})
	if b, o := draw(p.ID); b.Revision != base.Revision || o.Revision == over.Revision {
		t.Error("the selection is drawn with the picture, or not at all")
	}
	k.Actions.Apply(view.Action{Do: view.SetCamera, Pane: k.Model.Index(p.ID), Camera: &view.Camera{Scale: 3}})
	if b, _ := draw(0); b.Revision == base.Revision {
		t.Error("another part is seen in the same picture")
	}
	k.Actions.ClosePane(p.ID)
	k.Model.UpdatePanes()
	g.Draw(0)
	if g.canvases[p] != nil {
		t.Error("the painter keeps a closed pane")
	}
}

// TestMessages: a pane without a picture says why, and a legend takes its place from the picture.
func TestMessages(t *testing.T) {
	k := desktest.Open(t, "on-demand")
	g := New(k.Model, k.Links, k.Cameras, k.Window, k.Out)
	p := k.Pane("kaleidoscope", "on-demand")
	k.Window.W, k.Window.H = 1200, 600
	for range 2 { // the first picture says whether there is a legend
		g.Arrange(p, scene.Rect{X1: 1200, Y1: 600})
		g.Draw(0)
	}
	if p.Area.X1 >= 1200 {
		t.Error("the legend has no place")
	}
	g.Legends = false
	if g.Arrange(p, scene.Rect{X1: 1200, Y1: 600}); p.Area.X1 != 1200 {
		t.Error("the hidden legend has a place")
	}
	k.Actions.AddPane("kaleidoscop", "on-demand", p.ID, 0)
	k.Model.UpdatePanes()
	q := k.Pane("kaleidoscop", "on-demand")
	q.Seen = true
	g.Arrange(q, scene.Rect{X1: 1200, Y1: 600})
	g.Draw(0)
	base, _ := g.Layers(q)
	if base.List == nil || !slices.ContainsFunc(viewtest.Strings(base.List), func(s string) bool { return strings.Contains(s, "kaleidoscope") }) {
		t.Errorf("an unknown view says %v", q.Err)
	}
}

// TestFramesApart puts one frame around those that meet, also where a frame meets others only when it has grown, and the order does not matter.
func TestFramesApart(t *testing.T) {
	frames := []scene.Rect{
		{X0: 0, Y0: 0, X1: 10, Y1: 10},
		{X0: 30, Y0: 30, X1: 40, Y1: 40},
		{X0: 90, Y0: 0, X1: 99, Y1: 9},
		{X0: 9, Y0: 20, X1: 31, Y1: 31},
		{X0: 5, Y0: 5, X1: 12, Y1: 21},
	}
	want := []scene.Rect{{X0: 0, Y0: 0, X1: 40, Y1: 40}, {X0: 90, Y0: 0, X1: 99, Y1: 9}}
	for range 30 {
		rand.Shuffle(len(frames), func(i, j int) { frames[i], frames[j] = frames[j], frames[i] })
		got := apart(slices.Clone(frames))
		slices.SortFunc(got, func(a, b scene.Rect) int { return cmp.Compare(a.X0, b.X0) })
		if !slices.Equal(got, want) {
			t.Fatalf("%v become %v, want %v", frames, got, want)
		}
	}
}
