package scene

import (
	"strings"
	"testing"
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
	l.Image(3, 2, 0, 0, 16, 16)
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
image 3 revision 2 0 0 16 16
`

func TestDump(t *testing.T) {
	var b strings.Builder
	if err := every().Dump(&b); err != nil {
		t.Fatal(err)
	}
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
