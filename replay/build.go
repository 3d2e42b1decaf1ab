package replay

import (
	"iter"

	"whorl/sim"
)

// NewProcesses returns an empty Graph of tasks that stay on their PEs and wait for each other, such as the operations of
// processes. Its tasks are roots; the program declares all durations.
//
// No operation may be added before those that it depends on.
func NewProcesses() *Graph { return &Graph{woken: true, measured: true} }

// Gate adds a gate that opens after some signals, and returns its number.
func (g *Graph) Gate(signals int) (gate uint32) {
	g.gates = append(g.gates, int32(signals))
	return uint32(len(g.gates) - 1)
}

// Begin makes a task begin when a gate opens. It is the first operation of the task.
func (g *Graph) Begin(n, gate uint32) {
	g.add(n, opWait, g.pause(pause{gate: gate, begins: true}))
}

// Signal appends one of the signals of a gate.
func (g *Graph) Signal(n, gate uint32) { g.add(n, opSignal, uint64(gate)) }

// Send appends the sending of a message of some bytes, of a class in the code table, and returns its number.
func (g *Graph) Send(n uint32, bytes int64, class uint32) (m uint32) {
	g.messages = append(g.messages, message{bytes: bytes, from: n, to: n, class: class, reason: class})
	m = uint32(len(g.messages) - 1)
	g.add(n, opSend, uint64(m))
	return m
}

// Receive appends the receipt of a message.
func (g *Graph) Receive(n, m uint32) {
	g.messages[m].to = n
	g.add(n, opReceive, uint64(m))
}

// AddPart adds a part of the program and returns its number for Enter.
func (g *Graph) AddPart(p Part) (part uint32) {
	g.parts = append(g.parts, p)
	return uint32(len(g.parts))
}

// Enter makes a part the one that a task computes from now on.
func (g *Graph) Enter(n, part uint32) { g.add(n, opPart, uint64(part)) }

// MaxDuration is the longest computation that an operation holds, in ns.
const MaxDuration sim.Time = maxOperand >> 1

// An Action is the effect of an operation, for packages that write programs in other forms.
type Action uint8

// The actions. Kinds of operations that are not among them are Others.
const (
	Others     Action = iota
	Computes          // for Ns
	Forks             // task Other
	Joins             // task Other
	Ends              // the task; also where nothing more is known of it
	Waits             // until gate Other opens
	WaitsOfEnd        // for the end of task Other
	Signals           // gate Other
	Meets             // signals gate Other and waits until it opens
	Sends             // message Other
	Receives          // message Other
	Delays            // for Ns
)

// An Operation is an operation of a task.
type Operation struct {
	Task   uint32
	Action Action
	Ns     int64
	Other  uint32
}

// Operations iterates over the operations in the order of the list, without those that only describe others.
func (g *Graph) Operations() iter.Seq[Operation] {
	return func(yield func(Operation) bool) {
		for n, i := range g.all() {
			o := Operation{Task: n}
			operand := g.ops[i].operand()
			switch g.ops[i].kind() {
			case opPart, opNote:
				continue
			case opCompute, opSystem:
				o.Action, o.Ns = Computes, int64(operand)
			case opFork:
				o.Action, o.Other = Forks, uint32(operand)
			case opJoin:
				o.Action, o.Other = Joins, uint32(operand)
			case opEnd, opHalt:
				o.Action = Ends
			case opWait:
				q := &g.pauses[operand]
				if o.Action, o.Other = Waits, q.gate; q.ends {
					o.Action = WaitsOfEnd
				}
			case opSignal:
				o.Action, o.Other = Signals, uint32(operand)
			case opMeet:
				o.Action, o.Other = Meets, g.pauses[operand].gate
			case opSend:
				o.Action, o.Other = Sends, uint32(operand)
			case opReceive:
				o.Action, o.Other = Receives, uint32(operand)
			case opDelay:
				o.Action, o.Ns = Delays, g.pauses[operand].ns
			}
			if !yield(o) {
				return
			}
		}
	}
}

// Home returns the PE that a task asks for, -1 for none.
func (g *Graph) Home(n uint32) int { return int(g.tasks[n].hint) }

// Messages returns the number of messages.
func (g *Graph) Messages() int { return len(g.messages) }

// Message returns the length of a message, and the tasks that send and receive it, which are the same if nobody receives it.
func (g *Graph) Message(m uint32) (bytes int64, from, to uint32) {
	x := &g.messages[m]
	return x.bytes, x.from, x.to
}

// Needs returns the number of signals that open a gate.
func (g *Graph) Needs(gate uint32) int { return int(g.gates[gate]) }
