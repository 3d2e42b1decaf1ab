package panes_test

import (
	"testing"

	"whorl/visual/app/panes"
	"whorl/visual/app/testdata/desktest"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// TestPictures: the panes in front get pictures, and a parameter of one that is compared applies to the other.
func TestPictures(t *testing.T) {
	k := desktest.Open(t, "on-demand", "random")
	a, b := k.Pane("kaleidoscope", "on-demand"), k.Pane("kaleidoscope", "random")
	if !a.Answers() || !b.Answers() || !a.UpToDate(k.Model.Document(a)) {
		t.Fatalf("there is no picture: %v, %v", a.Err, b.Err)
	}
	before := b.Revision()
	k.Actions.Apply(view.Action{Do: view.SetParam, Pane: k.Model.Index(a.ID), Name: "color", Value: "time"})
	k.Settle()
	if a.Values()["color"] != "time" || b.Values()["color"] != "time" || b.Revision() == before {
		t.Errorf("the colours are %q and %q", a.Values()["color"], b.Values()["color"])
	}
	if list, err := a.Shoot(300, 200, "dark", page.Shot{Trace: a.Trace}); err != nil || list.Len() == 0 || a.Values()[view.Background.Name] != "" {
		t.Errorf("the picture for a file is %v, %v; the pane has the ground %q", list, err, a.Values()[view.Background.Name])
	}
	k.Actions.Apply(view.Action{Do: view.CloseTrace, Name: "random"})
	k.Settle()
	if k.Model.Panes[b.ID] != nil || k.Links.Compared(k.Model.Docs.Get("on-demand")) != nil {
		t.Error("the panes of the closed trace are open, or the other is compared with it")
	}
}

// TestTwinSelections: times and PEs of a run are the same in another. Things without a twin light nothing.
func TestTwinSelections(t *testing.T) {
	k := desktest.Open(t, "on-demand", "random")
	other := k.Pane("kaleidoscope", "random")
	for _, c := range []struct{ s, want view.Selection }{
		{view.Selection{Trace: "on-demand", Time: &view.Span{First: 3, Last: 7}}, view.Selection{Trace: "random", Time: &view.Span{First: 3, Last: 7}}},
		{view.Selection{Trace: "on-demand", PEs: []view.Span{{First: 1, Last: 2}}}, view.Selection{Trace: "random", PEs: []view.Span{{First: 1, Last: 2}}}},
		{view.Selection{Trace: "on-demand", Tasks: []view.Tasks{{First: 1 << 50}}}, view.Selection{}},
		{view.Selection{Trace: "on-demand", Codes: []uint32{1 << 30}}, view.Selection{}},
		{view.Selection{Trace: "on-demand", Contexts: []uint64{3}}, view.Selection{Trace: "random", Contexts: []uint64{3}}}, // its number is made of names
		{view.Selection{Trace: "random", Contexts: []uint64{3}}, view.Selection{Trace: "random", Contexts: []uint64{3}}},
		{view.Selection{Trace: "gone", Contexts: []uint64{3}}, view.Selection{Trace: "gone", Contexts: []uint64{3}}},
		{view.Selection{Trace: "on-demand", Tasks: []view.Tasks{{First: 1, Last: 1<<64 - 1}}, Codes: []uint32{1 << 30}}, view.Selection{}},
	} {
		k.Model.State.Shared.Selection = c.s
		if got := k.Links.Translated(other).Shared.Selection; !got.Equal(c.want) {
			t.Errorf("the twin of %+v is %+v, want %+v", c.s, got, c.want)
		}
	}
}

// TestPixels: a rectangle in points is one of whole pixels, and comes back in points.
func TestPixels(t *testing.T) {
	w := panes.NewWindow(nil)
	w.Scale = 1.5
	r := scene.Rect{X0: 1, Y0: 2, X1: 11, Y1: 13}
	pixels := scene.Rect{X0: 2, Y0: 3, X1: 17, Y1: 20}
	if got := w.Pixels(r); got != pixels {
		t.Errorf("the pixels are %v, want %v", got, pixels)
	}
	if got := w.Pixels(w.Points(w.Rect(r))); got != pixels {
		t.Errorf("there and back the pixels are %v, want %v", got, pixels)
	}
}
