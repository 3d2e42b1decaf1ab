// Package emulator runs compiled FGHC on real cores, with one goroutine for each PE.
//
// It lowers the decision trees of package compile to compact code (lower.go, emit.go), which an inner loop (run.go)
// executes over an arena of words that all PEs share. A goal is a record of eight words in a table. Only the cells of
// variables are written by several PEs at the same time: a binding is a compare-and-swap, and the PE that makes it owns
// the goals that waited for the variable. Package sim/live and a policy decide which PE does what. Between two
// reductions a PE may stop the world and collect the arena (collect.go); a collection also finds the goals that can
// never continue.
//
// The techniques are those of the KL1 and FCP emulators: S. Kliger and E. Shapiro, "From decision trees to decision
// graphs" (1990); D. Rokusawa, A. Nakase, T. Chikayama, "Distributed memory implementation of KLIC" (1996).
//
// # The loop
//
// The emulator lowers the compiler's instructions (lower.go, emit.go) to words of 64 bits: an operation and three
// registers. Frequent pairs are one operation, constants have registers of their own, and code after a blocked test is
// apart from the same code before it, so that it need not test for blocking. The Go compiler makes the loop (run.go)
// twice, with recording and without. A goal is a record of eight words in a table; the first goal of a body stays in
// registers.
//
// # Binding
//
// The only words that two PEs write at a time are the cells of unbound variables, and the headers of vectors and
// mergers, which they lock. A cell holds the first of a chain of hooks that name the waiting goals. To wait is to put a
// hook in front; to bind is to swap the value in; both are one compare-and-swap. The binder then owns the chain and
// makes its goals ready. A goal that waits for several variables has a word of its own, and the PE that swaps this word
// wakes it. References lead from higher cells to lower ones, so no circle can close.
//
// # The private frontier
//
// Most variables are bound before another PE knows them. A compare-and-swap waits for all earlier stores, which made a
// reduction of naive reverse take 22 ns where a plain store makes it 7. Each PE therefore has a frontier in its part of
// the arena (private.go). Cells behind it are known to no other PE and are bound by plain stores. A public cell never
// refers to a private one: before a goal is sent off or stolen, waits for a public variable, or a public variable or
// vector gets a private value, the frontier moves to the top of the heap. Doing this for each element of a stream would
// leave nothing private, so a list that is the value of a public variable is held back while it grows: until some PE
// has no work, the world is to be stopped, the PE itself would wait, or 64 safe points have passed. With this a second
// PE adds nothing (queens, mastermind) to a quarter (primes) to the processor time of a program; before it doubled that
// of primes.
//
// # Safe points and time
//
// A safe point comes after 512 reductions (4,096 on one PE). It touches nothing shared unless somebody asks: a PE
// reserves 8,192 reductions of a limit at a time and takes a new part of the arena only when the old one is full. Space
// for all tries until the next safe point is checked beforehand. A builtin that finds too little space becomes a goal
// that runs first after the next safe point. An idle PE looks around for 20 microseconds and then sleeps.
//
// Reading the clock takes longer than a reduction, so it is read at safe points. In between a try is taken to last as
// long as one of the previous slice, at most twice as long as before, and less where the estimate was ahead. Time never
// falls, neither on a PE nor with a goal that moves: it goes on from the time that its previous PE had reached
// (Lamport, 1978).
//
// # Native procedures
//
// Package native writes procedures as Go functions, which plug in as Native. A function follows the same decision tree
// over the same arena, goal records and queue. It handles the frequent cases: bound arguments, integers of a word,
// private variables. For anything else (suspension, builtins, long integers, priorities, errors) it gives the goal back
// to the bytecode, from the start while nothing has been written, or from the current instruction after the commit.
// Both tiers therefore agree to the event. On one PE native code makes 370 million reductions a second on naive
// reverse, 220 on primes and 150 on fib, two to two and a half times the bytecode in the same run.
//
// # Memory
//
// The arena begins at half a MiB a PE, which fits the second cache, and grows with the live data. When no part is left,
// one PE stops the world and copies reachable cells to the other half (collect.go). --max-memory counts both halves and
// the goal table.
package emulator
