package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/visual/glyph"
	"whorl/visual/scene"
)

// written returns the document of a list, and its streams, unpacked.
func written(t testing.TB, l *scene.List, o Options) (file []byte, streams []string) {
	t.Helper()
	o.Fonts = glyph.New()
	var b bytes.Buffer
	must.Do(t, Write(&b, l, o))
	for rest := b.Bytes(); ; {
		i := bytes.Index(rest, []byte("stream\n"))
		if i < 0 {
			return b.Bytes(), streams
		}
		rest = rest[i+len("stream\n"):]
		r := must.Get(zlib.NewReader(bytes.NewReader(rest)))(t)
		streams = append(streams, string(must.Get(io.ReadAll(r))(t)))
		rest = rest[bytes.Index(rest, []byte("\nendstream"))+len("\nendstream"):]
	}
}

// TestTable checks that the table at the end has the places of all objects, and that each is a dictionary.
func TestTable(t *testing.T) {
	l := scene.New(200, 100)
	l.Text(10, 20, "abc", scene.TextStyle{Size: 10, Color: scene.RGB(0, 0, 0)})
	file, _ := written(t, l, Options{Width: 241, Height: 170.5})
	start := must.Get(strconv.Atoi(string(regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(file)[1])))(t)
	entries := regexp.MustCompile(`(?m)^(\d{10}) 00000 n $`).FindAllSubmatch(file[start:], -1)
	for i, e := range entries {
		at := must.Get(strconv.Atoi(string(e[1])))(t)
		if want := fmt.Sprintf("%d 0 obj\n<<", i+1); !bytes.HasPrefix(file[at:], []byte(want)) {
			t.Errorf("object %d is at %d: %.20q", i+1, at, file[at:])
		}
	}
	if len(entries) < 9 || !bytes.HasPrefix(file[start:], []byte("xref\n0 "+strconv.Itoa(len(entries)+1)+"\n")) || !bytes.Contains(file, []byte("/MediaBox[0 0 241 170.5]")) {
		t.Errorf("%d objects:\n%s", len(entries), file[start:])
	}
	if again, _ := written(t, l, Options{Width: 241, Height: 170.5}); !bytes.Equal(file, again) {
		t.Error("equal lists give different documents")
	}
}

// TestPages checks a document of three pages: each has a content, and they share their faces.
func TestPages(t *testing.T) {
	var lists []*scene.List
	for i := range 3 {
		l := scene.New(200, 100)
		l.Text(10, 20, "page "+strconv.Itoa(i), scene.TextStyle{Size: 10, Color: scene.RGB(0, 0, 0)})
		lists = append(lists, l)
	}
	var b bytes.Buffer
	must.Do(t, WritePages(&b, lists, Options{Fonts: glyph.New()}))
	file := b.String()
	kids := regexp.MustCompile(`/Kids\[3 0 R (\d+) 0 R (\d+) 0 R\]/Count 3`).FindStringSubmatch(file)
	if kids == nil || strings.Count(file, "/Type/Page/") != 3 || strings.Count(file, "/FontFile2") != 1 {
		t.Fatalf("%d pages, %d faces\n%.600q", strings.Count(file, "/Type/Page/"), strings.Count(file, "/FontFile2"), file)
	}
	for _, n := range kids[1:] {
		if !strings.Contains(file, "\n"+n+" 0 obj\n<</Type/Page/Parent 2 0 R") {
			t.Errorf("object %s is no page", n)
		}
	}
}

