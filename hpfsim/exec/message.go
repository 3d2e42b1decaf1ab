package exec

import (
	"cmp"
	"slices"

	"whorl/hpfsim/charge"
	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
)

// messages sends the messages of a statement. Processors wait at the instructions from first on, one for each pattern.
func (f *frame) messages(comms []lower.Comm, first int) {
	for k := range comms {
		f.communicate(&comms[k], first+k)
	}
}

func (f *frame) communicate(c *lower.Comm, instruction int) {
	if len(f.ranks) == 1 || c.Array == nil {
		return
	}
	if f.opts.Live && (f.crew == nil || !f.clocks.Recording()) {
		return // a crew member, or nothing is recorded
	}
	a := f.variable(c.Array)
	if a == nil || a.lay == nil || a.absent {
		return
	}
	each := int64(a.t.Bytes())
	if a.length > 0 {
		each = int64(a.length)
	}
	switch c.Kind {
	case lower.Shift:
		f.shiftEdges(a, c, each, instruction)
	case lower.Reduce:
		f.clocks.Reduce(f.inGrid(a), 8, &f.context, instruction)
		f.clocks.Broadcast(f.inGrid(a), 8, &f.context, instruction)
	case lower.Broadcast:
		f.broadcast(a, c, each, instruction)
	default:
		f.deliver(a, c, each, instruction)
	}
}

// deliver sends every processor the elements that it needs. If indices are known at run time only, the owners receive
// them first, unless they have not changed (the inspector and the executor of J. Saltz, K. Crowley, R. Mirchandaney,
// H. Berryman, "Run-time scheduling and execution of loops on message passing machines", 1990).
func (f *frame) deliver(a *array, c *lower.Comm, each int64, instruction int) {
	all, known, ok := f.needs(c, a)
	if !ok {
		f.everyone(a, each, instruction)
		return
	}
	if c.Kind == lower.Gather && !known {
		f.inTurns(all, indexBytes, true, instruction)
	}
	f.inTurns(all, each, false, instruction)
}

// inTurns sends each bytes for every needed element, or in the opposite direction if back is set. In a turn each processor sends to one other
// processor.
func (f *frame) inTurns(all []need, each int64, back bool, instruction int) {
	p := int32(len(f.ranks))
	turn := func(x need) int32 { return (x.to - x.from + p) % p }
	var now []charge.Message
	for len(all) > 0 {
		n := 1
		for n < len(all) && turn(all[n]) == turn(all[0]) {
			n++
		}
		now = now[:0]
		for _, x := range all[:n] {
			if back {
				x.from, x.to = x.to, x.from
			}
			now = append(now, charge.Message{From: x.from, To: x.to, Size: x.n * each})
		}
		f.clocks.SendAll(now, &f.context, instruction)
		all = all[n:]
	}
}

// indexBytes is the size of an index in a message.
const indexBytes = 8

// inGrid returns the processors of the frame that are in the arrangement of an array.
func (f *frame) inGrid(a *array) []int32 {
	size := a.lay.Template.Grid.Size()
	var out []int32
	for _, p := range f.who {
		if int(p) < size {
			out = append(out, p)
		}
	}
	return out
}

// local returns the number of elements of an array that a processor has.
func local(a *array, p int32) int64 {
	owned := a.lay.Owned(int(p), a.whole())
	if owned == nil {
		return 0
	}
	return elementCount(owned)
}

// elementCount returns the number of elements of a product of runs.
func elementCount(owned [][]mapping.Run) int64 {
	product := int64(1)
	for _, runs := range owned {
		n := 0
		for _, r := range runs {
			n += r.Len()
		}
		product *= int64(n)
	}
	return product
}

// shiftEdges sends the edges of blocks to the neighbours along an axis.
func (f *frame) shiftEdges(a *array, c *lower.Comm, each int64, instruction int) {
	t := a.lay.Template
	dim := -1
	for d, axis := range t.Axis {
		if axis == c.Axis {
			dim = d
		}
	}
	if dim < 0 {
		return
	}
	s := t.Spread[dim]
	weight := 1
	for _, n := range t.Grid.Shape[:c.Axis] {
		weight *= n
	}
	var edges []charge.Message
	for _, p := range f.inGrid(a) {
		at := t.Grid.Coordinate(int(p), c.Axis)
		mine := int64(s.Count(at))
		if mine == 0 {
			continue
		}
		others := local(a, p) / mine
		for left, step := abs(c.By), 1; left > 0; left, step = left-s.M, step+1 { // a long shift reaches over several blocks
			to := at + step
			if c.By > 0 {
				to = at - step
			}
			if to < 0 || to >= s.P {
				break
			}
			width := min(int64(min(left, s.M)), mine)
			edges = append(edges, charge.Message{From: p, To: p + int32((to-at)*weight), Size: width * others * each})
		}
	}
	f.clocks.SendAll(edges, &f.context, instruction)
}

func abs(n int) int { return max(n, -n) }

