package columns

import (
	"cmp"
	"math/bits"
	"slices"
)

// mostExact limits the spans that are divided exactly.
const mostExact = 40

// An exact search is a branch and bound for the maximum cut: it finds the division of the vertices of a graph with the
// fewest edges inside one side. The bound partitions the undecided vertices into cliques and adds up the edges that
// each clique must lose, given the vertices already divided.
type exact struct {
	adj     []uint64
	cliques []uint64
	best    int
	side    uint64 // the vertices on the right in the best division
	budget  int    // remaining steps
}

// divide improves a division of at most mostExact vertices to one with the fewest crossings. It returns the rest of
// the budget. If that is 0 or less, side holds the best division found.
func divide(rows [][]uint64, side []int8, budget int) int {
	n := len(rows)
	e := &exact{adj: make([]uint64, n), budget: budget}
	var right uint64
	for i, r := range rows {
		e.adj[i] = r[0]
		right |= uint64(side[i]) << i
	}
	all := uint64(1)<<n - 1
	e.side, e.best = right, e.crossings(right, all)
	e.cover(all)
	e.search(all)
	for i := range side {
		side[i] = int8(e.side >> i & 1)
	}
	return e.budget
}

// crossings counts the edges inside one side.
func (e *exact) crossings(right, all uint64) (n int) {
	for i, a := range e.adj {
		same := right
		if right>>i&1 == 0 {
			same = all &^ right
		}
		n += bits.OnesCount64(a & same)
	}
	return n / 2
}

// cover partitions the vertices into cliques, large ones first.
func (e *exact) cover(left uint64) {
	for left != 0 {
		var best uint64
		for m := left; m != 0; m &= m - 1 {
			clique := uint64(0)
			for c := uint64(1) << bits.TrailingZeros64(m); c != 0; {
				v := bits.TrailingZeros64(c)
				clique |= 1 << v
				if clique == 1<<v {
					c = left
				}
				c &= e.adj[v]
			}
			if bits.OnesCount64(clique) > bits.OnesCount64(best) {
				best = clique
			}
		}
		e.cliques = append(e.cliques, best)
		left &^= best
	}
}

// A state is a vertex that has just been given a side, and the situation before it.
type state struct {
	left, right uint64 // vertices with a side
	lost        int
}

// search walks the divisions depth first, the more promising side first, with a stack of its own.
func (e *exact) search(all uint64) {
	stack := []state{{}}
	for len(stack) > 0 && e.budget > 0 {
		e.budget--
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		free := all &^ (s.left | s.right)
		if free == 0 {
			if s.lost < e.best {
				e.best, e.side = s.lost, s.right
			}
			continue
		}
		if s.lost+e.bound(s, free) >= e.best {
			continue
		}
		v := e.choose(s, free)
		l, r := bits.OnesCount64(e.adj[v]&s.left), bits.OnesCount64(e.adj[v]&s.right)
		toLeft := state{s.left | 1<<v, s.right, s.lost + l}
		toRight := state{s.left, s.right | 1<<v, s.lost + r}
		switch {
		case s.left|s.right == 0: // the sides are symmetric
			stack = append(stack, toLeft)
		case l <= r:
			stack = append(stack, toRight, toLeft)
		default:
			stack = append(stack, toLeft, toRight)
		}
	}
}

// choose returns the vertex whose choice of side costs most.
func (e *exact) choose(s state, free uint64) (best int) {
	most := -1
	for m := free; m != 0; m &= m - 1 {
		v := bits.TrailingZeros64(m)
		l, r := bits.OnesCount64(e.adj[v]&s.left), bits.OnesCount64(e.adj[v]&s.right)
		if worth := max(l, r)*64 - min(l, r) + bits.OnesCount64(e.adj[v]&free); worth > most {
			best, most = v, worth
		}
	}
	return best
}

// bound returns a lower bound for the edges that the undecided vertices lose.
func (e *exact) bound(s state, free uint64) (lost int) {
	var more [mostExact]int
	for _, clique := range e.cliques {
		m := clique & free
		if m == 0 {
			continue
		}
		k, sum := 0, 0
		for ; m != 0; m &= m - 1 {
			a := e.adj[bits.TrailingZeros64(m)]
			l, r := bits.OnesCount64(a&s.left), bits.OnesCount64(a&s.right)
			sum += l
			more[k] = r - l // additional loss on the right
			k++
		}
		slices.SortFunc(more[:k], cmp.Compare)
		least := sum + k*(k-1)/2
		for right := 1; right <= k; right++ {
			sum += more[right-1]
			least = min(least, sum+(right*(right-1)+(k-right)*(k-right-1))/2)
		}
		lost += least
	}
	return lost
}
