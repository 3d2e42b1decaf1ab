package raster

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/scene"
)

// TestMeshColors checks that every pixel of a triangle has a colour between those of its corners, also in slivers and
// in triangles much larger than the picture, and that the middle has their mean.
func TestMeshColors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		far := rapid.SampledFrom([]float64{120, 120, 3000, 15000}).Draw(t, "far")
		var points []float32
		var colors []scene.Color
		least, most, sum := [3]int{255, 255, 255}, [3]int{}, [3]int{}
		for range 3 {
			coordinate := func() float32 { return float32(rapid.Float64Range(-far, far).Draw(t, "at")) + 32 }
			points = append(points, coordinate(), coordinate())
			level := func() uint8 { return rapid.SampledFrom([]uint8{0, 1, 100, 254, 255}).Draw(t, "level") }
			c := scene.RGB(level(), level(), level())
			colors = append(colors, c)
			for i, v := range [3]uint8{c.R, c.G, c.B} {
				least[i], most[i], sum[i] = min(least[i], int(v)), max(most[i], int(v)), sum[i]+int(v)
			}
		}
		if rapid.Bool().Draw(t, "sliver") {
			points[4] = (points[0]+points[2])/2 + 0.3
			points[5] = (points[1]+points[3])/2 + 0.2
		}
		l := scene.New(64, 64)
		l.Mesh(points, colors)
		img := newTest().Picture(l, 1)
		large := math.Abs(float64((points[2]-points[0])*(points[5]-points[1])-(points[4]-points[0])*(points[3]-points[1]))) > 1e6
		mx, my := int((points[0]+points[2]+points[4])/3), int((points[1]+points[3]+points[5])/3)
		for y := range 64 {
			for x := range 64 {
				c := img.RGBAAt(x, y)
				if c.A != 255 {
					continue
				}
				for i, v := range [3]uint8{c.R, c.G, c.B} {
					if int(v) < least[i] || int(v) > most[i] {
						t.Fatalf("%v with %v: channel %d at %d %d is %d, not between %d and %d", points, colors, i, x, y, v, least[i], most[i])
					}
					if d := 3*int(v) - sum[i]; x == mx && y == my && large && (d > 9 || d < -9) {
						t.Fatalf("%v with %v: channel %d in the middle is %d", points, colors, i, v)
					}
				}
			}
		}
	})
}
