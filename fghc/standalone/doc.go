// Package standalone is the run-time system of programs that whorl build makes: flags, a run on real cores, traces and reports, as in
// whorl run --mode live.
//
// The program must compile without Whorl's source. The whorl command therefore carries the source of this package and
// its imports (standard library only, 0.9 MB), writes it as a module into the user's cache folder, named by a hash of
// its content, and calls the Go toolchain there. The packages are compiled once, a program in about a second, without a
// network. A program also carries its own text and reads it again at the start, so that --goal can be any query, and
// errors and traces show the source.
package standalone
