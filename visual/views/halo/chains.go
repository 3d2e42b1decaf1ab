package halo

import (
	"slices"
	"whorl/internal/figures"
)

// mostLevels is how many levels there are at most, as far as chains can be folded.
const mostLevels = 40

// lengths are the longest chains that are left as they are, the first for which there are few levels.
var lengths = []int{30, 20, 12, 8, 5, 3}

// fold has the first node of a chain of more than so many stand for all of it: nodes one below the other, each with one node below it that is drawn.
// For 0 it is as many as leave few levels.
func (s *shown) fold(most int) {
	n := len(s.nodes)
	below := make([]int32, n) // nodes that are drawn
	for _, up := range s.parent[1:] {
		below[up]++
	}
	heads := func(most int) []int32 { // by place: that of what stands for it
		head := make([]int32, n)
		for k := 0; k < n; {
			end := k + 1 // behind the chain: in preorder the one that is called comes next
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
	for v, k := range s.at {
		if k >= 0 {
			s.at[v] = place[k]
		}
	}
	s.nodes, s.parent, s.chain, s.last, s.hidden, s.closed = to.nodes, to.parent, to.chain, to.last, to.hidden, to.closed
}

// levels is how many there are.
func (s *shown) levels(head []int32) int {
	level := make([]int, len(head))
	for k := 1; k < len(head); k++ {
		if level[k] = level[s.parent[k]]; head[k] == int32(k) {
			level[k]++
		}
	}
	return slices.Max(level) + 1
}

// label is what stands beside a node: its name, and how many more it stands for.
func (s *shown) label(k int32) string {
	name := s.Name(s.nodes[k])
	if n := s.chain[k]; n > 1 {
		name += " +" + figures.Count(int64(n-1))
	}
	return name
}
