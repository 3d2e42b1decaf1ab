package columns

import (
	"cmp"
	"math"
	"slices"
)

// Columns are the places of the threads from left to right.
type Columns struct {
	X           []int32   // by thread: its column, from 0
	Left, Right []int32   // by thread: the first and the last column of it and all below it
	Top, Bottom []float64 // by thread: where the first of them begins and the last one ends, with the edges to and from it
	N           int32     // columns

	Crossings int64 // pairs of threads with one parent that overlap and stand on one side
	Overlaps  int64 // threads that overlap with another one of the same parent, so that the graph is not series-parallel
	Guessed   int64 // parents whose children were divided by greed and exchange: more crossings than necessary cannot be excluded
	Alone     int64 // threads that their parent does not join
}

// SeriesParallel says whether each thread is joined by the one that forked it and none overlap (section 3).
func (c *Columns) SeriesParallel() bool { return c.Overlaps == 0 && c.Alone == 0 }

// steps are the most that branch and bound makes in one picture.
const steps = 4_000_000

// Arrange is section 4.2. The rows are those of g.
func Arrange(g *Graph, rows *Rows) *Columns { return arrange(g, rows, steps) }

func arrange(g *Graph, rows *Rows, budget int) *Columns {
	n := g.Len()
	a := &arranger{
		Graph: g, y: rows.Y, offset: make([]int32, n), reach: make([][2]int32, n),
		c: &Columns{
			X: make([]int32, n), Left: make([]int32, n), Right: make([]int32, n), Top: make([]float64, n), Bottom: make([]float64, n),
		},
	}
	a.cutter.budget = budget
	for t := int32(n) - 1; t >= 0; t-- { // children stand behind their parents
		a.extent(t)
		a.spread(t)
	}
	a.columns()
	return a.c
}

// An arranger arranges the children of one thread after the other; the slices by child are used again.
type arranger struct {
	*Graph
	y      []float64
	offset []int32    // by thread: columns to the right of its parent's
	reach  [][2]int32 // by thread: columns to the left and to the right of its own that it and those below need
	c      *Columns

	spans   []span
	ends    []int32 // spans in the order in which they are done
	keys    []uint64
	overlap overlap
	cutter  cutter
	side    []int8 // by span: 0 left, 1 right
	some    []int32
	peak    [][4]int32 // by part: columns of each colour in use now, and the most at a time
	stack   [2][]edgeOf
}

// An edgeOf is how far a side is in use until a place of the chain.
type edgeOf struct{ until, columns int32 }

// extent finds where a thread begins and ends. Those below it have theirs.
func (a *arranger) extent(t int32) {
	from, to := a.First[t], a.First[t+1]
	top, bottom := math.Inf(1), math.Inf(-1)
	if from < to {
		top, bottom = a.y[from], a.y[to-1]
	}
	if f := a.Fork[t]; f >= 0 {
		top, bottom = min(top, a.y[f]), max(bottom, a.y[f])
	}
	if j := a.Join[t]; j >= 0 {
		bottom = max(bottom, a.y[j])
	}
	for c := t + 1; c < t+a.Size[t]; c += a.Size[c] {
		top, bottom = min(top, a.c.Top[c]), max(bottom, a.c.Bottom[c])
	}
	if top > bottom { // of which nothing is known
		top, bottom = 0, 0
	}
	a.c.Top[t], a.c.Bottom[t] = top, bottom
}

// spread places the children of a thread beside it.
func (a *arranger) spread(t int32) {
	if a.Size[t] == 1 {
		return
	}
	a.gather(t)
	a.sort()
	a.overlap.run(a.spans, a.ends)
	a.side = grown(a.side, len(a.spans))
	a.orient()
	if a.overlap.merged {
		a.count()
	}
	a.pack(t)
}

