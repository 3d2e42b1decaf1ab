package replay

import (
	"time"
	"unsafe"

	"whorl/internal/mapped"
	"whorl/tracer"
)

// A Graph records the operations of the tasks of a program. Tasks are numbered in the order of their creation. The zero
// Graph is empty and ready to use.
type Graph struct {
	ops      []op
	owners   []uint32 // task of each run, in the order of the list
	tasks    []shape
	last     uint32   // task of the last operation
	ids      []uint64 // trace ids by task; nil if they are the numbers plus 1
	gates    []int32  // signals that each gate needs
	locks    []uint32 // ids of the locks by number
	groups   uint32
	channels []channel
	elements []element
	messages []message
	pauses   []pause
	parts    []Part
	notes    []note
	woken    bool // tasks wait and are woken, as those of real programs do
	measured bool // the durations include the time of forks and joins
	settled  bool // tasks wait for the same tasks as in the recording, so the work of the system for them (opSystem) is the same

	memory  int64           // bytes that ops may take in memory; 0 for no limit
	scratch *mapped.Scratch // has ops; nil while they are in memory
	spilled error           // the error for which the operations stay in memory
}

// A shape holds the properties of a task beside its operations.
type shape struct {
	first    uint64 // index of its first operation
	tail     uint64 // index of the Jump at the end of its last run
	function uint32
	bytes    uint32 // size of the argument
	hint     int32  // the PE that the program asked for, or -1
	root     bool   // no task has forked it
	begun    bool   // it has an operation
	ended    bool   // its last operation is its End
	aside    bool   // the program does not wait for it: it has no end, as tasks of a runtime system
}

// A message goes from one task to another.
type message struct {
	bytes    int64
	from, to uint32 // tasks
	class    uint32 // entry of the code table
	reason   uint32 // for which its receiver waits: its class, or else that of all messages, as an entry of the code table
}

// A pause describes a wait of a task.
type pause struct {
	ns              int64 // of a Delay
	gate            uint32
	ends            bool   // gate is the number of a task, which ends
	begins          bool   // the task begins only then
	reason, context uint32 // entries of the code table and of the calling contexts
}

// A channel passes elements from tasks to tasks.
type channel struct {
	capacity uint32
	taker    uint32            // first task that takes an element, plus 1
	several  bool              // others take elements too
	mixed    bool              // the takers have several functions
	drained  map[uint32]uint64 // by task of a pool: index of the operation after it has found the channel closed and empty
	pool     bool              // the takers have one function: the operations after the receipt of an element belong to the element
}

// An element is sent through a channel.
type element struct {
	channel uint32
	next    uint64 // index of the operation after its receipt, 0 if nobody has received it
}

// A Part is a part of a program that computes.
type Part struct {
	Code    uint32 // function
	Context uint32 // calling context; 0 if that is not known
}

// A note is an event that is recorded again.
type note struct {
	value int64
	ref   uint64
	code  uint32
	kind  tracer.Kind
}

// An op has its kind in the lowest five bits and its operand in the others.
type op uint64

const (
	opCompute op = iota // operand: duration in ns
	opJump              // operand: index of the next operation
	opPart              // operand: number of a part, plus 1
	opFork              // operand: the forked task
	opJoin              // operand: the joined task in the lower 32 bits, the line of the call above
	opEnd               // operand: the value of the End event
	opWait              // operand: number of a pause
	opSignal            // operand: number of a gate
	opMeet              // operand: number of a pause
	opSend              // operand: number of a message
	opReceive           // operand: number of a message
	opDelay             // operand: number of a pause
	opAcquire           // operand: the lock in the upper bits; the lowest is 1 if it is shared
	opRelease           // operand: as for opAcquire
	opNote              // operand: number of a note
	opAdd               // operand: number of a group in the lower 32 bits, the change of its counter above
	opGroup             // operand: number of a group whose counter has to be 0
	opPut               // operand: number of an element
	opTake              // operand: number of an element, which another one may replace
	opDrain             // operand: number of a channel that has to be closed and empty
	opClose             // operand: number of a channel
	opHalt              // operand: number of the pause in which the task is at the end, plus 1; 0 for none
	opSystem            // operand: duration in ns
)

const kindBits = 5

// maxOperand bounds the operands, and with them durations.
const maxOperand = 1<<(64-kindBits) - 1

// MaxTasks is the maximum number of tasks of a Graph.
const MaxTasks = 1 << 31

// maxLine bounds the numbers of lines.
const maxLine = 1<<(64-kindBits-32) - 1

// maxChange bounds the number that an opAdd adds to a counter or subtracts from it.
const maxChange = 1<<(64-kindBits-32-1) - 1

// addition returns the operand of an opAdd.
func addition(group uint32, change int32) uint64 {
	return uint64(group) | uint64(change)<<32&maxOperand
}

