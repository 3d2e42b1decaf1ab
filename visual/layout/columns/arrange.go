package columns

import (
	"cmp"
	"math"
	"slices"
)

// Columns holds the horizontal place of each thread.
type Columns struct {
	X           []int32   // by thread: its column, from 0
	Left, Right []int32   // by thread: the first and the last column of its subtree
	Top, Bottom []float64 // by thread: y at which its subtree begins and ends, including the edges to and from it
	N           int32     // number of columns

	Crossings int64 // pairs of threads of one parent that overlap and stand on one side
	Overlaps  int64 // threads that overlap with another thread of the same parent; 0 in a series-parallel graph
	Guessed   int64 // parents whose children were divided heuristically, possibly with more crossings than necessary
	Unjoined  int64 // threads that their parent does not join
}

// SeriesParallel reports whether every thread is joined by its parent and no two overlap (section 3).
func (c *Columns) SeriesParallel() bool { return c.Overlaps == 0 && c.Unjoined == 0 }

// steps limits the steps of branch and bound in one picture.
const steps = 4_000_000

// Arrange assigns columns to the threads of g (section 4.2). rows must come from g.
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
	for t, w := range g.Width {
		a.reach[t] = [2]int32{(w - 1) / 2, w / 2}
	}
	for t := int32(n) - 1; t >= 0; t-- { // children come after their parents in preorder
		a.extent(t)
		a.spread(t)
	}
	a.columns()
	return a.c
}

// An arranger arranges the children of one thread at a time and reuses its slices for the next.
type arranger struct {
	*Graph
	y      []float64
	offset []int32    // by thread: columns to the right of its parent's column
	reach  [][2]int32 // by thread: columns that its subtree needs to the left and to the right of its own
	c      *Columns

	spans   []span
	ends    []int32 // spans in the order of their ends
	keys    []uint64
	overlap overlap
	cutter  cutter
	side    []int8 // by span: 0 left, 1 right
	scratch []int32
	peak    [][4]int32 // by component: columns of each colour in use now, and the maximum so far
	stack   [2][]frontier
}

// A frontier says how many columns a side uses up to a place in the parent's chain.
type frontier struct{ until, columns int32 }

// extent computes the top and bottom of a thread's subtree. Those of its children are known.
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
	if top > bottom { // the thread has no nodes, fork or join
		top, bottom = 0, 0
	}
	a.c.Top[t], a.c.Bottom[t] = top, bottom
}

// spread assigns columns, relative to t, to the children of t.
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

// gather lists the children of t in the order of their forks.
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
			a.c.Unjoined++
		}
		// A child that is not joined, or that leaves running threads behind, occupies its columns until the chain
		// reaches their bottom.
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

// sort orders the spans by their ends; of those that end at one place, the inner ones come first.
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

// orient gives each span a side. A component of the overlap graph is oriented as a whole, in the order of first forks:
// the outermost component comes first and goes to the narrower side (section 4.2, "Series-Parallel Graphs").
func (a *arranger) orient() {
	n := len(a.spans)
	a.color()
	a.peaks()
	var used, most [2]int32 // columns in use at this place, and the maximum so far
	const kept, turned = 1, 2
	decision := grown(a.scratch, n) // by the first span of a component; 0 until it is decided
	a.scratch = decision
	clear(decision)
	k := 0
	for i := range a.spans {
		for ; k < n && a.spans[a.ends[k]].done <= a.spans[i].fork; k++ {
			used[a.side[a.ends[k]]] -= a.spans[a.ends[k]].width
		}
		part, _ := a.overlap.find(int32(i))
		if decision[part] == 0 {
			decision[part] = kept
			if p := a.peak[part]; a.turn(int(a.side[i]), [2]int32{p[2], p[3]}, used, most) {
				decision[part] = turned
			}
		}
		if decision[part] == turned {
			a.side[i] ^= 1
		}
		side := a.side[i]
		used[side] += a.spans[i].width
		most[side] = max(most[side], used[side])
	}
}

// turn reports whether a component swaps its sides. color is the colour of its first span, columns the columns that
// each colour needs.
func (a *arranger) turn(color int, columns, used, most [2]int32) bool {
	var cost [2][3]int32 // with the first span on the left, and on the right
	for side := range 2 {
		first := max(most[side], used[side]+columns[color])
		other := max(most[1-side], used[1-side]+columns[1-color])
		cost[side] = [3]int32{max(first, other), first, most[side]}
	}
	right := slices.Compare(cost[1][:], cost[0][:]) < 0
	return right != (color == 1)
}

// color gives each span a colour. Spans of a component that overlap get different colours if possible; otherwise few
// of them share a colour.
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
		members := parts[part]
		if len(members) > mostExchanged {
			guessed = true
			continue
		}
		side := make([]int8, len(members))
		for k, i := range members {
			side[k] = a.side[i]
		}
		adj := conflicts(a.spans, members)
		exchange(adj, side)
		if len(members) <= mostExact && a.cutter.budget > 0 {
			a.cutter.budget = divide(adj, side, a.cutter.budget)
			guessed = guessed || a.cutter.budget <= 0
		} else {
			guessed = true
		}
		for k, i := range members {
			a.side[i] = side[k]
		}
	}
	if guessed {
		a.c.Guessed++
	}
}

// peaks computes how many columns each colour of each component needs at once.
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

// count adds the overlaps and crossings of these spans to the totals.
func (a *arranger) count() {
	n := len(a.spans)
	a.scratch = grown(a.scratch, n)
	clear(a.scratch)
	for i := range a.spans {
		part, _ := a.overlap.find(int32(i))
		a.scratch[part]++
	}
	for _, size := range a.scratch[:n] {
		if size > 1 {
			a.c.Overlaps += int64(size)
		}
	}
	a.c.Crossings += a.cutter.crossings(a.spans, a.ends, a.side)
}

// pack gives each child the innermost free columns outside those of the spans that end while it runs.
func (a *arranger) pack(t int32) {
	for s := range a.stack {
		a.stack[s] = a.stack[s][:0]
	}
	for _, i := range a.ends {
		s := &a.spans[i]
		side := a.side[i]
		stack := a.stack[side]
		k, _ := slices.BinarySearchFunc(stack, s.fork+1, func(e frontier, from int32) int { return cmp.Compare(e.until, from) })
		base := int32(0)
		if k < len(stack) {
			base = stack[k].columns // the maximum of all that follow
		}
		reach := a.reach[s.thread]
		if side == 0 {
			a.offset[s.thread] = -(base + 1 + reach[1])
		} else {
			a.offset[s.thread] = base + 1 + reach[0]
		}
		outer := base + s.width
		a.reach[t][side] = max(a.reach[t][side], outer)
		for len(stack) > 0 && stack[len(stack)-1].columns <= outer {
			stack = stack[:len(stack)-1]
		}
		a.stack[side] = append(stack, frontier{s.done, outer})
	}
}

// columns turns offsets into columns. Roots stand side by side.
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
