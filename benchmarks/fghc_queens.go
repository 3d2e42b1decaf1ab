package benchmarks

import (
	_ "embed"
	"fmt"
)

//go:embed fghc/queens.fghc
var queensSource string

var queens = &Benchmark{
	Name:   "fghc/queens",
	Doc:    "All solutions of a search at the same time: a wide, irregular tree whose dead ends are leaves at every level.",
	Params: []Param{{Name: "n", Default: 6, Min: 0, Max: 10, Doc: "rows and columns of the board"}},
	Program: FGHC{File: "queens.fghc", Source: queensSource, Goal: func(p []int64) string {
		return fmt.Sprintf("go(%d, X)", p[0])
	}},
	Check: func(p []int64, answer string) error {
		return equal(answer, "X = "+lists(placements(int(p[0]))))
	},
}

// placements returns all boards in lexical order of the columns from the first row on, each with its last row first. It keeps the columns
// and the diagonals that are taken as sets of bits.
func placements(n int) [][]int {
	var out [][]int
	board := make([]int, n)
	var place func(row int, columns, up, down uint)
	place = func(row int, columns, up, down uint) {
		if row == n {
			last := make([]int, n)
			for i, c := range board {
				last[n-1-i] = c + 1
			}
			out = append(out, last)
			return
		}
		for c := range n {
			column, rising, falling := uint(1)<<c, uint(1)<<(row+c), uint(1)<<(row-c+n)
			if columns&column|up&rising|down&falling == 0 {
				board[row] = c
				place(row+1, columns|column, up|rising, down|falling)
			}
		}
	}
	place(0, 0, 0, 0)
	return out
}
