package describe

import (
	"strings"
	"testing"
	"time"

	"whorl/visual/app/painter"
	"whorl/visual/app/testdata/desktest"
	"whorl/visual/scene"
)

// TestSteps makes descriptions with the smallest budget: a step looks at one point of the grid, and what was found in a picture is kept.
func TestSteps(t *testing.T) {
	k := desktest.Open(t, "on-demand")
	g := painter.New(k.Model, k.Links, k.Cameras, k.Window, k.Out)
	d := New(k.Model, k.Cameras, g)
	d.Most = time.Hour // the machine may be slow
	for range 3 {      // the first picture says whether there is a legend
		for _, p := range k.Model.Visible() {
			g.Arrange(p, scene.Rect{X1: 400, Y1: 300})
		}
		g.Draw(0)
	}
	steps := func() (n int) {
		d.Begin()
		for n = 1; !d.Work(0); n++ {
			if !d.Wanted {
				t.Fatalf("the description ends after %d steps", n)
			}
		}
		return n
	}
	grids := 0 // a table is described as it is
	for _, p := range k.Model.Visible() {
		if p.Picture() != nil && p.Kind.Name != "measures" {
			grids++
		}
	}
	if n := steps(); n < thingColumns*thingRows || n > grids*thingColumns*thingRows+1 {
		t.Errorf("%d steps for %d points of %d panes", n, thingColumns*thingRows, grids)
	}
	if n := steps(); n != 1 {
		t.Errorf("%d steps for pictures that were described before", n)
	}
	var around scene.List
	got := d.Describe(&around)
	if len(got.Panes) != len(k.Model.Visible()) || !strings.Contains(got.Panes[0].Title, "on-demand") || len(got.Panes[0].Tables) == 0 {
		t.Errorf("the description is %+v", got)
	}
}