// addition returns the group of an opAdd, and the change of its counter.
func (o op) addition() (group uint32, change int64) {
	return uint32(o.operand()), int64(o) >> (kindBits + 32)
}

func (o op) kind() op        { return o & (1<<kindBits - 1) }
func (o op) operand() uint64 { return uint64(o >> kindBits) }

// Task adds a task that no task forks. It runs on the PE hint if that is not negative.
func (g *Graph) Task(function uint32, hint int) (n uint32) {
	n = uint32(len(g.tasks))
	g.tasks = append(g.tasks, shape{function: function, hint: int32(min(hint, 1<<30)), root: true})
	return n
}

// Tasks returns the number of tasks.
func (g *Graph) Tasks() int { return len(g.tasks) }

// pause adds a pause and returns its number.
func (g *Graph) pause(p pause) uint64 {
	g.pauses = append(g.pauses, p)
	return uint64(len(g.pauses) - 1)
}

// add appends an operation of a task. A task that has ended has no further ones.
func (g *Graph) add(n uint32, kind op, operand uint64) {
	t := &g.tasks[n]
	if t.ended {
		return
	}
	if n != g.last || !t.begun {
		if l := &g.tasks[g.last]; l.begun && !l.ended {
			l.tail = uint64(len(g.ops))
			g.push(opJump)
		}
		at := uint64(len(g.ops))
		if t.begun {
			g.ops[t.tail] |= op(at) << kindBits
		} else {
			t.first, t.begun = at, true
		}
		g.last = n
		g.owners = append(g.owners, n)
	}
	g.push(kind | op(operand)<<kindBits)
}

// push appends an operation to the list. Where the list would take more memory than it may, it goes to a temporary file.
func (g *Graph) push(o op) {
	if k := len(g.ops); k == cap(g.ops) && g.memory > 0 && g.spilled == nil && int64(k)*2*opSize > g.memory {
		g.spill(2 * k)
	}
	g.ops = append(g.ops, o)
}

// opSize is the size of an operation in bytes.
const opSize = int64(unsafe.Sizeof(op(0)))

// spill gives the list of operations place for n of them in a temporary file. An error is kept, and the list stays in memory.
func (g *Graph) spill(n int) {
	if g.spilled != nil {
		return
	}
	scratch := g.scratch
	if scratch == nil {
		if scratch, g.spilled = mapped.NewScratch(); g.spilled != nil {
			return
		}
	}
	b, err := scratch.Grow(n * int(opSize))
	if err != nil {
		g.spilled = err
		return
	}
	ops := unsafe.Slice((*op)(unsafe.Pointer(unsafe.SliceData(b))), n)[:len(g.ops)]
	if g.scratch == nil {
		copy(ops, g.ops)
	}
	g.ops, g.scratch = ops, scratch
}

// Compute appends a computation of a task, which takes MaxDuration at most. It extends the last operation if that is a
// computation of the same task.
func (g *Graph) Compute(n uint32, d time.Duration) {
	if d <= 0 {
		return
	}
	const most = uint64(MaxDuration)
	if k := len(g.ops); k > 0 && n == g.last && g.ops[k-1].kind() == opCompute {
		if sum := g.ops[k-1].operand() + uint64(d); sum < most {
			g.ops[k-1] = opCompute | op(sum)<<kindBits
			return
		}
	}
	g.add(n, opCompute, min(uint64(d), most))
}

// Full reports whether the graph has the maximum number of tasks.
func (g *Graph) Full() bool { return len(g.tasks) == MaxTasks }

// Fork appends the fork of a task and returns its number. The task runs the given function with an argument of some
// bytes, on the PE hint if that is not negative.
func (g *Graph) Fork(parent, function, bytes uint32, hint int) (n uint32) {
	n = g.Task(function, hint)
	t := &g.tasks[n]
	t.bytes, t.root = bytes, false
	g.add(parent, opFork, uint64(n))
	return n
}

// Join appends the join of a task by the call at a line.
func (g *Graph) Join(n, joined, line uint32) {
	g.add(n, opJoin, uint64(joined)|uint64(min(line, maxLine))<<32)
}

// End appends the end of a task. The status is the value of its End event.
func (g *Graph) End(n uint32, status int64) {
	g.add(n, opEnd, uint64(status))
	g.tasks[n].ended = true
}

// halt ends the operations of a task that has no end.
func (g *Graph) halt(n uint32, pause uint64) {
	g.add(n, opHalt, pause)
	g.tasks[n].ended = true
}

// id returns the trace id of a task.
func (g *Graph) id(n uint32) uint64 {
	if g.ids == nil {
		return uint64(n) + 1
	}
	return g.ids[n]
}
