package raster

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"whorl/testdata/must"
	"whorl/visual/scene"
)

// BenchmarkFrame draws the largest contents expected in a full HD frame; ms/frame is the figure to read.
func BenchmarkFrame(b *testing.B) {
	const w, h, million = 1920, 1080, 1_000_000
	random := func(r *rand.Rand) (x, y float32) { return r.Float32() * w, r.Float32() * h }
	for _, c := range []struct {
		name string
		n    int
		add  func(l *scene.List, r *rand.Rand, c scene.Color)
	}{
		{"rects 3px", million, func(l *scene.List, r *rand.Rand, c scene.Color) {
			x, y := random(r)
			l.Rect(x, y, x+3, y+3, c)
		}},
		{"squares 3px", million, func(l *scene.List, r *rand.Rand, c scene.Color) {
			x, y := random(r)
			l.Mark(scene.Square, 3, x, y, c)
		}},
		{"discs 3px", million, func(l *scene.List, r *rand.Rand, c scene.Color) {
			x, y := random(r)
			l.Mark(scene.Disc, 3, x, y, c)
		}},
		{"triangles 10px", 100_000, func(l *scene.List, r *rand.Rand, c scene.Color) {
			x, y := random(r)
			l.Polygon([]float32{x, y, x + r.Float32()*10, y + 2, x + 4, y + r.Float32()*10}, scene.NonZero, c)
		}},
		{"octagons 20px", 100_000, func(l *scene.List, r *rand.Rand, c scene.Color) {
			x, y := random(r)
			p := make([]float32, 0, 16)
			for i := range 8 {
				s, c := math.Sincos(float64(i) * math.Pi / 4)
				p = append(p, x+10*float32(c), y+10*float32(s))
			}
			l.Polygon(p, scene.NonZero, c)
		}},
		{"lines 20px", 100_000, func(l *scene.List, r *rand.Rand, c scene.Color) {
			x, y := random(r)
			s, k := math.Sincos(float64(r.Float32()) * 7)
			l.Line(x, y, x+20*float32(k), y+20*float32(s), 1, c)
		}},
		{"sectors", 100_000, func(l *scene.List, r *rand.Rand, c scene.Color) {
			d, a := r.Float32()*500, r.Float32()*7
			l.Arc(960, 540, d, d+12, a, 10/(d+10), c)
		}},
		{"labels", 10_000, func(l *scene.List, r *rand.Rand, c scene.Color) {
			x, y := random(r)
			l.Text(x, y, "makeRow/3", scene.TextStyle{Size: 11, Color: c})
		}},
		{"rotated labels", 10_000, func(l *scene.List, r *rand.Rand, c scene.Color) {
			x, y := random(r)
			l.Text(x, y, "makeRow/3", scene.TextStyle{Size: 11, Color: c, Rotation: r.Float32()})
		}},
		{"mesh 20px", 100_000, func(l *scene.List, r *rand.Rand, c scene.Color) {
			x, y := random(r)
			l.Mesh([]float32{x, y, x + 20, y, x, y + 20}, []scene.Color{c, scene.RGB(0, 0, 0), c})
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			l := scene.New(w, h)
			r := rand.New(rand.NewPCG(1, 2))
			for range c.n {
				v := r.Uint32()
				c.add(l, r, scene.RGB(uint8(v), uint8(v>>8), uint8(v>>16)))
			}
			dst := image.NewRGBA(image.Rect(0, 0, w, h))
			d := newTest()
			d.Draw(dst, l, View{})
			b.ReportAllocs()
			for b.Loop() {
				d.Draw(dst, l, View{})
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/frame")
		})
	}
}

// BenchmarkBuild fills a list with a million rectangles.
func BenchmarkBuild(b *testing.B) {
	var l scene.List
	for b.Loop() {
		l.Reset(100, 100)
		for i := range 1_000_000 {
			l.Rect(float32(i), 0, 1, 1, scene.RGB(1, 2, 3))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/million")
}

func BenchmarkPNG(b *testing.B) {
	img := newTest().Picture(demo(), 2)
	n := 0
	for b.Loop() {
		var c counter
		must.Do(b, WritePNG(&c, img, 0))
		n = int(c)
	}
	b.ReportMetric(float64(n), "bytes")
}

type counter int

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }
