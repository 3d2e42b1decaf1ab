package raster

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/visual/scene"
)

// TestTilesEqualWhole draws the demo as a whole and in tiles of odd sizes, with one goroutine and with five, scaled
// and moved.
func TestTilesEqualWhole(t *testing.T) {
	l := demo()
	for _, v := range []View{{}, {Scale: 1.37, X: -31.3, Y: 17.77}, {Scale: 9, X: -2400, Y: -900}} {
		box := image.Rect(-20, -10, 820, 615)
		one := newTest()
		one.Workers = 1
		whole := image.NewRGBA(box)
		one.Draw(whole, l, v)
		five := newTest()
		five.Workers = 5
		for _, size := range []int{1000, 256, 97} {
			for y := box.Min.Y; y < box.Max.Y; y += size {
				for x := box.Min.X; x < box.Max.X; x += size {
					tile := image.NewRGBA(image.Rect(x, y, x+size, y+size).Intersect(box))
					five.Draw(tile, l, v)
					if p, ok := differ(whole, tile); ok {
						t.Fatalf("view %v, tiles of %d: pixel %v is %v, in the whole %v", v, size, p, tile.RGBAAt(p.X, p.Y), whole.RGBAAt(p.X, p.Y))
					}
				}
			}
		}
		// A moved view must change the picture, or the comparison above shows nothing.
		moved := image.NewRGBA(box)
		v.X += 0.5
		one.Draw(moved, l, v)
		if _, ok := differ(whole, moved); !ok {
			t.Errorf("view %v: moving by half a pixel changes nothing", v)
		}
	}
}

// differ returns a pixel of tile that differs from whole.
func differ(whole, tile *image.RGBA) (image.Point, bool) {
	for y := tile.Rect.Min.Y; y < tile.Rect.Max.Y; y++ {
		for x := tile.Rect.Min.X; x < tile.Rect.Max.X; x++ {
			if whole.RGBAAt(x, y) != tile.RGBAAt(x, y) {
				return image.Pt(x, y), true
			}
		}
	}
	return image.Point{}, false
}

// TestGolden compares sums of the demo's pixels, which are the same on every processor. Look at the picture (see
// TestDemoPicture) before changing a sum.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		scale float64
		want  uint64
	}{{1, 0x775bc8222d3163c2}, {2.5, 0x71aae93253829e47}} {
		h := fnv.New64a()
		h.Write(newTest().Picture(demo(), c.scale).Pix)
		if got := h.Sum64(); got != c.want {
			t.Errorf("scale %g: %#x, want %#x", c.scale, got, c.want)
		}
	}
}

