package measures

import (
	"fmt"
	"math"
	"testing"

	"whorl/internal/figures"
	"whorl/visual/scene"
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

// TestNoHeadingsAlone checks that headings without rows below them give way to the number of rows, at any height.
func TestNoHeadingsAlone(t *testing.T) {
	alone := 0
	for h := 60.0; h < 600; h += 7 {
		g, f := shown(t, viewtest.Small(), 420, h)
		s := layout(f, g)
		out := scene.New(420, float32(h))
		view.Draw(g, f, out)
		drawn := map[string]bool{}
		for i := range out.Len() {
			if o := out.Op(i); o.Kind == scene.OpText {
				x, y, text, _ := o.Text()
				drawn[fmt.Sprintf("%s at %.0f, line %.0f", text, x, math.Floor(float64(y)/s.line))] = true
			}
		}
		for k := range s.parts {
			p := &s.parts[k]
			head, ok := s.head(p)
			if first, end, more := s.rows(p); !ok || first < end || more == 0 {
				continue
			}
			alone++
			x := p.x0 + float64(f.Text.Width(p.title, f.Style.Font, scene.Bold)) + s.em
			if want := fmt.Sprintf("and %d more at %.0f, line %.0f", p.n, x, math.Floor(head/s.line)); !drawn[want] {
				t.Errorf("%g pixels: %s lacks %q", h, p.title, want)
			}
		}
	}
	if alone == 0 {
		t.Error("no height leaves headings without rows")
	}
}