// gather lists the children in the order of their forks.
func (a *arranger) gather(t int32) {
	from, to := a.First[t], a.First[t+1]
	a.spans = a.spans[:0]
	sorted := true
	for c := t + 1; c < t+a.Size[t]; c += a.Size[c] {
		s := span{thread: c, width: 1 + a.reach[c][0] + a.reach[c][1]}
		if a.Fork[c] >= 0 {
			s.fork = a.Fork[c] - from
		}
		s.done = s.fork
		if a.Join[c] >= 0 {
			s.done = max(s.done, a.Join[c]-from)
		} else {
			a.c.Alone++
		}
		// Of one that is not joined, or has left others behind, something is left until the chain is as far down.
		if bottom := a.c.Bottom[c]; from+s.done < to && (a.Join[c] < 0 || a.y[from+s.done] < bottom) {
			k, _ := slices.BinarySearch(a.y[from+s.done:to], bottom)
			s.done += int32(k)
		}
		s.done = max(s.done, s.fork+1)
		if k := len(a.spans); k > 0 && a.spans[k-1].fork > s.fork {
			sorted = false
		}
		a.spans = append(a.spans, s)
	}
	if !sorted {
		slices.SortStableFunc(a.spans, func(x, y span) int { return cmp.Compare(x.fork, y.fork) })
	}
}

// sort puts the spans in the order in which they are done, of those done at one place the inner ones first.
func (a *arranger) sort() {
	n := len(a.spans)
	a.keys, a.ends = grown(a.keys, n), grown(a.ends, n)
	for i := range a.spans {
		a.keys[i] = uint64(a.spans[i].done)<<32 | uint64(n-1-i)
	}
	slices.Sort(a.keys)
	for k, key := range a.keys {
		a.ends[k] = int32(n-1) - int32(key&math.MaxUint32)
	}
}

// orient gives each span a side: a part of the overlaps as a whole, in the order of their first forks. What is outermost comes first and
// goes to the narrower side (section 4.2, "Series-Parallel Graphs").
func (a *arranger) orient() {
	n := len(a.spans)
	a.color()
	a.peaks()
	var used, most [2]int32 // columns of the threads around a place, and the most so far
	const asIs, turned = 1, 2
	way := grown(a.some, n) // by a part's first span; 0 until the part's first span has come
	a.some = way
	clear(way)
	k := 0
	for i := range a.spans {
		for ; k < n && a.spans[a.ends[k]].done <= a.spans[i].fork; k++ {
			used[a.side[a.ends[k]]] -= a.spans[a.ends[k]].width
		}
		part, _ := a.overlap.find(int32(i))
		if way[part] == 0 {
			way[part] = asIs
			if p := a.peak[part]; a.turn(int(a.side[i]), [2]int32{p[2], p[3]}, used, most) {
				way[part] = turned
			}
		}
		if way[part] == turned {
			a.side[i] ^= 1
		}
		side := a.side[i]
		used[side] += a.spans[i].width
		most[side] = max(most[side], used[side])
	}
}

// turn says whether a part whose first span has a colour, and whose colours need so many columns each, changes its sides.
func (a *arranger) turn(color int, columns, used, most [2]int32) bool {
	var cost [2][3]int32 // with the first span to the left, and to the right
	for side := range 2 {
		first := max(most[side], used[side]+columns[color])
		other := max(most[1-side], used[1-side]+columns[1-color])
		cost[side] = [3]int32{max(first, other), first, most[side]}
	}
	right := slices.Compare(cost[1][:], cost[0][:]) < 0
	return right != (color == 1)
}

