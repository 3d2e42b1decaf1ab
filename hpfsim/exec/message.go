package exec

import (
	"math/bits"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
	"whorl/tracer"
)

// messages carries out the communication of a statement; it waits at the instructions from first on, one for each.
func (f *frame) messages(comms []lower.Comm, first int) {
	for k := range comms {
		f.communicate(&comms[k], first+k)
	}
}

// A message is one that a processor sends another.
type message struct {
	from, to int32
	size     int64 // bytes
	arrives  int64 // ps
	id       uint64
}

// send brings a message of so many bytes from one processor to another: it leaves when the sender has spent its overhead, and the receiver
// waits for it (LogGP: A. Alexandrov, M. Ionescu, K. Schauser, C. Scheiman, 1995, with a latency for each hop).
func (f *frame) send(from, to int32, size int64, instruction int) {
	if x := (message{from: from, to: to, size: size}); f.leaves(&x, instruction) {
		f.received(&x, instruction)
	}
}

// sendAll brings messages that do not wait for each other: every processor sends what it has to before it receives.
func (f *frame) sendAll(all []message, instruction int) {
	for i := range all {
		f.leaves(&all[i], instruction)
	}
	for i := range all {
		f.received(&all[i], instruction)
	}
}

// leaves is the sender's part of a message; there is none from a processor to itself.
func (f *frame) leaves(x *message, instruction int) bool {
	if x.from == x.to || x.size == 0 {
		return false
	}
	m := f.Machine
	m.sent++
	m.bytes += x.size
	m.rec.messages++
	x.id = m.rec.messages
	at := m.procs[x.from].clock
	if m.opts.Live {
		at = m.crew.now() * 1000
	}
	m.rec.add(tracer.Event{Kind: tracer.Send, Time: at / 1000, PE: x.from, Peer: x.to, Ref: x.id, Value: x.size, Code: m.rec.place(f, instruction)})
	x.arrives = at
	if !m.opts.Live {
		f.handles(x.from, instruction)
		hops := max(m.opts.Network.Distance(int(x.from), int(x.to)), 1)
		x.arrives = m.procs[x.from].clock + int64(hops)*m.opts.Model.Latency*1000 + x.size*m.opts.Model.BytePs
	}
	return true
}

// received is the receiver's part of a message that left.
func (f *frame) received(x *message, instruction int) {
	if x.id == 0 {
		return
	}
	m := f.Machine
	at := x.arrives
	if r := &m.procs[x.to]; !m.opts.Live {
		if x.arrives > r.clock {
			m.rec.state(tracer.Idle, r.clock, x.to)
			f.waiting(x.to, instruction, x.arrives)
		}
		f.handles(x.to, instruction)
		at = r.clock
	}
	m.rec.add(tracer.Event{Kind: tracer.Recv, Time: at / 1000, PE: x.to, Peer: x.from, Ref: x.id, Value: x.size, Code: m.rec.place(f, instruction)})
}

// handles has a processor spend the overhead of a message, and go on.
func (f *frame) handles(p int32, instruction int) {
	c := &f.procs[p]
	f.rec.state(tracer.Overhead, c.clock, p)
	f.waiting(p, instruction, c.clock+f.opts.Model.Overhead*1000)
	f.rec.state(tracer.Busy, c.clock, p)
}

// place is the code of the line of an instruction.
func (r *recording) place(f *frame, instruction int) uint32 {
	if r.stream == nil {
		return 0
	}
	at := f.unit.Code[instruction].At
	return r.line(f.unit, at.File, at.Line)
}

func (f *frame) communicate(c *lower.Comm, instruction int) {
	if len(f.procs) == 1 || c.Array == nil {
		return
	}
	if f.opts.Live && (f.crew == nil || f.rec.stream == nil) {
		return // within a part, or nobody is told
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
		f.tree(f.inGrid(a), 8, instruction)
		f.fan(f.inGrid(a), 8, instruction)
	case lower.Broadcast:
		f.broadcast(a, c, each, instruction)
	default:
		f.deliver(a, c, each, instruction)
	}
}

// deliver sends every processor the elements that it needs. Where indices have to be looked at first, the owners are told which ones, unless
// that was done before (the inspector and the executor of J. Saltz, K. Crowley, R. Mirchandaney, H. Berryman, "Run-time scheduling and
// execution of loops on message passing machines", 1990).
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

// inTurns sends so many bytes for each element that is needed, or back to whom it is needed from. In a turn a processor sends to one other.
func (f *frame) inTurns(all []need, each int64, back bool, instruction int) {
	p := int32(len(f.procs))
	turn := func(x need) int32 { return (x.to - x.from + p) % p }
	var now []message
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
			now = append(now, message{from: x.from, to: x.to, size: x.n * each})
		}
		f.sendAll(now, instruction)
		all = all[n:]
	}
}

// indexBytes is the size of an index in a message.
const indexBytes = 8

// inGrid are the processors over which an array is spread, of those that run the frame.
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

