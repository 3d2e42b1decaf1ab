// Package parallelize rewrites a Go source file so that marked functions run on the threads of package dts.
//
// A function with the line //dts:fork in its doc comment gets typed stubs that fork and join it. Calls of it are
// rewritten where that is worthwhile and cannot change the program's results: the call becomes a fork, and the use of
// its result moves down to the last place before every other use. The steps are those of a compiler:
//
//	mark.go  finds the marked functions and the conditions under which threads are worthwhile
//	fit.go   decides which functions may be forked, by the effects that package effects finds on the SSA form of golang.org/x/tools
//	plan.go  decides which calls become forks, where their joins go (move.go, loops.go), and why others stay; apart.go and rows.go
//	         compare the memory that calls and rounds of loops use. It asks syntax.go about the body of the function
//	emit.go  writes the new text as edits of the old one, which keeps comments and layout; second.go writes the versions for workers,
//	         stubs.go the stubs, report.go the notes as comments
//
// The functions of the file and their callers elsewhere stay unchanged. A function f that forks gets a second
// version, fOn, with the worker as its first parameter; main becomes a dts.Run of its second version. The sequential
// functions are the other side of the cut-off.
//
// Assumptions: a forked call returns (otherwise the code after an endless loop would run), indices do not overflow, and if
// several calls panic, any of the panics may be reported.
package parallelize
