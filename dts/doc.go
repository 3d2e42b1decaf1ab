// Package dts provides fork and join for Go: distributed threads, after the system of T. Bubeck, W. Küchlin and W.
// Rosenstiel ("Distributed Symbolic Computation with DTS", 1995).
//
//	func fib(w *dts.Worker, n int) int {
//		if n < 2 {
//			return n
//		}
//		a := dts.Fork(w, fib, n-1)
//		b := fib(w, n-2)
//		return a.Join(w) + b
//	}
//
//	sum, err := dts.Run(ctx, dts.Options{}, func(w *dts.Worker) int { return fib(w, 32) })
//
// A thread is a function with one argument and one result. Fork creates a thread and returns its Handle; Join waits
// for the thread and returns its result. A Handle is joined once. The same program runs live, on the real cores, or
// simulated, on up to 1,048,576 processing elements (PEs) in virtual time, under any policy of sim/policy.
// Options.Recorder records its events. A process may have any number of runs; they share nothing but the way to a
// cluster, if the process joins one (Attach).
//
// A Worker represents the PE that runs a thread. Each function receives the Worker of its thread and passes it on to
// the functions that it calls. A Worker must not be used by other goroutines, nor after the function has returned.
//
// # Three engines
//
// The engine stacked serves the policies under which threads stay. Each PE has a split deque (package deque), as in
// Lace, but handles may be joined in any order, so an entry can leave the middle. The thread at an index of the deque
// has its memory at the same index of a slab of its types (slab.go): forking searches nothing and frees nothing, and a
// stolen thread takes its memory along. A blocked join hands its PE over after some tries: another goroutine holds the
// worker until the thread can go on, and leapfrogs. (Running stolen work on the stack of the waiting thread, as Lace
// does, can deadlock: the stolen thread may join a handle whose thread waits below it.)
//
// The engine queued serves the policies with queues, and all runs with other hosts: one lock, and every blocked thread
// hands over, so threads can wait for each other in any order.
//
// The engine recording runs the program once, depth first, each thread at its fork, and records its operations. Package
// replay runs these operations on the simulated machine. The engine refuses a program whose shape depends on the
// schedule: a program that asks for its PE, ends a goroutine, or joins a thread that has not ended in this order.
//
// A panic becomes a *PanicError at the innermost join, whether the thread was stolen or not. The frame pointer gives the
// line of a fork. Each costs a nanosecond. Without them, the error that a program sees would depend on the schedule, and
// a forgotten join could not be found.
//
// # Processor time
//
// Live run times are processor times on Linux: a PE that waits for a core is Idle with its thread, reason "off cpu"
// (clock.Meter). Times in the trace stay those of one clock, because clocks of processor time cannot be compared. The
// processor time takes 0.5 µs to read. It is read where a PE had no event for 0.1 ms, at the start of a stolen thread,
// and after a join that waited: waiting for a core is a gap between two events. A PE locks its thread of the operating
// system while it runs the program and unlocks it before it sleeps, steals or hands over; with more than 256 PEs it
// does not, since each may need a thread. Eight PEs on two cores under a load of 12 ran for 0.94 to 0.99 of the
// process's time; by the clock alone it was 6 to 20 times as long. With Options.Wall run times are those of the clock,
// because goroutines that a thread starts and waits for have processor times of their own. Package journal records these times with the events.
package dts
