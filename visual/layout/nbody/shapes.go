package nbody

import "math"

// The shapes of networks give bodies their places at the start, around the origin, and the links between neighbours.
// The links are at rest at the start.

// A Cell is the coordinates of a body in a network. A body that has fewer coordinates than three has zeros for the rest.
type Cell [3]int32

// Cells returns the cells of n bodies in a lattice that is as nearly cubic as possible. Eight bodies are the corners of
// a cube.
func Cells(n int) []Cell {
	side := max(int(math.Ceil(math.Cbrt(float64(n))-1e-9)), 1)
	cells := make([]Cell, n)
	for i := range cells {
		cells[i] = Cell{int32(i % side), int32(i / side % side), int32(i / side / side)}
	}
	return cells
}

// Lattice returns the places of n bodies at Cells(n), the given length apart.
func Lattice(n int, length float64) []Vec { return places(Cells(n), length) }

// Grid joins bodies whose cells differ by one in one coordinate.
func Grid(cells []Cell, length float64) ([]Vec, []Link) {
	x := places(cells, length)
	return x, steps(cells, x, func(c Cell, k int) Cell {
		c[k]++
		return c
	})
}

// places returns the places of bodies at cells, with the middle of the box around them at the origin.
func places(cells []Cell, length float64) []Vec {
	x := make([]Vec, len(cells))
	if len(cells) == 0 {
		return x
	}
	least, most := cells[0], cells[0]
	for _, c := range cells {
		for k := range c {
			least[k], most[k] = min(least[k], c[k]), max(most[k], c[k])
		}
	}
	for i, c := range cells {
		for k := range c {
			x[i][k] = (float64(c[k]) - (float64(least[k])+float64(most[k]))/2) * length
		}
	}
	return x
}

// steps links each cell to those that next returns for it in each dimension.
func steps(cells []Cell, x []Vec, next func(c Cell, dimension int) Cell) (links []Link) {
	index := make(map[Cell]int32, len(cells))
	for i, c := range cells {
		index[c] = int32(i)
	}
	for i, c := range cells {
		for k := range c {
			if j, ok := index[next(c, k)]; ok && j != int32(i) {
				links = append(links, linked(x, i, int(j)))
			}
		}
	}
	return links
}

// linked returns the link of two bodies that is at rest at x.
func linked(x []Vec, a, b int) Link {
	_, square := minus(&x[a], &x[b])
	return Link{A: int32(a), B: int32(b), Rest: math.Sqrt(square)}
}

// Ring returns n bodies on a circle, each joined to the next.
func Ring(n int, length float64) ([]Vec, []Link) {
	x := make([]Vec, n)
	for i := range x {
		x[i] = around(i, n, circle(n, length))
	}
	var links []Link
	for i := range n {
		if next := (i + 1) % n; next > i || n > 2 {
			links = append(links, linked(x, i, next))
		}
	}
	return x, links
}

// circle returns the radius of a circle on which n bodies are the given length apart.
func circle(n int, length float64) float64 {
	if n < 2 {
		return 0
	}
	return length / (2 * math.Sin(math.Pi/float64(n)))
}

// around returns the place of body i of n on a circle. Body 0 is at the top, the others follow clockwise.
func around(i, n int, r float64) Vec {
	sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
	return Vec{float64(r * sin), float64(r * cos), 0}
}

// Torus joins the first body to the last in each dimension of a Grid. The first coordinate runs around the hole of the
// torus, the second around its tube, and the third goes from the inner to the outer surface of the tube.
func Torus(cells []Cell, length float64) ([]Vec, []Link) {
	sides := Cell{1, 1, 1}
	for _, c := range cells {
		for k := range c {
			sides[k] = max(sides[k], c[k]+1)
		}
	}
	if sides[0] <= 2 && sides[1] <= 2 && sides[2] <= 2 { // it has no other neighbours than the grid
		return Grid(cells, length)
	}
	w, h, deep := int(sides[0]), int(sides[1]), float64(sides[2]-1)*length
	inner := circle(h, length)
	if h < 2 && deep > 0 {
		inner = length
	}
	// The hole is as wide as the tube is thick.
	hole := max(circle(w, length), 2*(inner+deep))
	if w < 2 {
		hole = 0
	}
	x := make([]Vec, len(cells))
	for i, c := range cells {
		tube := around(int(c[1]), h, inner+float64(float64(c[2])*length)) // outwards is y, along the axis is x
		out := around(int(c[0]), w, 1)
		x[i] = Vec{float64(out[0] * (hole + tube[1])), float64(out[1] * (hole + tube[1])), tube[0]}
	}
	return x, steps(cells, x, func(c Cell, k int) Cell {
		if c[k]++; c[k] == sides[k] && sides[k] > 2 {
			c[k] = 0
		}
		return c
	})
}

