package sim

import (
	"fmt"
	"math/bits"
)

// A Model holds the costs of computation and communication: of an instruction, and the parameters of LogGP (Alexandrov,
// Ionescu, Schauser, Scheiman 1995) with a latency for each hop. The two parameters that may be far below a nanosecond
// are in picoseconds.
//
// For B bytes over h hops (with G B rounded up to a nanosecond):
//
//   - A message that leaves at t arrives at t + o + h L + G B. The sender continues at t + o, but its next message leaves no sooner than
//     t + max(g, o) + G B. The receiver handles it between two steps and spends o.
//   - On a message network, work placed on another PE is such a message. An ask reaches the other PE at t + o + h L; the answer arrives
//     h L + G B later, and receiving it costs o.
//   - On a bus, work placed or woken on another PE at t arrives at t + o + L, and an idle PE that asks at t has the work at t + o + L. The
//     work is not copied. These transfers, of all PEs, begin at least g apart. Messages of a program are copied and cost G B too.
//   - With LogGOPS the rules are those of the simulator LogGOPSim (Hoefler, Schneider, Lumsdaine 2010) for messages of a program. The first byte is
//     free, and the processor of the receiver handles the others: a message that leaves at t arrives at t + o + h L, receiving it costs o + G (B-1),
//     and the sender's next message leaves no sooner than t + max(o, g + G (B-1)).
//   - With Uncontended the rules are those of the simulator of HPF for messages of a program: a message leaves as soon as its sender sends it, and the
//     receiver spends o when its program takes the message (PE.Receive), not when it arrives.
//   - Where Wake is not 0, a PE that makes work ready wakes one that sleeps, but none while one that has been woken still looks for work: when it has found
//     some, that one wakes the next. The PE that wakes another one spends half of Wake. An ask for the only work of a PE, which that PE has made ready
//     last, takes Hold more. Both times are random, between half and one and a half of the parameters.
//   - A fork and a steal take their instructions and messages, and in addition Fork and Steal, which are 0 unless a machine sets them. An ask of a
//     PE reaches the other one Steal later.
type Model struct {
	InstructionPs int64 // time of one abstract instruction, in picoseconds
	Latency       Time  // L: latency of a hop
	Overhead      Time  // o: processor time to send a message, and to receive one
	Gap           Time  // g: least time between two messages of a sender; on a bus, between any two transfers
	BytePs        int64 // G: time for each byte of a message, in picoseconds
	Fork          Time  // of a fork, beside its instructions: a goal that a body calls, a thread
	Steal         Time  // of an attempt to take work from another PE, beside its messages
	Wake          Time  // from the time at which a PE wakes one that sleeps until that one looks for work
	Hold          Time  // for which a PE that looks for work leaves another one the work that it has made ready last
	LogGOPS       bool  // the rules of LogGOPSim
	Uncontended   bool  // the rules of HPF
}

// The largest parameters of a model: a second for a time, a millisecond for an instruction or a byte.
const (
	MaxModelTime = 1e9
	MaxModelPs   = 1e9
)

// Check returns an error if a parameter is out of range.
func (c Model) Check() error {
	for _, f := range []struct {
		name     string
		v        int64
		min, max int64
	}{
		{"InstructionPs", c.InstructionPs, 1, MaxModelPs},
		{"Latency", c.Latency, 0, MaxModelTime},
		{"Overhead", c.Overhead, 0, MaxModelTime},
		{"Gap", c.Gap, 0, MaxModelTime},
		{"BytePs", c.BytePs, 0, MaxModelPs},
		{"Fork", c.Fork, 0, MaxModelTime},
		{"Steal", c.Steal, 0, MaxModelTime},
		{"Wake", c.Wake, 0, MaxModelTime},
		{"Hold", c.Hold, 0, MaxModelTime},
	} {
		if f.v < f.min || f.v > f.max {
			return fmt.Errorf("sim: model has %s %d, expected %d to %d", f.name, f.v, f.min, f.max)
		}
	}
	return nil
}

// wire returns the time for a number of bytes, rounded up.
func (c Model) wire(bytes int64) Time {
	if c.LogGOPS {
		bytes = max(0, bytes-1)
	}
	hi, lo := bits.Mul64(uint64(bytes), uint64(c.BytePs))
	lo, carry := bits.Add64(lo, 999, 0)
	if hi += carry; hi >= 1000 {
		return 1<<63 - 1
	}
	q, _ := bits.Div64(hi, lo, 1000)
	return Time(min(q, 1<<63-1))
}

// Scale converts n instructions and the remainder of the last call to ns and a new remainder below 1000 ps.
func (c Model) Scale(n int64, left uint16) (Time, uint16) {
	if n <= 0 {
		return 0, left
	}
	if n < 1<<33 { // InstructionPs is below 1<<30
		x := uint64(n)*uint64(c.InstructionPs) + uint64(left)
		return Time(x / 1000), uint16(x % 1000)
	}
	hi, lo := bits.Mul64(uint64(n), uint64(c.InstructionPs))
	lo, carry := bits.Add64(lo, uint64(left), 0)
	if hi += carry; hi >= 1000 {
		return 1<<63 - 1, 0
	}
	q, r := bits.Div64(hi, lo, 1000)
	return Time(min(q, 1<<63-1)), uint16(r)
}
