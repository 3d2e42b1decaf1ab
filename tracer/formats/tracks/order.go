package tracks

import (
	"cmp"
	"slices"
)

// A track is a track with its state in Finish.
type track struct {
	kind       Kind
	scheduled  bool // the records of CPUs determine when the thread runs
	leaving    bool // the thread has begun to exit
	system     bool // the thread is in a system call
	known      bool // the thread that runs on the CPU is known
	cut        bool // the recording of the CPU ends before that of others
	apart      bool // the CPU is the place of one thread, in files that have no CPUs
	started    bool
	waits      bool
	reached    bool  // a message has come for the next slice
	seen       bool  // its PE has had an event
	row        bool  // a thread, each of whose outermost slices is a task
	state      state // of a thread
	class      uint8 // of the next record among those of the same time
	process    uint32
	code       uint32 // function
	context    uint32 // calling context of the function
	waited     uint32 // calling context of the wait
	begins     int32  // slices that are to begin
	ends       int32  // open slices whose end is a record of its own
	first, end uint32 // its records in order
	pe         int32
	current    ID    // thread of a CPU
	joined     ID    // the track that has its records, 0 for none
	since      int64 // of the wait
	early      early
	next       int64 // time of the next record
	task       uint64
	stack      []slice
	sort       int64
	name, id   string
}

// early is a wake-up of a thread that still ran: it was about to wait.
type early struct {
	time int64
	by   uint64 // waker, 0 for none
}

// state is the state of a thread relative to a PE.
type state uint8

const (
	away state = iota
	working
)

// A slice is open.
type slice struct {
	end     int64 // never for one whose end is a record of its own
	cpu     int64 // processor time at its end, NoClock if unknown
	context uint32
}

// arrange returns the numbers of the records by track, in the order of time, and sets the bounds of each track.
func (r *Recording) arrange() []uint32 {
	r.join()
	sum := uint32(0)
	for i := range r.tracks {
		t := &r.tracks[i]
		n := t.end
		t.first, t.end = sum, sum
		sum += n
	}
	order := make([]uint32, r.records.Len())
	for i := range uint32(r.records.Len()) {
		t := &r.tracks[r.records.Entry(i).track]
		order[t.end] = i
		t.end++
	}
	for i := range r.tracks {
		t := &r.tracks[i]
		r.sort(order[t.first:t.end])
		for _, n := range order[t.first:t.end] {
			if k := r.records.Entry(n).kind; k == begin || k == complete {
				t.begins++
			}
		}
	}
	return order
}

// join gives the records of joined tracks to others.
func (r *Recording) join() {
	if !slices.ContainsFunc(r.tracks, func(t track) bool { return t.joined != 0 }) {
		return
	}
	for i := range uint32(r.records.Len()) {
		x := r.records.Entry(i)
		if to := r.tracks[x.track].joined; to != 0 {
			r.tracks[x.track].end--
			x.track = to
			r.tracks[to].end++
		}
		if (x.kind == begin || x.kind == complete) && r.tracks[x.other].joined != 0 {
			x.other = uint32(r.tracks[x.other].joined)
		}
	}
}

// sort sorts the records of a track by time, those of equal times in the order of the file. Of slices that begin together the longer one comes first,
// and flows leave before slices end.
func (r *Recording) sort(order []uint32) {
	sorted := slices.IsSortedFunc(order, func(a, b uint32) int { return cmp.Compare(r.records.Entry(a).time, r.records.Entry(b).time) })
	if !sorted {
		slices.SortFunc(order, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(r.records.Entry(a).time, r.records.Entry(b).time), cmp.Compare(a, b))
		})
	}
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && r.records.Entry(order[j]).time == r.records.Entry(order[i]).time {
			j++
		}
		if j-i > 1 {
			r.tie(order[i:j])
		}
		i = j
	}
}

// tie orders records of the same time.
func (r *Recording) tie(order []uint32) {
	var whole []uint32
	var places []int
	ends := false
	for i, n := range order {
		switch r.records.Entry(n).kind {
		case complete:
			whole, places = append(whole, n), append(places, i)
		case end, endAll:
			ends = true
		}
	}
	if len(whole) > 1 {
		slices.SortStableFunc(whole, func(a, b uint32) int { return cmp.Compare(r.records.Entry(b).value, r.records.Entry(a).value) })
		for i, n := range whole {
			order[places[i]] = n
		}
	}
	if ends {
		slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(r.leaves(a), r.leaves(b)) })
	}
}

// leaves is 0 for a flow that leaves and 1 for other records.
func (r *Recording) leaves(n uint32) int {
	if r.records.Entry(n).kind == flowOut {
		return 0
	}
	return 1
}

