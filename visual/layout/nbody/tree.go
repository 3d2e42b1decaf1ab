package nbody

import (
	"math"
	"math/bits"

	"whorl/internal/parallel"
)

// A tree is an octree of bodies in flat arrays (Barnes and Hut, "A hierarchical O(N log N) force-calculation
// algorithm", Nature 324, 1986). Bodies are sorted along the Morton curve, so that those of a cell are consecutive.
// Cells are in preorder and store the index of the next cell outside them, so that a walk needs no stack. Cells with
// one child are omitted.
type tree struct {
	cells  []cell
	body   []int32 // in the order of the Morton curve
	x      []Vec
	keys   []uint64
	spare  []uint64 // for sorting
	other  []int32
	levels []int8
	stack  []part
	soft   float64 // length below which repulsion stops growing, if larger than the constant soft
}

type cell struct {
	centre Vec     // mean of its bodies
	n      float64 // number of bodies
	square float64 // square of its side
	after  int32   // index of the next cell outside it
	first  int32   // index of its first body
	end    int32
	leaf   bool // its bodies are visited one by one
}

type part struct {
	first, end int32
	level      int8
}

const (
	depth  = 21 // bits of a key for each coordinate
	bucket = 16 // bodies of a leaf
)

// build makes the tree of the given bodies.
func (t *tree) build(x []Vec) {
	low, side := box(x)
	t.sort(x, low, side)
	t.cells, t.levels = t.cells[:0], t.levels[:0]
	t.stack = append(t.stack[:0], part{0, int32(len(x)), 0})
	for len(t.stack) > 0 {
		p := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		// The first level at which the bodies fall into different cells.
		level := p.level
		if differ := t.keys[p.first] ^ t.keys[p.end-1]; differ != 0 {
			level = depth - 1 - int8((bits.Len64(differ)-1)/3)
		} else if p.end-p.first > 1 {
			level = depth
		}
		edge := math.Ldexp(side, -int(level))
		c := cell{square: edge * edge, first: p.first, end: p.end, leaf: p.end-p.first <= bucket}
		t.cells = append(t.cells, c)
		t.levels = append(t.levels, p.level)
		if c.leaf || level == depth {
			continue
		}
		shift := uint(3 * (depth - 1 - level))
		for end := p.end; end > p.first; { // last child first, so that the first is popped next
			digit := t.keys[end-1] >> shift
			first := p.first
			for lo, hi := p.first, end-1; lo < hi; { // binary search for the first body with this digit
				mid := (lo + hi) / 2
				if t.keys[mid]>>shift < digit {
					lo = mid + 1
				} else {
					hi = mid
				}
				first = lo
			}
			if t.keys[first]>>shift < digit {
				first++
			}
			t.stack = append(t.stack, part{first, end, level + 1})
			end = first
		}
	}
	t.sum()
}

// box returns a cube that contains all bodies.
func box(x []Vec) (low Vec, side float64) {
	low, high := x[0], x[0]
	for i := range x {
		for k, v := range x[i] {
			low[k], high[k] = min(low[k], v), max(high[k], v)
		}
	}
	for k := range low {
		side = max(side, high[k]-low[k])
	}
	return low, max(side, 1e-9)
}

// spread inserts two zeros before each of 21 bits.
func spread(v uint64) uint64 {
	v = (v | v<<32) & 0x1f00000000ffff
	v = (v | v<<16) & 0x1f0000ff0000ff
	v = (v | v<<8) & 0x100f00f00f00f00f
	v = (v | v<<4) & 0x10c30c30c30c30c3
	return (v | v<<2) & 0x1249249249249249
}

