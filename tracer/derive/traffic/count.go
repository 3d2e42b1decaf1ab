package traffic

import (
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/bounds"
)

// Bounds against damaged traces. Sums of smaller values do not overflow in any real run.
const (
	mostChildren = 1 << 16
	mostCost     = 1 << 50 // ns, 13 days
	mostBytes    = 1 << 50
)

// read adds one event.
func (b *builder) read(e *tracer.Event) {
	if counted.Contains(e.Kind) || e.Kind == tracer.Send {
		b.count(e)
	}
	if b.medium == wakeUps {
		b.woken(e)
	}
	if workKinds.Contains(e.Kind) {
		b.sweep.Add(e)
	}
	b.fit()
}

// woken adds a flow when a thread runs on a PE other than that of its waker. A wake-up from outside has no waker.
func (b *builder) woken(e *tracer.Event) {
	switch {
	case e.Kind == tracer.Wake && e.Ref != 0 && e.PE >= 0:
		b.wakers[e.Task] = e.PE
	case e.Kind == tracer.Wake || e.Kind == tracer.End:
		delete(b.wakers, e.Task)
	case (e.Kind == tracer.Busy || e.Kind == tracer.Start || e.Kind == tracer.JoinEnd) && e.Task != 0:
		if from, ok := b.wakers[e.Task]; ok {
			delete(b.wakers, e.Task)
			if from != e.PE {
				b.flow(min(max(e.Time, b.from), b.to), from, e.PE, 0)
			}
		}
	}
}

// fit makes the traffic coarser if there are too many loads.
func (b *builder) fit() {
	if len(b.loads)+len(b.work) >= 2*b.limit {
		b.tighten()
	}
}

// A span is the last piece of a PE's time, which ends where the next one begins.
type span struct {
	works bool
	from  int64
}

// Reset implements account.Sink. It is not called, because the builder begins anew instead.
func (*builder) Reset() {}

// Step implements account.Sink.
func (*builder) Step(int32, *account.Step) {}

// Pause implements account.Sink.
func (*builder) Pause(int32, *account.Pause) {}

// Unnamed implements account.Sink.
func (*builder) Unnamed(int32, int64, int64) {}

// Spend implements account.Sink.
func (b *builder) Spend(pe int32, p account.Piece) { b.enter(&b.spans, &b.work, pe, p) }

// enter begins a piece of a PE's time and adds the last one to some loads if it was work.
func (b *builder) enter(spans *[]span, loads *[]Load, pe int32, p account.Piece) {
	for int(pe) >= len(*spans) {
		*spans = append(*spans, span{})
	}
	s := &(*spans)[pe]
	if s.works {
		b.busy(loads, pe, s.from, p.From)
	}
	*s = span{p.Class == account.Work, p.From}
}

// busy adds work of a PE to some loads, interval by interval.
func (b *builder) busy(loads *[]Load, pe int32, from, to int64) {
	from, to = max(from, b.from), min(to, b.to)
	for from < to {
		i := b.interval(from)
		end := min(b.from+beginOf(int64(i+1), b.epoch)*b.step, to)
		*loads = append(*loads, Load{Interval: i, Node: pe / int32(b.group), Busy: end - from})
		from = end
		b.fitLast()
	}
}

// fitLast makes the traffic coarser if too much work lasts until the end.
func (b *builder) fitLast() {
	if len(b.last) < 2*b.limit {
		return
	}
	for b.last = compactLoads(b.last); len(b.last) > b.limit; b.last = compactLoads(b.last) {
		b.coarser()
	}
}

// An unfinished is the sink for the pieces of time that last until the end of a trace. The builder goes on without them.
type unfinished struct {
	*builder
	spans []span
}

// Spend implements account.Sink.
func (u *unfinished) Spend(pe int32, p account.Piece) { u.enter(&u.spans, &u.last, pe, p) }

