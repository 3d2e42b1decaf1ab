package cover

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type point struct{ x, y int }

// fill returns the coverage of w x h pixels from (x0, y0).
func fill(b *Buffer, x0, y0, w, h int, rule Rule, contours ...[]point) []uint8 {
	b.Reset(x0, y0, x0+w, y0+h)
	add(b, contours...)
	return sweep(b, x0, y0, w, h, rule)
}

func add(b *Buffer, contours ...[]point) {
	for _, c := range contours {
		a := c[len(c)-1]
		for _, p := range c {
			b.Line(a.x, a.y, p.x, p.y)
			a = p
		}
	}
}

func sweep(b *Buffer, x0, y0, w, h int, rule Rule) []uint8 {
	out := make([]uint8, w*h)
	b.Sweep(rule, func(x, y, n int, cov []uint8, c uint8) {
		row := out[(y-y0)*w+x-x0:][:n]
		if cov != nil {
			copy(row, cov)
			return
		}
		for i := range row {
			row[i] = c
		}
	})
	return out
}

// draw returns coverage as text: a blank for 0, then ten steps.
func draw(cov []uint8, w int) string {
	const shades = ".:-=+*%&#@"
	var s strings.Builder
	for i, c := range cov {
		if c == 0 {
			s.WriteByte(' ')
		} else {
			s.WriteByte(shades[int(c)*9/255])
		}
		if i%w == w-1 {
			s.WriteByte('\n')
		}
	}
	return s.String()
}

func scale(k int, xy ...int) []point {
	var p []point
	for i := 0; i < len(xy); i += 2 {
		p = append(p, point{xy[i] * k, xy[i+1] * k})
	}
	return p
}

func TestPictures(t *testing.T) {
	star := scale(Unit/4, 24, 0, 38, 44, 2, 17, 46, 17, 10, 44)
	for _, c := range []struct {
		name string
		w, h int
		rule Rule
		poly [][]point
		want string
	}{
		{"whole pixels", 4, 3, NonZero, [][]point{scale(Unit, 1, 1, 3, 1, 3, 2, 1, 2)}, "" +
			"    \n" +
			" @@ \n" +
			"    \n"},
		{"half pixels", 4, 3, NonZero, [][]point{scale(Unit/2, 1, 1, 7, 1, 7, 5, 1, 5)}, "" +
			"-++-\n" +
			"+@@+\n" +
			"-++-\n"},
		{"triangle", 6, 6, NonZero, [][]point{scale(Unit, 0, 0, 6, 6, 0, 6)}, "" +
			"+     \n" +
			"@+    \n" +
			"@@+   \n" +
			"@@@+  \n" +
			"@@@@+ \n" +
			"@@@@@+\n"},
		{"star", 12, 11, NonZero, [][]point{star}, "" +
			"     ::     \n" +
			"     ++     \n" +
			"     &&     \n" +
			"    :##:    \n" +
			".*%%@@@@%%*.\n" +
			" .%@@@@@@%. \n" +
			"  .*@@@@*.  \n" +
			"   =@@@@=   \n" +
			"   %@&&@%   \n" +
			"  .#+..+#.  \n" +
			"  --    --  \n"},
		{"star", 12, 11, EvenOdd, [][]point{star}, "" +
			"     ::     \n" +
			"     ++     \n" +
			"     &&     \n" +
			"    :##:    \n" +
			".*%%&--&%%*.\n" +
			" .%@-  -@%. \n" +
			"  .*.  .*.  \n" +
			"   =%..%=   \n" +
			"   %@&&@%   \n" +
			"  .#+..+#.  \n" +
			"  --    --  \n"},
		{"hole", 6, 6, EvenOdd, [][]point{scale(Unit, 0, 0, 6, 0, 6, 6, 0, 6), scale(Unit, 2, 2, 4, 2, 4, 4, 2, 4)}, "" +
			"@@@@@@\n" +
			"@@@@@@\n" +
			"@@  @@\n" +
			"@@  @@\n" +
			"@@@@@@\n" +
			"@@@@@@\n"},
	} {
		got := draw(fill(new(Buffer), 0, 0, c.w, c.h, c.rule, c.poly...), c.w)
		if got != c.want {
			t.Errorf("%s, rule %d:\n%s", c.name, c.rule, got)
		}
	}
}

