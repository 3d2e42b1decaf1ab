package replay

import "whorl/sim"

// NewProcesses returns an empty Graph of tasks that stay on their PEs and wait for each other, such as the operations of
// processes. Its tasks are roots; the program declares all durations.
//
// No operation may be added before those that it depends on.
func NewProcesses() *Graph { return &Graph{woken: true, measured: true} }

// Gate adds a gate that opens after some signals.
func (g *Graph) Gate(signals int) (gate uint32) {
	g.gates = append(g.gates, int32(signals))
	return uint32(len(g.gates) - 1)
}

// Begin makes a task begin when a gate opens. It is the first operation of the task.
func (g *Graph) Begin(n, gate uint32) {
	g.pauses = append(g.pauses, pause{gate: gate, begins: true})
	g.add(n, opWait, uint64(len(g.pauses)-1))
}

// Signal appends one of the signals of a gate.
func (g *Graph) Signal(n, gate uint32) { g.add(n, opSignal, uint64(gate)) }

// Send appends the sending of a message of some bytes, of a class in the code table, and returns its number.
func (g *Graph) Send(n uint32, bytes int64, class uint32) (m uint32) {
	g.messages = append(g.messages, message{bytes: bytes, from: n, to: n, class: class})
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
