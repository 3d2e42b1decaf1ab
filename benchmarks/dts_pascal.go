package benchmarks

import (
	"math/big"
	"strings"
)

var dtsPascal = &Benchmark{
	Name: "dts/pascal",
	Doc: "A loop whose iterations become longer: handed out in order, the longest threads start last and all PEs wait for them. The FGHC program of " +
		"the same name computes the same row as a wave.",
	Params: []Param{{Name: "n", Default: 35, Min: 0, Max: 5000, Doc: "degree of the row"}},
	Program: DTS{
		File:    "pascal.go",
		Threads: func(p []int64) int64 { return 2 + p[0]/2 },
	},
	Check: func(p []int64, answer string) error {
		// Row by row, by additions only.
		row := []*big.Int{big.NewInt(1)}
		for range p[0] {
			next := make([]*big.Int, len(row)+1)
			next[0], next[len(row)] = row[0], row[0]
			for k := 1; k < len(row); k++ {
				next[k] = new(big.Int).Add(row[k-1], row[k])
			}
			row = next
		}
		texts := make([]string, len(row))
		for k, v := range row {
			texts[k] = v.String()
		}
		return equalWords(answer, strings.Join(texts, " "))
	},
}
