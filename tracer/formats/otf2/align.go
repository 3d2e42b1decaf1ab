package otf2

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// An aligner finds the offsets between clocks of processes from their messages: none can be received before it was sent, and no collective
// operation that waits for all of its ranks can end before each of them has begun it. The method is F. Cristian's, "Probabilistic Clock
// Synchronization", Distributed Computing 3, 1989: half of the difference between the shortest ways in both directions.
type aligner struct {
	r      *reader
	groups map[uint32]int          // numbers of processes, by group of locations
	least  map[[2]int]int64        // the shortest time from one process to another by their own clocks
	sent   map[flight]*[]reading   // messages that are sent or received, in their order
	got    map[flight]*[]reading   //
	begins map[gathering][]reading // when ranks began
	ends   map[gathering][]reading
}

// A reading is a time of an event by the clock of its process.
type reading struct {
	process int
	time    int64
}

// mostLooked is the number of records that are read to find the offsets, of all locations together.
const mostLooked = 1 << 19

// align shifts the clocks of processes by their messages if the archive has no offsets, and the clocks contradict a message.
func (r *reader) align() {
	a := &aligner{
		r: r, groups: map[uint32]int{}, least: map[[2]int]int64{}, sent: map[flight]*[]reading{}, got: map[flight]*[]reading{},
		begins: map[gathering][]reading{}, ends: map[gathering][]reading{},
	}
	for _, l := range r.locations {
		if _, ok := a.groups[l.place.group]; !ok {
			a.groups[l.place.group] = len(a.groups)
		}
	}
	if r.shifted || len(a.groups) < 2 {
		return
	}
	for _, l := range r.locations {
		a.look(l, mostLooked/len(r.locations)+1)
	}
	wrong := false
	for f, sent := range a.sent { // minima: the order does not matter
		if got := a.got[f]; got != nil {
			for i := range min(len(*sent), len(*got)) {
				wrong = a.way((*sent)[i], (*got)[i]) || wrong
			}
		}
	}
	for g, begins := range a.begins {
		for _, b := range begins {
			for _, e := range a.ends[g] {
				wrong = a.way(b, e) || wrong
			}
		}
	}
	if wrong {
		a.shift()
	}
}

// look reads the beginning of a file of events, without a change of the location.
func (a *aligner) look(l *location, records int) {
	defer func() {
		l.close()
		l.window.err, l.time, l.timed, l.records, l.attributes, l.fell, l.damaged, l.counts, l.timer.current = nil, 0, false, 0, 0, 0, 0, nil, 0
	}()
	if l.begin() != nil {
		return
	}
	me := a.groups[l.place.group]
	begun := int64(0)
	for n := 0; n < records && l.next(); n++ {
		c := &l.body
		switch l.kind {
		case mpiSend, mpiIsend, mpiRecv, mpiIrecv:
			rank, comm := c.ref(), uint32(l.maps[mapComm].global(uint64(c.ref())))
			tag := c.ref()
			other := a.r.communicator(comm).peer(l, rank)
			if other == nil || c.bad {
				continue
			}
			f, all := flight{comm, tag, l.pe, other.pe}, a.sent
			if l.kind == mpiRecv || l.kind == mpiIrecv {
				f.from, f.to, all = f.to, f.from, a.got
			}
			if all[f] == nil {
				all[f] = new([]reading)
			}
			*all[f] = append(*all[f], reading{me, l.time})
		case mpiCollectiveBegin:
			begun = l.time
		case mpiCollectiveEnd:
			op, comm := c.u8(), uint32(l.maps[mapComm].global(uint64(c.ref())))
			if int(op) >= len(collectives) || collectives[op].kind != allToAll {
				continue
			}
			cm := a.r.communicator(comm)
			if len(cm.members) > mostAligned || len(cm.remote) > 0 {
				continue
			}
			g := gathering{comm, l.number(comm)}
			a.begins[g] = append(a.begins[g], reading{me, begun})
			a.ends[g] = append(a.ends[g], reading{me, l.time})
		}
	}
}

// mostAligned bounds the ranks of collective operations that are compared pair by pair.
const mostAligned = 256

// way notes the time from an event of a process to its effect on another one. It reports whether the time is negative.
func (a *aligner) way(from, to reading) bool {
	if from.process == to.process {
		return false
	}
	k := [2]int{from.process, to.process}
	t := to.time - from.time
	if least, ok := a.least[k]; !ok || t < least {
		a.least[k] = t
	}
	return t < 0
}

// A connection is one of two processes, with the shortest time there and back.
type connection struct {
	trip     int64
	from, to int
}

// connections are a heap. The one with the shortest time comes first.
type connections []connection

func (c connections) Len() int      { return len(c) }
func (c connections) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c connections) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(c[i].trip, c[j].trip), cmp.Compare(c[i].from, c[j].from), cmp.Compare(c[i].to, c[j].to)) < 0
}
func (c *connections) Push(x any) { *c = append(*c, x.(connection)) }

func (c *connections) Pop() any {
	n := len(*c) - 1
	x := (*c)[n]
	*c = (*c)[:n]
	return x
}

// shift makes the clock of each process that messages connect with the first one agree with its clock.
func (a *aligner) shift() {
	n := len(a.groups)
	next := make([][]int, n) // the processes with messages in both directions
	for k := range a.least {
		if _, ok := a.least[[2]int{k[1], k[0]}]; ok {
			next[k[0]] = append(next[k[0]], k[1])
		}
	}
	for _, to := range next {
		slices.Sort(to)
	}
	offsets, known := make([]int64, n), make([]bool, n)
	trip := func(i, j int) int64 { return a.least[[2]int{i, j}] + a.least[[2]int{j, i}] }
	known[0] = true
	var reach connections // from the known processes
	for at := 0; ; {
		for _, to := range next[at] {
			heap.Push(&reach, connection{trip(at, to), at, to})
		}
		for len(reach) > 0 && known[reach[0].to] {
			heap.Pop(&reach)
		}
		if len(reach) == 0 {
			break
		}
		w := heap.Pop(&reach).(connection)
		at = w.to
		known[at] = true
		offsets[at] = offsets[w.from] + (a.least[[2]int{at, w.from}]-a.least[[2]int{w.from, at}])/2
	}
	a.relax(offsets, known)
	first := int64(math.MaxInt64)
	for i, o := range offsets {
		if known[i] {
			first = min(first, o)
		}
	}
	for i := range offsets { // no clock goes back, so that times stay positive
		offsets[i] -= first
	}
	for _, l := range a.r.locations {
		process := a.groups[l.place.group]
		l.timer.extra = offsets[process]
		if !known[process] {
			a.r.lone++
		}
	}
	a.r.aligned = true
}

// mostRounds bounds the rounds of relax.
const mostRounds = 1000

// relax moves the clocks of two processes whose messages still contradict each other until each message takes at least a nanosecond, or as far as
// possible.
func (a *aligner) relax(offsets []int64, known []bool) {
	type edge struct {
		from, to int
		least    int64
	}
	var edges []edge
	for k, least := range a.least {
		if known[k[0]] && known[k[1]] {
			edges = append(edges, edge{k[0], k[1], least})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	for range mostRounds {
		moved := false
		for _, e := range edges {
			if early := offsets[e.from] - offsets[e.to] - e.least + 1; early > 0 {
				offsets[e.from] -= (early + 1) / 2
				offsets[e.to] += (early + 1) / 2
				moved = true
			}
		}
		if !moved {
			return
		}
	}
}
