package raster

import (
	"image"
	"strings"
	"testing"

	"whorl/visual/scene"
)

// patterned returns a colour with a pattern.
func patterned(c scene.Color, p scene.Pattern) scene.Color {
	c.Pattern = p
	return c
}

// TestPatterns draws each pattern on white. A # stands for more than half of the tone, a dot for less.
func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern scene.Pattern
		want    string
	}{
		{scene.Plain, "............\n............\n............\n............\n............\n............\n............\n............\n"},
		{scene.Rising, "#...###...##\n...###...###\n..###...###.\n.###...###..\n###...###...\n##...###...#\n#...###...##\n...###...###\n"},
		{scene.Falling, "##...###...#\n###...###...\n.###...###..\n..###...###.\n...###...###\n#...###...##\n##...###...#\n###...###...\n"},
		{scene.Dots, ".#.....#....\n###...###...\n.#.....#....\n....#.....#.\n...###...###\n....#.....#.\n.#.....#....\n###...###...\n"},
		{scene.Upright, "..##....##..\n..##....##..\n..##....##..\n..##....##..\n..##....##..\n..##....##..\n..##....##..\n..##....##..\n"},
		{scene.Level, "............\n............\n############\n############\n............\n............\n............\n............\n"},
	} {
		l := scene.New(12, 8)
		white := scene.RGB(255, 255, 255)
		l.Rect(0, 0, 12, 8, patterned(white, c.pattern))
		img := newTest().Picture(l, 1)
		half := (255 + int(white.Tone().R)) / 2
		var b strings.Builder
		for y := range 8 {
			for x := range 12 {
				if int(img.RGBAAt(x, y).R) < half {
					b.WriteByte('#')
				} else {
					b.WriteByte('.')
				}
			}
			b.WriteByte('\n')
		}
		if b.String() != c.want {
			t.Errorf("%v:\n%swant\n%s", c.pattern, b.String(), c.want)
		}
	}
}

// TestPatternsAreOneSurface checks that every kind of shape shows the same pattern where it covers pixels wholly, so
// that neighbours of one colour and pattern have no border, and that opaque and translucent colours, bands and scales
// do not change that.
func TestPatternsAreOneSurface(t *testing.T) {
	shapes := []struct {
		name string
		draw func(l *scene.List, c scene.Color)
	}{
		{"rectangle", func(l *scene.List, c scene.Color) { l.Rect(0, 0, 100, 100, c) }},
		{"polygon", func(l *scene.List, c scene.Color) {
			l.Polygon([]float32{-50, -50, 200, -60, 150, 150, -40, 200}, scene.NonZero, c)
		}},
		{"line", func(l *scene.List, c scene.Color) { l.Line(0, 50, 100, 50, 300, c) }},
		{"sector", func(l *scene.List, c scene.Color) { l.Arc(-300, 50, 100, 900, -1, 2, c) }},
		{"disc", func(l *scene.List, c scene.Color) { l.Circle(50, 50, 200, c) }},
		{"square", func(l *scene.List, c scene.Color) { l.Mark(scene.Square, 300, 50, 50, c) }},
		{"diamond", func(l *scene.List, c scene.Color) { l.Mark(scene.Diamond, 600, 50, 50, c) }},
		{"mesh", func(l *scene.List, c scene.Color) {
			l.Mesh([]float32{0, 0, 100, 0, 0, 100, 100, 0, 100, 100, 0, 100}, []scene.Color{c, c, c, c, c, c})
		}},
	}
	for _, c := range []scene.Color{patterned(scene.RGB(40, 120, 210), scene.Crosses), patterned(scene.RGB(20, 10, 60), scene.Dots), patterned(scene.RGB(230, 120, 30).Alpha(120), scene.Grid)} {
		for _, v := range []View{{}, {Scale: 2, X: 31, Y: -7}, {Scale: 1.3, X: 0.4}} {
			var first *image.RGBA
			for _, s := range shapes {
				l := scene.New(100, 100)
				s.draw(l, c)
				box := image.Rect(35, 5, 90, 90)
				whole := image.NewRGBA(box)
				newTest().Draw(whole, l, v)
				if first == nil {
					first = whole
				}
				for y := box.Min.Y; y < box.Max.Y; y++ {
					for x := box.Min.X; x < box.Max.X; x++ {
						p, q := first.RGBAAt(x, y), whole.RGBAAt(x, y)
						if d := max(apart(p.R, q.R), apart(p.G, q.G), apart(p.B, q.B), apart(p.A, q.A)); d > 2 {
							t.Fatalf("%v in view %v: pixel %d %d of the %s is %v, of the rectangle %v", c, v, x, y, s.name, q, p)
						}
					}
				}
				for y := box.Min.Y; y < box.Max.Y; y += 17 {
					for x := box.Min.X; x < box.Max.X; x += 13 {
						tile := image.NewRGBA(image.Rect(x, y, x+13, y+17).Intersect(box))
						newTest().Draw(tile, l, v)
						if p, ok := differ(whole, tile); ok {
							t.Fatalf("%v in view %v: pixel %v of the %s differs in a tile", c, v, p, s.name)
						}
					}
				}
			}
		}
	}
}

func apart(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// TestSmallPatternedMarks checks that marks drawn from masks show their patterns too, each its own.
func TestSmallPatternedMarks(t *testing.T) {
	red := scene.RGB(230, 60, 40)
	l := scene.New(60, 20)
	l.Marks(scene.Disc, 18, []float32{10, 10, 30, 10, 50, 10}, []scene.Color{red, patterned(red, scene.Rising), red})
	img := newTest().Picture(l, 1)
	colours := func(x0 int) int {
		seen := map[any]bool{}
		for y := 6; y < 14; y++ {
			for x := x0 + 6; x < x0+14; x++ {
				seen[img.RGBAAt(x, y)] = true
			}
		}
		return len(seen)
	}
	if a, b, c := colours(0), colours(20), colours(40); a != 1 || b < 2 || c != 1 {
		t.Errorf("three marks, the middle one patterned, have %d, %d and %d colours inside", a, b, c)
	}
}
