package chakra

import (
	"maps"
	"math/bits"
	"slices"

	"whorl/internal/figures"
	"whorl/replay/schedule"
)

// Algorithms are those of all-reduce operations. The first is the default. In a ring, each rank sends parts of the data
// to the next one, 2 (P - 1) times (P. Patarasuk, X. Yuan: "Bandwidth Optimal All-reduce Algorithms for Clusters of
// Workstations", 2009). Recursive doubling exchanges all data log2 P times (R. Thakur, R. Rabenseifner, W. Gropp:
// "Optimization of Collective Communication Operations in MPICH", 2005).
var Algorithms = []string{"ring", "doubling"}

// maxOps bounds the operations of the program that come from collective ones, which are many more than their nodes.
const maxOps = 1 << 26

// Types of collective operations.
const (
	allReduce = iota
	reduce
	allGather
	gather
	scatter
	broadcast
	allToAll
	reduceScatter
	reduceScatterBlock
	barrier
)

var collNames = []string{"all-reduce", "reduce", "all-gather", "gather", "scatter", "broadcast", "all-to-all", "reduce-scatter", "reduce-scatter", "barrier"}

// collectives adds the collective operations of a process group, given by rank.
func (r *reader) collectives(group string, all map[int][]*node) error {
	ranks := r.groups[group]
	if ranks == nil { // the group of all
		for rank := range r.files {
			ranks = append(ranks, rank)
		}
	}
	leader := ranks[0]
	for _, rank := range slices.Sorted(maps.Keys(all)) {
		nodes := all[rank]
		for _, other := range []int{ranks[0], ranks[len(ranks)-1]} {
			if other < 0 || other >= len(r.files) {
				return r.wrong(rank, nodes[0], "a collective operation of group %q, to which rank %d belongs: expected 0 to %d, the ranks with files", group, other, len(r.files)-1)
			}
		}
		_, member := slices.BinarySearch(ranks, rank)
		switch {
		case !member:
			return r.wrong(rank, nodes[0], "a collective operation of group %q, to which rank %d does not belong", group, rank)
		case len(nodes) > len(all[leader]):
			return r.wrong(rank, nodes[len(all[leader])], "a collective operation of group %q that rank %d does not have", group, leader)
		}
	}
	for i, first := range all[leader] {
		members := make([]*member, len(ranks))
		for k, rank := range ranks {
			if len(all[rank]) <= i {
				return r.wrong(leader, first, "a collective operation of group %q that rank %d does not have", group, rank)
			}
			x := all[rank][i]
			switch {
			case x.coll != first.coll:
				return r.wrong(rank, x, "%s where rank %d has %s, in group %q", collName(x.coll), leader, collName(first.coll), group)
			case x.coll >= uint64(len(collNames)):
				return r.wrong(rank, x, "%s: expected 0 to %d", collName(x.coll), len(collNames)-1)
			case x.size > maxBytes:
				return r.wrong(rank, x, "a collective operation of %d bytes: expected at most %s", x.size, figures.Size(maxBytes))
			}
			name := r.label(x, collName(x.coll))
			x.first = r.add(rank, x, schedule.Op{Kind: schedule.Calc, Name: name})
			members[k] = &member{r: r, rank: rank, x: x, name: name, tag: ownTags + r.operations%(ownTags-2), last: []int{x.first}}
		}
		r.operations++
		if len(r.s.Ops)+r.most(first.coll, len(ranks)) > maxOps {
			return r.wrong(leader, first, "with this %s the program has more than %s operations, the most that are made of collective ones", collName(first.coll), figures.Count(maxOps))
		}
		r.exchange(first.coll, int64(first.size), members)
		for _, m := range members {
			m.x.last = r.add(m.rank, m.x, schedule.Op{Kind: schedule.Calc, Name: m.name})
			m.require(m.x.last)
		}
	}
	return nil
}

func collName(kind uint64) string {
	if kind < uint64(len(collNames)) {
		return collNames[kind]
	}
	return "a collective operation of type " + figures.Count(int64(min(kind, 1<<62)))
}

