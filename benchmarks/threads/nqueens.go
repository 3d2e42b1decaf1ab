package threads

import (
	"fmt"

	"whorl/dts"
)

// A Board has queens in its first rows. The bit sets are the occupied columns and the occupied diagonals as seen from the next row.
type Board struct {
	N, Row, Depth     int64
	Columns, Up, Down uint64
}

// NQueens counts the ways to place n queens so that none attacks another, with a thread for each way to fill the first rows.
func NQueens(e *Env) Program {
	var place dts.Func[Board, int64]
	place = dts.Register(e.Funcs, "place", func(w *dts.Worker, b Board) int64 {
		if b.Row >= b.Depth || b.Row == b.N {
			ways, tries := fill(b)
			e.spend(w, 8*tries)
			return ways
		}
		var rest []dts.Handle[int64]
		for c := range b.N {
			e.spend(w, 6)
			if next, ok := b.with(c); ok {
				rest = append(rest, place.Fork(w, next))
			}
		}
		ways := int64(0)
		for _, h := range rest {
			ways += h.Join(w)
			e.spend(w, 2)
		}
		return ways
	})

	return e.program(func(w *dts.Worker, p []int64) string {
		return fmt.Sprint(place.Call(w, Board{N: p[0], Depth: p[1]}))
	}, nil)
}

// with places a queen in a column of the next row, if no other queen attacks it.
func (b Board) with(column int64) (Board, bool) {
	bit := uint64(1) << column
	if (b.Columns|b.Up|b.Down)&bit != 0 {
		return b, false
	}
	b.Row++
	b.Columns |= bit
	b.Up = (b.Up | bit) << 1
	b.Down = (b.Down | bit) >> 1
	return b, true
}

// fill returns the number of ways to fill the other rows, and the number of places tried.
func fill(b Board) (ways, tries int64) {
	if b.Row == b.N {
		return 1, 1
	}
	for c := range b.N {
		tries++
		if next, ok := b.with(c); ok {
			w, t := fill(next)
			ways += w
			tries += t
		}
	}
	return ways, tries
}
