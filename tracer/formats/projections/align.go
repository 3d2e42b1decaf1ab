package projections

import (
	"fmt"
	"math"

	"whorl/tracer/derive/clocks"
)

// Bounds of the comparison of clocks.
const (
	mostCompared = 1 << 16 // messages
	mostWindows  = 16      // parts of the run; of each, a pair of clocks is compared by one message
)

// ns returns the time of a PE in ns from the beginning of the trace.
func (r *reader) ns(pe int32, us int64) int64 {
	t := us * microsecond
	if int(pe) < len(r.clocks) && r.clocks[pe] != nil {
		t = r.clocks[pe].Time(t)
	}
	return t - r.origin
}

// host returns the number of the clock of a PE: those of a node have one.
func (r *reader) host(l *log) (number int, name string) {
	if n, ok := r.symbols.node(int(l.pe)); ok {
		return n, fmt.Sprintf("node %d", n)
	}
	return l.nth, fmt.Sprintf("PE %d", l.pe)
}

// align shifts the clocks of PEs by the messages between them if one is executed before it is created. Then it sets the beginning of the trace.
func (r *reader) align() {
	var ranges []clocks.Range
	var names []string
	hosts, numbers := map[int]int32{}, make([]int32, r.logs[len(r.logs)-1].pe+1) // by PE
	for _, l := range r.logs {
		if !l.seen {
			continue
		}
		of, name := r.host(l)
		number, ok := hosts[of]
		if !ok {
			number = int32(len(ranges))
			hosts[of] = number
			ranges, names = append(ranges, clocks.Range{From: l.first * microsecond, To: l.last * microsecond}), append(names, name)
		}
		numbers[l.pe] = number
		x := &ranges[number]
		x.From, x.To = min(x.From, l.first*microsecond), max(x.To, l.last*microsecond)
	}
	shortest, early := r.shortest(numbers, len(ranges))
	if early {
		var messages []clocks.Message
		for _, i := range shortest {
			t := &r.pairs.tasks[i]
			m := r.pairs.executed(t)
			messages = append(messages, clocks.Message{From: numbers[m.pe], To: numbers[t.pe], Sent: m.time * microsecond, Received: t.begin * microsecond})
		}
		found := clocks.Align(ranges, messages)
		r.clocks = make([]*clocks.Clock, len(numbers))
		for _, l := range r.logs {
			if !l.seen {
				continue
			}
			if c := &found[numbers[l.pe]]; c.Known {
				r.clocks[l.pe] = c
			}
		}
		for i := range found {
			found[i].Steady(ranges[i])
		}
		r.w.Meta.Extra = append(r.w.Meta.Extra, clocks.Corrections(found, names)...)
	}
	origin := int64(math.MaxInt64)
	for _, l := range r.logs {
		if l.seen {
			origin = min(origin, r.ns(l.pe, l.first))
		}
	}
	r.origin = origin
}

// shortest returns the tasks whose messages from one clock to another took the shortest time in each part of the run, and whether one took less than
// nothing. The clock of a PE has a number.
func (r *reader) shortest(numbers []int32, hosts int) (tasks []uint32, early bool) {
	type way struct {
		from, to int32
		window   int64
	}
	first, last := int64(math.MaxInt64), int64(0)
	for _, l := range r.logs {
		if l.seen {
			first, last = min(first, l.first), max(last, l.last)
		}
	}
	windows := int64(min(max(1<<10/hosts, 1), mostWindows))
	index := map[way]int{}
	least := []int64{}
	for i := range r.pairs.tasks {
		t := &r.pairs.tasks[i]
		m := r.pairs.executed(t)
		if m == nil || numbers[m.pe] == numbers[t.pe] {
			continue
		}
		took := t.begin - m.time
		early = early || took < 0
		w := way{numbers[m.pe], numbers[t.pe], (m.time - first) / ((last-first)/windows + 1)}
		k, ok := index[w]
		switch {
		case !ok && len(tasks) < mostCompared:
			index[w] = len(tasks)
			tasks, least = append(tasks, uint32(i)), append(least, took)
		case ok && took < least[k]:
			tasks[k], least[k] = uint32(i), took
		}
	}
	return tasks, early
}
