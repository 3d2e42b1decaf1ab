package scene

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
)

func every() *List {
	l := New(80, 60)
	l.Rect(0, 0, 80, 60, Hex(0xfafaf8))
	l.Group(7, `task "7"`)
	l.Line(1, 2, 3.25, 4, 1.5, RGB(1, 2, 3))
	l.Polyline([]float32{0, 0, 9, 0, 9, 9}, Stroke{Width: 2, Color: RGB(4, 5, 6), Join: MiterJoin, Cap: SquareCap, Closed: true, Dash: []float32{3, 1}, Phase: 0.5})
	l.Frame(1, 1, 5, 5, 1, RGB(0, 0, 0))
	l.Clip(2, 2, 40, 40)
	l.Polygon([]float32{0, 0, 4, 0, 0, 4}, NonZero, RGB(9, 9, 9).Alpha(128))
	l.Polygons([]float32{0, 0, 8, 0, 8, 8, 2, 2, 4, 2, 4, 4}, []int{3, 3}, EvenOdd, RGB(9, 9, 9))
	l.Pop()
	l.Arc(10, 10, 2, 5, -0.5, 1.25, RGB(10, 0, 0))
	l.Circle(10, 10, 1, RGB(0, 10, 0))
	l.Text(5, 6, "N ≤ 1\n", TextStyle{Size: 11, Color: RGB(0, 0, 0), Anchor: Middle, VAlign: Center, Face: Mono, Rotation: 0.125})
	l.Pop()
	l.Mark(Disc, 3, 1, 2, RGB(255, 0, 0))
	l.Mark(Disc, 3, 3, 4, RGB(0, 0, 255))
	l.Mark(Square, 3, 3, 4, RGB(0, 0, 255))
	l.Mesh([]float32{0, 0, 1, 0, 0, 1}, []Color{RGB(1, 1, 1), RGB(2, 2, 2), RGB(3, 3, 3)})
	l.Rect(0, 0, 9, 9, Color{R: 1, A: 128, Pattern: Dots})
	return l
}

const everyDump = `scene 80 60
rect 0 0 80 60 #fafaf8
group 7 "task \"7\""
  polyline width 1.5 #010203 round butt : 1 2 3.25 4
  polyline width 2 #040506 miter square closed dash 3 1 phase 0.5 : 0 0 9 0 9 9
  polyline width 1 #000000 miter butt closed : 1 1 5 1 5 5 1 5
  clip 2 2 40 40
    polygon nonzero #09090980 : 0 0 4 0 0 4
    polygon evenodd #090909 : 0 0 8 0 8 8 : 2 2 4 2 4 4
  pop
  arc 10 10 2 5 -0.5 1.25 #0a0000
  circle 10 10 1 #000a00
  text 5 6 size 11 #000000 mono middle center rotation 0.125 "N ≤ 1\n"
pop
marks disc 3 : 1 2 #ff0000 : 3 4 #0000ff
marks square 3 : 3 4 #0000ff
mesh : 0 0 #010101 : 1 0 #020202 : 0 1 #030303
rect 0 0 9 9 #01000080/dots
`

func TestDump(t *testing.T) {
	var b strings.Builder
	must.Do(t, every().Dump(&b))
	got, want := strings.Split(b.String(), "\n"), strings.Split(everyDump, "\n")
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Errorf("line %d:\n got %s\nwant %s", i+1, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d lines, want %d", len(got), len(want))
	}
}

func TestResetKeepsMemory(t *testing.T) {
	l := every()
	n := l.Bytes()
	if n == 0 {
		t.Fatal("a list with ops takes no memory")
	}
	allocs := testing.AllocsPerRun(10, func() {
		l.Reset(5, 6)
		for range 10 {
			l.Rect(0, 0, 1, 1, Color{})
		}
	})
	if allocs != 0 {
		t.Errorf("%g allocations after Reset, want 0", allocs)
	}
	if l.W != 5 || l.H != 6 || l.Len() != 10 || l.Open() != 0 {
		t.Errorf("after Reset: %g x %g, %d ops, %d open", l.W, l.H, l.Len(), l.Open())
	}
}

func TestPop(t *testing.T) {
	l := New(1, 1)
	l.Pop()
	l.Group(1, "")
	l.Clip(0, 0, 1, 1)
	if l.Open() != 2 {
		t.Errorf("%d open, want 2", l.Open())
	}
	for range 5 {
		l.Pop()
	}
	if l.Len() != 4 || l.Open() != 0 {
		t.Errorf("%d ops, %d open; want 4 and 0", l.Len(), l.Open())
	}
}

