package raster

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"
	"testing"

	"whorl/visual/scene"
)

// FuzzDraw draws ops with arbitrary numbers. Drawing must not panic, hang, or write outside the clip.
func FuzzDraw(f *testing.F) {
	nan, inf := math.Float32bits(float32(math.NaN())), math.Float32bits(float32(math.Inf(1)))
	seed := func(v ...uint32) []byte {
		var b []byte
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
		return b
	}
	f.Add(seed(nan, inf, 0x41200000, 0x42200000, 0x7f7fffff, 0xff7fffff, 1, 0x3f800000))
	f.Add(seed(0x41200000, 0x41300000, 0x42200000, 0x42240000, 0x3f800000, 0x40000000, 0x40400000, 0x3f000000))
	f.Add(seed(0xff7fffff, 0x7f7fffff, 0x7f7fffff, 0xff7fffff, 0x3f800000, 0x3dcccccd, 0x3dcccccd, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		var v [24]float32
		for i := range v {
			if len(data) >= 4 {
				v[i] = math.Float32frombits(binary.LittleEndian.Uint32(data))
				data = data[4:]
			} else {
				v[i] = v[i/2] + float32(i)
			}
		}
		l := scene.New(60, 40)
		c := scene.RGB(255, 0, 0).Alpha(uint8(v[0]))
		l.Clip(5, 5, 55, 35)
		l.Rect(v[0], v[1], v[2], v[3], c)
		l.Clip(v[4], v[1], v[2], v[3])
		l.Circle(v[0], v[1], v[4], c)
		l.Pop()
		for i := range 8 {
			s := scene.Stroke{Width: v[4], Color: c, Join: scene.Join(i % 2), Cap: scene.Cap(i / 3), Closed: i&1 == 0, Dash: v[5 : 5+i], Phase: v[6]}
			l.Polyline(v[:2*i+2], s)
			s.Width = 1
			l.Polyline(v[:2*i+2], s)
		}
		l.Polygon(v[:], scene.EvenOdd, c)
		l.Polygons(v[:], []int{int(v[0]), 3, int(v[1])}, scene.NonZero, c)
		l.Arc(v[0], v[1], v[2], v[3], v[4], v[5], c)
		l.Text(v[0], v[1], "Ab\xff日", scene.TextStyle{Size: v[2], Color: c, Rotation: v[3]})
		l.Text(v[0], v[1], "Ab", scene.TextStyle{Size: v[2], Color: c, Anchor: scene.End, VAlign: scene.Top})
		for i := range 5 {
			l.Mark(scene.Shape(i), v[i], v[i+1], v[i+2], c)
		}
		l.Mesh(v[:12], []scene.Color{c, c, c.Alpha(3), c, c, black})
		img := newTest().Picture(l, 1)
		for y := range 40 {
			for x := range 60 {
				if !image.Pt(x, y).In(image.Rect(5, 5, 55, 35)) && img.RGBAAt(x, y) != (color.RGBA{}) {
					t.Fatalf("pixel %d %d outside the clip is %v", x, y, img.RGBAAt(x, y))
				}
			}
		}
	})
}
