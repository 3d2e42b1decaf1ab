package kaleidoscope

import (
	"testing"

	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// TestNothingIsClipped checks for trees of many shapes and pictures of many sizes that all marks, lines and texts lie in the picture.
func TestNothingIsClipped(t *testing.T) {
	trees := []struct {
		name string
		src  tracer.Source
	}{
		{"one node", chain(1, 1)},
		{"chain", chain(400, 5)},
		{"star of 2", star(2, 2)},
		{"star of 40", star(40, 5)},
		{"star of 1,000", star(1000, 5)},
		{"star of 30,000", star(30_000, 40)},
		{"roots", roots(30)},
		{"bushy", bushy(3000, 5, false)},
		{"snail", snail(20, 5, true)},
		{"quick sort", quickSortTrace()},
	}
	sizes := [][2]int{{200, 90}, {600, 600}, {64, 64}, {100, 100}, {90, 200}, {300, 200}, {1200, 900}}
	if testenv.Race {
		sizes = sizes[:2]
	}
	for _, c := range trees {
		for _, labels := range []string{noLabels, record} {
			o := kindtest.Open(t, Kind(), c.src, "labels", labels)
			for _, size := range sizes {
				for _, legend := range page.LegendPlaces {
					l, err := page.Shoot(t.Context(), o, size[0], size[1], page.Shot{Legend: legend})
					if err != nil {
						t.Fatal(err)
					}
					for _, wrong := range viewtest.Spilled(l.List) {
						t.Errorf("%s, labels %s, legend %s: %s", c.name, labels, legend, wrong)
					}
					if legend != page.LegendInside { // it covers what is below it
						for _, wrong := range viewtest.Inside(l.List, kindtest.Glyphs) {
							t.Errorf("%s, labels %s, legend %s: %s", c.name, labels, legend, wrong)
						}
					}
				}
			}
		}
	}
}

// TestFlatTree checks that the parent of a thousand leaves, too thin to be drawn one by one, stays visible: nothing is drawn over the inner third of its disc,
// and the leaves form a ring around it.
func TestFlatTree(t *testing.T) {
	for _, side := range []int{100, 300, 600, 1200} {
		g, f := shown(t, star(1000, 5), side)
		l := scene.New(float32(side), float32(side))
		view.Draw(g, f, l)
		x, y := f.ToPixel(0, 0)
		inner := 0.35 * f.Camera.Scale
		parent, leaves := false, 0
		for i := range l.Len() {
			o := l.Op(i)
			var points []float32
			switch o.Kind {
			case scene.OpPolygon:
				points, _ = o.Polygon()
				parent = parent || len(points) > 40
				continue
			case scene.OpPolyline:
				if points, _ = o.Polyline(); len(points) > 4 {
					continue // the outline of the disc
				}
			case scene.OpMesh:
				points = o.Mesh()
			}
			for k := 0; k+1 < len(points); k += 2 {
				leaves++
				dx, dy := float64(points[k])-x, float64(points[k+1])-y
				if dx*dx+dy*dy < inner*inner {
					t.Fatalf("%d pixels: %v covers the disc of the parent at %g, %g", side, o.Kind, dx, dy)
				}
			}
		}
		if !parent || leaves < 100 {
			t.Errorf("%d pixels: a disc: %v, corners of leaves: %d", side, parent, leaves)
		}
	}
}
