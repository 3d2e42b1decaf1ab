package benchmarks

import (
	_ "embed"
	"fmt"
)

//go:embed fghc/mastermind.fghc
var mastermindSource string

var mastermind = &Benchmark{
	Name: "fghc/mastermind",
	Doc:  "Many processes whose results meet in one merger: the tree is flat and wide, and one process reads what all have found.",
	Params: []Param{
		{Name: "colours", Default: 3, Min: 0, Max: 8, Doc: "colours of a peg"},
		{Name: "pegs", Default: 3, Min: 0, Max: 5, Doc: "pegs of a code"},
	},
	Program: FGHC{File: "mastermind.fghc", Source: mastermindSource, Goal: func(p []int64) string {
		return fmt.Sprintf("go(%d, %d, X)", p[0], p[1])
	}},
	Check: func(p []int64, answer string) error {
		return equal(answer, "X = "+lists(scores(int(p[0]), int(p[1]))))
	},
}

// scores counts, by bulls and cows, the pairs of two codes. Cows are told by how often each colour occurs: the pegs that two codes have in
// common wherever they are, less the bulls.
func scores(colours, pegs int) [][]int64 {
	var all [][]int
	code := make([]int, pegs)
	var rec func(at int)
	rec = func(at int) {
		if at == pegs {
			all = append(all, append([]int(nil), code...))
			return
		}
		for code[at] = range colours {
			rec(at + 1)
		}
	}
	rec(0)
	out := make([][]int64, pegs+1)
	for b := range out {
		out[b] = make([]int64, pegs+1-b)
	}
	for _, x := range all {
		for _, y := range all {
			bulls, common := judge(x, y, colours)
			out[bulls][common-bulls]++
		}
	}
	return out
}

// judge returns how many pegs of two codes are equal in their places, and how many wherever they are.
func judge(x, y []int, colours int) (bulls, common int) {
	had := make([]int, colours)
	for i := range x {
		if x[i] == y[i] {
			bulls++
		}
		had[x[i]]++
	}
	for _, c := range y {
		if had[c] > 0 {
			had[c]--
			common++
		}
	}
	return bulls, common
}
