package glyph

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"whorl/visual/scene"
)

var set = New()

var _ scene.Measurer = set

func TestWidth(t *testing.T) {
	for _, c := range []struct {
		text string
		size float32
		face scene.Face
		want float32
	}{
		{"", 12, scene.Regular, 0},
		{"x", 2048, scene.Regular, 1024}, // advances of the fonts, in units of 1/2048 em
		{"ox", 2048, scene.Regular, 1139 + 1024},
		{"ox", 1024, scene.Regular, (1139 + 1024) / 2.0},
		{"x", 2048, scene.Bold, 1139},
		{"x", 2048, scene.Mono, 1229},
		{"→", 2048, scene.Regular, 2048},
		{"日", 12, scene.Regular, 12},     // from the bitmap font: a full em
		{"\u05d0", 12, scene.Regular, 6}, // half an em
		{"日本", 2048, scene.Mono, 4 * 1229},
		{"\U0001F600", 2048, scene.Regular, 1229}, // a box
		{"\xff", 2048, scene.Regular, 2048},       // U+FFFD, which the font has
		{"\t", 2048, scene.Mono, 1229},
		{"a\u200bb", 2048, scene.Mono, 2 * 1229},
	} {
		got := set.Width(c.text, c.size, c.face)
		if math.Abs(float64(got-c.want)) > 0.01 {
			t.Errorf("%q at %g, %v: %g, want %g", c.text, c.size, c.face, got, c.want)
		}
		if b := set.WidthBytes([]byte(c.text), float64(c.size), c.face); float32(b) != got {
			t.Errorf("%q: as bytes %g, as a string %g", c.text, b, got)
		}
	}
}

func TestLacks(t *testing.T) {
	s := New()
	for _, c := range []struct {
		text string
		want rune
	}{{"", 0}, {"pascal 三角形 é\t\u200d", 0}, {"a 😀 𓀀", '😀'}, {"\U00013000", '\U00013000'}} {
		if r, lacks := s.Lacks(c.text); r != c.want || lacks != (c.want != 0) {
			t.Errorf("%q lacks %q, %v", c.text, r, lacks)
		}
	}
}

func TestMetrics(t *testing.T) {
	m := set.Metrics(2048, scene.Regular)
	if want := (scene.Metrics{Ascent: 1935, Descent: 432, CapHeight: 1480, Line: 2367}); m != want {
		t.Errorf("metrics %+v, want %+v", m, want)
	}
	if got := set.Metrics(1024, scene.Regular).Ascent; got != m.Ascent/2 {
		t.Errorf("the ascent at half the size is %g", got)
	}
}

// picture draws placed masks as text, one hexadecimal digit for each pixel.
func picture(placed []Placed, w, h int) string {
	pix := bytes.Repeat([]byte{'.'}, w*h)
	for _, p := range placed {
		for i, c := range p.Pix {
			if c > 0 {
				pix[(p.Y+i/int(p.W))*w+p.X+i%int(p.W)] = fmt.Sprintf("%x", c>>4)[0]
			}
		}
	}
	var b strings.Builder
	for y := range h {
		b.Write(pix[y*w : (y+1)*w])
		b.WriteByte('\n')
	}
	return b.String()
}

func TestMasks(t *testing.T) {
	for _, c := range []struct {
		text string
		x    float64
		size float64
		w, h int
		want string
	}{
		{"Toz", 1, 11, 20, 12, "" +
			"....................\n" +
			".ceefee8............\n" +
			"...3e...............\n" +
			"...3e...0abc6.8ddec.\n" +
			"...3e...8a.1f2..1e4.\n" +
			"...3e...b6..c5.0c8..\n" +
			"...3e...b6..c5.9b0..\n" +
			"...3e...8a.1f25e1...\n" +
			"...3e...0abc6.deddb.\n" +
			"....................\n" +
			"....................\n" +
			"....................\n"},
		{"ap", 0.5, 13, 16, 14, "" +
			"................\n" +
			"................\n" +
			"................\n" +
			"................\n" +
			".3ccec1.4f5ee6..\n" +
			".11.0e6.4fb16f1.\n" +
			"...01c7.4f1.0f5.\n" +
			".2bc9e7.4f...f6.\n" +
			".b9..c7.4f..0f4.\n" +
			".d8.2e8.4f..6e0.\n" +
			".6eda7e44fecc3..\n" +
			"........4f......\n" +
			"........4f......\n" +
			"........13......\n"},
		{"日", 1, 12, 14, 14, "" +
			"..............\n" +
			"...ffffffff...\n" +
			"...f......f...\n" +
			"...f......f...\n" +
			"...f......f...\n" +
			"...f......f...\n" +
			"...ffffffff...\n" +
			"...f......f...\n" +
			"...f......f...\n" +
			"...f......f...\n" +
			"...f......f...\n" +
			"...ffffffff...\n" +
			"..............\n" +
			"..............\n"},
	} {
		if got := picture(set.Place(nil, []byte(c.text), c.x, float64(c.h-3)+0.3, c.size, scene.Regular), c.w, c.h); got != c.want {
			t.Errorf("%s:\n%s", c.text, got)
		}
	}
}

