package sim

import (
	"fmt"
	"math/bits"
)

// A Model says what computing and communicating cost: an instruction, and the parameters of LogGP (Alexandrov, Ionescu, Schauser,
// Scheiman 1995), with the latency counted for each hop. The two figures that may lie far below a nanosecond are in picoseconds.
//
// With B bytes over h hops (and G B rounded up to a nanosecond):
//
//   - A message that leaves at t arrives at t + o + h L + G B. The sender goes on at t + o, but its next message leaves no sooner than
//     t + max(g, o) + G B. The receiver handles it when it is between two steps, and spends o.
//   - On a message network, work placed on another PE is such a message. An ask reaches the other PE at t + o + h L, and the answer is there
//     after h L + G B more; receiving it costs o.
//   - On a bus, work placed or woken on another PE at t is there at t + o + L, and an idle PE that asks at t has the work at t + o + L. The
//     work is not copied. All these transfers, of all PEs, begin at least g apart. A program's messages are copied and cost G B too.
type Model struct {
	InstructionPs int64 // one abstract instruction, in picoseconds
	Latency       Time  // L: of each hop
	Overhead      Time  // o: of the processor, to send a message and again to receive one
	Gap           Time  // g: least time between two messages of one sender; on a bus between any two transfers
	BytePs        int64 // G: gap for each byte of a message, in picoseconds
}

// The largest figures a model may have: a second for a time, a millisecond for an instruction or a byte.
const (
	MaxModelTime = 1e9
	MaxModelPs   = 1e9
)

// Check says what is wrong with a model.
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
	} {
		if f.v < f.min || f.v > f.max {
			return fmt.Errorf("sim: model has %s %d, expected %d to %d", f.name, f.v, f.min, f.max)
		}
	}
	return nil
}

// wire is the time that so many bytes take, rounded up.
func (c Model) wire(bytes int64) Time {
	hi, lo := bits.Mul64(uint64(bytes), uint64(c.BytePs))
	lo, carry := bits.Add64(lo, 999, 0)
	if hi += carry; hi >= 1000 {
		return 1<<63 - 1
	}
	q, _ := bits.Div64(hi, lo, 1000)
	return Time(min(q, 1<<63-1))
}

// scale turns n instructions and what the last ones left over into ns and a new remainder below 1000 ps.
func (c Model) scale(n int64, left uint16) (Time, uint16) {
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
