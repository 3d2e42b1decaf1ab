package benchmarks

import (
	"math"
	"strings"
)

var hpfCG = &Benchmark{
	Name: "hpf/cg",
	Doc: "Two global sums in each iteration: their messages take log P steps and do not become shorter, so that many processors wait only for " +
		"sums.",
	Params:  []Param{{Name: "n", Default: 24, Min: 1, Max: 300, Doc: "rows and columns of the square"}},
	Program: constants("cg.hpf", "n"),
	Check: func(p []int64, answer string) error {
		// The right-hand side is computed from this solution.
		t := &table{decimals: 5}
		t.WriteString("converged T")
		for j := int64(1); j <= p[0]; j++ {
			for i := int64(1); i <= p[0]; i++ {
				t.add(float64((3*i + 5*j) % 11))
			}
		}
		return t.check(answer)
	},
}

var hpfLU = &Benchmark{
	Name: "hpf/lu",
	Doc: "Work that shrinks towards one side: with BLOCK columns the first processors run out of work early, with CYCLIC columns (cyclic=1) all " +
		"work to the end. The detail view shows the difference.",
	Params: []Param{
		{Name: "n", Default: 64, Min: 1, Max: 500, Doc: "rows and columns of the matrix"},
		{Name: "cyclic", Default: 0, Min: 0, Max: 1, Doc: "1 distributes the columns by CYCLIC instead of BLOCK"},
	},
	Program: HPF{File: "lu.hpf", Text: func(p []int64) string {
		text := constants("lu.hpf", "n").Text(p)
		if p[1] == 1 {
			text = strings.Replace(text, "DISTRIBUTE a(*, BLOCK)", "DISTRIBUTE a(*, CYCLIC)", 1)
		}
		return text
	}},
	Check: func(p []int64, answer string) error {
		// The determinant of the matrix r^|i-j| is (1 - r^2)^(n-1) (M. Kac, W. Murdock, G. Szego, 1953). The right-hand side is computed from the
		// solution.
		t := &table{decimals: 5}
		t.WriteString("log of the determinant")
		t.add(float64(p[0]-1) * math.Log(0.75))
		for j := int64(1); j <= p[0]; j++ {
			t.add(float64(7 * j % 13))
		}
		return t.check(answer)
	},
}

var hpfMatMul = &Benchmark{
	Name: "hpf/matmul",
	Doc: "Square blocks of matrices, with broadcasts along rows and columns of processors: a processor receives data in proportion to the edge of its " +
		"block and computes in proportion to the area.",
	Params:  []Param{{Name: "n", Default: 48, Min: 1, Max: 500, Doc: "rows and columns"}},
	Program: constants("matmul.hpf", "n"),
	Check: func(p []int64, answer string) error {
		// All numbers are integers; each element is the product of a row and a column.
		n := p[0]
		rows, columns := make([]float64, n), make([]float64, n)
		trace := 0.0
		for i := range n {
			for j := range n {
				sum := int64(0)
				for k := range n {
					sum += (i + 1) * (k + 1) % 10 * ((k + 1 + 2*(j+1)) % 7)
				}
				rows[i] += float64(sum)
				columns[j] += float64(sum)
				if i == j {
					trace += float64(sum)
				}
			}
		}
		t := &table{decimals: 1}
		t.add(columns...)
		t.add(rows...)
		t.add(trace)
		return t.check(answer)
	},
}

var hpfNBody = &Benchmark{
	Name: "hpf/nbody",
	Doc: "Every processor needs the positions of all bodies: a copy before each step, and then n squared pairs without communication. This program " +
		"scales to the most processors.",
	Params: []Param{
		{Name: "n", Default: 64, Min: 1, Max: 2000, Doc: "bodies"},
		{Name: "steps", Default: 5, Min: 0, Max: 1000, Doc: "steps"},
	},
	Program: constants("nbody.hpf", "n", "steps"),
	Check: func(p []int64, answer string) error {
		// Each pair once, with opposite forces on the two bodies.
		type vector [2]float64
		n := int(p[0])
		places, speeds := make([]vector, n), make([]vector, n)
		mass := make([]float64, n)
		for i := range n {
			a, r := 2.4*float64(i+1), math.Sqrt(float64(i+1)/float64(n))
			places[i] = vector{math.Cos(a) * r, math.Sin(a) * r}
			mass[i] = float64(1+(i+1)%3) / float64(n)
		}
		for range p[1] {
			for i := range n {
				for j := range i {
					dx, dy := places[j][0]-places[i][0], places[j][1]-places[i][1]
					pull := 0.01 / math.Pow(dx*dx+dy*dy+0.01, 1.5)
					speeds[i][0] += pull * mass[j] * dx
					speeds[i][1] += pull * mass[j] * dy
					speeds[j][0] -= pull * mass[i] * dx
					speeds[j][1] -= pull * mass[i] * dy
				}
			}
			for i := range n {
				places[i][0] += 0.01 * speeds[i][0]
				places[i][1] += 0.01 * speeds[i][1]
			}
		}
		t := &table{decimals: 8}
		t.WriteString("momentum is kept T")
		for i := 0; i < n; i += max(1, n/12) {
			t.add(places[i][0], places[i][1], speeds[i][0], speeds[i][1])
		}
		return t.check(answer)
	},
}