// broadcast sends the elements at one coordinate of an axis, or of one processor, to the others, in log P steps.
func (f *frame) broadcast(a *array, c *lower.Comm, each int64, instruction int) {
	t := a.lay.Template
	if c.Axis < 0 {
		size := each
		if c.Source != nil && c.Source.Rank() > 0 {
			f.deliver(a, c, each, instruction)
			return
		}
		root := int32(0)
		if c.Source != nil && c.Plain && f.inBounds(c.Source, a) {
			root = int32(a.lay.Owner(f.indices(c.Source)))
		}
		f.clocks.Broadcast(rotated(f.who, root), size, &f.context, instruction)
		return
	}
	// Each line of processors along the axis, from the coordinate that has the index.
	root := 0
	if c.Source != nil {
		for d, axis := range t.Axis {
			if axis != c.Axis {
				continue
			}
			for k, x := range a.lay.Follow {
				if x.Dim == d && k < len(c.Source.Subs) && !c.Source.Subs[k].Section && c.Source.Subs[k].Index.Rank() == 0 {
					i := f.integer(c.Source.Subs[k].Index)
					if i >= a.lo[k] && i <= a.hi(k) {
						root = t.Spread[d].Owner(x.Stride*i + x.Offset)
					}
				}
			}
		}
	}
	weight := 1
	for _, n := range t.Grid.Shape[:c.Axis] {
		weight *= n
	}
	for _, p := range f.inGrid(a) {
		if t.Grid.Coordinate(int(p), c.Axis) != root {
			continue
		}
		var line []int32
		for k := range t.Grid.Shape[c.Axis] {
			at := (root + k) % t.Grid.Shape[c.Axis]
			line = append(line, p+int32((at-root)*weight))
		}
		count := max(local(a, p)/max(int64(a.n[0]), 1), 1)
		for _, x := range a.lay.Follow {
			if x.Dim >= 0 && t.Axis[x.Dim] == c.Axis {
				count = max(local(a, p)/max(int64(t.Spread[x.Dim].Count(root)), 1), 1)
			}
		}
		f.clocks.Broadcast(line, count*each, &f.context, instruction)
	}
}

func (f *frame) inBounds(e *lower.Element, a *array) bool {
	for d, s := range e.Subs {
		if s.Section || s.Index.Rank() > 0 {
			return false
		}
		i := f.integer(s.Index)
		if i < a.lo[d] || i > a.hi(d) {
			return false
		}
	}
	return true
}

// rotated rotates a list of processors so that it begins with root.
func rotated(who []int32, root int32) []int32 {
	for i, p := range who {
		if p == root {
			return append(append([]int32(nil), who[i:]...), who[:i]...)
		}
	}
	return append([]int32{root}, who...)
}

// everyone sends every processor an equal part of the elements of each other processor.
func (f *frame) everyone(a *array, each int64, instruction int) {
	who := f.inGrid(a)
	turn := make([]charge.Message, len(who))
	for k := 1; k < len(who); k++ {
		for i, p := range who {
			part := (local(a, p) + int64(len(who)) - 1) / int64(len(who))
			turn[i] = charge.Message{From: p, To: who[(i+k)%len(who)], Size: part * each}
		}
		f.clocks.SendAll(turn, &f.context, instruction)
	}
}

// exchange sends the elements of an array whose owners differ between two mappings.
func (f *frame) exchange(a *array, old, now *mapping.Array, instruction int) {
	if old == nil || now == nil || a.size() == 0 || !old.Distributed() || old.Same(now) {
		return
	}
	var all []charge.Message
	for _, m := range moves(a, old, now) {
		if m.from != m.to {
			all = append(all, charge.Message{From: int32(m.from), To: int32(m.to), Size: m.count * int64(a.t.Bytes())})
		}
	}
	f.clocks.SendAll(all, &f.context, instruction)
}

// A move is the number of elements with one owner before and another after, and the place of the first of them. Owners are sums of parts for each dimension.
type move struct {
	from, to int
	count    int64
	first    int
}

// moves returns the moves of an array, in the order of their first elements.
func moves(a *array, old, now *mapping.Array) []move {
	out := []move{{old.Part(-1, 0), now.Part(-1, 0), 1, 0}}
	weight := 1
	for d := range a.n {
		out = together(out, movesAlong(a, d, old, now), weight)
		weight *= a.n[d]
	}
	slices.SortFunc(out, func(x, y move) int { return cmp.Compare(x.first, y.first) })
	return out
}

// movesAlong returns the moves of the indices of a dimension.
func movesAlong(a *array, d int, old, now *mapping.Array) []move {
	var out []move
	known := map[[2]int]int{}
	for k := range a.n[d] {
		pair := [2]int{old.Part(d, a.lo[d]+k), now.Part(d, a.lo[d]+k)}
		at, ok := known[pair]
		if !ok {
			at = len(out)
			known[pair] = at
			out = append(out, move{pair[0], pair[1], 0, k})
		}
		out[at].count++
	}
	return out
}

// together combines the moves of the dimensions so far with those of the next dimension. Elements whose indices in that dimension differ by 1 are weight elements
// apart.
func together(moves, next []move, weight int) []move {
	var out []move
	known := map[[2]int]int{}
	for _, y := range next {
		for _, x := range moves {
			both := move{x.from + y.from, x.to + y.to, x.count * y.count, x.first + y.first*weight}
			pair := [2]int{both.from, both.to}
			at, ok := known[pair]
			if !ok {
				known[pair] = len(out)
				out = append(out, both)
				continue
			}
			out[at].count += both.count
			out[at].first = min(out[at].first, both.first)
		}
	}
	return out
}
