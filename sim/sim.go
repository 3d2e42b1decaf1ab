// Package sim is the simulated machine: P processing elements (PEs) in virtual time, joined by a network, under a scheduling policy.
//
// A substrate (a language, a thread library) hands its work to the machine as handles and carries it out when Step is called; the machine
// decides where and when. A step is atomic at the instant it begins: what it reads, binds and records happens then. Its cost is spent
// afterwards, and what it spawns, wakes or sends is seen by other PEs only when the cost is spent. So every action of the machine happens
// at one instant, the actions come in order of time and PE, and the one stream they write needs no sorting.
//
// The loop is sequential. The same program, configuration and seed give the same bytes on every processor: no wall clock, no map order,
// integer time with the remainder carried, random numbers of our own.
package sim

// Time is virtual time or a span of it, in nanoseconds from the start of the run.
type Time = int64

// Work is the substrate's handle of something a PE can do: a goal, a thread, a processor's program. 0 is none.
type Work uint64

// A Program is what a substrate gives the machine.
type Program interface {
	// Step carries out w on p, at the instant p.Now(), and returns what that costs in ns (at least 0). If next is not 0, p goes on with it
	// when the cost is spent; if it is 0, w is over or waits somewhere, and p takes other work.
	Step(p *PE, w Work) (cost Time, next Work)
	// Deliver hands p a message that another PE's Send sent, and returns what it costs to handle.
	Deliver(p *PE, m Message) (cost Time)
	// Bytes is the size of w when it has to be copied to another PE. It is not asked on a shared bus.
	Bytes(w Work) int
	// Quiet is asked when nothing is ready, running or in flight any more. Nil means the program is done, an error why it is not. It may
	// have waited for something outside, and Boot more work: then the run goes on.
	Quiet(m *Machine) error
}

// A Message goes from PE to PE and is delivered to the program.
type Message struct {
	From  int32  // sender, filled in by the machine
	Class uint32 // trace code of its message class
	Task  uint64 // trace id of the task it is about, or 0
	Data  uint64 // the program's own
	Bytes int64  // its length, at least 0
	ID    uint64 // filled in by the machine; Ref of its Send and Recv
}
