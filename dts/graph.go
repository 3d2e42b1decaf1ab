package dts

import "time"

// A graph records the operations of a program whose threads were run depth first. The operations of a forked thread
// follow its fork and precede the rest of its parent. Threads are numbered in the order of their forks; the main
// thread is 0.
type graph struct {
	ops     []op
	threads []shape
	callees []uintptr // entries of functions, by number
	calls   []uintptr // program counters of joins, by number
}

// A shape holds the properties of a thread beside its operations.
type shape struct {
	after  uint64 // index of the parent's next operation; the thread's own operations follow its fork
	parent uint32
	callee uint32 // index into callees
	bytes  uint32 // size of the argument
	hint   int32  // the PE that ForkOn asked for, or -1
}

// An op has its kind in the lowest two bits and its operand in the others.
type op uint64

const (
	opCompute op = iota // operand: duration in ns
	opFork              // operand: the forked thread
	opJoin              // operand: the joined thread in the lower 32 bits, an index into calls above
	opEnd               // operand: the value of the End event
)

const maxThreads = 1 << 31

func (o op) kind() op      { return o & 3 }
func (o op) about() uint64 { return uint64(o >> 2) }

// add appends an operation.
func (g *graph) add(kind op, about uint64) { g.ops = append(g.ops, kind|op(about)<<2) }

// compute appends a duration. It extends the last operation if that is a duration too.
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