// TestShapes checks the operators of each op, after the one that turns the page.
func TestShapes(t *testing.T) {
	red, black := scene.RGB(255, 0, 0), scene.RGB(0, 0, 0)
	dots := red
	dots.Pattern = scene.Dots
	for _, c := range []struct {
		name string
		draw func(l *scene.List)
		want string
	}{
		{"rect", func(l *scene.List) { l.Rect(3, 2.5, 1, 0, red) }, "1 0 0 rg\n1 0 2 2.5 re\nf\n"},
		{"same colour", func(l *scene.List) { l.Rect(0, 0, 1, 1, red); l.Rect(2, 0, 3, 1, red) }, "1 0 0 rg\n0 0 1 1 re\nf\n2 0 1 1 re\nf\n"},
		{"translucent", func(l *scene.List) { l.Rect(0, 0, 1, 1, black.Alpha(51)) }, "0 0 0 rg\n/E0 gs\n0 0 1 1 re\nf\n"},
		{"invisible", func(l *scene.List) { l.Rect(0, 0, 1, 1, red.Alpha(0)) }, ""},
		{"not finite", func(l *scene.List) { l.Circle(0, float32(math.NaN()), 1, red) }, ""},
		{"clip", func(l *scene.List) { l.Clip(0, 0, 5, 4); l.Rect(0, 0, 9, 9, red) }, "q\n0 0 5 4 re\nW n\n1 0 0 rg\n0 0 9 9 re\nf\nQ\n"},
		{"group", func(l *scene.List) { l.Group(7, "a"); l.Pop(); l.Pop() }, "q\nQ\n"},
		{"line", func(l *scene.List) { l.Line(0, 0, 5, 4, 2, red) }, "q\n1 0 0 RG\n2 w\n0 J\n1 j\n0 0 m\n5 4 l\nS\nQ\n"},
		{"dashes", func(l *scene.List) {
			l.Polyline([]float32{0, 0, 5, 0, 5, 5}, scene.Stroke{Width: 1, Color: red, Join: scene.MiterJoin, Cap: scene.SquareCap, Dash: []float32{3, 1.5}, Phase: 1, Closed: true})
		}, "q\n1 0 0 RG\n1 w\n2 J\n0 j\n[3 1.5 ] 1 d\n0 0 m\n5 0 l\n5 5 l\nh\nS\nQ\n"},
		{"point", func(l *scene.List) {
			l.Polyline([]float32{1, 1}, scene.Stroke{Width: 2, Color: red, Cap: scene.RoundCap})
		}, "q\n1 0 0 RG\n2 w\n1 J\n1 j\n1 1 m\n1 1 l\nS\nQ\n"},
		{"polygon", func(l *scene.List) { l.Polygon([]float32{0, 0, 4, 1, 2, 6.25}, scene.EvenOdd, red) }, "1 0 0 rg\n0 0 m\n4 1 l\n2 6.25 l\nh\nf*\n"},
		{"contours", func(l *scene.List) {
			l.Polygons([]float32{0, 0, 4, 0, 0, 4, 1, 1, 2, 1, 1, 2}, []int{3, 3}, scene.NonZero, red)
		}, "1 0 0 rg\n0 0 m\n4 0 l\n0 4 l\nh\n1 1 m\n2 1 l\n1 2 l\nh\nf\n"},
		{"pie", func(l *scene.List) { l.Arc(0, 0, 0, 2, 0, math.Pi/2, red) }, "1 0 0 rg\n2 0 m\n2 1.105 1.105 2 0 2 c\n0 0 l\nh f*\n"},
		{"sector", func(l *scene.List) { l.Arc(0, 0, 1, 2, 0, math.Pi/2, red) }, "1 0 0 rg\n2 0 m\n2 1.105 1.105 2 0 2 c\n0 1 l\n0.552 1 1 0.552 1 0 c\nh f*\n"},
		{"square", func(l *scene.List) { l.Mark(scene.Square, 2, 5, 5, red) }, "1 0 0 rg\n4 4 m\n6 4 l\n6 6 l\n4 6 l\nh\nf\n"},
		{"pattern", func(l *scene.List) { l.Rect(0, 0, 9, 9, dots) }, "/Pattern cs /P0 scn\n0 0 9 9 re\nf\n"},
		{"mesh", func(l *scene.List) { l.Mesh([]float32{0, 0, 1, 0, 0, 1}, []scene.Color{red, red, black}) }, "/S0 sh\n"},
		{"text", func(l *scene.List) { l.Text(5, 6, "ab", scene.TextStyle{Size: 11, Color: red}) }, "1 0 0 rg\nBT /F0 11 Tf\n1 0 0 -1 5 6 Tm\n<00440045> Tj ET\n"},
		{"turned text", func(l *scene.List) {
			l.Text(5, 6, "a", scene.TextStyle{Size: 10, Color: red, Face: scene.Mono, Anchor: scene.End, Rotation: math.Pi / 2})
		}, "1 0 0 rg\nBT /F2 10 Tf\n0 1 1 0 5 -0.001 Tm\n<0044> Tj ET\n"},
	} {
		l := scene.New(10, 10)
		c.draw(l)
		_, streams := written(t, l, Options{Width: 20, Height: 20})
		got := ""
		for _, s := range streams {
			if rest, ok := strings.CutPrefix(s, "2 0 0 -2 0 20 cm\n"); ok {
				got = rest
			}
		}
		if got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// TestMeaning checks that the document says what the characters of a text mean, and that a text which the face lacks is drawn as outlines.
func TestMeaning(t *testing.T) {
	l := scene.New(100, 100)
	l.Text(0, 50, "µs", scene.TextStyle{Size: 10, Color: scene.RGB(0, 0, 0), Face: scene.Bold})
	file, streams := written(t, l, Options{})
	all := strings.Join(streams, "\n")
	if !strings.Contains(all, "<00b5> endbfchar") || !strings.Contains(all, "<0073> endbfchar") || !bytes.Contains(file, []byte("+GoBold/")) ||
		!bytes.Contains(file, []byte("/MediaBox[0 0 75 75]")) {
		t.Errorf("%.1500q", all)
	}
	l.Reset(100, 100)
	l.Text(0, 50, "時間", scene.TextStyle{Size: 10, Color: scene.RGB(0, 0, 0)})
	if file, streams = written(t, l, Options{}); bytes.Contains(file, []byte("/Font/")) || strings.Count(streams[0], " l\n") < 20 {
		t.Errorf("%.500q", streams[0])
	}
}
