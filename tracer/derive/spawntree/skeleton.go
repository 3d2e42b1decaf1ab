package spawntree

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// A skeleton is the tree of a pass: the drawn nodes and, between them, links for the nodes of omitted levels. Links keep the order: the
// children of a node are in the order of the tasks on the paths to them. A link that can have no more children is removed if it has at most one
// child, so that there are fewer links than nodes, apart from links still waiting.
type skeleton struct {
	joints []joint
	free   []int32 // joints not in use
	top    int32   // first of the list of roots, joint + 1
	pages  [][]record
	n      int32   // records in pages
	spare  []int32 // records not in use

	// For folding (fold.go).
	most   int   // records to hold, 0 for no limit
	height int32 // largest drawn level
	grain  int64 // complete subtrees of at most this weight are folded
	total  int64 // weight of all nodes so far
	random *rand.Rand
}

// A joint is a node or a link. Lists of children have no order; references are to joint + 1, 0 for none.
type joint struct {
	key                   uint64 // orders it among its siblings
	weight                int64  // of the node and of the complete subtrees below it
	stands                int64  // nodes that it stands for, including itself; 0 for a link
	up, first, next, prev int32
	kids                  int32
	open                  int32 // children whose subtrees are not complete
	rec                   int32 // its record, linkRec or freeRec
	closed                bool  // can have no more children
}

const (
	linkRec = -1
	freeRec = -2
)

// complete reports whether the subtree of a joint can have no more nodes.
func (j *joint) complete() bool { return j.closed && j.open == 0 }

func newSkeleton(most int, height int32) *skeleton {
	return &skeleton{most: most, height: height, random: rand.New(rand.NewPCG(1, 2))}
}

func (s *skeleton) record(i int32) *record { return &s.pages[i>>pageBits][i&(pageLen-1)] }

// held is the number of records in use.
func (s *skeleton) held() int { return int(s.n) - len(s.spare) }

// keep stores a record.
func (s *skeleton) keep(r record) (int32, error) {
	if n := len(s.spare); n > 0 {
		i := s.spare[n-1]
		s.spare = s.spare[:n-1]
		*s.record(i) = r
		return i, nil
	}
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

// add makes a joint below up, a joint or -1. closed means that it can have no children.
func (s *skeleton) add(up int32, key uint64, rec int32, closed bool) int32 {
	j := joint{key: key, rec: rec, closed: closed}
	if rec != linkRec {
		j.weight, j.stands = int64(s.height-s.record(rec).level+1), 1
		s.total += j.weight
	}
	var i int32
	if n := len(s.free); n > 0 {
		i = s.free[n-1]
		s.free = s.free[:n-1]
		s.joints[i] = j
	} else {
		i = int32(len(s.joints))
		s.joints = append(s.joints, j)
	}
	s.hang(i, up+1)
	if up >= 0 {
		s.joints[up].open++
	}
	s.settle(i)
	return i
}

// list returns the head of the list of the children of up (joint + 1).
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

// release frees a joint and its record.
func (s *skeleton) release(i int32) {
	j := &s.joints[i]
	if j.rec >= 0 {
		s.spare = append(s.spare, j.rec)
	}
	j.rec = freeRec
	s.free = append(s.free, i)
}

// close marks a joint that can have no more children.
func (s *skeleton) close(i int32) {
	s.joints[i].closed = true
	s.settle(i)
}

// settle adds the weight of a complete joint to the joint above it, which may become complete, and so on. It folds light subtrees and removes
// needless links on the way.
func (s *skeleton) settle(i int32) {
	for {
		j := &s.joints[i]
		complete, weight, up := j.complete(), j.weight, j.up
		if complete && weight <= s.grain {
			s.fold(i)
		}
		s.shrink(i)
		if !complete || up == 0 {
			return
		}
		u := &s.joints[up-1]
		u.open--
		u.weight += weight
		i = up - 1
	}
}

// shrink removes a closed link without children, or replaces one with a single child by the child, which gets its key.
func (s *skeleton) shrink(i int32) {
	j := &s.joints[i]
	if j.rec != linkRec || !j.closed || j.kids > 1 {
		return
	}
	if j.kids == 1 {
		kid := j.first - 1
		s.joints[kid].key = j.key
		s.unhang(kid)
		s.hang(kid, j.up)
	}
	s.unhang(i)
	s.release(i)
}

// tree puts the nodes in preorder.
func (s *skeleton) tree() *Tree {
	var r ranges
	for i := range s.n {
		r.add(s.record(i), 0)
	}
	t := newTree(s.held())
	t.make(&r)
	if s.grain > 0 {
		t.Stands = make([]int64, s.held())
	}
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
			if t.Stands != nil {
				t.Stands[k] = j.stands
			}
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