// local is how many elements of an array a processor has.
func local(a *array, p int32) int64 {
	section := make([]mapping.Run, len(a.n))
	for d := range section {
		section[d] = mapping.Run{From: a.lo[d], To: a.hi(d), Step: 1}
	}
	n := int64(1)
	owned := a.lay.Owned(int(p), section)
	if owned == nil {
		return 0
	}
	for _, runs := range owned {
		some := 0
		for _, r := range runs {
			some += r.Len()
		}
		n *= int64(some)
	}
	return n
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
	var edges []message
	for _, p := range f.inGrid(a) {
		at := t.Grid.Coordinate(int(p), c.Axis)
		mine := int64(s.Count(at))
		if mine == 0 {
			continue
		}
		others := local(a, p) / mine
		for left, step := abs(c.By), 1; left > 0; left, step = left-s.M, step+1 { // over more than one block where the shift is longer
			to := at + step
			if c.By > 0 {
				to = at - step
			}
			if to < 0 || to >= s.P {
				break
			}
			width := min(int64(min(left, s.M)), mine)
			edges = append(edges, message{from: p, to: p + int32((to-at)*weight), size: width * others * each})
		}
	}
	f.sendAll(edges, instruction)
}

func abs(n int) int { return max(n, -n) }

// broadcast sends what lies at one place of an axis, or with one processor, to the others, in log P steps.
func (f *frame) broadcast(a *array, c *lower.Comm, each int64, instruction int) {
	t := a.lay.Template
	if c.Axis < 0 {
		size := each
		if c.Source != nil && c.Source.Rank() > 0 {
			f.deliver(a, c, each, instruction)
			return
		}
		root := int32(0)
		if c.Source != nil && f.inBounds(c.Source, a) {
			root = int32(a.lay.Owner(f.indices(c.Source)))
		}
		f.fan(from(f.who, root), size, instruction)
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
				if x.Dim == d && k < len(c.Source.Subs) && !c.Source.Subs[k].Section && c.Source.Subs[k].At.Rank() == 0 {
					i := f.integer(c.Source.Subs[k].At)
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
		f.fan(line, count*each, instruction)
	}
}

func (f *frame) inBounds(e *lower.Element, a *array) bool {
	for d, s := range e.Subs {
		if s.Section || s.At.Rank() > 0 {
			return false
		}
		i := f.integer(s.At)
		if i < a.lo[d] || i > a.hi(d) {
			return false
		}
	}
	return true
}

// from turns a list of processors so that it begins with one.
func from(who []int32, root int32) []int32 {
	for i, p := range who {
		if p == root {
			return append(append([]int32(nil), who[i:]...), who[:i]...)
		}
	}
	return append([]int32{root}, who...)
}

// fan sends from the first of some processors to all others, along a binomial tree.
func (f *frame) fan(who []int32, size int64, instruction int) {
	n := len(who)
	for step := 1 << max(bits.Len(uint(max(n-1, 0)))-1, 0); step > 0; step >>= 1 {
		for i := 0; i+step < n; i += 2 * step {
			f.send(who[i], who[i+step], size, instruction)
		}
	}
}

// tree joins parts along a binomial tree, at the first of some processors.
func (f *frame) tree(who []int32, size int64, instruction int) {
	n := len(who)
	for step := 1; step < n; step <<= 1 {
		for i := 0; i+step < n; i += 2 * step {
			f.send(who[i+step], who[i], size, instruction)
		}
	}
}

// everyone sends to every processor an equal part of what each has.
func (f *frame) everyone(a *array, each int64, instruction int) {
	who := f.inGrid(a)
	turn := make([]message, len(who))
	for k := 1; k < len(who); k++ {
		for i, p := range who {
			part := (local(a, p) + int64(len(who)) - 1) / int64(len(who))
			turn[i] = message{from: p, to: who[(i+k)%len(who)], size: part * each}
		}
		f.sendAll(turn, instruction)
	}
}

// exchange sends the elements of an array whose owners differ between two mappings.
func (f *frame) exchange(a *array, old, now *mapping.Array, instruction int) {
	if old == nil || now == nil || a.size() == 0 || !old.Distributed() || old.Same(now) {
		return
	}
	each := int64(a.t.Bytes())
	count := map[[2]int32]int64{}
	var order [][2]int32
	index := make([]int, len(a.n))
	copy(index, a.lo)
	for range a.size() {
		pair := [2]int32{int32(old.Owner(index)), int32(now.Owner(index))}
		if pair[0] != pair[1] {
			if count[pair] == 0 {
				order = append(order, pair)
			}
			count[pair]++
		}
		for d := range index {
			if index[d]++; index[d] <= a.hi(d) {
				break
			}
			index[d] = a.lo[d]
		}
	}
	all := make([]message, len(order))
	for i, pair := range order {
		all[i] = message{from: pair[0], to: pair[1], size: count[pair] * each}
	}
	f.sendAll(all, instruction)
}
