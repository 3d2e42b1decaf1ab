// Package effects finds the effects of the functions of a Go package: whether they write, read or panic, and which
// elements of slices they use. It works on the SSA form of golang.org/x/tools.
//
// Analyse (analysis.go) runs two analyses until nothing changes. A Scanner (effects.go, root.go) follows each pointer to the origin of
// its memory. A Survey (bounds.go, arithmetic.go) bounds the ints of a function by a Zone of their differences (zone.go),
// from which it bounds the memory of each access (reach.go, memory.go). A Summary (summary.go, entry.go) passes these
// bounds from functions to their callers.
package effects
