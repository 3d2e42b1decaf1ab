package threadgraph

import (
	"strconv"
	"testing"

	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
)

// TestTimeSpan gives the height of the picture twice the time of the graph: the graph fills the upper half, to scale.
func TestTimeSpan(t *testing.T) {
	g, f := kindtest.Shown[*Geometry](t, Kind(), viewtest.Small(), 600, 400, trueScale.Name, "true")
	whole := newSheet(f, g)
	span := strconv.FormatInt(int64(2*g.rows.Height), 10)
	half, f := kindtest.Shown[*Geometry](t, Kind(), viewtest.Small(), 600, 400, timeSpan.Name, span)
	s := newSheet(f, half)
	if s.Y.Scale != whole.Y.Scale/2 || s.y(0) != whole.y(0) || half.rows.Height != g.rows.Height {
		t.Errorf("scale %g from %g, want half of %g from %g", s.Y.Scale, s.y(0), whole.Y.Scale, whole.y(0))
	}
}
