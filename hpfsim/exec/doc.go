// Package exec runs lowered HPF programs on P processors.
//
// The processors run one program. Replicated values (scalars, arrays without a mapping) are computed once. Elements
// of mapped arrays and iterations of parallel loops are computed for each owner in turn. Every processor has its own
// clock: an instruction advances the clocks of the processors that execute it, and messages synchronize clocks after
// the costs of the network. Package charge keeps the clocks and records them; this package says what is executed and
// sent. Package textio formats and parses values. The same program gives the same times and the same trace
// everywhere.
//
// Expressions and statements are executed in several ways with equal results: by walking the tree (scalar.go,
// vector.go, stmt.go), compiled to closures (scalarcode.go, stmtcode.go), and as kernels over strips of elements
// (nest.go, strip.go). In a live run the processors are goroutines (crew.go).
//
// # One store, P clocks
//
// All processors compute the same values, so a value is computed once; work that they share out is computed for each
// owner in turn. Values do not depend on the mapping. P clocks and one store are therefore enough, and 4,096 processors
// cost little more than one. Messages bring clocks together after LogGP without the loop of package sim, since nothing
// here waits for a policy. A run is a coroutine that yields after a number of statements, so it can be paused and
// watched.
//
// Live, each processor is a goroutine that computes the iterations and elements of its owner over the one store, in a
// frame with its own loop variables and private scalars. A processor reads the clock at each statement; a sample that
// is due belongs to the statement before. A timer would run when the cores have nothing else to do, which is at the
// ends of loops.
//
// # Samples
//
// Samples of program counters are exact without stepping. Code that repeats meets a sample at the remainder. Many
// samples of one statement are counted by instruction, and those of a round of a loop together, so that a slow machine
// with a sample every few hundred instructions costs no more than a fast one.
//
// # Strips
//
// Array assignments, WHERE, FORALL, array expressions and DO loops around assignments run in strips (nest.go): 1,024
// elements at a time go through one operation after the other, so that intermediate values stay in the first cache.
// Whether a DO loop may run so is decided by places, not by its text: when it begins, each reference is a first element
// and a step for each loop, bounds are checked for all iterations at once, and two references conflict only where they
// meet in another order than one iteration after the other (depend.go). On a conflict, or an index out of bounds, the
// statements run one by one. Sums keep the order of the elements, and no multiplication is fused with an addition, so
// answers equal gfortran's.
//
// All other code is compiled to Go functions when it first runs, by type and by the usual kinds of operands. Tests run
// random programs in strips, statement by statement, and on a machine that steps, and compare outputs, clocks, messages
// and samples.
//
// The events of all processors form one stream in order of time, so events of a processor that is ahead wait for the
// slowest one.
package exec
