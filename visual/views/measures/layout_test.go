package measures

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/viewtest"
)

// TestEveryRowIsReached scrolls through a machine of 4,096 PEs.
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
		as := picture{}.Input(f, g, view.Input{Kind: view.Press, Key: "PageDown"})
		if len(as) != 1 || as[0].Do != view.SetCamera {
			t.Fatalf("PageDown gives %+v", as)
		}
		f.Camera = *as[0].Camera
	}
	for pe := range pes {
		if !seen["PE "+view.Count(int64(pe))] {
			t.Fatalf("PE %d was never seen", pe)
		}
	}
	f.Camera = *(picture{}).Input(f, g, view.Input{Kind: view.Press, Key: "Home"})[0].Camera
	if s := layout(f, g); s.scroll != 0 {
		t.Errorf("Home leads to line %g", s.scroll)
	}
	f.Camera = *(picture{}).Input(f, g, view.Input{Kind: view.Wheel, DY: -1})[0].Camera
	if s := layout(f, g); s.scroll != 3 {
		t.Errorf("the wheel leads to line %g", s.scroll)
	}
}

func TestAnyFrame(t *testing.T) {
	g, _ := shown(t, viewtest.Small(), 600, 300)
	rapid.Check(t, func(t *rapid.T) {
		num := func(name string) float64 {
			return rapid.OneOf(rapid.Float64Range(-50, 700), rapid.SampledFrom([]float64{0, 1e-30, 1e12, -1e12})).Draw(t, name)
		}
		area := view.Rect{X0: num("x"), Y0: num("y")}
		area.X1, area.Y1 = area.X0+rapid.Float64Range(0, 900).Draw(t, "w"), area.Y0+rapid.Float64Range(0, 900).Draw(t, "h")
		f := &view.Frame{
			Area: area, Clip: area, Style: view.NewStyle(true, 12), Text: glyphs, Trace: "t", State: &view.State{},
			Camera: view.Camera{X: num("cx"), Y: num("cy"), Scale: math.Abs(num("scale")), ScaleY: math.Abs(num("scale y"))},
		}
		f.State.Shared.Selection = view.Subtree("t", 1)
		l := scene.New(1000, 1000)
		picture{}.Base(f, g, l)
		picture{}.Overlay(f, g, l)
		x, y := num("mx"), num("my")
		if s, ok := (picture{}).Hit(f, g, x, y); ok && s.Empty() {
			t.Fatal("hit nothing")
		}
		picture{}.Tip(f, g, x, y)
		picture{}.Input(f, g, view.Input{Kind: view.InputKind(rapid.IntRange(0, 9).Draw(t, "kind")), X: x, Y: y, DX: num("dx"), DY: num("dy")})
	})
}