// exact returns the signed area of a contour inside one pixel, by clipping it to the pixel's sides.
func exact(c []point, px, py int) float64 {
	type pt struct{ x, y float64 }
	var p []pt
	for _, q := range c {
		p = append(p, pt{float64(q.x)/Unit - float64(px), float64(q.y)/Unit - float64(py)})
	}
	clip := func(in func(pt) float64) {
		var out []pt
		for i, b := range p {
			a := p[(i+len(p)-1)%len(p)]
			da, db := in(a), in(b)
			if (da < 0) != (db < 0) {
				t := da / (da - db)
				out = append(out, pt{a.x + t*(b.x-a.x), a.y + t*(b.y-a.y)})
			}
			if db >= 0 {
				out = append(out, b)
			}
		}
		p = out
	}
	clip(func(q pt) float64 { return q.x })
	clip(func(q pt) float64 { return q.y })
	clip(func(q pt) float64 { return 1 - q.x })
	clip(func(q pt) float64 { return 1 - q.y })
	sum := 0.0
	for i, b := range p {
		a := p[(i+len(p)-1)%len(p)]
		sum += (a.x*b.y - b.x*a.y) / 2
	}
	return sum
}

func contour(t *rapid.T, size int) []point {
	n := rapid.IntRange(3, 9).Draw(t, "corners")
	at := rapid.IntRange(-size/2*Unit, size*3/2*Unit)
	c := make([]point, n)
	for i := range c {
		c[i] = point{at.Draw(t, "x"), at.Draw(t, "y")}
	}
	return c
}

// TestExactArea compares every pixel of random polygons, which intersect themselves and exceed the buffer, with the
// area computed by clipping.
func TestExactArea(t *testing.T) {
	const size = 20
	var b Buffer
	rapid.Check(t, func(t *rapid.T) {
		c := contour(t, size)
		cov := fill(&b, 0, 0, size, size, NonZero, c)
		for i, got := range cov {
			want := min(math.Abs(exact(c, i%size, i/size)), 1) * 255
			// Each of up to nine edges is off by up to 1/256 pixel where it crosses a row or a column.
			if math.Abs(float64(got)-want) > 4 {
				t.Fatalf("pixel %d %d: coverage %d, area %.2f", i%size, i/size, got, want)
			}
		}
	})
}

// TestTotalIsShoelace checks that the coverage of a convex polygon adds up to its area.
func TestTotalIsShoelace(t *testing.T) {
	var b Buffer
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 40).Draw(t, "corners")
		r := rapid.Float64Range(1, 60).Draw(t, "radius")
		phase := rapid.Float64Range(0, 7).Draw(t, "phase")
		c := make([]point, n)
		for i := range c {
			s, k := math.Sincos(phase + float64(i)*2*math.Pi/float64(n))
			c[i] = point{int((64 + r*k) * Unit), int((64 + r*s) * Unit)}
		}
		area := 0
		for i, q := range c {
			p := c[(i+n-1)%n]
			area += p.x*q.y - q.x*p.y
		}
		want := math.Abs(float64(area)) / 2 / Unit / Unit
		got := 0.0
		for _, v := range fill(&b, 0, 0, 128, 128, NonZero, c) {
			got += float64(v) / 255
		}
		// Every pixel of the outline is rounded to 1/255.
		if math.Abs(got-want) > 0.01*r+0.05 {
			t.Fatalf("coverage %.3f, area %.3f, radius %.1f", got, want, r)
		}
	})
}

