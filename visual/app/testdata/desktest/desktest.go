// Package desktest opens traces in panes without the bars of a window, for tests of the packages that work on panes.
package desktest

import (
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/documents"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// A Desk has the parts of a window without bars.
type Desk struct {
	*testing.T
	Out     *outbox.Outbox
	Window  *panes.Window
	Model   *panes.Model
	Links   *panes.Links
	Cameras *panes.Cameras
	Actions *panes.Actions
	Stages  *panes.Stages
}

// Open returns a desk with compared traces of Pascal's triangle on 5 PEs, one for each policy, whose panes are all of one size.
func Open(t *testing.T, policies ...string) *Desk {
	t.Helper()
	k := &Desk{T: t, Out: outbox.New(&ui.State{}), Window: panes.NewWindow(glyph.New()), Model: panes.NewModel(nil, false)}
	t.Cleanup(k.Model.Docs.Close)
	k.Links = panes.NewLinks(k.Model)
	k.Cameras = panes.NewCameras(k.Model, k.Links, k.Window, k.Out)
	k.Actions = panes.NewActions(k.Model, k.Links, k.Cameras, k.Out)
	k.Stages = panes.NewStages(panes.NewNetworks(k.Model, k.Window, k.Out), k.Cameras, 0)
	k.Window.W, k.Window.H = 400, 300
	group := k.Model.Docs.NewGroup()
	for _, policy := range policies {
		r := experiment.Defaults("pascal")
		r.PEs, r.Policy, r.Args = 5, policy, []string{"20"}
		d := documents.New(experimenttest.Trace(t, r))
		d.Group, d.Run = group, &r
		k.Actions.Show(policy, d)
	}
	k.Settle()
	return k
}

// Settle computes the pictures of the panes in front.
func (k *Desk) Settle() {
	k.Helper()
	k.Model.UpdatePanes()
	for _, leaf := range k.Model.Root.Leaves() {
		p := k.Model.Panes[leaf.Shown]
		p.Seen = true
		p.Place(scene.Rect{X1: 400, Y1: 300}, scene.Rect{X1: 400, Y1: 300}, k.Window.Now)
	}
	for end := time.Now().Add(4 * time.Minute); k.Stages.Work(time.Second); {
		if time.Now().After(end) {
			k.Fatal("the pictures do not come")
		}
	}
}

// Pane returns the pane that shows a trace in a view.
func (k *Desk) Pane(view, trace string) *panes.Pane {
	k.Helper()
	for _, id := range k.Model.IDs {
		if p := k.Model.Panes[id]; p != nil && p.View == view && p.Trace == trace {
			return p
		}
	}
	k.Fatalf("no pane shows %s in the view %s", trace, view)
	return nil
}