// addLast fills last with the work that lasts until the end of src.
func (b *builder) addLast(src tracer.Source) {
	u := &unfinished{b, slices.Clone(b.spans)}
	b.sweep.Finish(src, u)
	for pe, s := range u.spans {
		if s.works {
			b.busy(&b.last, int32(pe), s.from, b.to)
		}
	}
}

// count adds one event to the flows, the queues and the counts.
func (b *builder) count(e *tracer.Event) {
	t := min(max(e.Time, b.from), b.to)
	switch {
	case e.Kind == tracer.Send:
		b.flow(t, e.PE, e.Peer, e.Value)
		return
	case e.Kind == tracer.Move && b.medium == moves:
		b.flow(t, e.Peer, e.PE, e.Value)
	case b.medium == elsewhere && (e.Kind == tracer.Reduce || e.Kind == tracer.Start && !b.goals) && e.Peer >= 0 && e.Peer != e.PE:
		b.flow(t, e.Peer, e.PE, 0)
	}
	l := b.lane(e.PE)
	if l == nil {
		return
	}
	b.spend(l, t)
	switch e.Kind {
	case tracer.Reduce:
		b.cell(l, b.interval(t)).Reductions++
		l.queue = max(l.queue-1, 0)
		if int(e.Code) < len(b.children) {
			l.queue += int64(b.children[e.Code])
		}
	case tracer.Suspend, tracer.Fail:
		if int(e.Code) >= len(b.builtin) || !b.builtin[e.Code] {
			l.queue = max(l.queue-1, 0)
		}
	case tracer.Resume:
		b.queue(e.Peer, t, e.Code)
	case tracer.Fork:
		b.queue(e.Peer, t, 0)
	case tracer.Move:
		l.queue++
		if from := b.lane(e.Peer); from != nil {
			b.spend(from, t)
			from.queue = max(from.queue-1, 0)
		}
	case tracer.Start:
		if l.queue = max(l.queue-1, 0); !b.goals {
			b.cell(l, b.interval(t)).Reductions++
		}
	case tracer.Sample:
		b.cell(l, b.interval(t)).Ticks += min(max(e.Value, 0), mostCost)
	}
}

// queue adds a task to those waiting at a PE. A builtin that was resumed runs at once.
func (b *builder) queue(pe int32, at int64, code uint32) {
	if int(code) < len(b.builtin) && b.builtin[code] {
		return
	}
	if l := b.lane(pe); l != nil {
		b.spend(l, at)
		l.queue++
	}
}

// spend adds the time of the tasks that wait at a PE until an instant.
func (b *builder) spend(l *lane, until int64) {
	if until <= l.counted {
		return
	}
	from := l.counted
	l.counted = until
	if l.queue == 0 {
		return
	}
	for from < until { // interval by interval
		i := b.interval(from)
		end := min(b.from+beginOf(int64(i+1), b.epoch)*b.step, until)
		b.cell(l, i).Queue += (end - from) * l.queue
		from = end
	}
}

// cell returns the load of a PE in an interval. It is valid until the next call.
func (b *builder) cell(l *lane, interval int32) *Load {
	if interval < l.load.Interval { // a late stream
		b.loads = append(b.loads, Load{Interval: interval, Node: l.load.Node})
		return &b.loads[len(b.loads)-1]
	}
	if interval > l.load.Interval {
		if !l.load.empty() {
			b.loads = append(b.loads, l.load)
		}
		l.load = Load{Interval: interval, Node: l.load.Node}
	}
	return &l.load
}

func (l *Load) empty() bool { return l.Queue == 0 && l.Reductions == 0 && l.Ticks == 0 }

