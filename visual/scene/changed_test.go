package scene

import (
	"slices"
	"testing"
)

// A ruler measures a text as one em a byte.
type ruler struct{}

func (ruler) Width(s string, size float32, _ Face) float32 { return size * float32(len(s)) }
func (ruler) Metrics(float32, Face) Metrics                { return Metrics{} }

// TestChanged compares lists of squares at 0, 100, 200, ... in changed order, number and clips.
func TestChanged(t *testing.T) {
	square := func(l *List, x float32) { l.Rect(x, 0, x+10, 10, RGB(1, 2, 3)) }
	list := func(xs ...float32) *List {
		l := New(1000, 10)
		for _, x := range xs {
			square(l, x)
		}
		return l
	}
	at := func(xs ...float64) (parts []Rect) {
		for _, x := range xs {
			parts = append(parts, Rect{x - 2, -2, x + 12, 12})
		}
		return parts
	}
	clipped := func(x1 float32) *List {
		l := list(0)
		l.Clip(0, 0, x1, 10)
		square(l, 100)
		l.Pop()
		square(l, 200)
		return l
	}
	var old, moved []float32 // 100 squares that have moved, and 10 that have not
	for i := float32(0); i < 100; i++ {
		old, moved = append(old, i), append(moved, i+0.5)
	}
	for i := float32(0); i < 10; i++ {
		old, moved = append(old, 500+i), append(moved, 500+i)
	}
	text := New(1000, 10)
	text.Text(500, 5, "abc", TextStyle{Size: 10, Anchor: End})
	for _, c := range []struct {
		name string
		a, b *List
		want []Rect
	}{
		{"equal", list(0, 100), list(0, 100), nil},
		{"from nothing", list(), list(0, 100), at(0, 100)},
		{"moved", list(0, 100, 200, 300, 400), list(0, 150, 200, 300, 400), at(100, 150)},
		{"inserted", list(0, 100, 200, 300, 400), list(0, 500, 100, 200, 300, 400), at(500)},
		{"removed, and the last moved", list(0, 100, 200, 300, 400, 500), list(0, 200, 300, 400, 600), at(100, 500, 600)},
		{"order", list(0, 5), list(5, 0), []Rect{{-2, -2, 17, 12}}},
		{"a long part", list(old...), list(moved...), []Rect{{-2, -2, 111.5, 12}}},
		{"clip", clipped(105), clipped(150), []Rect{{98, -1, 112, 11}}},
		{"text", list(), text, []Rect{{458, -17, 512, 27}}},
		{"many", list(), list(0, 100, 200, 300, 400, 500, 600, 700, 800), []Rect{{-2, -2, 812, 12}}},
	} {
		got := Changed(c.a, c.b, ruler{})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := Changed(New(10, 10), New(20, 10), ruler{}); len(got) != 1 {
		t.Errorf("lists of other sizes differ in %v", got)
	}
}
