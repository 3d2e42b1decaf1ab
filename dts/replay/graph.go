// Package replay records the forks, joins and computations of a program of threads in a graph, and replays the graph
// on the simulated machine.
package replay

import (
	"time"

	"whorl/internal/numbering"
)

// A Graph records the operations of a program whose threads run depth first, each at its fork. The operations of a
// forked thread follow its fork and precede the rest of its parent. Threads are numbered in the order of their forks;
// the main thread is 0.
type Graph struct {
	ops     []op
	threads []shape
	callees numbering.List[uintptr] // entry points of functions
	calls   numbering.List[uintptr] // program counters of joins
}

// A shape holds the properties of a thread beside its operations.
type shape struct {
	after  uint64 // index of the parent's next operation; the thread's own operations follow its fork
	parent uint32
	callee uint32 // number of its function
	bytes  uint32 // size of the argument
	hint   int32  // the PE that the program asked for, or -1
}

// An op has its kind in the lowest two bits and its operand in the others.
type op uint64

const (
	opCompute op = iota // operand: duration in ns
	opFork              // operand: the forked thread
	opJoin              // operand: the joined thread in the lower 32 bits, the number of its call above
	opEnd               // operand: the value of the End event
)

// maxThreads is the maximum number of threads of a Graph.
const maxThreads = 1 << 31

func (o op) kind() op        { return o & 3 }
func (o op) operand() uint64 { return uint64(o >> 2) }

// NewGraph returns the graph of a program whose main thread runs the function with the given entry point.
func NewGraph(entry uintptr) *Graph {
	g := &Graph{}
	g.threads = []shape{{callee: uint32(g.callees.Number(entry)), hint: -1}}
	return g
}

// add appends an operation.
func (g *Graph) add(kind op, operand uint64) { g.ops = append(g.ops, kind|op(operand)<<2) }

// Compute appends a duration. It extends the last operation if that is a duration too.
func (g *Graph) Compute(d time.Duration) {
	if d == 0 {
		return
	}
	if n := len(g.ops); n > 0 && g.ops[n-1].kind() == opCompute {
		if sum := g.ops[n-1].operand() + uint64(d); sum < 1<<61 {
			g.ops[n-1] = opCompute | op(sum)<<2
			return
		}
	}
	g.add(opCompute, min(uint64(d), 1<<61))
}

// Full reports whether the graph has the maximum number of threads, 2^31.
func (g *Graph) Full() bool { return len(g.threads) == maxThreads }

// Fork appends the fork of a thread and returns the number of the thread. The operations of the thread follow, up to
// Return. The thread runs the function with the given entry point with an argument of some bytes, on the PE hint if
// that is not negative.
func (g *Graph) Fork(parent uint32, entry uintptr, bytes uint32, hint int) (n uint32) {
	n = uint32(len(g.threads))
	g.threads = append(g.threads, shape{parent: parent, callee: uint32(g.callees.Number(entry)), bytes: bytes, hint: int32(min(hint, 1<<30))})
	g.add(opFork, uint64(n))
	return n
}

// Return ends the operations of thread n. Those of its parent follow.
func (g *Graph) Return(n uint32) { g.threads[n].after = uint64(len(g.ops)) }

// Join appends the join of thread n by the call at pc.
func (g *Graph) Join(n uint32, pc uintptr) { g.add(opJoin, uint64(n)|uint64(g.calls.Number(pc))<<32) }

// End appends the end of a thread. The status is the value of its End event.
func (g *Graph) End(status int64) { g.add(opEnd, uint64(status)) }

// entries returns the dictionary entry of each program counter.
func entries(pcs []uintptr, entry func(pc uintptr) uint32) []uint32 {
	all := make([]uint32, len(pcs))
	for i, pc := range pcs {
		all[i] = entry(pc)
	}
	return all
}
