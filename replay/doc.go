// Package replay runs recorded programs on the simulated machine.
//
// A Graph holds the operations of the tasks of a program: computations, forks, joins, waits, wake-ups, and messages sent and received. A program that
// is written for Whorl records its graph while it runs (package dts). Read makes the graph of a trace, also of one that another program has written.
// A Replay is a Graph as a program of the simulated machine, so that it runs on any number of processing elements (PEs), on any network and under any
// policy.
//
// # Operations
//
// An operation takes 8 bytes: its kind and an operand. The operations of all tasks are in one list. Those of a task lie in runs; a Jump at the end of
// a run leads to the next one. A graph is therefore written in one pass, with the operations of the tasks in any interleaving:
//
//	Compute d     // takes d ns on a PE
//	Part p        // the following computations belong to part p of the program
//	Fork n        // task n begins
//	Join n        // waits for the end of task n
//	End v         // the task ends with outcome v
//	Wait w        // waits until gate w.gate has no signal left to come
//	Signal g      // gives gate g one of its signals
//	Meet w        // gives gate w.gate a signal, and waits for the others
//	Send m        // sends message m
//	Receive m     // waits for message m
//	Delay w       // waits for w.ns, for something outside
//	Acquire l     // waits for lock l
//	Release l
//	Add g n       // adds n to the counter of group g
//	Group g       // waits until that counter is 0
//	Put e         // sends element e through its channel
//	Take e        // receives element e, or the next one of its channel
//	Drain c       // waits until channel c is closed and empty
//	Close c
//	Note e        // records an event
//	System d      // its PE works d ns for other PEs, unless the machine has one PE
//	Halt w        // nothing more is known of the task, which may be waiting
//
// No operation precedes one that it depends on, apart from the order in which tasks get locks. A single pass over the list therefore computes longest
// paths: forward for the span of the program, backward for the longest path from each operation on.
package replay
