//go:build !js

package dtslog

import (
	"slices"

	"whorl/tracer"
)

// A node is one PE, or consecutive PEs of the same process.
type node struct{ number, first, pes int32 }

// nodes are the nodes with several PEs, in order. Each other PE is a node of its own.
type nodes []node

// nodesOf returns the nodes with several PEs.
func nodesOf(meta *tracer.Meta) (ns nodes) {
	info := meta.PEInfo[:min(len(meta.PEInfo), mostNodes)]
	number := int32(0)
	for i := 0; i < len(info); number++ {
		n := 1
		for info[i].Process != "" && n < mostPEs && i+n < len(info) && info[i+n].Node() == info[i].Node() {
			n++
		}
		if n > 1 {
			ns = append(ns, node{number, int32(i), int32(n)})
		}
		i += n
	}
	return ns
}

// place returns the number of the node of a PE, and the PE's number within the node.
func (ns nodes) place(pe int32) (number, k int32) {
	i, found := slices.BinarySearchFunc(ns, pe, func(n node, pe int32) int { return int(n.first) - int(pe) })
	if !found {
		i--
	}
	if i < 0 {
		return pe, 0
	}
	n := ns[i]
	if pe < n.first+n.pes {
		return n.number, pe - n.first
	}
	return n.number + 1 + pe - n.first - n.pes, 0
}

// A nodeLog is a node with its events.
type nodeLog struct {
	node
	events []tracer.Event
}

// logs divides events, which are ordered by node, among the nodes that have some. Nodes with several PEs always have a
// log, which tells their number.
func (ns nodes) logs(events []tracer.Event) (all []nodeLog) {
	rest := ns
	before := func(number int32) {
		for ; len(rest) > 0 && rest[0].number < number; rest = rest[1:] {
			all = append(all, nodeLog{node: rest[0]})
		}
	}
	for len(events) > 0 {
		number, k := ns.place(events[0].PE)
		before(number)
		n := node{number, events[0].PE - k, 1}
		if len(rest) > 0 && rest[0].number == number {
			n, rest = rest[0], rest[1:]
		}
		end := slices.IndexFunc(events, func(e tracer.Event) bool { return e.PE >= n.first+n.pes || e.PE < n.first })
		if end < 0 {
			end = len(events)
		}
		all = append(all, nodeLog{n, events[:end]})
		events = events[end:]
	}
	before(mostNodes)
	return all
}
