package columns

import (
	"math/rand/v2"
	"testing"

	"whorl/testdata/testenv"
)

// BenchmarkLayout lays out a million threads: a binary tree, a loop that joins in reverse order, a loop that joins in
// fork order (all pairs overlap), and random programs.
func BenchmarkLayout(b *testing.B) {
	const n = 1_000_000
	for _, c := range []struct {
		name string
		s    *script
	}{
		{"tree", tree(n)},
		{"fibonacci", fibonacci(28, false)},
		{"reverse", rsa(n, true)},
		{"order", rsa(n, false)},
		{"random", many(n, 300)},
		{"dense", dense(n, 40)},
	} {
		g := build(b, c.s)
		b.Run(c.name, func(b *testing.B) {
			var last *Columns
			begin := testenv.CPUTime()
			for b.Loop() {
				last = Arrange(g, Labelled(g, 0.02))
			}
			b.ReportMetric(float64(testenv.CPUTime()-begin)/1e6/float64(b.N), "cpu-ms/op")
			b.ReportMetric(float64(g.Len()), "threads")
			b.ReportMetric(float64(last.Crossings), "crossings")
			b.ReportMetric(float64(last.Guessed), "guessed")
		})
	}
}

// many returns a thread with n random programs below it, of at most each threads.
func many(n, each int) *script {
	r := rand.New(rand.NewPCG(1, 2))
	main := &script{}
	for i := 0; n > 0; i++ {
		n -= each
		main.steps = append(main.steps, step{1, random(r, each, false), 0}, step{1, nil, i})
	}
	return main
}

// dense returns a thread with n children, each of which forks the given number of threads and joins them in random
// order.
func dense(n, each int) *script {
	r := rand.New(rand.NewPCG(1, 2))
	main := &script{}
	for i := 0; n > 0; i++ {
		n -= each
		s := rsa(each, false)
		for k, j := range r.Perm(each) {
			s.steps[each+k].join = j
		}
		main.steps = append(main.steps, step{1, s, 0}, step{1, nil, i})
	}
	return main
}

// BenchmarkExact divides 40 spans that are joined in random order.
func BenchmarkExact(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	for b.Loop() {
		s := rsa(mostExact, false)
		for k, j := range r.Perm(mostExact) {
			s.steps[mostExact+k].join = j
		}
		g := build(b, s)
		if c := Arrange(g, NewRows(g, 0)); c.Guessed > 0 {
			b.Log("out of steps")
		}
	}
}
