package raster

import (
	"bufio"
	"image"
	"math"
	"os"
	"path/filepath"
	"testing"

	"whorl/testdata/must"
	"whorl/visual/glyph"
	"whorl/visual/scene"
)

var glyphs = glyph.New()

// demo is a picture of 800 x 600 pixels with every kind of op.
func demo() *scene.List {
	ink, grey := scene.Hex(0x202428), scene.Hex(0x8a929a)
	blue, red, green := scene.Hex(0x2a6fb0), scene.Hex(0xc8452d), scene.Hex(0x3a8f55)
	l := scene.New(800, 600)
	l.Rect(0, 0, 800, 600, scene.Hex(0xfbfaf7))
	label := func(x, y float32, s string) { l.Text(x, y, s, scene.TextStyle{Size: 11, Color: grey}) }

	l.Group(1, "rectangles")
	label(20, 24, "rect, frame, clip")
	for i := range 12 {
		f := float32(i)
		l.Rect(20+f*10.3, 80-f*4, 28+f*10.3, 80, blue.Mix(red, f/11))
	}
	l.Frame(20.5, 32.5, 160.5, 84.5, 1, ink)
	l.Clip(165, 32, 225, 84)
	l.Circle(170, 60, 40, green)
	l.Circle(220, 60, 30, red.Alpha(128))
	l.Pop()
	l.Pop()

	label(250, 24, "polyline: joins and caps")
	zig := func(x, y float32) []float32 { return []float32{x, y + 40, x + 20, y, x + 40, y + 40, x + 52, y + 8} }
	for i, j := range []scene.Join{scene.RoundJoin, scene.MiterJoin, scene.MiterJoin} {
		x := 255 + float32(i)*72
		p := zig(x, 38)
		l.Polyline(p, scene.Stroke{Width: 9, Color: blue.Alpha(150), Join: j, Cap: scene.Cap(2 - i)})
		l.Polyline(p, scene.Stroke{Width: 1, Color: ink})
	}
	label(490, 24, "dashes, thin lines")
	for i := range 6 {
		y := 36 + float32(i)*9
		l.Polyline([]float32{490, y, 590, y + 4, 640, y - 3, 700, y}, scene.Stroke{
			Width: 0.5 + float32(i)*0.5, Color: ink, Dash: []float32{8, 4, 2, 4}[:2+i/3*2], Cap: scene.Cap(i & 1),
		})
	}
	for i := range 24 {
		s, c := math.Sincos(float64(i) * math.Pi / 12)
		l.Line(750, 60, 750+36*float32(c), 60+36*float32(s), 0.25+float32(i)/12, ink)
	}

	label(20, 112, "polygon: non-zero, even-odd, contours")
	star := func(x, y, r float32) []float32 {
		var p []float32
		for i := range 5 {
			s, c := math.Sincos(float64(i)*4*math.Pi/5 - math.Pi/2)
			p = append(p, x+r*float32(c), y+r*float32(s))
		}
		return p
	}
	l.Polygon(star(60, 165, 40), scene.NonZero, green)
	l.Polygon(star(150, 165, 40), scene.EvenOdd, green)
	l.Polygons([]float32{200, 125, 270, 130, 265, 200, 205, 195, 220, 145, 225, 180, 250, 182, 252, 148}, []int{4, 4}, scene.EvenOdd, red)

	label(300, 112, "arc sectors")
	a := float32(0)
	for i := range 14 {
		w := 0.1 + float32(i)*0.053
		c := blue.Mix(scene.Hex(0xe8b04a), float32(i)/13)
		l.Arc(360, 168, 18, 32, a, w, c)
		l.Arc(360, 168, 33, 33+float32(i), a, w-0.03, c)
		a += w
	}
	l.Ring(460, 168, 40, 3, ink)
	l.Ring(460, 168, 30, 0.75, ink)
	l.Arc(460, 168, 0, 24, -1, 2, red)
	l.Arc(460, 168, 10, 24, 1.5, 3, green)

	label(540, 112, "marks")
	for i := range 5 {
		for k := range 9 {
			x, y := 545+float32(k)*26+float32(k)*0.125, 130+float32(i)*18+float32(i)*0.33
			l.Mark(scene.Shape(i), 1+float32(k)*1.5, x, y, blue.Mix(red, float32(k)/8))
		}
	}

	label(20, 232, "text")
	for i, sz := range []float32{8, 9, 10, 11, 12, 13, 14, 16, 18, 22} {
		y := 248 + float32(i)*float32(i)*0.75 + float32(i)*11
		l.Text(20, y, "Reduce qsort/3 on PE 4: 2,235 → 56", scene.TextStyle{Size: sz, Color: ink, Face: scene.Face(i % 3)})
	}
	l.Text(20, 425, "αβγ Δ∑ ≤≥≠ ×÷ … • ● ▶ ■ ✓ 日本語 한국 Привет שלום \U0001F600", scene.TextStyle{Size: 12, Color: ink})
	l.Text(20, 445, "mono  │ i=0; │ 日本 │ done", scene.TextStyle{Size: 12, Color: ink, Face: scene.Mono})
	for i, v := range []scene.VAlign{scene.Baseline, scene.Top, scene.Center, scene.Bottom} {
		y := 260 + float32(i)*28
		l.Line(430, y, 560, y, 1, red.Alpha(120))
		for k, an := range []scene.Anchor{scene.Start, scene.Middle, scene.End} {
			x := 430 + float32(k)*65
			l.Line(x, y-8, x, y+8, 1, red.Alpha(120))
			l.Text(x, y, "Hxg", scene.TextStyle{Size: 13, Color: ink, Anchor: an, VAlign: v})
		}
	}
	for i := range 16 {
		l.Text(680, 300, "    rotated label", scene.TextStyle{Size: 11, Color: ink, Rotation: float32(i) * math.Pi / 8, VAlign: scene.Center})
	}
	l.Text(420, 440, "Whorl", scene.TextStyle{Size: 72, Color: blue, Face: scene.Bold})

	label(20, 478, "mesh")
	l.Mesh([]float32{20, 590, 90, 490, 160, 580}, []scene.Color{red, green, blue})
	for i := range 8 {
		for k := range 6 {
			h := func(i, k int) (float32, float32, scene.Color) {
				z := math.Sin(float64(i)*0.9) * math.Cos(float64(k)*0.8)
				return 190 + float32(i)*18 + float32(k)*8, 510 + float32(k)*13 - float32(z)*14, blue.Mix(scene.Hex(0xf0d060), float32(z+1)/2)
			}
			x0, y0, c0 := h(i, k)
			x1, y1, c1 := h(i+1, k)
			x2, y2, c2 := h(i+1, k+1)
			x3, y3, c3 := h(i, k+1)
			l.Mesh([]float32{x0, y0, x1, y1, x2, y2, x0, y0, x2, y2, x3, y3}, []scene.Color{c0, c1, c2, c0, c2, c3})
		}
	}
	l.Group(9, "translucent")
	for i := range 8 {
		l.Circle(640+float32(i)*16, 535, 30, blue.Mix(red, float32(i)/7).Alpha(60))
	}
	l.Pop()
	return l
}

func newTest() *Renderer { return New(glyphs) }

// TestDemoPicture writes the demo, for inspection, into the folder named by WHORL_PICTURES.
func TestDemoPicture(t *testing.T) {
	dir := os.Getenv("WHORL_PICTURES")
	if dir == "" {
		dir = t.TempDir()
	}
	for _, c := range []struct {
		name  string
		scale float64
	}{{"demo.png", 1}, {"demo3.png", 3}} {
		f := must.Get(os.Create(filepath.Join(dir, c.name)))(t)
		b := bufio.NewWriter(f)
		img := newTest().Picture(demo(), c.scale)
		must.Do(t, WritePNG(b, img, 0))
		must.Do(t, b.Flush())
		must.Do(t, f.Close())
		if want := image.Pt(int(800*c.scale), int(600*c.scale)); img.Rect.Size() != want {
			t.Errorf("%s is %v, want %v", c.name, img.Rect.Size(), want)
		}
	}
}
