package halo

import (
	"slices"

	"whorl/internal/figures"
)

// mostLevels is the largest number of levels that folding aims at.
const mostLevels = 40

// lengths are the lengths of the longest unfolded chain that fold tries in turn.
var lengths = []int{30, 20, 12, 8, 5, 3}

// fold replaces each chain of more than most nodes by its first node. A chain consists of nodes with one drawn callee each. If most is 0,
// fold chooses it for at most mostLevels levels, as far as that is possible.
func (s *shown) fold(most int) {
	n := len(s.nodes)
	below := make([]int32, n) // number of drawn callees
	for _, up := range s.parent[1:] {
		below[up]++
	}
	heads := func(most int) []int32 { // by place: the place of the node that stands for it
		head := make([]int32, n)
		for k := 0; k < n; {
			end := k + 1 // of the chain; in preorder, a callee follows its caller
			if k > 0 && below[k] == 1 {
				for end < n && below[end] == 1 {
					end++
				}
			}
			for i := k; i < end; i++ {
				if head[i] = int32(i); end-k > most {
					head[i] = int32(k)
				}
			}
			k = end
		}
		return head
	}
	var head []int32
	if most > 0 {
		head = heads(most)
	} else {
		head = heads(n)
		for _, most := range lengths {
			if s.levels(head) <= mostLevels {
				break
			}
			head = heads(most)
		}
	}
	place := make([]int32, n)
	to := shown{}
	for k := range int32(n) {
		if head[k] != k {
			place[k] = place[head[k]]
			to.chain[place[k]]++
			to.last[place[k]] = s.nodes[k]
			to.hidden[place[k]] += s.hidden[k]
			continue
		}
		place[k] = int32(len(to.nodes))
		up := int32(-1)
		if k > 0 {
			up = place[s.parent[k]]
		}
		to.nodes, to.parent, to.chain = append(to.nodes, s.nodes[k]), append(to.parent, up), append(to.chain, 1)
		to.last = append(to.last, s.nodes[k])
		to.hidden, to.closed = append(to.hidden, s.hidden[k]), append(to.closed, s.closed[k])
	}
	for v, k := range s.place {
		if k >= 0 {
			s.place[v] = place[k]
		}
	}
	s.nodes, s.parent, s.chain, s.last, s.hidden, s.closed = to.nodes, to.parent, to.chain, to.last, to.hidden, to.closed
}

// levels returns the number of levels with the given heads.
func (s *shown) levels(head []int32) int {
	level := make([]int, len(head))
	for k := 1; k < len(head); k++ {
		if level[k] = level[s.parent[k]]; head[k] == int32(k) {
			level[k]++
		}
	}
	return slices.Max(level) + 1
}

// label returns the label of a node: its name, and how many other nodes it stands for.
func (s *shown) label(k int32) string {
	name := s.Name(s.nodes[k])
	if n := s.chain[k]; n > 1 {
		name += " +" + figures.Count(int64(n-1))
	}
	return name
}
