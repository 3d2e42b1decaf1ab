package kaleidoscope

import (
	"math"

	"whorl/visual/layout/radial"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// ghostAngles is the number of angles at which the outline of another tree is known.
const ghostAngles = 720

// Ghost draws the outline of the tree of another run: at each angle the outermost circle that the tree reaches.
func (g *Geometry) Ghost(f *view.Frame, before view.Picture, out *scene.List) {
	other, ok := before.(*Geometry)
	if !ok {
		return
	}
	whole := sight(f)
	whole.X0, whole.Y0, whole.X1, whole.Y1 = math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)
	var reach [ghostAngles]int32
	for it := range other.layout.Items(whole) {
		circle := it.Outer
		if it.Shape == radial.Node {
			circle = it.Circle
		}
		first := int(math.Floor(it.Start * ghostAngles / 360))
		last := int(math.Ceil((it.Start + it.Sweep) * ghostAngles / 360))
		for k := first; k < max(last, first+1); k++ {
			at := &reach[k%ghostAngles]
			*at = max(*at, circle)
		}
	}
	points := make([]float32, 0, 2*ghostAngles+2)
	for k := range ghostAngles + 1 {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / ghostAngles)
		r := float64(reach[k%ghostAngles]) * whole.Distance
		points = append(points, float32(whole.X+r*cos), float32(whole.Y+r*sin))
	}
	width := float32(max(math.Round(float64(f.Style.Font)/9), 1))
	out.Polyline(points, scene.Stroke{Width: width, Color: f.Style.Ink.Alpha(150)})
}
