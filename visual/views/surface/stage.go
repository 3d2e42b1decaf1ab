package surface

import (
	"math"

	"whorl/visual/layout/terrain"
	"whorl/visual/view"
)

// A stage is the projection of the surface in a frame.
type stage struct {
	*view.Frame
	g    *Geometry
	d    *field
	em   float64
	side terrain.Side
	zoom float64
	see  *terrain.View // nil if there are no lines
}

// The initial side, in degrees, and the limits of the zoom.
const (
	azimuth   = -32
	elevation = 34
	leastZoom = 0.25
	mostZoom  = 8
)

// high is the height of the surface as a share of the longer side of its ground.
const high = 0.42

// setStage projects the field of a frame for its camera.
func setStage(f *view.Frame, g *Geometry) *stage {
	s := &stage{Frame: f, g: g, d: g.field(f), em: float64(f.Style.Font), side: terrain.Side{Azimuth: azimuth, Elevation: elevation}, zoom: 1}
	if f.Camera.ScaleY > 0 {
		s.side = terrain.Side{Azimuth: turn(f.Camera.X), Elevation: min(max(f.Camera.Y, 0), 90)}
		s.zoom = min(max(f.Camera.Scale/f.Camera.ScaleY, leastZoom), mostZoom)
	}
	if s.d.rows == 0 {
		return s
	}
	field := &terrain.Field{Rows: max(s.d.rows, 2), Columns: max(s.d.columns, 2), High: high}
	field.Length = 1
	field.Width = min(max(1.6*float64(s.d.columns)/float64(s.d.rows), 0.35), 1)
	for i := range field.Rows {
		for j := range field.Columns {
			field.Heights = append(field.Heights, s.d.height(i, j))
		}
	}
	edge := math.Min(4*s.em, 0.12*f.Area.W())
	low := math.Min(3*s.em, 0.15*f.Area.H())
	s.see = terrain.See(field, s.side, f.Area.X0+edge, f.Area.Y0+s.em, f.Area.X1-edge, f.Area.Y1-low, s.zoom)
	return s
}

// turn reduces an angle to -180 to 180 degrees.
func turn(degrees float64) float64 {
	if math.Abs(degrees) > 1e9 || math.IsNaN(degrees) {
		return 0
	}
	return math.Remainder(degrees, 360)
}

// camera returns the camera for a side and a zoom.
func camera(side terrain.Side, zoom float64) view.Camera {
	return view.Camera{X: turn(side.Azimuth), Y: min(max(side.Elevation, 0), 90), Scale: min(max(zoom, leastZoom), mostZoom), ScaleY: 1}
}

// rowOf returns the row of the field of a row of the program. It reports false if the row is not shown.
func (s *stage) rowOf(row int) (int, bool) {
	return (row - s.d.first) / s.d.bin, row >= s.d.first && row < s.d.end
}

// near reports whether the last row and the last column are nearer to the viewer than the first.
func (s *stage) near() (lastRow, lastColumn bool) {
	_, _, a := s.see.Point(0, 0, 0)
	_, _, b := s.see.Point(float64(s.see.Rows-1), 0, 0)
	_, _, c := s.see.Point(0, float64(s.see.Columns-1), 0)
	return b > a, c > a
}
