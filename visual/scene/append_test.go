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