// Nested shapes place the corners of a cube or a tetrahedron in three dimensions, and a copy of the whole at each corner
// of one that is apart times as large, and so on.
const apart = 2.4

// Hypercube joins bodies whose numbers differ in one bit. Three bits at a time are a cube; the cubes of higher bits are
// turned, so that links of different bits do not cover each other.
func Hypercube(n int, length float64) ([]Vec, []Link) {
	x := make([]Vec, n)
	middle := Vec{}
	for bit := 0; 1<<bit < n; bit++ {
		axis := turn(bit%3, float64(bit/3)*0.35)
		by := length * math.Pow(apart, float64(bit/3))
		for i := range x {
			if i>>bit&1 == 1 {
				x[i].add(&axis, by)
			}
		}
		middle.add(&axis, by/2)
	}
	var links []Link
	for i := range x {
		x[i].add(&middle, -1)
	}
	for bit := 0; 1<<bit < n; bit++ {
		for i := range n {
			if j := i | 1<<bit; j != i && j < n {
				links = append(links, linked(x, i, j))
			}
		}
	}
	return x, links
}

// turn returns an axis of the coordinates turned about the diagonal between all three of them.
func turn(axis int, angle float64) (v Vec) {
	for k := range v { // the three components are cosines a third of a turn apart
		v[(axis+k)%3] = (1 + 2*math.Cos(angle+2*math.Pi*float64(k)/3)) / 3
	}
	return v
}

// FatTree joins bodies of a tree of switches with four children each. A body has the number of its leaf switch and its
// place there. The bodies of a leaf switch are the corners of a tetrahedron, the switches below a switch are the corners
// of a larger one. Bodies are joined that differ in their place at the leaf switch alone, or in the branch that they
// take at one switch alone.
func FatTree(cells []Cell, length float64) ([]Vec, []Link) {
	x, last := make([]Vec, len(cells)), int32(0)
	index := make(map[Cell]int, len(cells))
	for i, c := range cells {
		x[i] = corners[c[1]&3].times(length)
		index[c] = i
		last = max(last, c[0])
	}
	var links []Link
	join := func(i int, other Cell) {
		if j, ok := index[other]; ok {
			links = append(links, linked(x, i, j))
		}
	}
	for level := 0; last>>(2*level) > 0; level++ {
		by := length * math.Pow(apart, float64(level+1))
		for i, c := range cells {
			x[i].add(&corners[c[0]>>(2*level)&3], by)
		}
	}
	middle := Centre(x)
	for i := range x {
		x[i].add(&middle, -1)
	}
	for i, c := range cells {
		for place := c[1] + 1; place < 4; place++ {
			join(i, Cell{c[0], place})
		}
		for level := 0; last>>(2*level) > 0; level++ {
			for branch := c[0]>>(2*level)&3 + 1; branch < 4; branch++ {
				join(i, Cell{c[0]&^(3<<(2*level)) | branch<<(2*level), c[1]})
			}
		}
	}
	return x, links
}

// corners are those of a tetrahedron with edges of length 1, around the origin. The first is at the top.
var corners = [4]Vec{
	{0, 0.6123724356957945, 0},
	{-0.5, -0.2041241452319315, 0.28867513459481287},
	{0.5, -0.2041241452319315, 0.28867513459481287},
	{0, -0.2041241452319315, -0.5773502691896258},
}

func (v *Vec) times(by float64) Vec { return Vec{v[0] * by, v[1] * by, v[2] * by} }