// A member is a rank in a collective operation.
type member struct {
	r    *reader
	rank int
	x    *node
	name uint32
	tag  int64
	last []int // what its next operation requires
}

func (m *member) require(op int) {
	for _, last := range m.last {
		m.r.s.Require(op, last)
	}
}

// op adds an operation behind those so far.
func (m *member) op(kind schedule.Kind, bytes int64, peer *member) int {
	op := m.r.add(m.rank, m.x, schedule.Op{Kind: kind, Size: bytes, Peer: int32(peer.rank), Tag: m.tag, Name: m.name})
	m.require(op)
	return op
}

// swap sends to one member and receives from another at the same time.
func (m *member) swap(bytes int64, to, from *member) {
	sent := m.op(schedule.Send, bytes, to)
	m.last = []int{sent, m.op(schedule.Recv, bytes, from)}
}

func (m *member) send(bytes int64, to *member)   { m.last = []int{m.op(schedule.Send, bytes, to)} }
func (m *member) receive(bytes int64, f *member) { m.last = []int{m.op(schedule.Recv, bytes, f)} }

// most returns how many operations exchange adds at most for a number of members.
func (r *reader) most(kind uint64, members int) int {
	steps := 1 // in which each member sends once and receives once
	switch {
	case kind == allReduce && r.algorithm != "doubling":
		steps = 2 * (members - 1)
	case kind == allReduce, kind == barrier:
		steps = bits.Len(uint(members))
	case kind == allGather, kind == reduceScatter, kind == reduceScatterBlock, kind == allToAll:
		steps = members - 1
	}
	return 2 * steps * members
}

// exchange adds the messages of a collective operation.
func (r *reader) exchange(kind uint64, bytes int64, all []*member) {
	p := len(all)
	part := (bytes + int64(p) - 1) / int64(p)
	switch kind {
	case allReduce:
		if r.algorithm == "doubling" {
			doubling(bytes, all)
			return
		}
		ring(2*(p-1), part, all)
	case allGather:
		ring(p-1, bytes, all)
	case reduceScatter, reduceScatterBlock:
		ring(p-1, part, all)
	case allToAll:
		for k := 1; k < p; k++ {
			for i, m := range all {
				m.swap(part, all[(i+k)%p], all[(i-k+p)%p])
			}
		}
	case barrier: // dissemination
		for k := 1; k < p; k *= 2 {
			for i, m := range all {
				m.swap(0, all[(i+k)%p], all[(i-k+p)%p])
			}
		}
	case broadcast: // binomial tree
		for k := 1; k < p; k *= 2 {
			for i := range min(k, p-k) {
				all[i].send(bytes, all[i+k])
				all[i+k].receive(bytes, all[i])
			}
		}
	case reduce:
		k := 1
		for 2*k < p {
			k *= 2
		}
		for ; k > 0; k /= 2 {
			for i := range min(k, max(0, p-k)) {
				all[i+k].send(bytes, all[i])
				all[i].receive(bytes, all[i+k])
			}
		}
	case gather:
		for _, m := range all[1:] {
			m.send(bytes, all[0])
			all[0].receive(bytes, m)
		}
	case scatter:
		for _, m := range all[1:] {
			all[0].send(part, m)
			m.receive(part, all[0])
		}
	}
}

// ring adds some steps in which each member sends to the next one.
func ring(steps int, bytes int64, all []*member) {
	for range steps {
		for i, m := range all {
			m.swap(bytes, all[(i+1)%len(all)], all[(i+len(all)-1)%len(all)])
		}
	}
}

// doubling adds exchanges over distances that double. Members beyond a power of two give their data to others before, and
// get the result after.
func doubling(bytes int64, all []*member) {
	p := 1
	for 2*p <= len(all) {
		p *= 2
	}
	for i, m := range all[p:] {
		m.send(bytes, all[i])
		all[i].receive(bytes, m)
	}
	for k := 1; k < p; k *= 2 {
		for i, m := range all[:p] {
			m.swap(bytes, all[i^k], all[i^k])
		}
	}
	for i, m := range all[p:] {
		all[i].send(bytes, m)
		m.receive(bytes, all[i])
	}
}
