// Package exec runs lowered HPF programs on P processors.
//
// The processors run one program. Replicated values (scalars, arrays without a mapping) are computed once. Elements
// of mapped arrays and iterations of parallel loops are computed for each owner in turn. Every processor has its own
// clock: an instruction advances the clocks of the processors that execute it, and messages synchronize clocks with
// the costs of the network. Package charge keeps and records the clocks; this package determines which instructions are
// executed and which messages are sent. Package textio formats and parses values. The same program gives the same times
// and the same trace everywhere.
//
// Expressions and statements are executed in several ways with equal results: by walking the tree (scalar.go,
// vector.go, stmt.go), compiled to closures (scalarcode.go, stmtcode.go), and as generated code (nest.go, region.go, package wasm). In a live run the
// processors are goroutines (crew.go).
//
// # One store, P clocks
//
// All processors compute the same values, so a value is computed once; distributed work is computed for each owner in
// turn. Values do not depend on the mapping. P clocks and one store are therefore enough, and 4,096 processors cost little
// more than one. Messages synchronize clocks by LogGP without the loop of package sim, because there is no policy here. A
// run is a coroutine that yields after a number of statements, so it can be paused and watched.
//
// In a live run, each processor is a goroutine that computes the iterations and elements that it owns in the one store, in
// a frame with its own loop variables and private scalars. A processor reads the clock at each statement; a sample that is
// due belongs to the previous statement. A timer would run when the cores are free, which is at the ends of loops.
//
// # Samples
//
// Samples of program counters are exact without stepping: the sampled instruction of repeated code follows from a
// remainder. Many samples of one statement are counted by instruction, and the samples of an iteration together, so that a
// slow machine with a sample every few hundred instructions costs no more than a fast one.
//
// # Nests
//
// Array assignments, WHERE, FORALL, array expressions and DO loops around assignments become nests (nestplan.go, nestloop.go): generated code that
// computes a group of iterations for one statement, then for the next, with vectors where it can. The addresses of references, not the text of a DO
// loop, decide whether it may run as a nest: when the loop begins, each reference is a first element and a step for each loop, bounds are checked for
// all iterations at once, and two references conflict only if groups access a common element in another order than the iterations (depend.go). On a
// conflict, or an index out of bounds, the statements run one by one. Sums keep the order of the elements, and no multiplication is fused with an
// addition, so results equal gfortran's.
//
// Functions that generated code does not have, such as SIN, are applied by Go to chunks of 1,024 values in between: the nest then has several phases
// (nestcode.go). A nest is translated after 1,000 iterations. Before that, and without generated code, its statements run one by one.
//
// All other code is compiled to Go closures when it first runs, specialised by type and by common kinds of operands.
//
// # Generated code
//
// A loop whose iterations have been evaluated for a while, with the loops in it, continues as WebAssembly (region.go), and so does a procedure that
// was called often. The code counts the cost of the instructions that it executes. It returns before the next sample of any of its processors is due,
// to send messages, and for statements that have no translation. Procedures that it calls are functions of the same module; when one of them stops,
// its callers save their state and return too (package wasm, routine.go). The calls that have not returned are then the calling context for charges
// and samples (levels.go).
//
// In a live run the code returns after some thousand instructions, so that the processor can look at the clock.
// Tests run random programs as nests, as regions of generated code, statement by statement, and on a stepping machine, and compare outputs, errors,
// clocks, messages and samples.
//
// The events of all processors form one stream in order of time, so the events of a processor that is ahead are held back
// until the slowest processor has passed them.
package exec