// TestRoundTrip checks that accessors return what was appended.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		num := rapid.Float32()
		pts := rapid.SliceOf(num).Draw(t, "points")
		even := pts[:len(pts)&^1]
		c := Color{R: rapid.Byte().Draw(t, "r"), G: 2, B: 3, A: 4}
		l := New(1, 1)
		st := Stroke{
			Width: num.Draw(t, "width"), Color: c, Join: Join(rapid.IntRange(0, 1).Draw(t, "join")),
			Cap: Cap(rapid.IntRange(0, 2).Draw(t, "cap")), Closed: rapid.Bool().Draw(t, "closed"),
			Dash: rapid.SliceOfN(num, 0, 12).Draw(t, "dash"),
		}
		l.Polyline(pts, st)
		lengths := rapid.SliceOfN(rapid.IntRange(-2, 9), 0, 5).Draw(t, "lengths")
		l.Polygons(pts, lengths, EvenOdd, c)
		ts := TextStyle{
			Size: 3, Color: c, Anchor: Anchor(rapid.IntRange(0, 2).Draw(t, "anchor")),
			VAlign: VAlign(rapid.IntRange(0, 3).Draw(t, "valign")), Face: Face(rapid.IntRange(0, 2).Draw(t, "face")), Rotation: 2,
		}
		text := rapid.StringN(1, -1, -1).Draw(t, "text") // an empty text is no op
		l.Text(1, 2, text, ts)
		colors := make([]Color, len(pts)/2)
		for i := range colors {
			colors[i] = Color{R: uint8(i), G: uint8(i >> 8), B: 1, A: 2}
		}
		l.Marks(Cross, 5, pts, colors)
		id := rapid.Uint64().Draw(t, "id")
		l.Group(id, text)

		o := l.Op(0)
		p, s := o.Polyline()
		st.Dash = st.Dash[:min(len(st.Dash), MaxDash)]
		if !slices.Equal(p, even) || !slices.Equal(s.Dash, st.Dash) || s.Width != st.Width || s.Join != st.Join || s.Cap != st.Cap || s.Closed != st.Closed || s.Color != c {
			t.Fatalf("polyline %v %+v, want %v %+v", p, s, even, st)
		}
		o = l.Op(1)
		var all []float32
		o.Contours(func(p []float32) {
			if len(p) == 0 {
				t.Fatal("a contour has no corners")
			}
			all = append(all, p...)
		})
		if !slices.Equal(all, even) {
			t.Fatalf("contours %v, want %v", all, even)
		}
		o = l.Op(2)
		if x, y, b, got := o.Text(); x != 1 || y != 2 || string(b) != text || got != ts {
			t.Fatalf("text %g %g %q %+v, want %q %+v", x, y, b, got, text, ts)
		}
		next := 3
		o = l.Op(next)
		if shape, size, p := o.Marks(); shape != Cross || size != 5 || !slices.Equal(p, even) {
			t.Fatalf("marks %v %g %v", shape, size, p)
		}
		for i, want := range colors {
			if got := o.ColorAt(i); got != want {
				t.Fatalf("mark %d is %v, want %v", i, got, want)
			}
		}
		o = l.Op(next + 1)
		if got, title := o.Group(); got != id || string(title) != text {
			t.Fatalf("group %d %q", got, title)
		}
	})
}

func TestContourLengths(t *testing.T) {
	l := New(1, 1)
	l.Polygons(make([]float32, 2*10), []int{3, 0, 4}, NonZero, Color{})
	l.Polygons(make([]float32, 2*3), []int{2, 99, 99}, NonZero, Color{})
	for i, want := range [][]int{{3, 4, 3}, {2, 1}} {
		var got []int
		o := l.Op(i)
		o.Contours(func(p []float32) { got = append(got, len(p)/2) })
		if !slices.Equal(got, want) {
			t.Errorf("contours of %v corners, want %v", got, want)
		}
	}
}

func TestColor(t *testing.T) {
	a, b := Hex(0x102030), RGB(255, 0, 48).Alpha(0)
	for _, c := range []struct {
		t    float32
		want string
	}{{0, "#102030"}, {-3, "#102030"}, {float32(math.NaN()), "#102030"}, {1, "#ff003000"}, {9, "#ff003000"}, {0.5, "#88103080"}} {
		if got := a.Mix(b, c.t).String(); got != c.want {
			t.Errorf("mixed by %g: %s, want %s", c.t, got, c.want)
		}
	}
}

func TestShift(t *testing.T) {
	m := Metrics{Ascent: 8, Descent: 2, CapHeight: 6}
	for _, c := range []struct {
		v    VAlign
		want float32
	}{{Baseline, 0}, {Top, 8}, {Center, 3}, {Bottom, -2}} {
		if got := m.Shift(c.v); got != c.want {
			t.Errorf("%v: %g, want %g", c.v, got, c.want)
		}
	}
}

func TestDumpNumbers(t *testing.T) {
	for _, c := range []struct {
		v    float32
		want string
	}{{0, "0"}, {-0.0001, "0"}, {1.23456, "1.235"}, {100, "100"}, {-2.5, "-2.5"}, {float32(math.Inf(1)), "+Inf"}} {
		if got := string(number(nil, c.v)); got != " "+c.want {
			t.Errorf("%g is written%s, want %s", c.v, got, c.want)
		}
	}
}

type failing struct{}

var errFull = errors.New("full")

func (failing) Write([]byte) (int, error) { return 0, errFull }

func TestDumpError(t *testing.T) {
	if err := every().Dump(failing{}); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
}
