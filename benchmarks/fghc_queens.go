package benchmarks

var queens = &Benchmark{
	Name:    "fghc/queens",
	Doc:     "All solutions of a search in parallel: a wide, irregular tree with dead ends at every level.",
	Params:  []Param{{Name: "n", Default: 6, Min: 0, Max: 13, Doc: "rows and columns of the board"}},
	Program: fghcProgram("queens.fghc", "go(%d, X)"),
	Check: func(p []int64, answer string) error {
		return equal(answer, "X = "+lists(placements(int(p[0]))))
	},
}

// placements returns all boards in lexical order of their columns from the first row on, each with its last row first. It represents occupied
// columns and diagonals as bit sets.
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