// color gives each span a colour, those of a part that overlap different ones if possible, else so that few of one colour do.
func (a *arranger) color() {
	o := &a.overlap
	for i := range a.spans {
		part, flipped := o.find(int32(i))
		a.side[i] = 0
		if flipped {
			a.side[i] = 1
		}
		if o.odd[part] {
			a.side[i] = -1
		}
	}
	if !o.merged || !slices.Contains(a.side[:len(a.spans)], -1) {
		return
	}
	parts := map[int32][]int32{}
	var order []int32
	for i, s := range a.side {
		if s < 0 {
			part, _ := o.find(int32(i))
			if parts[part] == nil {
				order = append(order, part)
			}
			parts[part] = append(parts[part], int32(i))
		}
	}
	a.cutter.greedy(a.spans, a.ends, a.side)
	guessed := false
	for _, part := range order {
		some := parts[part]
		if len(some) > mostExchanged {
			guessed = true
			continue
		}
		side := make([]int8, len(some))
		for k, i := range some {
			side[k] = a.side[i]
		}
		adj := conflicts(a.spans, some)
		exchange(adj, side)
		if len(some) <= mostExact && a.cutter.budget > 0 {
			a.cutter.budget = divide(adj, side, a.cutter.budget)
			guessed = guessed || a.cutter.budget <= 0
		} else {
			guessed = true
		}
		for k, i := range some {
			a.side[i] = side[k]
		}
	}
	if guessed {
		a.c.Guessed++
	}
}

// peaks finds how many columns each colour of each part needs at a time.
func (a *arranger) peaks() {
	n := len(a.spans)
	a.peak = grown(a.peak, n)
	clear(a.peak)
	k := 0
	for i := range a.spans {
		for ; k < n && a.spans[a.ends[k]].done <= a.spans[i].fork; k++ {
			j := a.ends[k]
			part, _ := a.overlap.find(j)
			a.peak[part][a.side[j]] -= a.spans[j].width
		}
		part, _ := a.overlap.find(int32(i))
		p, color := &a.peak[part], a.side[i]
		p[color] += a.spans[i].width
		p[2+color] = max(p[2+color], p[color])
	}
}

// count counts overlaps and crossings.
func (a *arranger) count() {
	n := len(a.spans)
	a.some = grown(a.some, n)
	clear(a.some)
	for i := range a.spans {
		part, _ := a.overlap.find(int32(i))
		a.some[part]++
	}
	for _, size := range a.some[:n] {
		if size > 1 {
			a.c.Overlaps += int64(size)
		}
	}
	a.c.Crossings += a.cutter.crossings(a.spans, a.ends, a.side)
}

// pack gives each child its columns: the first that are free, from the thread outwards, behind those that are done while it is there.
func (a *arranger) pack(t int32) {
	for s := range a.stack {
		a.stack[s] = a.stack[s][:0]
	}
	for _, i := range a.ends {
		s := &a.spans[i]
		side := a.side[i]
		stack := a.stack[side]
		at, _ := slices.BinarySearchFunc(stack, s.fork+1, func(e edgeOf, from int32) int { return cmp.Compare(e.until, from) })
		base := int32(0)
		if at < len(stack) {
			base = stack[at].columns // the most of those that follow
		}
		reach := a.reach[s.thread]
		if side == 0 {
			a.offset[s.thread] = -(base + 1 + reach[1])
		} else {
			a.offset[s.thread] = base + 1 + reach[0]
		}
		wide := base + s.width
		a.reach[t][side] = max(a.reach[t][side], wide)
		for len(stack) > 0 && stack[len(stack)-1].columns <= wide {
			stack = stack[:len(stack)-1]
		}
		a.stack[side] = append(stack, edgeOf{s.done, wide})
	}
}

// columns turns offsets into columns; roots stand side by side.
func (a *arranger) columns() {
	c := a.c
	for t := range int32(a.Len()) {
		if p := a.Parent[t]; p >= 0 {
			c.X[t] = c.X[p] + a.offset[t]
		} else {
			c.X[t] = c.N + a.reach[t][0]
			c.N += 1 + a.reach[t][0] + a.reach[t][1]
		}
		c.Left[t], c.Right[t] = c.X[t]-a.reach[t][0], c.X[t]+a.reach[t][1]
	}
}
