// Package observe has the types of package sync, and channels, for programs whose execution traces (runtime/trace) are to be replayed.
//
// A trace of Go has the operations that made a goroutine wait. It does not name the lock or channel, and it leaves out operations without a wait, which
// are most of those on channels and nearly all on locks. While a trace or a flight recorder is on, the types of this package write each operation and
// the identity of its object into the trace, so that a replay knows all dependences.
//
//	sync.Mutex, RWMutex, WaitGroup    Mutex, RWMutex, WaitGroup
//	errgroup.Group                    Group, without limits and contexts
//	chan T                            *Chan[T], made by Make; there is no select
//
// Zero values are ready to use, except that the zero Chan is like a nil channel. None may be copied after its first use.
//
// # What is written
//
// Each operation is one log of package runtime/trace. Its category names the operation and the object, as in "observe lock 17"; its message is a
// number, where the operation has one (package whorl/tracer/observed). Objects are numbered from 1, in the order of their first operations in a
// trace. An object keeps its number in later traces.
//
//	lock, rlock        after the task has the lock
//	unlock, runlock    before it releases the lock
//	add N, done N      before the counter changes; N is 1 where it is left out
//	waited             after the counter has been 0
//	send N             before element N is given to the channel
//	receive N          after element N has been taken from it; 0 if it was sent while no trace was on
//	close              before the channel is closed
//	drained            after a receive has found the channel closed and empty
//
// Operations of a channel have its capacity in the category, too. The elements sent to a channel while a trace is on are numbered from 1. Senders at
// the same time may be numbered in another order than that in which the channel takes their elements, but a receive has the number of its send.
// A wait that the trace has between the operation before and lock, rlock, waited, receive or drained belongs to this one; a wait after send
// belongs to the send. An attempt that fails, such as that of TryLock, writes nothing. sync.Cond with the lock of this package writes unlock and lock
// when it waits.
//
// # What it costs
//
// While no trace is on, an operation tests one variable: 1 ns, with channels 2. While a trace is on, a log is the cheapest record that package
// runtime/trace can write: about 95 ns more than sync takes, 88 of them in trace.Log. The runtime reads the clock (28 ns on a virtual machine),
// records the stack (20 ns, and 10 more for each ten frames), and looks up the category (6 ns); all its other records of a program have a clock and a
// stack, too. Send and receive, whose messages differ, cost 180 ns: 30 for the text in the trace, 15 to make it. A region in place of two logs costs
// 230 ns, allocates, and has to be nested, which locks need not be. The first operation of an object costs 1 µs. A log takes 6 bytes of the trace;
// the log of a send or a receive takes 18. If a program computes little between two operations, these costs distort the times of the trace.
package observe

import (
	"context"
	"runtime/trace"
	"sync/atomic"

	"whorl/tracer/observed"
)

// An object is a lock, a wait group or a channel.
type object struct {
	categories atomic.Pointer[categories] // nil until its first operation in a trace
}

// categories has the category of the logs of each operation of an object. The runtime stores equal texts once, so an object makes them once.
type categories [4]string

// objects is the number of the newest object. It is one for the program, as its trace is. After 1<<32-1 objects it begins anew.
var objects atomic.Uint32

var background = context.Background()

// write writes an operation, whose type has the operations from first on.
func (o *object) write(first, op observed.Op, message string, capacity int) {
	all := o.categories.Load()
	if all == nil {
		all = o.name(first, capacity)
	}
	trace.Log(background, all[op-first], message)
}

// name gives the object its number.
func (o *object) name(first observed.Op, capacity int) *categories {
	r := observed.Record{Object: objects.Add(1), Capacity: uint32(min(capacity, observed.MostNumber))}
	for r.Object == 0 {
		r.Object = objects.Add(1)
	}
	all := &categories{}
	for i := range all {
		if r.Op = first + observed.Op(i); r.Op < observed.Make {
			all[i] = r.Category()
		}
	}
	if !o.categories.CompareAndSwap(nil, all) { // another goroutine was faster
		return o.categories.Load()
	}
	return all
}
