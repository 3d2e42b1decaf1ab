package sim

// A grid is a mesh or torus of two or three dimensions. PE x + w(y + h z) is at (x, y, z).
type grid struct {
	name    string
	pes     int
	dims    int
	w, h, d int
	wraps   bool
}

func newMesh2D(pes int) Network  { return newGrid("mesh2d", pes, 2, false) }
func newMesh3D(pes int) Network  { return newGrid("mesh3d", pes, 3, false) }
func newTorus2D(pes int) Network { return newGrid("torus2d", pes, 2, true) }
func newTorus3D(pes int) Network { return newGrid("torus3d", pes, 3, true) }

func newGrid(name string, pes, dims int, wraps bool) Network {
	n := grid{name: name, pes: pes, dims: dims, wraps: wraps, d: 1}
	if dims == 2 {
		n.w, n.h = rectangle(pes)
	} else {
		n.w, n.h, n.d = box(pes)
	}
	return n
}

// rectangle returns the sides of a rectangle with at least n places: with n places if no side is then more than twice
// the other, else with the width of the smallest square and as many rows as needed.
func rectangle(n int) (w, h int) {
	for h = root(n, 2); h > 0 && n/h <= 2*h; h-- {
		if n%h == 0 {
			return n / h, h
		}
	}
	w = root(n-1, 2) + 1
	return w, (n + w - 1) / w
}

// box returns the sides of a box, as rectangle does in two dimensions.
func box(n int) (w, h, d int) {
	for d = root(n, 3); d > 0 && 4*d*d*d >= n; d-- { // the largest box with no side more than 2d
		if n%d != 0 {
			continue
		}
		for h = root(n/d, 2); h >= d; h-- {
			if w = n / d / h; w <= 2*d && w*h*d == n {
				return w, h, d
			}
		}
	}
	w = root(n-1, 3) + 1
	h = min(w, root((n+w-1)/w-1, 2)+1)
	return w, h, (n + w*h - 1) / (w * h)
}

// root returns the largest r with r^k <= n.
func root(n, k int) int {
	r := 0
	for {
		p := 1
		for range k {
			p *= r + 1
		}
		if p > n {
			return r
		}
		r++
	}
}

func (n grid) Name() string            { return n.name }
func (n grid) PEs() int                { return n.pes }
func (n grid) Shared() bool            { return false }
func (n grid) Near(s *Self, k int) int { return near(n, int(s.PE), k) }

func (n grid) coords(pe int) (x, y, z int) { return pe % n.w, pe / n.w % n.h, pe / (n.w * n.h) }

func (n grid) Coords(pe int) []int32 {
	x, y, z := n.coords(pe)
	return []int32{int32(x), int32(y), int32(z)}[:n.dims]
}

func (n grid) Distance(a, b int) int {
	ax, ay, az := n.coords(a)
	bx, by, bz := n.coords(b)
	return n.along(ax, bx, n.w) + n.along(ay, by, n.h) + n.along(az, bz, n.d)
}

func (n grid) along(a, b, side int) int {
	d := max(a, b) - min(a, b)
	if n.wraps {
		d = min(d, side-d)
	}
	return d
}

func (n grid) diameter() int {
	if n.wraps {
		return n.w/2 + n.h/2 + n.d/2
	}
	return n.w + n.h + n.d - 3
}

// shell enumerates the offsets (dx, dy, dz) with |dx| + |dy| + |dz| = d, plane by plane, each plane a diamond. On a
// torus the offsets of more than half of a side are absent: the other way round is shorter.
func (n grid) shell(pe, d, k int) int {
	dz := 0
	if n.d > 1 {
		dz = -d
	}
	r := d - max(dz, -dz)
	for size := diamond(r); k >= size; size = diamond(r) {
		k -= size
		if dz++; dz > d || n.d == 1 {
			return past
		}
		r = d - max(dz, -dz)
	}
	dx, dy := 0, 0
	if r > 0 {
		switch off := k % r; k / r {
		case 0:
			dx, dy = r-off, off
		case 1:
			dx, dy = -off, r-off
		case 2:
			dx, dy = off-r, -off
		default:
			dx, dy = off, off-r
		}
	}
	x, y, z := n.coords(pe)
	x, okX := n.step(x, dx, n.w)
	y, okY := n.step(y, dy, n.h)
	z, okZ := n.step(z, dz, n.d)
	q := x + n.w*(y+n.h*z)
	if !okX || !okY || !okZ || q >= n.pes {
		return absent
	}
	return q
}

// diamond returns the number of places at distance r in a plane.
func diamond(r int) int {
	if r == 0 {
		return 1
	}
	return 4 * r
}

func (n grid) step(a, by, side int) (int, bool) {
	if !n.wraps {
		a += by
		return a, a >= 0 && a < side
	}
	return (a + by + side) % side, 2*by <= side && -2*by < side
}

func (n grid) Outward(pe int, cursor *uint64) int { return walk(n, pe, cursor) }
