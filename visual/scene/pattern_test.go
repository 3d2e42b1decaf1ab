package scene

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestPatternsOfShapes checks which shapes keep the pattern of their colour: those of at least 6 pixels both ways.
func TestPatternsOfShapes(t *testing.T) {
	c := RGB(200, 100, 50)
	c.Pattern = Rising
	for _, s := range []struct {
		name string
		draw func(l *List)
		want bool
	}{
		{"a large rectangle", func(l *List) { l.Rect(20, 20, 10, 14, c) }, true},
		{"a narrow rectangle", func(l *List) { l.Rect(0, 0, 5.9, 100, c) }, false},
		{"a low rectangle", func(l *List) { l.Rect(0, 0, 100, 5, c) }, false},
		{"an endless rectangle", func(l *List) { l.Rect(0, 0, float32(math.Inf(1)), 50, c) }, true},
		{"a rectangle without a width", func(l *List) { l.Rect(0, 0, float32(math.NaN()), 50, c) }, false},
		{"a thick line", func(l *List) { l.Line(0, 0, 90, 90, 6, c) }, true},
		{"a thin line", func(l *List) { l.Line(0, 0, 90, 90, 2, c) }, false},
		{"a thin polyline", func(l *List) { l.Polyline([]float32{0, 0, 90, 90}, Stroke{Width: 2, Color: c}) }, false},
		{"a frame", func(l *List) { l.Frame(0, 0, 90, 90, 1, c) }, false},
		{"a triangle", func(l *List) { l.Polygon([]float32{0, 0, 30, 0, 0, 30}, NonZero, c) }, true},
		{"a small triangle", func(l *List) { l.Polygon([]float32{0, 0, 5, 0, 0, 30}, NonZero, c) }, false},
		{"a slanted sliver", func(l *List) { l.Polygon([]float32{0, 0, 90, 90, 94, 90, 4, 0}, NonZero, c) }, false},
		{"a polygon of two corners", func(l *List) { l.Polygon([]float32{0, 0, 90, 90}, NonZero, c) }, false},
		{"a sector", func(l *List) { l.Arc(0, 0, 20, 30, 0, 1, c) }, true},
		{"a thin ring", func(l *List) { l.Ring(0, 0, 50, 3, c) }, false},
		{"a narrow sector", func(l *List) { l.Arc(0, 0, 20, 60, 0, 0.1, c) }, false},
		{"a disc", func(l *List) { l.Circle(0, 0, 3, c) }, true},
		{"a small disc", func(l *List) { l.Circle(0, 0, 2.9, c) }, false},
		{"a text", func(l *List) { l.Text(0, 0, "PE 13", TextStyle{Size: 40, Color: c}) }, false},
		{"a mark", func(l *List) { l.Mark(Disc, 6, 0, 0, c) }, true},
		{"a small mark", func(l *List) { l.Mark(Disc, 5, 0, 0, c) }, false},
		{"small marks", func(l *List) { l.Marks(Disc, 5, []float32{0, 0}, []Color{c}) }, false},
		{"triangles of a mesh", func(l *List) { l.Mesh([]float32{0, 0, 1, 0, 0, 1}, []Color{c, c, c}) }, true},
	} {
		l := New(100, 100)
		s.draw(l)
		o := l.Op(0)
		if o.Kind == OpMarks || o.Kind == OpMesh {
			o.Color = o.ColorAt(0)
		}
		want := c
		if !s.want {
			want.Pattern = Plain
		}
		if l.Len() != 1 || o.Color != want {
			t.Errorf("%s: %d ops in %v, want one in %v", s.name, l.Len(), o.Color, want)
		}
	}
}

// TestPatternsInBatches checks that marks and triangles keep their order and their patterns.
func TestPatternsInBatches(t *testing.T) {
	colors := make([]Color, 9)
	for i := range colors {
		colors[i] = RGB(uint8(i), 0, 0)
		colors[i].Pattern = []Pattern{Plain, Plain, Plain, Dots, Plain, Grid, Dots, Dots, Dots}[i]
	}
	points := make([]float32, 18)
	for i := range points {
		points[i] = float32(i)
	}
	read := func(l *List) (out []string) {
		for i := range l.Len() {
			out = append(out, strings.Replace(l.Op(i).String(), " disc 8", "", 1))
		}
		return out
	}
	l := New(100, 100)
	l.Marks(Disc, 8, points, colors)
	l.Mark(Disc, 8, 18, 19, colors[8])
	want := []string{
		"marks : 0 1 #000000 : 2 3 #010000 : 4 5 #020000", "marks : 6 7 #030000/dots", "marks : 8 9 #040000", "marks : 10 11 #050000/grid",
		"marks : 12 13 #060000/dots : 14 15 #070000/dots : 16 17 #080000/dots : 18 19 #080000/dots",
	}
	if got := read(l); !slices.Equal(got, want) {
		t.Errorf("marks are\n%q, want\n%q", got, want)
	}
	l = New(100, 100)
	l.Mesh(points, colors)
	want = []string{
		"mesh : 0 1 #000000 : 2 3 #010000 : 4 5 #020000",
		"mesh : 6 7 #030000/dots : 8 9 #040000/dots : 10 11 #050000/dots : 12 13 #060000/dots : 14 15 #070000/dots : 16 17 #080000/dots",
	}
	if got := read(l); !slices.Equal(got, want) {
		t.Errorf("triangles are\n%q, want\n%q", got, want)
	}
}

// TestTones checks that the tone of each colour differs from it, and that lists with and without patterns have
// different sums.
func TestTones(t *testing.T) {
	for _, c := range []Color{RGB(0, 0, 0), RGB(255, 255, 255), RGB(104, 104, 104), RGB(106, 106, 106), RGB(0, 0, 255).Alpha(90)} {
		c.Pattern = Falling
		tone := c.Tone()
		if d := int(tone.G) - int(c.G); max(d, -d) < 40 || d > 0 != c.Dark() || tone.A != c.A {
			t.Errorf("the tone of %v is %v", c, tone)
		}
		sums := map[uint64]bool{}
		for p := range Pattern(NumPatterns) {
			l := New(100, 100)
			c.Pattern = p
			l.Rect(0, 0, 50, 50, c)
			sums[l.Sum()] = true
		}
		if len(sums) != NumPatterns {
			t.Errorf("%v in %d patterns has %d sums", c, NumPatterns, len(sums))
		}
	}
}
