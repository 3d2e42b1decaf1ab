package timeline

import (
	"testing"

	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestVeil selects every fifth of 400 steps: a veil with holes at the selected steps covers each row. A few selected steps have frames and
// no veil.
func TestVeil(t *testing.T) {
	g, f := shown(t, viewtest.Many(400, 4, 1000, 1, 1), 1600, 300)
	r := layout(f, g)
	for _, every := range []int{5, 50} {
		f.State.Shared.Selection = view.Selection{Trace: "t"}
		for task := 1; task <= 400; task += every {
			f.State.Shared.Selection.Tasks = append(f.State.Shared.Selection.Tasks, view.Tasks{First: uint64(task)})
		}
		out := scene.New(1700, 400)
		g.Overlay(f, out)
		type box struct{ x0, y0, x1, y1 float32 }
		var veil []box
		for i := range out.Len() {
			if o := out.Op(i); o.Kind == scene.OpRect && o.Color == f.Style.Ground.Alpha(170) {
				x0, y0, x1, y1 := o.Rect()
				veil = append(veil, box{x0, y0, x1, y1})
			}
		}
		for pe := range 4 {
			y0, y1 := r.bar(pe)
			for k := range 100 { // step k of each PE is task 4k+pe+1
				x, y := float32(r.X(int64(k)*1000+500)), float32((y0+y1)/2)
				veiled := false
				for _, b := range veil {
					veiled = veiled || b.x0 <= x && x < b.x1 && b.y0 <= y && y < b.y1
				}
				if want := every == 5 && (4*k+pe)%every != 0; veiled != want {
					t.Fatalf("every %d: step %d of PE %d is veiled: %v", every, k, pe, veiled)
				}
			}
		}
	}
}
