// Package parallelize rewrites a Go source file so that marked functions run on the threads of package dts.
//
// A function with the line //dts:fork in its doc comment gets typed stubs that fork and join it. Calls of it are
// rewritten where that is worthwhile and cannot change the program's results: the call becomes a fork, and the use of
// its result moves down to the last place before every other use. The steps are those of a compiler:
//
// mark.go     finds the marked functions and the conditions under which threads are worthwhile
//
//	effects.go  finds the effects of each function of the package, on the SSA form of golang.org/x/tools; fit.go decides which may be forked
//	zone.go     bounds the differences of integers, and with them bounds.go and arithmetic.go those of a function; reach.go, memory.go,
//	            summary.go and entry.go find which elements of slices a function uses, for calls that work in place
//	plan.go     decides which calls become forks, where their joins go (move.go, loops.go), and why others stay; apart.go and rows.go
//	            compare the memory that calls and rounds of loops use
//	emit.go     writes the new text as edits of the old one, which keeps comments and layout; second.go writes the versions for workers,
//	            stubs.go the stubs, report.go the notes as comments
//
// The functions of the file and their callers elsewhere stay unchanged. A function f that forks gets a second
// version, fOn, with the worker as its first parameter; main becomes a dts.Run of its second version.
//
// Assumptions: a forked call returns (otherwise the code after an endless loop would run), indices do not overflow, and if
// several calls panic, any of the panics may be reported.
//
// The package finds the effects of functions on the SSA form of golang.org/x/tools, decides on the syntax tree, and
// writes by editing the text, so that comments and layout stay. The sequential functions stay beside the new versions:
// they are the other side of the cut-off, and no caller elsewhere changes.
package parallelize