// flow adds a message to its flow.
func (b *builder) flow(at int64, from, to int32, bytes int64) {
	if b.lane(from) == nil || b.lane(to) == nil {
		b.ignored++
		return
	}
	bytes = min(max(bytes, 0), mostBytes)
	b.messages++
	b.bytes += bytes
	i := b.interval(at)
	f := Flow{Interval: i, From: from / int32(b.group), To: to / int32(b.group), Messages: 1, Bytes: bytes}
	switch {
	case i < b.now: // a stream was late
		b.flows = append(b.flows, f)
	case i > b.now:
		b.flush()
		b.now = i
		fallthrough
	default:
		key := uint64(uint32(f.From))<<32 | uint64(uint32(f.To))
		if k, ok := b.open[key]; ok {
			b.fill[k].Messages++
			b.fill[k].Bytes += bytes
		} else {
			b.open[key] = int32(len(b.fill))
			b.fill = append(b.fill, f)
		}
	}
	if len(b.flows)+len(b.fill) >= 2*b.limit {
		b.tighten()
	}
}

// flush closes the present interval of flows.
func (b *builder) flush() {
	b.flows = append(b.flows, b.fill...)
	b.fill = b.fill[:0]
	clear(b.open)
}

// tighten merges cells of the same interval and nodes, and then merges intervals or PEs until there is room again.
func (b *builder) tighten() {
	b.flush()
	for {
		b.flows, b.loads, b.work = compactFlows(b.flows), compactLoads(b.loads), compactLoads(b.work)
		if len(b.flows) <= b.limit && len(b.loads)+len(b.work) <= b.limit {
			return
		}
		b.coarser()
	}
}

// coarser merges intervals if there are many and their length is not given, otherwise PEs.
func (b *builder) coarser() {
	if b.lossy = true; b.intervals() > few && !b.given || b.group >= bounds.MaxPEs {
		b.longer()
	} else {
		b.closer()
	}
}

// intervals returns the number of intervals so far.
func (b *builder) intervals() int64 { return intervalOf((b.to-b.from)/b.step, b.epoch) + 1 }

// longer doubles the length of intervals; of lasting intervals only that of the shortest, which then equals the next length.
func (b *builder) longer() {
	b.flush()
	b.step *= 2
	half := func(i *int32) {
		if e := int32(b.epoch); e == 0 || *i < 2*e {
			*i /= 2
		} else {
			*i -= e
		}
	}
	half(&b.now)
	for i := range b.flows {
		half(&b.flows[i].Interval)
	}
	for _, loads := range [...][]Load{b.loads, b.work, b.last} {
		for i := range loads {
			half(&loads[i].Interval)
		}
	}
	for i := range b.lanes {
		half(&b.lanes[i].load.Interval)
	}
}

// closer doubles the size of the groups of PEs.
func (b *builder) closer() {
	b.flush()
	b.group *= 2
	for i := range b.flows {
		b.flows[i].From /= 2
		b.flows[i].To /= 2
	}
	for _, loads := range [...][]Load{b.loads, b.work, b.last} {
		for i := range loads {
			loads[i].Node /= 2
		}
	}
	for i := range b.lanes {
		b.lanes[i].load.Node /= 2
	}
}

// finish returns the traffic until the end of src. The builder can continue.
func (b *builder) finish(src tracer.Source) *Traffic {
	for i := range b.lanes {
		b.spend(&b.lanes[i], b.to)
		b.fit()
	}
	b.addLast(src)
	defer func() { b.last = nil }()
	for {
		loads := slices.Concat(b.loads, b.work, b.last)
		for i := range b.lanes {
			if !b.lanes[i].load.empty() {
				loads = append(loads, b.lanes[i].load)
			}
		}
		flows := append(slices.Clone(b.flows), b.fill...)
		flows, loads = compactFlows(flows), compactLoads(loads)
		if len(flows) > b.limit || len(loads) > b.limit {
			b.coarser()
			continue
		}
		t := &Traffic{
			From: b.from, To: b.to, Step: b.step, Intervals: int(b.intervals()), Epoch: int(b.epoch), PEs: b.pes, Group: b.group, Moves: b.medium != messages && b.medium != wakeUps, Wakes: b.medium == wakeUps,
			Messages: b.messages, Bytes: b.bytes, Ignored: b.ignored, Flows: flows, Loads: loads,
		}
		if t.PEs == 0 {
			t.PEs = len(b.lanes)
		}
		return t
	}
}
