package benchmarks

var life = &Benchmark{
	Name: "fghc/life",
	Doc:  "Processes that communicate with their neighbours all the time: locality pays, and no clock synchronizes them.",
	Params: []Param{
		{Name: "n", Default: 8, Min: 0, Max: 100, Doc: "rows and columns of the torus"},
		{Name: "generations", Default: 32, Min: 0, Max: 10_000, Doc: "generations; after 4 n the glider is back"},
	},
	Program: fghcProgram("life.fghc", "go(%d, %d, X)"),
	Check: func(p []int64, answer string) error {
		return equal(answer, "X = "+lists(generation(int(p[0]), int(p[1]))))
	},
}

// generation returns an n by n torus after the given number of generations, starting from a glider in a corner, as much of it as fits.
func generation(n, generations int) [][]int {
	world := make([][]int, n)
	for r := range world {
		world[r] = make([]int, n)
		for c := range world[r] {
			switch [2]int{r, c} {
			case [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 0}, [2]int{2, 1}, [2]int{2, 2}:
				world[r][c] = 1
			}
		}
	}
	for range generations {
		next := make([][]int, n)
		for r := range next {
			next[r] = make([]int, n)
			for c := range next[r] {
				sum := -world[r][c]
				for dr := -1; dr <= 1; dr++ {
					for dc := -1; dc <= 1; dc++ {
						sum += world[(r+dr+n)%n][(c+dc+n)%n]
					}
				}
				if sum == 3 || sum == 2 && world[r][c] == 1 {
					next[r][c] = 1
				}
			}
		}
		world = next
	}
	return world
}
