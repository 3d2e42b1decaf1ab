package fidelity

// Measures of what a picture of a spawn tree shows: whether time runs outwards from the root or around it, and whether parents and children
// stay on one PE. Tick and Park read both off their kaleidoscopes by eye (1991, sections 4.1 and 4.2).

import (
	"math"
	"slices"
)

// number is what can be ranked.
type number interface {
	~int32 | ~int64 | ~float64
}

// correlation is the rank correlation of two quantities of the same nodes: 1 where one always rises with the other, -1 where it always
// falls, about 0 where they have nothing to do with each other. Equal values share the mean of their ranks (C. Spearman, "The Proof and
// Measurement of Association between Two Things", 1904). It is NaN where there are fewer than two nodes or where one of the
// quantities is the same for all, and where the arrays differ in length; a NaN among the values ranks below all others.
func correlation[A, B number](a []A, b []B) float64 {
	if len(a) != len(b) || len(a) < 2 {
		return math.NaN()
	}
	x, y := ranks(a), ranks(b)
	// Ranks are doubled, hence whole; their mean is n+1.
	mean := float64(len(a) + 1)
	var sxy, sxx, syy float64
	for i := range x {
		dx, dy := float64(x[i])-mean, float64(y[i])-mean
		sxy += float64(dx * dy)
		sxx += float64(dx * dx)
		syy += float64(dy * dy)
	}
	if sxx == 0 || syy == 0 {
		return math.NaN()
	}
	return sxy / (math.Sqrt(sxx) * math.Sqrt(syy))
}

// partial is the rank correlation of two quantities that is left when what both owe to a third is taken out: of correlation's three values
// r(ab), r(ac), r(bc) it is (r(ab) - r(ac) r(bc)) / sqrt((1 - r(ac)^2)(1 - r(bc)^2)) (G. U. Yule, 1907). In a tree whose later branches are also
// the deeper ones, level and angle rise together, and only this tells which of them time follows. It is NaN where correlation is, and
// where one of the two says all about the third.
func partial[A, B, C number](a []A, b []B, given []C) float64 {
	ab, ac, bc := correlation(a, b), correlation(a, given), correlation(b, given)
	rest := (1 - float64(ac*ac)) * (1 - float64(bc*bc))
	if !(rest > 1e-12) {
		return math.NaN()
	}
	return (ab - float64(ac*bc)) / math.Sqrt(rest)
}

// ranks returns twice the rank, from 1, of each value.
func ranks[N number](v []N) []int64 {
	order := make([]int32, len(v))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		a, b := v[i], v[j]
		switch {
		case a < b, a != a && b == b:
			return -1
		case a > b, b != b && a == a:
			return 1
		}
		return int(i - j)
	})
	rank := make([]int64, len(v))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && v[order[to]] == v[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			rank[i] = int64(from) + 1 + int64(to)
		}
		from = to
	}
	return rank
}

// together counts the edges of a tree, given as each node's parent (-1 for none) and PE, and those whose two ends ran on one PE. Edges
// where a PE is not known (negative) are not counted. The share is same / edges.
func together(parent, pe []int32) (same, edges int64) {
	for i, p := range parent {
		if p < 0 || int(p) >= len(pe) || i >= len(pe) || pe[i] < 0 || pe[p] < 0 {
			continue
		}
		edges++
		if pe[i] == pe[p] {
			same++
		}
	}
	return same, edges
}

// stretches counts the stretches of one PE along the tree's threads: a node begins one unless it runs on its parent's PE. The mean length of a
// stretch, nodes / runs, says how long a thread of calls goes on before it changes its PE.
func stretches(parent, pe []int32) (runs int64) {
	for i, p := range parent {
		if p < 0 || int(p) >= len(pe) || i >= len(pe) || pe[i] != pe[p] {
			runs++
		}
	}
	return runs
}