// TestTiles checks that the coverage of a pixel does not depend on the buffer or the clip.
func TestTiles(t *testing.T) {
	const size = 48
	var whole, part Buffer
	rapid.Check(t, func(t *rapid.T) {
		c := contour(t, size)
		if rapid.Bool().Draw(t, "huge") {
			c[0] = point{rapid.IntRange(-Limit, Limit).Draw(t, "far x"), rapid.IntRange(-Limit, Limit).Draw(t, "far y")}
		}
		rule := Rule(rapid.IntRange(0, 1).Draw(t, "rule"))
		want := fill(&whole, 0, 0, size, size, rule, c)
		x0, y0 := rapid.IntRange(0, size-1).Draw(t, "x0"), rapid.IntRange(0, size-1).Draw(t, "y0")
		w, h := rapid.IntRange(1, size-x0).Draw(t, "w"), rapid.IntRange(1, size-y0).Draw(t, "h")
		check := func(kind string, got []uint8) {
			for i, v := range got {
				if x, y := x0+i%w, y0+i/w; v != want[y*size+x] {
					t.Fatalf("%s: pixel %d %d has %d, in the whole %d", kind, x, y, v, want[y*size+x])
				}
			}
		}
		check("tile", fill(&part, x0, y0, w, h, rule, c))
		part.Reset(0, 0, size, size)
		part.Clip(x0, y0, x0+w, y0+h)
		add(&part, c)
		check("clip", sweep(&part, x0, y0, w, h, rule))
		// The buffer is empty again.
		part.Clip(0, 0, size, size)
		for i, v := range sweep(&part, 0, 0, size, size, rule) {
			if v != 0 {
				t.Fatalf("pixel %d left over", i)
			}
		}
	})
}

// TestNoSeam cuts a rectangle in two along a random line and checks that both parts add up to full coverage.
func TestNoSeam(t *testing.T) {
	const size = 30
	var b Buffer
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.IntRange(Unit, (size-1)*Unit)
		cut := []point{{at.Draw(t, "x0"), 0}}
		for range rapid.IntRange(0, 5).Draw(t, "bends") {
			cut = append(cut, point{at.Draw(t, "x"), at.Draw(t, "y")})
		}
		cut = append(cut, point{at.Draw(t, "x1"), size * Unit})
		for i := 1; i < len(cut); i++ { // downwards only, so that the cut does not cross itself
			cut[i].y = max(cut[i].y, cut[i-1].y)
		}
		left, right := []point{{0, size * Unit}, {0, 0}}, []point{{size * Unit, size * Unit}, {size * Unit, 0}}
		l := fill(&b, 0, 0, size, size, NonZero, append(left, cut...))
		r := fill(&b, 0, 0, size, size, NonZero, append(right, cut...))
		for i := range l {
			off := int(l[i]) + int(r[i]) - 255
			if off < -1 || off > 1 {
				t.Fatalf("pixel %d %d: %d and %d", i%size, i/size, l[i], r[i])
			}
		}
	})
}

func FuzzLine(f *testing.F) {
	f.Add(0, 0, 512, 700, 100, -900)
	f.Add(-Limit, Limit, Limit, -Limit, 1, 0)
	f.Fuzz(func(t *testing.T, ax, ay, bx, by, cx, cy int) {
		lim := func(v int) int { return max(min(v, Limit), -Limit) }
		c := []point{{lim(ax), lim(ay)}, {lim(bx), lim(by)}, {lim(cx), lim(cy)}}
		var b Buffer
		one := fmt.Sprint(fill(&b, -3, -4, 20, 9, EvenOdd, c))
		c[0], c[1], c[2] = c[1], c[2], c[0]
		if two := fmt.Sprint(fill(&b, -3, -4, 20, 9, EvenOdd, c)); one != two {
			t.Errorf("the order of the corners changes the coverage:\n%s\n%s", one, two)
		}
	})
}