// sort sorts the bodies along the Morton curve by a radix sort of their keys. Bodies at the same place stay in the
// order of their numbers.
func (t *tree) sort(x []Vec, low Vec, side float64) {
	n := len(x)
	if cap(t.keys) < n {
		t.keys, t.spare, t.body, t.other, t.x = make([]uint64, n), make([]uint64, n), make([]int32, n), make([]int32, n), make([]Vec, n)
	}
	t.keys, t.spare, t.body, t.other, t.x = t.keys[:n], t.spare[:n], t.body[:n], t.other[:n], t.x[:n]
	const cells = 1<<depth - 1
	scale := cells / side
	var all, some uint64
	for i := range x {
		var k uint64
		for d, v := range x[i] {
			k |= spread(min(uint64((v-low[d])*scale), cells)) << d
		}
		t.keys[i], t.body[i] = k, int32(i)
		if i == 0 {
			all = k
		}
		all, some = all&k, some|k
	}
	const digits = 11
	var counts [1 << digits]int32
	for shift := uint(0); shift < 3*depth; shift += digits {
		if (all^some)>>shift&(1<<digits-1) == 0 { // all digits are equal
			continue
		}
		clear(counts[:])
		for _, k := range t.keys {
			counts[k>>shift&(1<<digits-1)]++
		}
		offset := int32(0)
		for i, c := range counts {
			counts[i] = offset
			offset += c
		}
		for i, k := range t.keys {
			p := &counts[k>>shift&(1<<digits-1)]
			t.spare[*p], t.other[*p] = k, t.body[i]
			*p++
		}
		t.keys, t.spare, t.body, t.other = t.spare, t.keys, t.other, t.body
	}
	for i, b := range t.body {
		t.x[i] = x[b]
	}
}

// sum computes the centre of each cell and the index after it, from the last cell to the first.
func (t *tree) sum() {
	var after [depth + 2]int32 // by level: the next cell that is not deeper
	for l := range after {
		after[l] = int32(len(t.cells))
	}
	for i := len(t.cells) - 1; i >= 0; i-- {
		c := &t.cells[i]
		l := t.levels[i]
		c.after = after[l]
		for ; int(l) < len(after); l++ {
			after[l] = int32(i)
		}
		c.n = float64(c.end - c.first)
		var centre Vec
		if c.leaf || int(c.after) == i+1 {
			for k := c.first; k < c.end; k++ {
				centre.add(&t.x[k], 1)
			}
		} else {
			for k := int32(i + 1); k < c.after; k = t.cells[k].after {
				centre.add(&t.cells[k].centre, t.cells[k].n)
			}
		}
		c.centre = Vec{centre[0] / c.n, centre[1] / c.n, centre[2] / c.n}
	}
}

// repel is Repel over the tree: a cell that looks smaller than theta acts as if all of its bodies were at its centre.
// The force on a body does not depend on the workers.
func (t *tree) repel(constant, theta float64, workers int, f []Vec) {
	piece := min(max(len(t.x)/(16*max(workers, 1)), 16), 256) // bodies taken at once: few enough that all workers end at about the same time
	parallel.Range(len(t.x), piece, workers, func(_, first, end int) {
		for i := first; i < end; i++ {
			v := t.on(int32(i), theta*theta)
			f[t.body[i]].add(&v, constant)
		}
	})
}

// on returns the force, for a repulsion of 1, on the i-th body along the curve.
func (t *tree) on(i int32, theta2 float64) Vec {
	x, y, z := t.x[i][0], t.x[i][1], t.x[i][2]
	var fx, fy, fz float64
	cells, soft := t.cells, max(t.soft, soft)
	soft2 := soft * soft
	for k := int32(0); int(k) < len(cells); {
		c := &cells[k]
		dx, dy, dz := x-c.centre[0], y-c.centre[1], z-c.centre[2]
		square := float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
		inside := uint32(i-c.first) < uint32(c.end-c.first)
		switch {
		case c.square < theta2*square && !inside:
			square += soft2
			by := c.n / float64(square*math.Sqrt(square))
			fx += float64(dx * by)
			fy += float64(dy * by)
			fz += float64(dz * by)
			k = c.after
		case c.leaf:
			for j := c.first; j < c.end; j++ {
				if j == i {
					continue
				}
				p := &t.x[j]
				dx, dy, dz := x-p[0], y-p[1], z-p[2]
				square := float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
				if square == 0 {
					dx = soft
					if t.body[i] < t.body[j] {
						dx = -soft
					}
				}
				square += soft2
				by := 1 / float64(square*math.Sqrt(square))
				fx += float64(dx * by)
				fy += float64(dy * by)
				fz += float64(dz * by)
			}
			k = c.after
		case int(c.after) == int(k)+1: // bodies at one place push those around them, but not each other
			if square > 0 || !inside {
				square += soft2
				by := c.n / float64(square*math.Sqrt(square))
				fx += float64(dx * by)
				fy += float64(dy * by)
				fz += float64(dz * by)
			}
			k = c.after
		default:
			k++
		}
	}
	return Vec{fx, fy, fz}
}