// TestAligned checks that at every size the tops of x, the tops of H and the baseline are sharp: each row of pixels is
// either part of the letter or empty, unlike in the unaligned outline.
func TestAligned(t *testing.T) {
	for size := 8.0; size <= 30; size += 0.25 {
		for _, r := range "xzHT" {
			m := set.Place(nil, []byte(string(r)), 0, 0, size, scene.Bold)[0].Mask
			most := func(row int32) (c uint8) {
				for _, v := range m.Pix[row*m.W : (row+1)*m.W] {
					c = max(c, v)
				}
				return c
			}
			if top, bottom := most(0), most(m.H-1); top < 150 || bottom < 150 || m.Top+m.H != 0 {
				t.Errorf("%c at %g: rows of %d and %d, ends at %d", r, size, top, bottom, m.Top+m.H)
			}
		}
	}
}

// TestOutlines checks that the area of an outline equals that of the masks and grows with the square of the size.
func TestOutlines(t *testing.T) {
	area := func(size float64) float64 {
		var p Path
		set.Outlines(&p, []byte("Whorl 日"), size, scene.Regular)
		sum, from := 0.0, 0
		for _, end := range p.Ends {
			c := p.Points[from:end]
			from = end
			ax, ay := c[len(c)-2], c[len(c)-1]
			for i := 0; i < len(c); i += 2 {
				sum += (ax*c[i+1] - c[i]*ay) / 2
				ax, ay = c[i], c[i+1]
			}
		}
		return math.Abs(sum)
	}
	masks := 0.0
	for _, p := range set.Place(nil, []byte("Whorl 日"), 0, 0, 40, scene.Regular) {
		for _, c := range p.Pix {
			masks += float64(c) / 255
		}
	}
	if a := area(40); math.Abs(a-masks) > 0.04*a {
		t.Errorf("outlines cover %.1f pixels, masks %.1f", a, masks)
	}
	if a, b := area(40), area(80); math.Abs(b/a-4) > 0.02 {
		t.Errorf("twice the size covers %.2f times as much, want 4", b/a)
	}
}

// TestForgets draws more sizes than the masks may hold.
func TestForgets(t *testing.T) {
	s := New()
	text := []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
	want := s.Place(nil, text, 0, 0, 60, scene.Bold)
	for size := 40.0; size <= 64; size += 0.25 {
		for x := 0.0; x < 1; x += 0.25 {
			s.Place(nil, text, x, 0, size, scene.Bold)
			if s.bytes > maxBytes {
				t.Fatalf("%d bytes of masks", s.bytes)
			}
		}
	}
	for i, p := range s.Place(nil, text, 0, 0, 60, scene.Bold) {
		if !bytes.Equal(p.Pix, want[i].Pix) || p.X != want[i].X {
			t.Fatalf("the mask of %c has changed", text[i])
		}
	}
}

// TestConcurrent places and measures text in several goroutines, for the race detector.
func TestConcurrent(t *testing.T) {
	s := New()
	var wg sync.WaitGroup
	got := make([]string, 8)
	for g := range got {
		wg.Go(func() {
			for i := range 40 {
				text := []byte(fmt.Sprintf("αβγ %d 日本", i))
				s.WidthBytes(text, 11, scene.Regular)
				got[g] = picture(s.Place(nil, text, 1, 12, 11, scene.Face(i%3)), 90, 16)
			}
		})
	}
	wg.Wait()
	for _, p := range got {
		if p != got[0] {
			t.Errorf("differ:\n%s%s", p, got[0])
		}
	}
}

func FuzzPlace(f *testing.F) {
	f.Add("Ab\x00\xff日\U0001F600\u0301\ufe0f", 11.0)
	f.Add("", 0.01)
	f.Fuzz(func(t *testing.T, text string, size float64) {
		if !(size > 0 && size <= MaxMask) {
			return
		}
		for _, p := range set.Place(nil, []byte(text), 1.3, 2.7, size, scene.Mono) {
			if int(p.W*p.H) != len(p.Pix) {
				t.Fatalf("%d x %d pixels in %d bytes", p.W, p.H, len(p.Pix))
			}
		}
		var p Path
		set.Outlines(&p, []byte(text), size, scene.Bold)
		if n := len(p.Ends); n > 0 && p.Ends[n-1] != len(p.Points) {
			t.Fatal("points after the last contour")
		}
	})
}

func BenchmarkPlace(b *testing.B) {
	text := []byte("makeRow/3 on PE 4")
	var dst []Placed
	for b.Loop() {
		dst = set.Place(dst[:0], text, 3.3, 7, 11, scene.Regular)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(text)), "ns/char")
}
