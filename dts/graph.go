package dts

import "time"

// A graph is what a program does, as its threads did it when they were run depth first: a list of operations in which those of a forked
// thread stand behind its fork, before the parent goes on. Threads are numbered in the order of their forks, the main thread is 0.
type graph struct {
	ops     []op
	threads []shape
	callees []uintptr // codes of functions, by number
	calls   []uintptr // places of joins, by number
}

// A shape is what is known of a thread beside what it does.
type shape struct {
	after  uint64 // its parent's operations go on here; the thread's own begin behind the fork
	parent uint32
	callee uint32 // in callees
	bytes  uint32 // of its argument
	hint   int32  // the PE that the program wished, or -1
}

// An op is a kind in the lowest two bits and what it is about in the others.
type op uint64

const (
	opCompute op = iota // so many ns
	opFork              // of that thread
	opJoin              // of that thread, in the lower half, at a place
	opEnd               // with a status
)

const maxThreads = 1 << 31

func (o op) kind() op      { return o & 3 }
func (o op) about() uint64 { return uint64(o >> 2) }

// add appends an operation.
func (g *graph) add(kind op, about uint64) { g.ops = append(g.ops, kind|op(about)<<2) }

// compute appends time, to the last operation where that is time too.
func (g *graph) compute(d time.Duration) {
	if d == 0 {
		return
	}
	if n := len(g.ops); n > 0 && g.ops[n-1].kind() == opCompute {
		if sum := g.ops[n-1].about() + uint64(d); sum < 1<<61 {
			g.ops[n-1] = opCompute | op(sum)<<2
			return
		}
	}
	g.add(opCompute, min(uint64(d), 1<<61))
}
