package timeline

import (
	"testing"

	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestPath strings the critical path: every part of it lies in the row of its PE, and it leaves out no time.
func TestPath(t *testing.T) {
	src := viewtest.Served(40, 4)
	kindtest.Golden(t, "served-path.txt", Kind(), viewtest.Served(12, 2), 700, 300, map[string]string{"path": "true"})
	g, f := kindtest.Shown[*Geometry](t, Kind(), src, 900, 400, "path", "true")
	kindtest.AnyFrame(t, Kind(), g)
	at := g.Act.From
	for i, p := range g.path.Pieces {
		if p.From != at {
			t.Errorf("piece %d begins at %d, not at %d", i, p.From, at)
		}
		at = p.To
	}
	if at != g.Act.To || g.path.Hops == 0 {
		t.Errorf("the path ends at %d of %d, %d hops", at, g.Act.To, g.path.Hops)
	}
	with, without := scene.New(1000, 500), scene.New(1000, 500)
	g.Base(f, with)
	plain, _ := kindtest.Shown[*Geometry](t, Kind(), src, 900, 400)
	plain.Base(f, without)
	if with.Len() <= without.Len() || plain.path != nil {
		t.Errorf("%d operations with the path, %d without", with.Len(), without.Len())
	}
	if a := g.Input(f, view.Input{Kind: view.Press, Key: "k"}); len(a) != 1 || a[0].Name != "path" || a[0].Value != "false" {
		t.Errorf("k: %+v", a)
	}
	found := false
	for _, b := range g.Legend(f).Blocks {
		found = found || b.Title == "Critical path" && len(b.Swatches) > 2
	}
	if !found {
		t.Error("the legend has no critical path")
	}
	goals, f := kindtest.Shown[*Geometry](t, Kind(), viewtest.Small(), 900, 400, "path", "true")
	if goals.path != nil || len(layout(f, goals).notes()) == 0 {
		t.Error("a trace of goals has a path through wake-ups")
	}
}