// show draws a list in black on a transparent background and returns the alpha of its pixels as hexadecimal digits.
func show(w, h int, f func(l *scene.List)) string {
	l := scene.New(float32(w), float32(h))
	f(l)
	img := newTest().Picture(l, 1)
	var b bytes.Buffer
	for y := range h {
		for x := range w {
			a := img.RGBAAt(x, y).A
			if a == 0 {
				b.WriteByte('.')
			} else {
				fmt.Fprintf(&b, "%x", a>>4)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

var black = scene.RGB(0, 0, 0)

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		name string
		w, h int
		draw func(l *scene.List)
		want string
	}{
		{"rect", 5, 3, func(l *scene.List) { l.Rect(0.5, 0.25, 3.25, 2, black) }, "" +
			"6bb3.\n" +
			"8ff4.\n" +
			".....\n"},
		{"thin rect in one pixel", 3, 1, func(l *scene.List) { l.Rect(1.25, 0, 1.5, 1, black) }, ".4.\n"},
		{"reversed rect", 3, 1, func(l *scene.List) { l.Rect(2, 1, 1, 0, black) }, ".f.\n"},
		{"endless rect", 3, 2, func(l *scene.List) {
			l.Rect(1, float32(math.Inf(-1)), float32(math.Inf(1)), 1, black)
		}, ".ff\n...\n"},
		{"line on pixels", 5, 3, func(l *scene.List) { l.Line(1, 1.5, 4, 1.5, 1, black) }, ".....\n.fff.\n.....\n"},
		{"line between pixels", 5, 3, func(l *scene.List) { l.Line(1, 1, 4, 1, 1, black) }, ".888.\n.888.\n.....\n"},
		{"frame", 6, 5, func(l *scene.List) { l.Frame(0.5, 0.5, 5.5, 4.5, 1, black) }, "" +
			"ffffff\n" +
			"f....f\n" +
			"f....f\n" +
			"f....f\n" +
			"ffffff\n"},
		{"dashes go round the corner", 8, 4, func(l *scene.List) {
			l.Polyline([]float32{0, 0.5, 6.5, 0.5, 6.5, 4}, scene.Stroke{Width: 1, Color: black, Dash: []float32{3, 2}, Join: scene.MiterJoin})
		}, "" +
			"fff..ff.\n" +
			"......f.\n" +
			"........\n" +
			"........\n"},
		{"square caps", 7, 3, func(l *scene.List) {
			l.Polyline([]float32{2, 1.5, 5, 1.5}, scene.Stroke{Width: 2, Color: black, Cap: scene.SquareCap})
		}, "" +
			".88888.\n" +
			".fffff.\n" +
			".88888.\n"},
		{"clips", 6, 3, func(l *scene.List) {
			l.Clip(1, 0, 5, 2)
			l.Clip(2, 1, 9, 9)
			l.Rect(0, 0, 9, 9, black)
			l.Pop()
			l.Pop()
			l.Rect(0, 2, 1, 3, black)
		}, "" +
			"......\n" +
			"..fff.\n" +
			"f.....\n"},
		{"group is no clip", 3, 1, func(l *scene.List) { l.Group(1, "g"); l.Rect(0, 0, 2, 1, black); l.Pop() }, "ff.\n"},
		{"marks", 8, 4, func(l *scene.List) {
			l.Mark(scene.Square, 2, 2, 2, black)
			l.Mark(scene.Disc, 3, 5.5, 1.5, black)
		}, "" +
			"....8f8.\n" +
			".ff.fff.\n" +
			".ff.8f8.\n" +
			"........\n"},
		{"text", 17, 10, func(l *scene.List) { l.Text(1, 9, "Hx", scene.TextStyle{Size: 12, Color: black}) }, "" +
			".0f3...8b........\n" +
			".0f3...8b........\n" +
			".0f3...8b........\n" +
			".0f3...8b.aa.1d2.\n" +
			".0fcbbbdb.1e697..\n" +
			".0f42229b..4fc0..\n" +
			".0f3...8b..7ec0..\n" +
			".0f3...8b.2d1c8..\n" +
			".0f3...8b0c4.2f3.\n" +
			".................\n"},
		{"missing character", 10, 11, func(l *scene.List) { l.Text(0, 10, "\U0001F600", scene.TextStyle{Size: 12, Color: black}) }, "" +
			"..........\n" +
			"1fffff5...\n" +
			"1a11175...\n" +
			"1a...75...\n" +
			"1a...75...\n" +
			"1a...75...\n" +
			"1a...75...\n" +
			"1a...75...\n" +
			"1a...75...\n" +
			"1ebbbd5...\n" +
			"..........\n"},
	} {
		if got := show(c.w, c.h, c.draw); got != c.want {
			t.Errorf("%s:\n%s", c.name, got)
		}
	}
}

// area returns the total coverage of a list in pixels.
func area(w, h int, f func(l *scene.List)) float64 {
	l := scene.New(float32(w), float32(h))
	f(l)
	sum := 0.0
	img := newTest().Picture(l, 1)
	for i := 3; i < len(img.Pix); i += 4 {
		sum += float64(img.Pix[i]) / 255
	}
	return sum
}

// TestAreas compares the covered area with the geometric one.
func TestAreas(t *testing.T) {
	corner := func(j scene.Join) func(l *scene.List) {
		return func(l *scene.List) { // a right angle with arms of 40, 10 wide
			l.Polyline([]float32{20.3, 20.7, 60.3, 20.7, 60.3, 60.7}, scene.Stroke{Width: 10, Color: black, Join: j})
		}
	}
	cap := func(c scene.Cap) func(l *scene.List) {
		return func(l *scene.List) {
			l.Polyline([]float32{20, 20, 50, 60}, scene.Stroke{Width: 10, Color: black, Cap: c})
		}
	}
	for _, c := range []struct {
		name string
		draw func(l *scene.List)
		want float64
	}{
		{"circle", func(l *scene.List) { l.Circle(50.2, 49.7, 30, black) }, math.Pi * 900},
		{"small circle", func(l *scene.List) { l.Circle(50.2, 49.7, 1.5, black) }, math.Pi * 2.25},
		{"ring", func(l *scene.List) { l.Ring(50, 50, 30, 4, black) }, math.Pi * (32*32 - 28*28)},
		{"pie", func(l *scene.List) { l.Arc(50, 50, 0, 30, 1, 2, black) }, 900},
		{"sector", func(l *scene.List) { l.Arc(50, 50, 10, 30, 1, -2, black) }, 800},
		{"nearly full", func(l *scene.List) { l.Arc(50, 50, 10, 30, 0, 6.283, black) }, math.Pi * 800},
		{"round join", corner(scene.RoundJoin), 800 - 25 + math.Pi*25/4},
		{"mitre join", corner(scene.MiterJoin), 800},
		{"mitre cut off", func(l *scene.List) { // it would reach to x = 90
			l.Clip(52, 0, 100, 100)
			l.Polyline([]float32{10, 45, 50, 50, 10, 55}, scene.Stroke{Width: 10, Color: black, Join: scene.MiterJoin})
		}, 0},
		{"butt cap", cap(scene.ButtCap), 500},
		{"round cap", cap(scene.RoundCap), 500 + math.Pi*25},
		{"square cap", cap(scene.SquareCap), 600},
		{"dashes", func(l *scene.List) {
			l.Polyline([]float32{10, 10, 70, 90}, scene.Stroke{Width: 3, Color: black, Dash: []float32{5, 5}})
		}, 150},
		{"dashes out of phase", func(l *scene.List) {
			l.Polyline([]float32{10, 10, 13, 14}, scene.Stroke{Width: 3, Color: black, Dash: []float32{5, 5}, Phase: 7})
		}, 6},
		{"odd pattern", func(l *scene.List) { // 10 on, 3 off, 3 on, 10 off, 3 on, 3 off
			l.Polyline([]float32{0, 50, 29, 50}, scene.Stroke{Width: 2, Color: black, Dash: []float32{10, 3, 3}})
		}, 2 * (10 + 3 + 3)},
		{"dashes too fine", func(l *scene.List) {
			l.Polyline([]float32{10, 10, 70, 90}, scene.Stroke{Width: 3, Color: black, Dash: []float32{1e-30, 1e-30}})
		}, 300},
		{"curve of one piece", func(l *scene.List) {
			var p []float32
			for i := range 181 {
				s, c := math.Sincos(float64(i) * math.Pi / 90)
				p = append(p, 50+30*float32(c), 50+30*float32(s))
			}
			l.Polyline(p, scene.Stroke{Width: 1, Color: black})
		}, 2 * math.Pi * 30},
		{"non-zero", func(l *scene.List) { l.Polygon(twice, scene.NonZero, black) }, 3600},
		{"even-odd", func(l *scene.List) { l.Polygon(twice, scene.EvenOdd, black) }, 3200},
		{"far corner", func(l *scene.List) { l.Polygon([]float32{0, 0, 3e7, 0, 0, 3e7}, scene.NonZero, black) }, 100 * 100},
		{"far line", func(l *scene.List) { l.Line(-3e7, -3e7, 3e7, 3e7, 2, black) }, 100*100 - (100-math.Sqrt2)*(100-math.Sqrt2)},
		{"mesh", func(l *scene.List) {
			l.Mesh([]float32{10, 10, 90, 20, 30, 80}, []scene.Color{black, black, black})
		}, (80*70 - 20*10) / 2},
	} {
		if got := area(100, 100, c.draw); math.Abs(got-c.want) > 0.004*c.want+0.3 {
			t.Errorf("%s: %.2f pixels, want %.2f", c.name, got, c.want)
		}
	}
}

// twice is a square of 60 with a square of 20 inside it, as one contour with the same winding.
var twice = []float32{20, 20, 80, 20, 80, 80, 20, 80, 20, 20, 30, 30, 50, 30, 50, 50, 30, 50, 30, 30}

// TestNoSeams checks that a picture cut into polygons of one op, or into the triangles of a mesh, has no seams.
func TestNoSeams(t *testing.T) {
	full := func(img *image.RGBA) bool {
		for y := 12; y < 88; y++ {
			for x := 12; x < 88; x++ {
				if img.RGBAAt(x, y).A != 255 {
					return false
				}
			}
		}
		return true
	}
	rapid.Check(t, func(t *rapid.T) {
		coordinate := func(name string) float32 { return float32(rapid.Float64Range(20, 80).Draw(t, name)) }
		x, y := coordinate("x"), coordinate("y")
		fan := []float32{10, 10, 90, 10, x, y, 90, 10, 90, 90, x, y, 90, 90, 10, 90, x, y, 10, 90, 10, 10, x, y}
		c := make([]scene.Color, 12)
		for i := range c {
			c[i] = black
		}
		l := scene.New(100, 100)
		l.Mesh(fan, c)
		if !full(newTest().Picture(l, 1)) {
			t.Fatal("the mesh has a seam")
		}
		l.Reset(100, 100)
		l.Polygons(fan, []int{3, 3, 3, 3}, scene.NonZero, black)
		img := newTest().Picture(l, 1)
		for i := 12; i < 88; i++ {
			for k := 12; k < 88; k++ {
				if a := img.RGBAAt(i, k).A; a < 254 {
					t.Fatalf("contours leave alpha %d at %d %d", a, i, k)
				}
			}
		}
	})
}

func TestPNG(t *testing.T) {
	img := newTest().Picture(demo(), 0.25)
	var b bytes.Buffer
	must.Do(t, WritePNG(&b, img, 0))
	back := must.Get(png.Decode(&b))(t)
	for _, p := range []image.Point{{0, 0}, {50, 20}, {199, 149}} {
		if got := color.RGBAModel.Convert(back.At(p.X, p.Y)); got != img.RGBAAt(p.X, p.Y) {
			t.Errorf("pixel %v came back %v, want %v", p, got, img.RGBAAt(p.X, p.Y))
		}
	}
}
