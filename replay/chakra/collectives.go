package chakra

import (
	"maps"
	"slices"

	"whorl/internal/figures"
	"whorl/replay/collective"
	"whorl/replay/schedule"
)

// kinds are the collective operations by their types. There are two types of reduce-scatter.
var kinds = []collective.Kind{
	collective.AllReduce, collective.Reduce, collective.AllGather, collective.Gather, collective.Scatter, collective.Broadcast, collective.AllToAll,
	collective.ReduceScatter, collective.ReduceScatter, collective.Barrier,
}

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
		members := make(members, len(ranks))
		for k, rank := range ranks {
			if len(all[rank]) <= i {
				return r.wrong(leader, first, "a collective operation of group %q that rank %d does not have", group, rank)
			}
			x := all[rank][i]
			switch {
			case x.coll != first.coll:
				return r.wrong(rank, x, "%s where rank %d has %s, in group %q", collName(x.coll), leader, collName(first.coll), group)
			case x.coll >= uint64(len(kinds)):
				return r.wrong(rank, x, "%s: expected 0 to %d", collName(x.coll), len(kinds)-1)
			case x.size > maxBytes:
				return r.wrong(rank, x, "a collective operation of %d bytes: expected at most %s", x.size, figures.Size(maxBytes))
			}
			name := r.label(x, collName(x.coll))
			x.first = r.add(rank, x, schedule.Op{Kind: schedule.Calc, Name: name})
			members[k] = &member{r: r, rank: rank, x: x, name: name, tag: ownTags + r.operations%(ownTags-2), last: []int{x.first}}
		}
		r.operations++
		kind := kinds[first.coll]
		if len(r.s.Ops)+collective.Most(kind, r.algorithm, len(ranks)) > collective.MaxOps {
			return r.wrong(leader, first, "with this %s the program has more than %s operations, the most that are made of collective ones", collName(first.coll), figures.Count(collective.MaxOps))
		}
		collective.Run(kind, r.algorithm, int64(first.size), len(members), members)
		for _, m := range members {
			m.x.last = r.add(m.rank, m.x, schedule.Op{Kind: schedule.Calc, Name: m.name})
			m.require(m.x.last)
		}
	}
	return nil
}

func collName(kind uint64) string {
	if kind < uint64(len(kinds)) {
		return kinds[kind].String()
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
	last []int // the operations that its next one requires
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

// members are those of an operation. They take its steps.
type members []*member

func (a members) Send(m int, bytes int64, to int) {
	a[m].last = []int{a[m].op(schedule.Send, bytes, a[to])}
}

func (a members) Receive(m int, bytes int64, from int) {
	a[m].last = []int{a[m].op(schedule.Recv, bytes, a[from])}
}

func (a members) Swap(m int, bytes int64, to, from int) {
	sent := a[m].op(schedule.Send, bytes, a[to])
	a[m].last = []int{sent, a[m].op(schedule.Recv, bytes, a[from])}
}
