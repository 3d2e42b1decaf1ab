package benchmarks

var mastermind = &Benchmark{
	Name: "fghc/mastermind",
	Doc:  "Many processes whose results meet in one merger: the tree is flat and wide, and one process reads all results.",
	Params: []Param{
		{Name: "colours", Default: 3, Min: 0, Max: 8, Doc: "colours of a peg"},
		{Name: "pegs", Default: 3, Min: 0, Max: 5, Doc: "pegs of a code"},
	},
	Program: fghcProgram("mastermind.fghc", "go(%d, %d, X)"),
	Check: func(p []int64, answer string) error {
		return equal(answer, "X = "+lists(scores(int(p[0]), int(p[1]))))
	},
}

// scores counts the pairs of two codes by bulls and cows. The cows are computed from the numbers of pegs of each colour: the pegs that two codes
// have in common at any place, minus the bulls.
func scores(colours, pegs int) [][]int64 {
	var all [][]int
	code := make([]int, pegs)
	var rec func(peg int)
	rec = func(peg int) {
		if peg == pegs {
			all = append(all, append([]int(nil), code...))
			return
		}
		for code[peg] = range colours {
			rec(peg + 1)
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

// judge returns how many pegs two codes have in common at the same place, and how many at any place.
func judge(x, y []int, colours int) (bulls, common int) {
	unmatched := make([]int, colours)
	for i := range x {
		if x[i] == y[i] {
			bulls++
		}
		unmatched[x[i]]++
	}
	for _, c := range y {
		if unmatched[c] > 0 {
			unmatched[c]--
			common++
		}
	}
	return bulls, common
}
