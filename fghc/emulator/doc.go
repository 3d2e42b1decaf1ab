// Package emulator runs compiled FGHC on real cores, with one goroutine for each PE.
//
// Package bytecode lowers the decision trees of package compile to compact code. An inner loop (run.go) executes this
// code over an arena of words that all PEs share. A goal is a record of eight words in a table. Only the cells of
// variables are written by several PEs at the same time: a binding is a compare-and-swap, and the PE that makes it owns
// the goals that waited for the variable. Package sim/live and a policy assign work to PEs. Between two reductions a PE
// may collect its own words (nursery.go), or stop the world and collect the arena (collect.go), which also finds the goals
// that can never continue.
//
// The techniques are those of the KL1 and FCP emulators: S. Kliger and E. Shapiro, "From decision trees to decision
// graphs" (1990); D. Rokusawa, A. Nakase, T. Chikayama, "Distributed memory implementation of KLIC" (1996).
//
// # The loop
//
// The inner loop is one function, which the Go compiler makes twice, with recording and without. Its state is in local
// variables, which the compiler keeps in processor registers where no call intervenes. The first goal of a body
// continues in place: its arguments stay in the registers of the bytecode.
//
// A builtin whose operands goals of the same body compute, such as := behind two recursive calls, would only be tried in
// vain in its place. Where goals stay, its waiter is pushed behind these goals instead (compile.Deferral), and mostly
// finds its operands bound. It then leaves no event; if it has to wait it gets an id and is recorded from then on. A
// goal that copies one cell of a list and continues with the next one, as in append, runs many times in one instruction.
//
// # Binding
//
// The only words that two PEs write at a time are the cells of unbound variables, and the headers of vectors and
// mergers, which they lock. A cell holds the first of a chain of hooks that name the waiting goals. To wait, a PE puts
// a hook in front; to bind, it swaps the value in. Both are one compare-and-swap. The binder then owns the chain and
// makes its goals ready. A goal that waits for several variables has a word of its own, and the PE that swaps this word
// wakes it. References lead from higher cells to lower ones, so no circle can close.
//
// # The private frontier
//
// Most variables are bound before another PE knows them. A compare-and-swap waits for all earlier stores: with one for
// each binding, a reduction of naive reverse takes 22 ns, with a plain store 7. Each PE therefore has a frontier in its
// part of the arena (alloc.go). Cells behind the frontier are known to no other PE and are bound by plain stores. A
// public cell never refers to a private one: the frontier moves to the top of the heap before a goal is sent off or
// stolen, before a goal waits for a public variable, and before a public variable or vector gets a private value.
// Moving the frontier for each element of a stream would leave nothing private. A list that is the value of a public
// variable is therefore held back while it grows (offer.go): until a PE has no work, the world is to be stopped, the PE
// itself would wait, or 64 safe points have passed. A second PE then adds between nothing (queens, mastermind) and a
// quarter (primes) to the processor time of a program; without this it doubles that of primes.
//
// # Safe points and time
//
// A safe point comes after 512 reductions (4,096 on one PE). It touches nothing shared unless another PE asks for it: a
// PE reserves 8,192 reductions of a limit at a time, and takes a new part of the arena only when the old one is full.
// Space for all tries until the next safe point is checked beforehand. A builtin that finds too little space becomes a
// goal that runs first after the next safe point. An idle PE looks for work for 20 microseconds and then sleeps.
//
// The events of a trace get their times at safe points (package recording). The trace states how well the costs of
// steps predict the times of slices (Machine.CostError). The clock stands still between two calls of Advance. Time never
// falls along a goal that moves: both PEs read the clock where one passes a goal on or wakes a goal of the other.
//
// # Native procedures
//
// Package native writes procedures as Go functions, which plug in as Native. A function follows the same decision tree
// over the same arena, goal records and queue. It handles the frequent cases: bound arguments, integers of a word,
// private variables. For anything else (suspension, builtins, long integers, priorities, errors) it returns the goal to
// the bytecode: to the start while nothing has been written, to the current instruction after the commit. Both tiers
// therefore record the same events. On one PE native code makes 370 million reductions a second on naive reverse, 220
// on primes and 150 on fib. On primes and fib this is two to two and a half times the bytecode in the same run.
//
// # Memory
//
// The arena begins at half a MiB a PE, which fits the second-level cache, and grows with the live data. A PE of several
// collects the words that are still private alone, while the others run (nursery.go): when they take a third of the
// space for them, and before they are published. On two PEs queens 12 therefore takes half the time that it
// takes with collections of all only. When no part is left, one PE stops the world and copies the reachable cells to
// the other half (package semispace). The table of goals mostly grows without a collection: its records are free as soon
// as their goals run. --max-memory counts both halves and the goal table.
//
// A single PE, whose cells all are private, binds all of them by plain stores, and only copies between the halves: the
// frontier costs naive reverse and fib more time than collections take there.
package emulator
