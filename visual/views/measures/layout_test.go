package measures

import (
	"testing"

	"whorl/internal/figures"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestEveryRowIsReached scrolls through the rows of a machine of 4,096 PEs.
func TestEveryRowIsReached(t *testing.T) {
	const pes = 4096
	g, f := shown(t, viewtest.Many(2*pes, pes, 100, 1, 0), 700, 400)
	seen := map[string]bool{}
	for range 1000 {
		s := layout(f, g)
		for k := range s.parts {
			p := &s.parts[k]
			first, end, more := s.rows(p)
			if more < 0 || end < first {
				t.Fatalf("rows %d to %d, %d more", first, end, more)
			}
			for i := first; i < end; i++ {
				seen[p.title+" "+p.table.name(i)] = true
			}
		}
		as := g.Input(f, view.Input{Kind: view.Press, Key: "PageDown"})
		if len(as) != 1 || as[0].Do != view.SetCamera {
			t.Fatalf("PageDown gives %+v", as)
		}
		f.Camera = *as[0].Camera
	}
	for pe := range pes {
		if !seen["PE "+figures.Count(int64(pe))] {
			t.Fatalf("PE %d was never seen", pe)
		}
	}
	f.Camera = *g.Input(f, view.Input{Kind: view.Press, Key: "Home"})[0].Camera
	if s := layout(f, g); s.scroll != 0 {
		t.Errorf("Home leads to line %g", s.scroll)
	}
	f.Camera = *g.Input(f, view.Input{Kind: view.Wheel, DY: -1})[0].Camera
	if s := layout(f, g); s.scroll != 3 {
		t.Errorf("the wheel leads to line %g", s.scroll)
	}
}

func TestAnyFrame(t *testing.T) {
	g, _ := shown(t, viewtest.Small(), 600, 300)
	kindtest.AnyFrame(t, Kind(), g)
}