// flows finds the record after each step of a flow (value) and the one before it (clock), and the flows that lead to the first slice of a thread.
func (r *Recording) flows(order []uint32) {
	var steps []uint32
	for i := range r.tracks {
		t := &r.tracks[i]
		for _, n := range order[t.first:t.end] {
			if k := r.records.Entry(n).kind; k == flowOut || k == flowStep || k == flowIn {
				steps = append(steps, n)
			}
		}
	}
	slices.SortStableFunc(steps, func(a, b uint32) int {
		x, y := r.records.Entry(a), r.records.Entry(b)
		return cmp.Or(cmp.Compare(x.time, y.time), cmp.Compare(x.kind, y.kind))
	})
	open := map[uint32]uint32{} // record + 1, by flow
	var lost, unmet int64
	for _, n := range steps {
		x := r.records.Entry(n)
		from, ok := open[x.other]
		if x.kind != flowOut {
			if ok {
				r.records.Entry(from - 1).value = int64(n) + 1
				x.clock = from
			} else if x.kind == flowIn {
				lost++
			}
			delete(open, x.other)
		} else if ok && r.records.Entry(from-1).kind == flowOut {
			unmet++
		}
		if x.kind != flowIn {
			x.value = 0
			open[x.other] = n + 1
		}
	}
	r.Dropped.Add("ends of flows without a beginning", lost)
	for _, n := range open { // the order does not matter: a sum
		if r.records.Entry(n-1).kind == flowOut {
			unmet++
		}
	}
	r.Dropped.Add("flows without an end", unmet)
	for i := range r.tracks {
		t := &r.tracks[i]
		switch {
		case t.kind != Thread || t.scheduled:
		case t.row:
			r.causes(order[t.first:t.end])
		default:
			if n, ok := r.arrival(order, t); ok {
				if x := r.source(r.records.Entry(n)); x.track != ID(i) {
					x.flags |= forks
				}
			}
		}
	}
}

// outermost returns the places of the outermost slices of a track.
func (r *Recording) outermost(order []uint32) (places []int) {
	var open []int64
	ends := 0 // open slices whose end is a record of its own
	for k, n := range order {
		x := r.records.Entry(n)
		if x.kind > endAll {
			continue
		}
		for len(open) > 0 && open[len(open)-1] <= x.time {
			open = open[:len(open)-1]
		}
		switch x.kind {
		case end:
			if ends == 0 {
				continue
			}
			i := len(open) - 1
			for open[i] != never {
				i--
			}
			open, ends = open[:i], ends-1
		case endAll:
			open, ends = open[:0], 0
		default:
			if len(open) == 0 {
				places = append(places, k)
			}
			until := int64(never)
			if x.kind == complete {
				until = x.time + x.value
			} else {
				ends++
			}
			open = append(open, until)
		}
	}
	return places
}

// A fork is a task that is forked by the sender of the last flow to its slice.
type fork struct {
	slice uint32 // record
	task  uint64 // 0 before the flow is played
}

// causes finds the flows to the outermost slices of a row of actions. The sender of the last flow to a slice forks its task.
func (r *Recording) causes(order []uint32) {
	places := r.outermost(order)
	for i, k := range places {
		until := len(order)
		if i+1 < len(places) {
			until = places[i+1]
		}
		if flow := r.lastFlow(order[:until], k); flow != 0 {
			r.records.Entry(flow - 1).flags |= forks
			r.forks[flow-1] = &fork{slice: order[k]}
			r.forked[order[k]] = r.forks[flow-1]
		}
	}
}

// lastFlow returns the beginning, + 1, of the last flow to the slice at a place of a row, 0 for none. The slice is the last outermost one of order.
func (r *Recording) lastFlow(order []uint32, place int) (flow uint32) {
	s := r.records.Entry(order[place])
	from := place
	for from > 0 && r.records.Entry(order[from-1]).kind == flowIn && r.records.Entry(order[from-1]).time == s.time {
		from--
	}
	for _, n := range order[from:] {
		x := r.records.Entry(n)
		if x.time > s.time {
			break
		}
		if y := r.source(x); y != nil && y.time <= s.time && (flow == 0 || y.time > r.records.Entry(flow-1).time) {
			flow = x.clock
		}
	}
	return flow
}

// source returns the record from which a flow comes, nil for none.
func (r *Recording) source(x *record) *record {
	if x.kind != flowIn && x.kind != flowStep || x.clock == 0 {
		return nil
	}
	return r.records.Entry(x.clock - 1)
}

// near is the number of records after the beginning of a slice that may hold a flow to it.
const near = 8

// arrival returns the flow that leads to the first of the remaining slices of a track.
func (r *Recording) arrival(order []uint32, t *track) (uint32, bool) {
	at := t.first
	for ; at < t.end; at++ {
		x := r.records.Entry(order[at])
		if x.kind == begin || x.kind == complete {
			break
		}
		if r.source(x) != nil {
			return order[at], true
		}
	}
	if at == t.end {
		return 0, false
	}
	return r.arriving(order[at+1:min(at+1+near, t.end)], r.records.Entry(order[at]))
}

// arriving returns the flow among the next records that leads to a slice and came from a time before it.
func (r *Recording) arriving(next []uint32, s *record) (uint32, bool) {
	for _, n := range next {
		x := r.records.Entry(n)
		switch {
		case x.kind == end || x.kind == endAll, s.kind == complete && x.time > s.time+s.value:
			return 0, false
		case x.kind == flowIn || x.kind == flowStep:
			if from := r.source(x); from != nil && from.time <= s.time && x.flags&received == 0 {
				return n, true
			}
		}
	}
	return 0, false
}
