package benchmarks

import (
	"maps"
	"math/big"
	"slices"
	"testing"

	"whorl/sim/policy"
)

// counts has, for each benchmark in FGHC, the number of reductions of each procedure for some sizes. The numbers follow from the problem, not
// from the program's text.
var counts = map[string]struct {
	reductions func(p []int64) map[string]int
	sizes      [][]int64
}{
	"fghc/pascal": {pascalCounts, series(0, 40)},
	"fghc/semigroup": {semigroupCounts, [][]int64{
		{0, 0}, {0, 5}, {1, 0}, {1, 4}, {2, 1}, {2, 2}, {2, 16}, {3, 0}, {3, 7}, {3, 20}, {3, 64}, {4, 6},
	}},
	"fghc/qsort":      {qsortCounts, [][]int64{{0}, {1}, {2}, {3}, {100}}},
	"fghc/nrev":       {nrevCounts, series(0, 30)},
	"fghc/primes":     {primesCounts, [][]int64{{0}, {1}, {2}, {3}, {4}, {100}, {101}, {500}}},
	"fghc/queens":     {queensCounts, series(0, 7)},
	"fghc/fibonacci":  {fibonacciCounts, series(0, 17)},
	"fghc/hanoi":      {hanoiCounts, series(0, 10)},
	"fghc/life":       {lifeCounts, [][]int64{{0, 0}, {0, 9}, {1, 0}, {1, 3}, {2, 4}, {5, 1}, {7, 6}}},
	"fghc/matmul":     {matmulCounts, series(0, 8)},
	"fghc/rsa":        {rsaCounts, [][]int64{{0, 1}, {1, 1}, {2, 3}, {5, 4}, {1, 9}}},
	"fghc/mastermind": {mastermindCounts, [][]int64{{0, 0}, {0, 2}, {1, 1}, {2, 0}, {2, 2}, {3, 2}, {2, 4}, {5, 1}}},
}

func series(from, to int64) (out [][]int64) {
	for n := from; n <= to; n++ {
		out = append(out, []int64{n})
	}
	return out
}

func TestCounts(t *testing.T) {
	for _, b := range All {
		if b.Program.Substrate() != "fghc" {
			continue
		}
		c, ok := counts[b.Name]
		if !ok {
			t.Errorf("%s: every program in FGHC needs an independent count of its reductions: add it to counts", b.Name)
			continue
		}
		for _, size := range c.sizes {
			r := start(t, b, size, 1, policy.Default)
			want := c.reductions(size)
			maps.DeleteFunc(want, func(_ string, n int) bool { return n == 0 })
			if !maps.Equal(r.reductions, want) {
				t.Errorf("%s %v: %v; expected %v", b.Name, size, r.reductions, want)
			}
			if err := b.Check(size, r.answer); err != nil {
				t.Errorf("%s %v: %v", b.Name, size, err)
			}
		}
	}
}

// pascalCounts has a reduction for each coefficient, digit and carry of the half rows, which it computes as binomials.
func pascalCounts(p []int64) map[string]int {
	n := p[0]
	m := map[string]int{"go/2": 1}
	if n == 0 {
		return m
	}
	m["makeRows/4"] = int(n)
	for k := int64(1); k < n; k++ {
		m["makeRow/3"] += int(k/2) + 1 // one for each neighbour of the leading 1, and one for the end
		for i := int64(1); i <= (k+1)/2; i++ {
			digits := max(positions(k, i-1), positions(k, i))
			m["bigPlus/3"]++
			m["bigp/4"] += digits + 1
			m["setc/3"] += digits
		}
	}
	half := int(n/2) + 1
	m["fillout/3"], m["rev/2"], m["rev/3"], m["concat/3"] = 1, 1, half+1, half+1
	return m
}

// positions returns the number of digits, at least two, of a coefficient in base 100,000.
func positions(n, k int64) int {
	return len(digits(new(big.Int).Binomial(n, k), 100_000, 2))
}

