package benchmarks

import (
	"math/big"
)

var pascal = &Benchmark{
	Name: "fghc/pascal",
	Doc: "A wave of data: every row of Pascal's triangle waits for the one above, so that the computation proceeds breadth-first on many PEs and " +
		"depth-first on one.",
	Params:  []Param{{Name: "n", Default: 35, Min: 0, Max: 400, Doc: "degree of the last row"}},
	Program: fghcProgram("pascal.fghc", "go(%d, X)"),
	Check: func(p []int64, answer string) error {
		row := make([][]int64, p[0]+1)
		for k := range row {
			row[k] = digits(new(big.Int).Binomial(p[0], int64(k)), 100_000, 2)
		}
		return equal(answer, "X = "+lists(row))
	},
}

// digits returns the digits of v in a base, lowest first, padded to at least the given number.
func digits(v *big.Int, base int64, least int) []int64 {
	var out []int64
	rest, digit := new(big.Int).Set(v), new(big.Int)
	for rest.Sign() > 0 || len(out) < least {
		rest.QuoRem(rest, big.NewInt(base), digit)
		out = append(out, digit.Int64())
	}
	return out
}
