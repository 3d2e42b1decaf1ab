package sim

// Time is a virtual time since the start of the run, or a duration, in nanoseconds.
type Time = int64

// A Work is a substrate's handle for something that a PE can execute: a goal, a thread, a processor's program. 0 is none.
type Work uint64

// A Program is a substrate as the machine sees it.
type Program interface {
	// Step executes w on p at time p.Now() and returns its cost in ns (at least 0). If next is not 0, p continues with
	// it when the cost is spent. If it is 0, w has ended or waits, and p takes other work.
	Step(p *PE, w Work) (cost Time, next Work)
	// Deliver handles a message on p and returns the cost.
	Deliver(p *PE, m Message) (cost Time)
	// Bytes returns the size of w as a message to another PE. It is not called on a shared bus.
	Bytes(w Work) int
	// Quiet is called when nothing is ready, running or in flight. It returns nil if the program is done, else an error
	// with the reason. It may wait for something outside and Boot more work; the run then continues.
	Quiet(m *Machine) error
}

// A Ringer is a Program that sets alarms.
type Ringer interface {
	// Ring is called at the time of an alarm, p.Machine().Now(), before its work is ready on p. p may be in the middle
	// of a step.
	Ring(p *PE, w Work)
}

// A Message is sent by a program from one PE to another.
type Message struct {
	From  int32  // sender, set by the machine
	Class uint32 // trace code of its class
	Task  uint64 // trace id of the task that it concerns, or that sends it, or 0
	For   uint64 // trace id of the task that receives it; 0 if that is Task
	Data  uint64 // for the program
	Bytes int64  // length, at least 0
	ID    uint64 // Ref of its Send and Recv events, set by the machine
}
