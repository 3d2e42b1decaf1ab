// Package effects finds the effects of the functions of a Go package: whether they write, read or panic, and which
// elements of slices they use. It works on the SSA form of golang.org/x/tools.
//
// Analyse (analysis.go) runs two analyses, each until nothing changes:
//
//   - A Scanner collects the effects of instructions (effects.go, panics.go). It follows each pointer to the origin of its
//     memory (root.go).
//   - A Survey bounds the ints of a function at each instruction (bounds.go, arithmetic.go) by a Zone of their differences
//     (zone.go). From these it bounds the memory of each access (reach.go, memory.go). A Summary passes the bounds from a
//     function to its callers (summary.go), and those of arguments to the function (entry.go).
package effects
