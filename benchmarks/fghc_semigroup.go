package benchmarks

import (
	_ "embed"
	"fmt"
)

//go:embed fghc/semigroup.fghc
var semigroupSource string

var semigroup = &Benchmark{
	Name: "fghc/semigroup",
	Doc: "Long chains that never wait (the products) and short ones that do (lookups in a tree that grows): a PE keeps a chain once it has it. " +
		"By default the free semigroup with three generators of the variety of Brandt's B2.",
	Params: []Param{
		{Name: "generators", Default: 3, Min: 0, Max: 4, Doc: "generators"},
		{Name: "width", Default: 64, Min: 0, Max: 256, Doc: "coordinates of a vector; 4^generators give the free semigroup"},
	},
	Program: FGHC{File: "semigroup.fghc", Source: semigroupSource, Goal: func(p []int64) string {
		return fmt.Sprintf("go(%d, %d, X)", p[0], p[1])
	}},
	Check: func(p []int64, answer string) error {
		members := closure(vectors(int(p[0]), int(p[1])))
		sum := 0
		for _, v := range members {
			sum += key(v)
		}
		return equal(answer, fmt.Sprintf("X = members(%d, %d)", len(members), sum))
	},
}

// A unit is a 2 x 2 matrix with a single 1, in row and column 0 or 1, or with none: an element of Brandt's B2. Multiplication of matrices
// makes them a semigroup, and a, b, ab, ba are those with the 1 in (0,1), (1,0), (0,0), (1,1).
type unit [2][2]int

func (u unit) times(v unit) (w unit) {
	for i := range 2 {
		for j := range 2 {
			w[i][j] = u[i][0]*v[0][j] + u[i][1]*v[1][j]
		}
	}
	return w
}

// code numbers the elements 0, a, b, ab, ba, for the hash key.
func (u unit) code() int { return u[0][1] + 2*u[1][0] + 3*u[0][0] + 4*u[1][1] }

// vectors returns the generators: together, the coordinates run through the values other than 0 that they can take.
func vectors(generators, width int) [][]unit {
	out := make([][]unit, generators)
	for j := range out {
		out[j] = make([]unit, width)
		for i := range out[j] {
			d := i >> (2 * j) & 3
			out[j][i][d>>1][d&1] = 1 // ab, a, b, ba
		}
	}
	return out
}

// closure returns all products of generators, each once.
func closure(generators [][]unit) [][]unit {
	var members [][]unit
	found := map[string]bool{}
	add := func(v []unit) {
		if name := fmt.Sprint(v); !found[name] {
			found[name] = true
			members = append(members, v)
		}
	}
	for _, g := range generators {
		add(g)
	}
	for i := 0; i < len(members); i++ {
		for _, g := range generators {
			product := make([]unit, len(g))
			for k := range g {
				product[k] = members[i][k].times(g[k])
			}
			add(product)
		}
	}
	return members
}

// key is the hash by which the program orders its tree.
func key(v []unit) int {
	h := 0
	for _, u := range v {
		h = (5*h + u.code()) % 1021
	}
	return h
}
