package nbody

import (
	"math"
	"slices"
	"testing"
)

// TestShapes checks the links of each shape: how many there are, which bodies are joined to some body, and that they are
// at rest at the start. No two bodies are at the same place.
func TestShapes(t *testing.T) {
	leaves := func(n int) (cells []Cell) {
		for i := range n {
			cells = append(cells, Cell{int32(i / 4), int32(i % 4)})
		}
		return cells
	}
	rectangle := func(w, h, d int) (cells []Cell) {
		for i := range w * h * d {
			cells = append(cells, Cell{int32(i % w), int32(i / w % h), int32(i / w / h)})
		}
		return cells
	}
	for _, c := range []struct {
		name  string
		shape func() ([]Vec, []Link)
		count int // links
		body  int32
		to    []int32 // bodies joined to it
	}{
		{"grid 4 x 3", func() ([]Vec, []Link) { return Grid(rectangle(4, 3, 1), 1) }, 17, 5, []int32{1, 4, 6, 9}},
		{"incomplete grid", func() ([]Vec, []Link) { return Grid(Cells(11), 1) }, 15, 10, []int32{1, 9}},
		{"ring of 1", func() ([]Vec, []Link) { return Ring(1, 1) }, 0, 0, []int32{}},
		{"ring of 2", func() ([]Vec, []Link) { return Ring(2, 1) }, 1, 0, []int32{1}},
		{"ring of 5", func() ([]Vec, []Link) { return Ring(5, 1) }, 5, 0, []int32{1, 4}},
		{"torus 4 x 3", func() ([]Vec, []Link) { return Torus(rectangle(4, 3, 1), 1) }, 24, 0, []int32{1, 3, 4, 8}},
		{"torus 4 x 2", func() ([]Vec, []Link) { return Torus(rectangle(4, 2, 1), 1) }, 12, 0, []int32{1, 3, 4}},
		{"torus 3 x 3 x 3", func() ([]Vec, []Link) { return Torus(rectangle(3, 3, 3), 1) }, 81, 0, []int32{1, 2, 3, 6, 9, 18}},
		{"torus 1 x 1 x 3", func() ([]Vec, []Link) { return Torus(rectangle(1, 1, 3), 1) }, 3, 0, []int32{1, 2}},
		{"torus 2 x 2 x 2", func() ([]Vec, []Link) { return Torus(rectangle(2, 2, 2), 1) }, 12, 0, []int32{1, 2, 4}},
		{"hypercube of 16", func() ([]Vec, []Link) { return Hypercube(16, 1) }, 32, 0, []int32{1, 2, 4, 8}},
		{"hypercube of 12", func() ([]Vec, []Link) { return Hypercube(12, 1) }, 20, 11, []int32{3, 9, 10}},
		{"hypercube of 1,000", func() ([]Vec, []Link) { return Hypercube(1000, 1) }, 4932, 512, []int32{0, 513, 514, 516, 520, 528, 544, 576, 640, 768}},
		{"fat tree of 4", func() ([]Vec, []Link) { return FatTree(leaves(4), 1) }, 6, 0, []int32{1, 2, 3}},
		{"fat tree of 16", func() ([]Vec, []Link) { return FatTree(leaves(16), 1) }, 48, 0, []int32{1, 2, 3, 4, 8, 12}},
		{"fat tree of 20", func() ([]Vec, []Link) { return FatTree(leaves(20), 1) }, 58, 17, []int32{1, 16, 18, 19}},
	} {
		x, links := c.shape()
		if len(links) != c.count {
			t.Errorf("%s: %d links, want %d", c.name, len(links), c.count)
		}
		var to []int32
		for _, l := range links {
			switch c.body {
			case l.A:
				to = append(to, l.B)
			case l.B:
				to = append(to, l.A)
			}
			if d := distance(x, l.A, l.B); math.Abs(d-l.Rest) > 1e-9 || d < 0.5 {
				t.Errorf("%s: link %v is %g long at the start", c.name, l, d)
			}
		}
		if slices.Sort(to); !slices.Equal(to, c.to) {
			t.Errorf("%s: body %d is joined to %v, want %v", c.name, c.body, to, c.to)
		}
		for i := range x {
			for k := range i {
				if distance(x, int32(i), int32(k)) < 0.5 {
					t.Errorf("%s: bodies %d and %d are at one place", c.name, k, i)
				}
			}
		}
	}
}

func distance(x []Vec, a, b int32) float64 {
	_, square := minus(&x[a], &x[b])
	return math.Sqrt(square)
}

// TestRingIsRound checks that all bodies of a ring have the same distance from the centre and from the next.
func TestRingIsRound(t *testing.T) {
	x, links := Ring(100, 2)
	for i, l := range links {
		if r := math.Sqrt(dotted(x[i])); math.Abs(r-2/(2*math.Sin(math.Pi/100))) > 1e-9 || math.Abs(l.Rest-2) > 1e-9 {
			t.Errorf("body %d is %g from the centre and %g from the next", i, r, l.Rest)
		}
	}
}

func dotted(v Vec) float64 { return v[0]*v[0] + v[1]*v[1] + v[2]*v[2] }
