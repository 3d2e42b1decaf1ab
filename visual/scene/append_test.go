package scene

import "testing"

func TestAppendAndSum(t *testing.T) {
	part := func(l *List, c Color) {
		l.Clip(1, 2, 3, 4)
		l.Text(5, 6, "seven and more", TextStyle{Size: 8, Color: c})
		l.Polygons([]float32{0, 0, 1, 0, 1, 1, 5, 5, 6, 5, 6, 6}, []int{3, 3}, EvenOdd, c)
		l.Pop()
		l.Group(9, "open")
	}
	red, blue := RGB(255, 0, 0), RGB(0, 0, 255)
	want, got, tail := New(10, 10), New(10, 10), New(1, 1)
	part(want, red)
	part(want, blue)
	part(got, red)
	part(tail, blue)
	got.Append(tail)
	if got.Open() != 2 {
		t.Errorf("appending a list with an open group to another leaves %d open, want 2", got.Open())
	}
	if got.Sum() != want.Sum() {
		t.Error("equal lists have different sums")
	}
	sums := map[uint64]string{want.Sum(): "itself"}
	for _, c := range []struct {
		name   string
		change func(*List)
	}{
		{"a color", func(l *List) { l.ops[1].color.G++ }},
		{"a number", func(l *List) { l.floats[2] += 0.001 }},
		{"a letter", func(l *List) { l.bytes[len(l.bytes)-1]++ }},
		{"a style", func(l *List) { l.ops[1].style ^= 1 }},
		{"the size", func(l *List) { l.W++ }},
		{"an op", func(l *List) { l.Pop() }},
	} {
		l := New(10, 10)
		part(l, red)
		part(l, blue)
		c.change(l)
		if other, ok := sums[l.Sum()]; ok {
			t.Errorf("a list with a different %s has the same sum as %s", c.name, other)
		}
		sums[l.Sum()] = c.name
	}
}

// TestAppendAt draws all kinds of ops at a place and appends them there: both lists are equal.
func TestAppendAt(t *testing.T) {
	draw := func(l *List, x, y float32) {
		red := RGB(255, 0, 0)
		l.Clip(x, y, x+50, y+50)
		l.Rect(x+1, y+1, x+9, y+9, red)
		l.Line(x, y, x+5, y+7, 2, red)
		l.Polyline([]float32{x, y, x + 3, y + 1}, Stroke{Width: 1, Dash: []float32{2, 3}, Phase: 1, Color: red})
		l.Polygons([]float32{x, y, x + 1, y, x + 1, y + 1, x + 5, y + 5, x + 6, y + 5, x + 6, y + 6}, []int{3, 3}, EvenOdd, red)
		l.Arc(x+20, y+20, 4, 8, 0.5, 1, red)
		l.Circle(x+30, y+30, 3, red)
		l.Group(7, "texts")
		l.Text(x+5, y+6, "seven", TextStyle{Size: 8, Rotation: 1, Color: red})
		l.Pop()
		l.Mark(Shape(1), 6, x+3, y+4, red)
		l.Mesh([]float32{x, y, x + 1, y, x, y + 1}, []Color{red, red, red})
		l.Pop()
	}
	want, got, part := New(100, 100), New(100, 100), New(50, 50)
	draw(want, 16, 32)
	draw(part, 0, 0)
	got.AppendAt(part, 16, 32)
	if got.Sum() != want.Sum() || got.Open() != 0 {
		t.Error("the list appended at a place differs from the one drawn there")
	}
}
