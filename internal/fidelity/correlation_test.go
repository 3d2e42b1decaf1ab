package fidelity

// This file measures two observations of Tick and Park on their kaleidoscopes (1991, sections 4.1 and 4.2): whether time runs outwards from the
// root or around it, and whether parents and children stay on one PE.

import (
	"math"
	"slices"
)

// number is the constraint of values that can be ranked.
type number interface {
	~int32 | ~int64 | ~float64
}

// correlation returns the rank correlation of two quantities of the same nodes: 1 if one always rises with the other, -1 if it always falls,
// about 0 if they are independent. Equal values share the mean of their ranks (C. Spearman, "The Proof and Measurement of Association between
// Two Things", 1904). It is NaN for fewer than two nodes, for a constant quantity, and for arrays of different lengths. A NaN among the values
// ranks below all others.
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

// partial returns the partial rank correlation of two quantities given a third, (r(ab) - r(ac) r(bc)) / sqrt((1 - r(ac)^2)(1 - r(bc)^2)) with the
// three correlations r (G. U. Yule, 1907). In a tree whose later branches are deeper, level and angle rise together, and only the partial
// correlation separates their relations with time. It is NaN if correlation is, and if a quantity determines the third.
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

// together counts the edges of a tree, given by each node's parent (-1 for none) and PE, and the edges with both ends on one PE. It omits edges
// with an unknown (negative) PE.
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

// stretches counts the stretches of one PE along the tree: a node begins a stretch unless it runs on its parent's PE. The mean length of a
// stretch is the number of nodes divided by the number of stretches.
func stretches(parent, pe []int32) (runs int64) {
	for i, p := range parent {
		if p < 0 || int(p) >= len(pe) || i >= len(pe) || pe[i] != pe[p] {
			runs++
		}
	}
	return runs
}
