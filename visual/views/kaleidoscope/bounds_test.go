package kaleidoscope

import (
	"fmt"
	"testing"

	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// TestFitShowsAll draws trees whose goals have n children each: no side of a family leaves the area, also where it bulges beyond the nodes.
func TestFitShowsAll(t *testing.T) {
	for _, n := range []int{2, 3, 4, 5, 7} {
		events := []tracer.Event{{Kind: tracer.Reduce, Task: 1, Value: 10}}
		for i := 1; i < 3*n; i++ {
			events = append(events, tracer.Event{Kind: tracer.Reduce, Time: int64(10 * i), Task: uint64(i + 1), Ref: uint64((i-1)/n + 1), Value: 10})
		}
		g, f := shown(t, tracertest.Trace(events...), 500)
		f.Camera = view.Fit(g.Bounds(), f.Area, 0)
		var out scene.List
		g.Base(f, &out)
		const line = 2 // half of the widest outline, and rounding
		reach := ""
		for i := range out.Len() {
			o := out.Op(i)
			if o.Kind != scene.OpPolygon {
				continue
			}
			for pts, _ := o.Polygon(); len(pts) > 1; pts = pts[2:] {
				if x, y := float64(pts[0]), float64(pts[1]); !f.Area.Grow(line).Contains(x, y) {
					reach = fmt.Sprintf("(%g, %g)", x, y)
				}
			}
		}
		if reach != "" {
			t.Errorf("%d children: a family reaches %s, outside %v", n, reach, f.Area)
		}
	}
}
