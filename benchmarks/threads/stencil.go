package threads

import "whorl/dts"

// A Piece is a block of a ring of cells, with the two adjacent cells.
type Piece struct {
	Left, Right int64
	Cells       []int64
}

// Stencil spreads heat around a ring of cells: in each step a cell becomes the mean of itself and its neighbours. A thread computes a step of a
// block of the ring, and receives the edge cells of the two adjacent blocks.
func Stencil(e *Env) Program {
	spread := dts.Register(e.Funcs, "spread", func(w *dts.Worker, b Piece) []int64 {
		n := len(b.Cells)
		out := make([]int64, n)
		for i := range out {
			left, right := b.Left, b.Right
			if i > 0 {
				left = b.Cells[i-1]
			}
			if i < n-1 {
				right = b.Cells[i+1]
			}
			out[i] = (left + 2*b.Cells[i] + right) / 4
		}
		e.spend(w, 8*int64(n))
		return out
	})

	cells := &input[[]int64]{from: func(p []int64) []int64 { return Ring(p[0] * p[1]) }}
	return e.program(func(w *dts.Worker, p []int64) string {
		blocks, size, steps := p[0], p[1], p[2]
		ring := make([][]int64, blocks)
		for b := range ring {
			ring[b] = cells.get(p)[int64(b)*size : int64(b+1)*size]
		}
		next := make([]dts.Handle[[]int64], blocks)
		for range steps {
			for b := range blocks {
				left, right := ring[(b+blocks-1)%blocks], ring[(b+1)%blocks]
				e.spend(w, 8) // the exchange of edges
				next[b] = spread.Fork(w, Piece{left[size-1], right[0], ring[b]})
			}
			for b, h := range next {
				ring[b] = h.Join(w)
			}
		}
		var all []int64
		for _, b := range ring {
			all = append(all, b...)
		}
		return Digest(all)
	}, cells.prepare)
}

// Ring returns the initial temperatures of the cells.
func Ring(n int64) []int64 {
	random := Random(n)
	out := make([]int64, n)
	for i := range out {
		if random.Int64N(8) == 0 {
			out[i] = random.Int64N(1_000_000_000)
		}
	}
	return out
}
