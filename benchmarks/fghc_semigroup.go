package benchmarks

import (
	"fmt"
	"slices"
)

var semigroup = &Benchmark{
	Name: "fghc/semigroup",
	Doc: "Long chains that never wait (the products) and short ones that do (lookups in a growing tree): a PE that starts a chain finishes it. " +
		"By default the free semigroup with three generators in the variety of Brandt's semigroup B2.",
	Params: []Param{
		{Name: "generators", Default: 3, Min: 0, Max: 4, Doc: "generators"},
		{Name: "width", Default: 64, Min: 0, Max: 256, Doc: "coordinates of a vector; 4^generators give the free semigroup"},
	},
	Program: fghcProgram("semigroup.fghc", "go(%d, %d, X)"),
	Check: func(p []int64, answer string) error {
		members, keys := census(p)
		return equal(answer, fmt.Sprintf("X = members(%d, %d)", members, keys))
	},
}

// A unit is a 2 x 2 matrix with at most one 1: an element of Brandt's semigroup B2 under matrix multiplication. The elements a, b, ab and ba have
// the 1 at (0,1), (1,0), (0,0) and (1,1).
type unit [2][2]int

func (u unit) times(v unit) (w unit) {
	for i := range 2 {
		for j := range 2 {
			w[i][j] = u[i][0]*v[0][j] + u[i][1]*v[1][j]
		}
	}
	return w
}

// code returns the number of the element 0, a, b, ab or ba for the hash key.
func (u unit) code() int { return u[0][1] + 2*u[1][0] + 3*u[0][0] + 4*u[1][1] }

// vectors returns the generators. Together, their coordinates take all combinations of values other than 0.
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

// census returns the number of members of the semigroup with the given sizes, and the sum of their keys.
func census(p []int64) (members, keys int) {
	all := closure(vectors(int(p[0]), int(p[1])))
	for _, v := range all {
		keys += key(v)
	}
	return len(all), keys
}

// times returns the product of two vectors.
func times(a, b []unit) []unit {
	product := make([]unit, len(a))
	for k := range a {
		product[k] = a[k].times(b[k])
	}
	return product
}

// levels returns the distinct products of generators, by the numbers of factors of their shortest products.
func levels(generators [][]unit) (all [][][]unit) {
	found := map[string]bool{}
	for next := generators; len(next) > 0; {
		var level [][]unit
		for _, v := range next {
			codes := make([]byte, len(v))
			for k, u := range v {
				codes[k] = byte(u.code())
			}
			if !found[string(codes)] {
				found[string(codes)] = true
				level = append(level, v)
			}
		}
		next = nil
		for _, v := range level {
			for _, g := range generators {
				next = append(next, times(v, g))
			}
		}
		if len(level) > 0 {
			all = append(all, level)
		}
	}
	return all
}

// closure returns the distinct products of generators in the order of their lengths.
func closure(generators [][]unit) [][]unit { return slices.Concat(levels(generators)...) }

// key returns the hash by which the program orders its tree.
func key(v []unit) int {
	h := 0
	for _, u := range v {
		h = (5*h + u.code()) % 1021
	}
	return h
}
