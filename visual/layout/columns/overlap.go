package columns

// A span is the range of places in a parent's chain that a child and its descendants occupy.
type span struct {
	thread     int32
	fork, done int32
	width      int32 // columns of the child's subtree
}

// Two spans overlap if a.fork < b.fork < a.done < b.done. They cross if they also stand on the same side.

// An overlap finds the connected components of the overlap graph in one sweep over forks and ends, and colours the
// spans so that overlapping spans differ in colour where possible (P. Rosenstiehl and R. Tarjan, 1984). Its memory is
// reused from one thread to the next.
type overlap struct {
	up     []int32 // by span: its parent in the union-find forest of components
	flip   []bool  // by span: whether its colour differs from that of up
	odd    []bool  // by the root of a component: whether it is not bipartite
	below  []int32 // by span: the next lower one on its stack, -1 for none
	twins  []twin
	merged bool // whether any spans overlap
}

// A twin holds the open spans of a component in two stacks, one for each colour.
type twin struct {
	part        int32 // root of the component
	top, bottom [2]int32
	open        int32
}

// find returns the component of a span and whether the span's colour differs from that of the component's root.
func (o *overlap) find(i int32) (part int32, flipped bool) {
	part = i
	for o.up[part] != part {
		flipped = flipped != o.flip[part]
		part = o.up[part]
	}
	for rest := flipped; i != part; { // path compression
		next, f := o.up[i], o.flip[i]
		o.up[i], o.flip[i] = part, rest
		rest = rest != f
		i = next
	}
	return part, flipped
}

// run sweeps over spans, which are in the order of their forks. ends lists them in the order of their ends; of those
// that end at one place, the inner ones come first.
func (o *overlap) run(spans []span, ends []int32) {
	n := len(spans)
	o.up, o.flip, o.odd, o.below = grown(o.up, n), grown(o.flip, n), grown(o.odd, n), grown(o.below, n)
	o.twins = o.twins[:0]
	o.merged = false
	k := 0
	for i := range spans {
		for k < n && spans[ends[k]].done <= spans[i].fork {
			o.end(ends[k])
			k++
		}
		o.up[i], o.flip[i], o.odd[i], o.below[i] = int32(i), false, false, -1
		o.twins = append(o.twins, twin{part: int32(i), top: [2]int32{int32(i), -1}, bottom: [2]int32{int32(i), -1}, open: 1})
	}
	for ; k < n; k++ {
		o.end(ends[k])
	}
}

// end closes a span. It overlaps with all open spans that were forked later.
func (o *overlap) end(i int32) {
	part, flipped := o.find(i)
	color := 0
	if flipped {
		color = 1
	}
	last := len(o.twins) - 1
	index := last
	for o.twins[index].part != part {
		index--
	}
	t := &o.twins[index]
	odd := o.odd[part]
	if t.top[color] != i {
		odd = true // a span of its own colour lies above it
	}
	for k := index + 1; k <= last; k++ { // lowest first, so that the stacks keep their order
		u := &o.twins[k]
		o.merged = true
		one := 0
		if u.top[0] < 0 {
			one = 1
		}
		odd = odd || o.odd[u.part] || u.top[1-one] >= 0
		o.up[u.part], o.flip[u.part] = part, one != 1-color
		t.open += u.open
		if !odd {
			o.below[u.bottom[one]] = t.top[1-color]
			if t.top[1-color] < 0 {
				t.bottom[1-color] = u.bottom[one]
			}
			t.top[1-color] = u.top[one]
		}
	}
	o.twins = o.twins[:index+1]
	o.odd[part] = odd
	if !odd {
		if t.top[color] = o.below[i]; t.top[color] < 0 {
			t.bottom[color] = -1
		}
	}
	if t.open--; t.open == 0 {
		o.twins = o.twins[:index]
	}
}

// grown returns a slice of length n that reuses the memory of s if it is large enough.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}