// pascalHeight returns the largest level of the tree. Row k starts at level k; its pair i is i levels further down, and its sum is one level
// further for bigPlus and for each digit, the end or the last carry. The whole mirror image starts at level n.
func pascalHeight(n int64) int32 {
	if n == 0 {
		return 0
	}
	h := n + 2 + 1 + n/2 + 1 // fillout, rev/2, and rev/3 for each element of the half and the end
	for k := int64(1); k < n; k++ {
		h = max(h, k+k/2+1)
		for i := int64(1); i <= (k+1)/2; i++ {
			h = max(h, k+i+2+int64(max(positions(k, i-1), positions(k, i))))
		}
	}
	return int32(h)
}

// TestPascalOfThePaper checks the two numbers that the paper prints (VISTA, section 4.1), and the counts that they consist of.
func TestPascalOfThePaper(t *testing.T) {
	r := start(t, pascal, []int64{35}, 5, policy.Default)
	if r.total() != 2235 || r.height != 56 {
		t.Errorf("%d reductions, height %d; expected 2235 and 56", r.total(), r.height)
	}
	want := map[string]int{
		"go/2": 1, "makeRows/4": 35, "makeRow/3": 323, "bigPlus/3": 306, "bigp/4": 918, "setc/3": 612,
		"fillout/3": 1, "rev/2": 1, "rev/3": 19, "concat/3": 19,
	}
	if !maps.Equal(r.reductions, want) {
		t.Errorf("%v; expected %v", r.reductions, want)
	}
	for n := range int64(41) {
		if h := start(t, pascal, []int64{n}, 1, policy.Default).height; h != pascalHeight(n) {
			t.Errorf("row %d: height %d, expected %d", n, h, pascalHeight(n))
		}
	}
}

func qsortCounts(p []int64) map[string]int {
	m := map[string]int{"go/2": 1, "random/3": int(p[0]) + 1, "qsort/2": 1}
	var sort func(xs []int64)
	sort = func(xs []int64) {
		m["qsort/3"]++
		if len(xs) == 0 {
			return
		}
		m["part/4"] += len(xs)
		var small, large []int64
		for _, x := range xs[1:] {
			if x <= xs[0] {
				small = append(small, x)
			} else {
				large = append(large, x)
			}
		}
		sort(small)
		sort(large)
	}
	sort(random(p[0]))
	return m
}

func nrevCounts(p []int64) map[string]int {
	n := int(p[0])
	return map[string]int{"go/2": 1, "upto/3": n + 1, "nrev/2": n + 1, "append/3": n * (n + 1) / 2}
}

func primesCounts(p []int64) map[string]int {
	found := sieve(p[0])
	m := map[string]int{"go/2": 1, "upto/3": max(1, int(p[0])), "sift/2": len(found) + 1, "filter/3": len(found)}
	for n := int64(2); n <= p[0]; n++ {
		for _, q := range found {
			if q == n {
				break // n is the head of the remaining list
			}
			m["filter/3"]++
			if n%q == 0 {
				break
			}
		}
	}
	return m
}

// The check of queens knows all boards up to the largest size, whose numbers are sequence A000170 of the OEIS.
func TestBoards(t *testing.T) {
	for n, want := range []int{1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712} {
		if got := len(placements(n)); got != want || int64(n) > queens.Params[0].Max {
			t.Errorf("%d boards of size %d, want %d; the largest size is %d", got, n, want, queens.Params[0].Max)
		}
	}
}

func queensCounts(p []int64) map[string]int {
	n := int(p[0])
	m := map[string]int{"go/2": 1, "upto/3": n + 1}
	var place func(board []int)
	place = func(board []int) {
		m["place/5"]++
		if len(board) == n {
			return
		}
		m["try/6"] += n + 1
		for c := range n {
			m["extend/6"]++
			safe := true
			for d := 1; d <= len(board) && safe; d++ {
				b := board[len(board)-d]
				m["safe/4"]++
				safe = b != c && b-c != d && c-b != d
			}
			if safe {
				m["safe/4"]++
				place(append(board[:len(board):len(board)], c))
			}
		}
	}
	place(nil)
	return m
}

