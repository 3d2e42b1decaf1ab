package columns

// A span is a thread forked by another, from its fork to where nothing of it is left, as places in the other's chain.
type span struct {
	thread     int32
	fork, done int32
	width      int32 // columns of it and all below it
}

// Two spans overlap, and cross when they stand on the same side, if one is forked before the other and done after it is forked, but before
// it is done: a.fork < b.fork < a.done < b.done.

// An overlap finds the parts of the graph of overlaps that hang together, in the time of a sweep over forks and ends, and gives each span a
// colour such that those that overlap have different ones, as far as that is possible (P. Rosenstiehl and R. Tarjan 1984). Its memory is
// used again from one thread to the next.
type overlap struct {
	up     []int32 // by span: another one of its part, itself for the part's first
	flip   []bool  // whether its colour is the other one than up's
	odd    []bool  // by a part's first span: it cannot be coloured
	below  []int32 // the one of the same twin and colour that was pushed before, -1 for none
	twins  []twin
	merged bool // there is any overlap
}

// A twin is the spans of a part that are not done, in two stacks by colour.
type twin struct {
	part        int32 // the part's first span
	top, bottom [2]int32
	open        int32
}

// find is the part of a span, and whether its colour is the other one than that of the part's first span.
func (o *overlap) find(i int32) (part int32, flipped bool) {
	part = i
	for o.up[part] != part {
		flipped = flipped != o.flip[part]
		part = o.up[part]
	}
	for rest := flipped; i != part; { // shorten the way
		next, f := o.up[i], o.flip[i]
		o.up[i], o.flip[i] = part, rest
		rest = rest != f
		i = next
	}
	return part, flipped
}

// run sweeps over spans in the order of their forks; ends lists them in the order in which they are done, of those done at one place the
// inner ones first.
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

// end is the end of a span: all that were forked later and go on overlap with it.
func (o *overlap) end(i int32) {
	part, flipped := o.find(i)
	color := 0
	if flipped {
		color = 1
	}
	last := len(o.twins) - 1
	at := last
	for o.twins[at].part != part {
		at--
	}
	t := &o.twins[at]
	odd := o.odd[part]
	if t.top[color] != i {
		odd = true // one of its own colour is above it
	}
	for k := at + 1; k <= last; k++ { // lowest first, so that the stacks keep their order
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
	o.twins = o.twins[:at+1]
	o.odd[part] = odd
	if !odd {
		if t.top[color] = o.below[i]; t.top[color] < 0 {
			t.bottom[color] = -1
		}
	}
	if t.open--; t.open == 0 {
		o.twins = o.twins[:at]
	}
}

// grown is a slice of that length, with the memory of s where that is enough.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}
