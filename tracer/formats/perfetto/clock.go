package perfetto

import "whorl/internal/protobuf"

// Numbers of clocks. Those from 64 to 127 belong to a sequence.
const (
	wallClock     = 1
	traceClock    = 6 // the time since the machine started; others are converted to it
	firstOfWriter = 64
	lastOfWriter  = 127
)

type clockKey struct {
	sequence uint32
	id       uint64
}

// A clock is the last known reading of a clock.
type clock struct {
	reading, trace int64 // ns: its reading, and that of the clock of the trace at the same instant
	multiplier     int64 // ns of a unit
	incremental    bool  // times are differences
	last           int64 // ns; the last time, of a clock with differences
}

func keyOf(sequence uint32, id uint64) clockKey {
	if id < firstOfWriter || id > lastOfWriter {
		sequence = 0
	}
	return clockKey{sequence, id}
}

// mostUnit bounds the unit of a clock, in ns.
const mostUnit = 1e9

// snapshot reads the readings of several clocks at an instant.
func (r *reader) snapshot(sequence uint32, b []byte) {
	type reading struct {
		key clockKey
		clock
	}
	var list []reading
	m := protobuf.Message{Rest: b}
	for m.Next() {
		if m.Number != 1 { // clocks
			continue
		}
		x := reading{clock: clock{multiplier: 1}}
		in := protobuf.Message{Rest: m.Bytes}
		for in.Next() {
			switch in.Number {
			case 1: // clock_id
				x.key = keyOf(sequence, in.Value)
			case 2: // timestamp
				x.reading = int64(in.Value)
			case 3: // is_incremental
				x.incremental = in.Value != 0
			case 4: // unit_multiplier_ns
				x.multiplier = int64(min(max(in.Value, 1), mostUnit))
			}
		}
		r.damaged(&in)
		x.reading *= x.multiplier
		x.last = x.reading
		list = append(list, x)
	}
	r.damaged(&m)
	trace, known := int64(0), false
	for _, x := range list {
		if x.key.id == traceClock {
			trace, known = x.reading, true
		}
	}
	for _, x := range list {
		if c := r.clocks[x.key]; !known && c != nil && !x.incremental {
			trace, known = c.trace+x.reading-c.reading, true
		}
	}
	if !known && len(list) > 0 { // the first clock is as good as any
		trace = list[0].reading
	}
	for _, x := range list {
		x.trace = trace
		if x.key.id == wallClock && known {
			r.wall = x.reading - trace
		}
		c := x.clock
		r.clocks[x.key] = &c
	}
}

// time returns the time in ns of the clock of the trace for a time of another clock.
func (r *reader) time(sequence uint32, id, at uint64) int64 {
	c := r.clocks[keyOf(sequence, id)]
	if c == nil {
		if id != traceClock {
			r.out.Dropped.Once("the difference between two clocks, so times may be shifted")
		}
		return int64(at)
	}
	t := int64(at) * c.multiplier
	if c.incremental {
		c.last += t
		t = c.last
	}
	return c.trace + t - c.reading
}