func fibonacciCounts(p []int64) map[string]int {
	a, b := 0, 1
	for range p[0] {
		a, b = b, a+b
	}
	return map[string]int{"fib/2": 2*b - 1}
}

func hanoiCounts(p []int64) map[string]int {
	return map[string]int{"go/2": 1, "hanoi/6": 1<<(p[0]+1) - 1}
}

func lifeCounts(p []int64) map[string]int {
	n, g := int(p[0]), int(p[1])
	m := map[string]int{
		"go/3": 1, "rows/3": n + 1, "row/4": n * (n + 1), "seed/3": n * n, "eachThree/2": n + 1, "three/2": n + 1,
		"bands/3": n + 1, "band/5": n * (n + 1), "cell/11": n * n * (g + 1), "rule/3": n * n * g,
	}
	if n > 0 { // a ring of n for each row and one of the rows
		m["close/5"], m["window/2"] = n*(n+1), (n+1)*(n+1)
	}
	return m
}

func matmulCounts(p []int64) map[string]int {
	n := int(p[0])
	return map[string]int{
		"go/2": 1, "vectors/5": 2 * (n + 1), "vector/4": 2 * n * (n + 1), "product/3": n + 1, "row/3": n * (n + 1), "inner/4": n * n * (n + 1),
	}
}

func rsaCounts(p []int64) map[string]int {
	blocks, d := int(p[0]), int(p[1])+1
	const squares, products = 16, 2 // of the exponent 2^16 + 1
	doublings := blocks * 16 * d
	multiplications := blocks * (squares + products)
	reduces := doublings + multiplications
	return map[string]int{
		"rsa/4": 1, "inverse/4": 4, "length/3": d + 1, "blocks/4": blocks + 1, "block/4": blocks,
		"scale/4": doublings + blocks, "double/3": doublings * (d + 1), "power/6": blocks * (squares + 1),
		"mont/5": multiplications, "one/3": (blocks + multiplications) * (d + 1), "digits/6": multiplications * (d + 1), "add/7": multiplications * d * d,
		"reduce/3": reduces, "subtract/5": reduces * (d + 1), "choose/4": reduces,
	}
}

// mastermindCounts plays every pair of codes. It removes matched pegs from the front of a list, as the program does.
func mastermindCounts(p []int64) map[string]int {
	colours, pegs := int(p[0]), int(p[1])
	codes := [][]int{{}}
	n := map[string]int{"go/3": 1, "codes/3": pegs + 1, "rows/4": pegs + 2}
	for range pegs {
		n["colour/4"] += colours + 1
		n["before/4"] += colours * (len(codes) + 1)
		var longer [][]int
		for _, c := range codes {
			for k := range colours {
				longer = append(longer, append([]int{k}, c...))
			}
		}
		codes = longer
	}
	pairs := len(codes) * len(codes)
	n["guesses/4"], n["guess/3"], n["bulls/6"], n["count/4"] = len(codes)+1, pairs+len(codes), pairs*(pegs+1), pairs+1
	for b := range pegs + 1 {
		n["row/5"] += pegs - b + 2
	}
	for _, guess := range codes {
		for _, code := range codes {
			var rest, others []int
			for i := range guess {
				if guess[i] != code[i] {
					rest, others = append(rest, guess[i]), append(others, code[i])
				}
			}
			n["cows/4"] += len(rest) + 1
			n["cows/5"] += len(rest)
			for _, c := range rest {
				i := slices.Index(others, c)
				if i < 0 {
					n["delete/4"] += len(others) + 1
					continue
				}
				n["delete/4"] += i + 1
				others = slices.Delete(others, i, i+1)
			}
		}
	}
	return n
}
