package spawntree

import (
	"cmp"
	"slices"
)

// A skeleton is the tree of a second pass: the nodes that are drawn and, between them, links for the nodes that are left out. The links
// keep the order: children of a node come in the order of the tasks on the way to them. A link that can have no more children is taken
// out when it has one or none, so that there are fewer links than nodes drawn, apart from those still waiting.
type skeleton struct {
	joints []joint
	free   []int32
	top    int32 // first of the roots' list, joint + 1
	pages  [][]record
	n      int32
}

// A joint is a node or a link. The lists of children have no order; all references are to joint + 1, 0 for none.
type joint struct {
	key                   uint64 // orders it among its siblings
	up, first, next, prev int32
	kids                  int32
	rec                   int32 // its record, linkRec or freeRec
	closed                bool  // can have no more children
}

const (
	linkRec = -1
	freeRec = -2
)

func (s *skeleton) record(i int32) *record { return &s.pages[i>>pageBits][i&(pageLen-1)] }

// keep stores the record of a node that is drawn.
func (s *skeleton) keep(r record) (int32, error) {
	if s.n >= maxNodes/2 { // nodes and links share their numbers
		return 0, errTooMany
	}
	if s.n&(pageLen-1) == 0 {
		s.pages = append(s.pages, make([]record, pageLen))
	}
	*s.record(s.n) = r
	s.n++
	return s.n - 1, nil
}

// add makes a joint below up, a joint or -1.
func (s *skeleton) add(up int32, key uint64, rec int32) int32 {
	var i int32
	if n := len(s.free); n > 0 {
		i = s.free[n-1]
		s.free = s.free[:n-1]
	} else {
		i = int32(len(s.joints))
		s.joints = append(s.joints, joint{})
	}
	s.joints[i] = joint{key: key, rec: rec}
	s.hang(i, up+1)
	return i
}

// list returns where the list of the children of up (joint + 1) begins.
func (s *skeleton) list(up int32) *int32 {
	if up == 0 {
		return &s.top
	}
	return &s.joints[up-1].first
}

func (s *skeleton) hang(i, up int32) {
	j, first := &s.joints[i], s.list(up)
	j.up, j.prev, j.next = up, 0, *first
	if *first != 0 {
		s.joints[*first-1].prev = i + 1
	}
	*first = i + 1
	if up != 0 {
		s.joints[up-1].kids++
	}
}

func (s *skeleton) unhang(i int32) {
	j := &s.joints[i]
	if j.prev != 0 {
		s.joints[j.prev-1].next = j.next
	} else {
		*s.list(j.up) = j.next
	}
	if j.next != 0 {
		s.joints[j.next-1].prev = j.prev
	}
	if j.up != 0 {
		s.joints[j.up-1].kids--
	}
}

// close says that a joint can have no more children than it has.
func (s *skeleton) close(i int32) {
	s.joints[i].closed = true
	s.shrink(i)
}

// shrink takes out a closed link that orders nothing: one without children, then perhaps the one above it, or one with a single child,
// which takes its place and its key.
func (s *skeleton) shrink(i int32) {
	for {
		j := &s.joints[i]
		if j.rec != linkRec || !j.closed || j.kids > 1 {
			return
		}
		up := j.up
		if j.kids == 1 {
			kid := j.first - 1
			s.joints[kid].key = j.key
			s.unhang(kid)
			s.hang(kid, up)
		}
		s.unhang(i)
		j.rec = freeRec
		s.free = append(s.free, i)
		if up == 0 {
			return
		}
		i = up - 1
	}
}

// tree puts the nodes in preorder. Threads that still run do so until end.
func (s *skeleton) tree(end int64) *Tree {
	t := newTree(int(s.n))
	t.last = end
	type visit struct{ joint, parent int32 }
	var todo []visit
	push := func(first, parent int32) {
		from := len(todo)
		for i := first; i != 0; i = s.joints[i-1].next {
			todo = append(todo, visit{i - 1, parent})
		}
		slices.SortFunc(todo[from:], func(a, b visit) int { return cmp.Compare(s.joints[b.joint].key, s.joints[a.joint].key) })
	}
	push(s.top, -1)
	k := int32(0)
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		j := &s.joints[v.joint]
		if j.rec != linkRec {
			r := s.record(j.rec)
			t.set(int(k), r)
			t.Parent[k] = v.parent
			t.Height = max(t.Height, r.level)
			v.parent = k
			k++
		}
		push(j.first, v.parent)
	}
	for i := k - 1; i >= 0; i-- {
		t.Size[i]++
		if p := t.Parent[i]; p >= 0 {
			t.Size[p] += t.Size[i]
		}
	}
	return t
}
