package svg

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/visual/scene"
)

func render(t testing.TB, l *scene.List, opt Options) string {
	t.Helper()
	var b strings.Builder
	must.Do(t, Write(&b, l, opt))
	return b.String()
}

// body returns what a list writes between the root's tags.
func body(t *testing.T, f func(l *scene.List)) string {
	t.Helper()
	l := scene.New(10, 10)
	f(l)
	s := render(t, l, Options{})
	s = s[strings.Index(s, "\n")+1:]
	return strings.TrimSuffix(strings.TrimSuffix(s, "</svg>\n"), "\n")
}

func TestElements(t *testing.T) {
	red, half := scene.RGB(255, 0, 0), scene.RGB(1, 2, 3).Alpha(128)
	for _, c := range []struct {
		name string
		draw func(l *scene.List)
		want string
	}{
		{"rect", func(l *scene.List) { l.Rect(3, 2.5, 1, 0, red) }, `<rect x="1" width="2" height="2.5" fill="#f00"/>`},
		{"translucent", func(l *scene.List) { l.Rect(0, 0, 1, 1, half) }, `<rect width="1" height="1" fill="#010203" fill-opacity=".5"/>`},
		{"invisible", func(l *scene.List) { l.Rect(0, 0, 1, 1, red.Alpha(0)) }, ``},
		{"not finite", func(l *scene.List) {
			l.Rect(0, 0, float32(math.NaN()), 1, red)
			l.Circle(0, 0, float32(math.Inf(1)), red)
			l.Line(0, float32(math.NaN()), 1, 1, 1, red)
		}, ``},
		{"line", func(l *scene.List) { l.Line(0, 0, 0.125, -4, 1, red) }, `<path d="M0 0l.13-4" stroke="#f00"/>`},
		{"polyline", func(l *scene.List) {
			l.Polyline([]float32{0, 0, 5, 0, 5, 5}, scene.Stroke{Width: 2, Color: half, Join: scene.MiterJoin, Cap: scene.SquareCap, Dash: []float32{3, 1.5}, Phase: 1, Closed: true})
		}, `<path d="M0 0h5v5z" stroke="#010203" stroke-opacity=".5" stroke-width="2" stroke-linejoin="miter" stroke-linecap="square" stroke-dasharray="3 1.5" stroke-dashoffset="1"/>`},
		{"point", func(l *scene.List) {
			l.Polyline([]float32{1, 1, 1, 1}, scene.Stroke{Width: 2, Color: red, Cap: scene.RoundCap})
		}, `<path d="M1 1h0" stroke="#f00" stroke-width="2" stroke-linecap="round"/>`},
		{"polygon", func(l *scene.List) { l.Polygon([]float32{0, 0, 4, 1, 2, 6.25}, scene.NonZero, red) }, `<path d="M0 0l4 1-2 5.25z" fill="#f00"/>`},
		{"contours", func(l *scene.List) {
			l.Polygons([]float32{0, 0, 4, 0, 0, 4, 1, 1, 2, 1, 1, 2}, []int{3, 3}, scene.EvenOdd, red)
		}, `<path d="M0 0h4l-4 4zm1 1h1l-1 1z" fill-rule="evenodd" fill="#f00"/>`},
		{"circle", func(l *scene.List) { l.Circle(1, 2, 3, red) }, `<circle cx="1" cy="2" r="3" fill="#f00"/>`},
		{"pie", func(l *scene.List) { l.Arc(0, 0, 0, 2, 0, math.Pi/2, red) }, `<path d="M2 0a2 2 0 0 1-2 2v-2z" fill="#f00"/>`},
		{"sector", func(l *scene.List) { l.Arc(0, 0, 1, 2, 0, -math.Pi, red) }, `<path d="M2 0a2 2 0 0 0-2-2 2 2 0 0 0-2 2h1a1 1 0 0 1 1-1 1 1 0 0 1 1 1z" fill="#f00"/>`},
		{"ring", func(l *scene.List) { l.Ring(0, 0, 2, 2, red) }, `<path d="M-3 0a3 3 0 0 1 6 0 3 3 0 0 1-6 0zm2 0a1 1 0 0 1 2 0 1 1 0 0 1-2 0z" fill-rule="evenodd" fill="#f00"/>`},
		{"text", func(l *scene.List) {
			l.Text(5, 6, `a<b & "c"`, scene.TextStyle{Size: 11, Color: red, Face: scene.Bold, Anchor: scene.Middle, Rotation: math.Pi / 2})
		}, `<text x="5" y="6" font-size="11" font-weight="bold" text-anchor="middle" transform="rotate(90 5 6)" fill="#f00">a&lt;b &amp; &quot;c&quot;</text>`},
		{"text below", func(l *scene.List) { l.Text(0, 0, "x", scene.TextStyle{Size: 10, Color: red, VAlign: scene.Top}) }, `<text x="0" y="9.45" font-size="10" fill="#f00">x</text>`},
		{"no XML character", func(l *scene.List) { l.Text(0, 0, "\x00\xff\uffff", scene.TextStyle{Size: 10, Color: red}) }, "<text x=\"0\" y=\"0\" font-size=\"10\" fill=\"#f00\">\ufffd\ufffd\ufffd</text>"},
		{"group", func(l *scene.List) { l.Group(7, "a<b"); l.Pop() }, "<g data-id=\"7\"><title>a&lt;b</title>\n</g>"},
		{"open group", func(l *scene.List) { l.Group(0, ""); l.Group(0, "") }, "<g>\n<g>\n</g>\n</g>"},
		{"clip twice", func(l *scene.List) { l.Clip(0, 0, 5.4, 5); l.Pop(); l.Clip(0, 0, 5, 5); l.Pop() }, "<clipPath id=\"c0_c0_c5_c5\"><path d=\"M0 0h5v5h-5z\"/></clipPath>\n<g clip-path=\"url(#c0_c0_c5_c5)\">\n</g>\n<g clip-path=\"url(#c0_c0_c5_c5)\">\n</g>"},
		{"flat mesh", func(l *scene.List) {
			l.Mesh([]float32{0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1}, []scene.Color{red, red, red, red, red, red})
		}, `<path d="M0 0h1l-1 1zm1 0v1h-1z" fill="#f00" stroke="#f00" stroke-width=".5"/>`},
		{"patterns", func(l *scene.List) {
			dots, rising := red, half
			dots.Pattern, rising.Pattern = scene.Dots, scene.Rising
			l.Circle(5, 5, 5, dots)
			l.Circle(5, 5, 1, dots)
			l.Mark(scene.Square, 8, 5, 5, dots)
			l.Rect(0, 0, 9, 9, rising)
			l.Mesh([]float32{0, 0, 9, 0, 0, 9}, []scene.Color{dots, dots, dots})
		}, `<pattern id="dots-f00" patternUnits="userSpaceOnUse" width="6" height="6"><path d="M0 0h6v6h-6z" fill="#f00"/><path d="M1.5 1.5h0m3 3h0" stroke="#ff6b6b" stroke-linecap="round" stroke-width="2.8"/></pattern>
<circle cx="5" cy="5" r="5" fill="url(#dots-f00)"/>
<circle cx="5" cy="5" r="1" fill="#f00"/>
<path d="M1 1h8v8h-8z" fill="url(#dots-f00)"/>
<pattern id="rising-010203" patternUnits="userSpaceOnUse" width="6" height="6"><path d="M0 0h6v6h-6z" fill="#010203"/><path d="M-2 2l4-4m-4 10l10-10m-4 10l4-4" stroke="#6b6c6c" stroke-width="1.6"/></pattern>
<rect width="9" height="9" fill="url(#rising-010203)" fill-opacity=".5"/>
<path d="M0 0h9l-9 9z" fill="url(#dots-f00)" stroke="url(#dots-f00)" stroke-width=".5"/>`},
	} {
		if got := body(t, c.draw); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestMeasuredText checks that a Measurer decides length and baseline.
func TestMeasuredText(t *testing.T) {
	l := scene.New(10, 10)
	l.Text(1, 2, "abc", scene.TextStyle{Size: 10, Color: scene.RGB(0, 0, 0), VAlign: scene.Bottom, Face: scene.Mono})
	s := render(t, l, Options{Measure: fixed{}})
	if want := `<text x="1" y="0" font-size="10" font-family="` + mono + `" textLength="15" fill="#000">abc</text>`; !strings.Contains(s, want) {
		t.Errorf("no %s in\n%s", want, s)
	}
}

// TestSpaces checks that spaces that a browser would drop or join are no-break spaces.
func TestSpaces(t *testing.T) {
	for text, want := range map[string]string{
		"a b": "a b", " a": "\u00a0a", "a  b": "a\u00a0\u00a0b", "   a": "\u00a0\u00a0 a", " a  b": "\u00a0a\u00a0\u00a0b", " ": "\u00a0",
	} {
		l := scene.New(10, 10)
		l.Text(1, 2, text, scene.TextStyle{Size: 10, Color: scene.RGB(0, 0, 0)})
		if s := render(t, l, Options{}); !strings.Contains(s, ">"+want+"</text>") {
			t.Errorf("%q is not %q in\n%s", text, want, s)
		}
	}
}

// fixed is a Measurer with half an em for each byte.
type fixed struct{}

func (fixed) Width(s string, size float32, _ scene.Face) float32 { return float32(len(s)) * size / 2 }

func (fixed) Metrics(size float32, _ scene.Face) scene.Metrics {
	return scene.Metrics{Descent: size / 5}
}

func TestMarksShareAPathOnlyWhereUnseen(t *testing.T) {
	red, blue := scene.RGB(255, 0, 0), scene.RGB(0, 0, 255)
	mark := func(l *scene.List, x float32, c scene.Color) { l.Mark(scene.Disc, 4, x, 0, c) }
	for _, c := range []struct {
		name  string
		draw  func(l *scene.List)
		paths int
	}{
		{"apart", func(l *scene.List) {
			for i := range 100 {
				l.Mark(scene.Disc, 0.5, float32(i%10), float32(i/10), []scene.Color{red, blue}[i&1])
			}
		}, 2},
		{"red over blue over red", func(l *scene.List) { mark(l, 0, red); mark(l, 1, blue); mark(l, 2, red) }, 3},
		{"red over red", func(l *scene.List) { mark(l, 0, red); mark(l, 1, red) }, 1},
		{"translucent", func(l *scene.List) { mark(l, 0, red.Alpha(99)); mark(l, 1, red.Alpha(99)) }, 2},
		{"translucent apart", func(l *scene.List) { mark(l, 0, red.Alpha(99)); mark(l, 9, red.Alpha(99)) }, 1},
	} {
		s := body(t, c.draw)
		if n := strings.Count(s, "<path"); n != c.paths {
			t.Errorf("%s: %d paths, want %d:\n%s", c.name, n, c.paths, s)
		}
	}
	want := `<path d="M1 2h0m2 1h0" stroke="#f00" stroke-width="3" stroke-linecap="round"/>`
	got := body(t, func(l *scene.List) { l.Mark(scene.Disc, 3, 1, 2, red); l.Mark(scene.Disc, 3, 3, 3, red) })
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestParses writes a list with every op and hostile text, parses it as XML, and counts elements.
func TestParses(t *testing.T) {
	l := scene.New(400, 300)
	c := scene.RGB(10, 20, 30)
	want := map[string]int{"svg": 1, "title": 1, "desc": 1}
	for i := range 20 {
		f := float32(i)
		l.Group(uint64(i), "<&>\"'\x01]]>")
		l.Clip(f, f, 100, 100)
		l.Rect(f, 0, 9, 9, c)
		l.Line(0, f, 5, 5, 1, c)
		l.Polygon([]float32{0, 0, 5, f, 5, 5}, scene.NonZero, c)
		l.Circle(f, f, 3, c)
		l.Text(f, f, "</text><script>", scene.TextStyle{Size: 9, Color: c})
		l.Mark(scene.Cross, 3, f, f, c)
		l.Pop()
		l.Pop()
		for _, c := range []struct {
			name string
			n    int
		}{{"g", 2}, {"title", 1}, {"clipPath", 1}, {"rect", 1}, {"path", 4}, {"circle", 1}, {"text", 1}} {
			want[c.name] += c.n
		}
	}
	s := render(t, l, Options{Title: "a & b", Desc: "<d>"})
	got := map[string]int{}
	scripts := 0
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := tok.(xml.StartElement); ok {
			got[e.Name.Local]++
			if e.Name.Local == "script" {
				scripts++
			}
		}
	}
	if scripts > 0 {
		t.Error("text became an element")
	}
	for name, n := range want {
		if got[name] != n {
			t.Errorf("%d <%s>, want %d", got[name], name, n)
		}
	}
	if len(got) != len(want) {
		t.Errorf("elements %v, want %v", got, want)
	}
}

// TestRelativeCoordinatesDoNotDrift adds up the relative coordinates of a path of 10,000 points.
func TestRelativeCoordinatesDoNotDrift(t *testing.T) {
	var p pen
	pts := make([]float32, 20000)
	for i := range pts {
		s, c := math.Sincos(float64(i))
		pts[i] = float32(i)*0.0133 + float32(s*c)
	}
	p.points(pts, false)
	x, y := replay(t, string(p.b))
	if x != coord(pts[len(pts)-2]) || y != coord(pts[len(pts)-1]) {
		t.Errorf("ends at %d %d, want %d %d", x, y, coord(pts[len(pts)-2]), coord(pts[len(pts)-1]))
	}
}

// replay follows M, l, h and v and returns the end point in hundredths.
func replay(t *testing.T, data string) (x, y int) {
	t.Helper()
	cmd, k := byte(0), 0
	for _, w := range regexp.MustCompile(`[Mlhv]|-?\d*\.?\d+`).FindAllString(data, -1) {
		if strings.Contains("Mlhv", w) {
			cmd, k = w[0], 0
			continue
		}
		var v float64
		must.Do(t, xml.Unmarshal([]byte("<n>"+w+"</n>"), &v))
		n := int(math.Round(v * 100))
		if cmd == 'h' || cmd != 'v' && k&1 == 0 {
			x += n
		} else {
			y += n
		}
		k++
	}
	return x, y
}

func TestMeshIsDividedByColour(t *testing.T) {
	triangles := func(s string) int {
		sum := 0
		for _, m := range regexp.MustCompile(` d="([^"]*)"`).FindAllStringSubmatch(s, -1) {
			sum += strings.Count(m[1], "z")
		}
		return sum
	}
	tri := []float32{0, 0, 64, 0, 0, 64}
	flat := body(t, func(l *scene.List) {
		l.Mesh(tri, []scene.Color{scene.RGB(9, 9, 9), scene.RGB(9, 9, 9), scene.RGB(9, 9, 9)})
	})
	steep := body(t, func(l *scene.List) {
		l.Mesh(tri, []scene.Color{scene.RGB(0, 0, 0), scene.RGB(255, 0, 0), scene.RGB(0, 0, 255)})
	})
	if triangles(flat) != 1 || triangles(steep) != 257 {
		t.Errorf("%d and %d triangles, want 1 and 1 + 256", triangles(flat), triangles(steep))
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestWriteError(t *testing.T) {
	if err := Write(failing{}, scene.New(1, 1), Options{}); err == nil || err.Error() != "full" {
		t.Errorf("error %v, want full", err)
	}
}

func BenchmarkMarks(b *testing.B) {
	l := scene.New(1000, 1000)
	for i := range 100_000 {
		l.Mark(scene.Disc, 2, float32(i*7919%100003)/100, float32(i*104729%100019)/100, scene.RGB(uint8(i%8*30), 0, 0))
	}
	n := 0
	for b.Loop() {
		var c counter
		must.Do(b, Write(&c, l, Options{}))
		n = int(c)
	}
	b.ReportMetric(float64(n)/100_000, "bytes/mark")
}

type counter int

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }
