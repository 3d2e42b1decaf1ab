package spawntree

import (
	"cmp"
	"slices"
)

// Folding keeps a skeleton small. A complete light subtree becomes a chain with one node for each of its levels, which stands for all nodes of
// that level, and light neighbours among siblings become one chain. The weight of a subtree is the weight of radial layouts: the sum over its
// nodes of the height of the tree minus the level plus 1. Folding keeps the weights of all other subtrees, and thus their sectors. The node that
// stands for others is chosen from them at random with equal probability, so that many chains together have the colours of all nodes.

// fold turns a complete subtree into a chain. The subtrees below it are chains already.
func (s *skeleton) fold(i int32) {
	for s.joints[i].kids > 1 {
		first := s.joints[i].first - 1
		s.merge(first, s.joints[first].next-1)
	}
}

// merge adds chain b to chain a, a sibling of it.
func (s *skeleton) merge(a, b int32) {
	s.unhang(b)
	for {
		j, k := &s.joints[a], &s.joints[b]
		j.weight += k.weight
		j.stands += k.stands
		if s.random.Int64N(j.stands) < k.stands {
			*s.record(j.rec) = *s.record(k.rec)
		}
		rest := k.first - 1
		if rest >= 0 {
			s.unhang(rest)
		}
		s.release(b)
		switch {
		case rest < 0:
			return
		case j.first == 0:
			s.hang(rest, a+1)
			return
		}
		a, b = j.first-1, rest
	}
}

// room folds more of the tree if all records are in use. It raises the grain until a quarter of them is free, and returns false if it cannot. It calls
// tick after each round, and ends with its error.
func (s *skeleton) room(tick func() error) (bool, error) {
	if s.most == 0 || s.held() < s.most {
		return true, nil
	}
	enough := s.most / 4 * 3
	if s.grain > 0 {
		s.foldLight()
	}
	for s.held() > enough && s.grain < s.total {
		if err := tick(); err != nil {
			return false, err
		}
		s.grain = max(2*s.grain, int64(s.height)+1)
		s.foldLight()
	}
	return s.held() < s.most, tick()
}

// foldLight folds all complete subtrees that weigh no more than the grain, and then neighbours among siblings.
func (s *skeleton) foldLight() {
	var order []int32 // parents before children
	var todo []int32
	push := func(first int32) {
		for i := first; i != 0; i = s.joints[i-1].next {
			todo = append(todo, i-1)
		}
	}
	push(s.top)
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		order = append(order, i)
		push(s.joints[i].first)
	}
	for _, i := range slices.Backward(order) {
		j := &s.joints[i]
		switch {
		case j.rec == freeRec: // a link that was taken out
		case j.complete() && j.weight <= s.grain:
			s.fold(i)
			s.shrink(i)
		default:
			s.foldSiblings(j.first)
		}
	}
	s.foldSiblings(s.top)
}

// foldSiblings merges neighbouring chains in a list of siblings if their common weight is at most the grain.
func (s *skeleton) foldSiblings(first int32) {
	var siblings []int32
	for i := first; i != 0; i = s.joints[i-1].next {
		siblings = append(siblings, i-1)
	}
	slices.SortFunc(siblings, func(a, b int32) int { return cmp.Compare(s.joints[a].key, s.joints[b].key) })
	last := int32(-1)
	for _, i := range siblings {
		j := &s.joints[i]
		switch {
		case !j.complete() || j.weight > s.grain:
			last = -1
		case last >= 0 && s.joints[last].weight+j.weight <= s.grain:
			s.merge(last, i)
		default:
			last = i
		}
	}
}
