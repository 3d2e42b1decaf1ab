// Package live schedules work on real workers, one goroutine each, under the policies of the simulated machine.
//
// A Crew is a set of workers. Each worker has a private queue: a thief asks for work, and the worker answers at its
// next safe point (U. Acar, A. Charguéraud, M. Rainey, "Scheduling Parallel Programs by Work Stealing with Private
// Deques", 2013). Workers without work sleep. When all workers sleep and no work is under way, the crew is quiet and
// ends. At a safe point a worker can also stop the world, for example for a collection.
//
// # Private deques
//
// A worker has a queue that no other worker touches (U. Acar, A. Charguéraud, M. Rainey, "Scheduling Parallel Programs
// by Work Stealing with Private Deques", 2013). A thief writes down its request and sleeps. The victim answers at its
// next safe point: between two reductions, after some hundreds of them, earlier when it has nothing to do. Putting and
// taking work is therefore free of atomic operations, and a request costs only the thief. A thief whose policy asks for a
// surplus (sim.Surplus) gets it after several small works in a row, and one work otherwise: the oldest work of a recursion
// keeps it busy for long, and several would be stolen back.
//
// At a safe point a worker also receives its messages, stops for a worker that must be alone (to collect) or for
// an observer, and reserves the reductions that it may make next. A step of 5 and a limit of a million are therefore
// met exactly, on any number of PEs. When all workers sleep and nothing is in transit, the run has ended. A panic of a
// worker reaches the caller of Advance.
package live
