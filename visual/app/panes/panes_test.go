package panes

import (
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/visual/app/outbox"
	"whorl/visual/documents"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// A desk has the parts of a window without bars.
type desk struct {
	*testing.T
	model   *Model
	links   *Links
	actions *Actions
	stages  *Stages
	window  *Window
}

// open returns a desk with compared traces of Pascal's triangle on 5 PEs, one for each policy, whose panes are all of one size.
func open(t *testing.T, policies ...string) *desk {
	t.Helper()
	out, w, m := outbox.New(&ui.State{}), NewWindow(glyph.New()), NewModel(nil, false)
	t.Cleanup(m.Docs.Close)
	l := NewLinks(m)
	cameras := NewCameras(m, l, w, out)
	k := &desk{t, m, l, NewActions(m, l, cameras, out), NewStages(NewNetworks(m, out), cameras, 0), w}
	group := m.Docs.NewGroup()
	for _, policy := range policies {
		r := experiment.Defaults("pascal")
		r.PEs, r.Policy, r.Args = 5, policy, []string{"20"}
		d := documents.New(experimenttest.Trace(t, r))
		d.Group = group
		k.actions.Show(policy, d)
	}
	k.settle()
	return k
}

// settle computes the pictures of the panes in front.
func (k *desk) settle() {
	k.Helper()
	k.model.UpdatePanes()
	for _, leaf := range k.model.Root.Leaves() {
		p := k.model.Panes[leaf.Shown]
		p.Seen = true
		p.Place(scene.Rect{X1: 400, Y1: 300}, scene.Rect{X1: 400, Y1: 300}, k.window.Now)
	}
	for end := time.Now().Add(4 * time.Minute); k.stages.Work(time.Second); {
		if time.Now().After(end) {
			k.Fatal("the pictures do not come")
		}
	}
}

// pane returns the pane that shows a trace in a view.
func (k *desk) pane(view, trace string) *Pane {
	k.Helper()
	for _, id := range k.model.IDs {
		if p := k.model.Panes[id]; p != nil && p.View == view && p.Trace == trace {
			return p
		}
	}
	k.Fatalf("no pane shows %s in the view %s", trace, view)
	return nil
}

// TestPictures: the panes in front get pictures, and a parameter of one that is compared applies to the other.
func TestPictures(t *testing.T) {
	k := open(t, "on-demand", "random")
	a, b := k.pane("kaleidoscope", "on-demand"), k.pane("kaleidoscope", "random")
	if !a.Answers() || !b.Answers() || !a.UpToDate(k.model.Document(a)) {
		t.Fatalf("there is no picture: %v, %v", a.Err, b.Err)
	}
	before := b.Revision()
	k.actions.Apply(view.Action{Do: view.SetParam, Pane: k.model.Index(a.ID), Name: "color", Value: "time"})
	k.settle()
	if a.Values()["color"] != "time" || b.Values()["color"] != "time" || b.Revision() == before {
		t.Errorf("the colours are %q and %q", a.Values()["color"], b.Values()["color"])
	}
	if list, err := a.Shoot(300, 200, "dark", view.Shot{Trace: a.Trace}); err != nil || list.Len() == 0 || a.Values()[view.Background.Name] != "" {
		t.Errorf("the picture for a file is %v, %v; the pane has the ground %q", list, err, a.Values()[view.Background.Name])
	}
	k.actions.Apply(view.Action{Do: view.CloseTrace, Name: "random"})
	k.settle()
	if k.model.Panes[b.ID] != nil || k.links.Compared(k.model.Docs.Get("on-demand")) != nil {
		t.Error("the panes of the closed trace are open, or the other is compared with it")
	}
}

// TestTwinSelections: times and PEs of a run are the same in another. Things without a twin light nothing.
func TestTwinSelections(t *testing.T) {
	k := open(t, "on-demand", "random")
	other := k.model.Docs.Get("random")
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
		if got := k.links.twin(c.s, other); !got.Equal(c.want) {
			t.Errorf("the twin of %+v is %+v, want %+v", c.s, got, c.want)
		}
	}
}

// TestPixels: a rectangle in points is one of whole pixels, and comes back in points.
func TestPixels(t *testing.T) {
	w := NewWindow(nil)
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
