package benchmarks

import (
	"fmt"
)

var dtsNQueens = &Benchmark{
	Name: "dts/nqueens",
	Doc: "A search tree that is divided into threads at the top: a small depth gives few pieces of very different size, a large one many pieces " +
		"that are hardly worth a fork.",
	Params: []Param{
		{Name: "n", Default: 8, Min: 0, Max: 12, Doc: "rows and columns of the board"},
		{Name: "depth", Default: 3, Min: 0, Max: 12, Doc: "rows filled by threads; a leaf thread fills the others"},
	},
	Program: DTS{
		File: "nqueens.go",
		Threads: func(p []int64) int64 {
			n := int64(1)
			for row := range min(p[1], p[0]) {
				n += int64(len(partial(int(p[0]), int(row+1))))
			}
			return n
		},
	},
	Check: func(p []int64, answer string) error {
		return equal(answer, fmt.Sprint(len(partial(int(p[0]), int(p[0])))))
	},
}

// partial returns the ways to fill the first rows of a board, built row by row. It compares each new queen with all previous ones.
func partial(n, rows int) [][]int8 {
	boards := [][]int8{nil}
	for row := range rows {
		var next [][]int8
		for _, b := range boards {
		columns:
			for c := range n {
				for r, other := range b {
					if d := int(other) - c; d == 0 || d == row-r || d == r-row {
						continue columns
					}
				}
				next = append(next, append(b[:row:row], int8(c)))
			}
		}
		boards = next
	}
	return boards
}
