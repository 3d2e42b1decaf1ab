package tracks

import (
	"math"

	"whorl/internal/heap"
	"whorl/tracer"
)

// never is the end of a slice whose end is a record of its own.
const never = math.MaxInt64

// Finish records the trace: it sorts all records, merges the tracks by time, and sets the metadata. wall is the Unix time in ns of the time 0 of
// the records, 0 if it is not known.
func (r *Recording) Finish(wall int64) {
	r.s = r.w.Rec.Stream(tracer.StreamInfo{Name: r.Meta.Substrate})
	order := r.arrange()
	for i := range r.tracks {
		t := &r.tracks[i]
		t.row = t.kind == Thread && !t.scheduled && (t.row || t.name == "" && r.processes[t.process].name == "")
	}
	r.flows(order)
	r.place()
	if r.records.Len() == 0 {
		r.Dropped.Once("all: the trace has no events")
		r.first, r.last = 0, 0
	}
	if at := wall + r.first; wall != 0 && at > 0 {
		r.w.Recorded(at)
	}
	r.play(order)
	r.left()
	open := int64(0)
	for i := range r.tracks {
		open += int64(len(r.tracks[i].stack))
	}
	r.Dropped.Add("slices without an end", open)
	r.Meta.PEs = int(r.pes)
	r.w.Finish()
	r.s.Sync()
}

// before reports whether the next record of a goes before that of b. Of records of one time those that end something or send a message go first.
func (r *Recording) before(a, b *ID) bool {
	x, y := &r.tracks[*a], &r.tracks[*b]
	if x.next != y.next {
		return x.next < y.next
	}
	if x.class != y.class {
		return x.class < y.class
	}
	return *a < *b
}

// play merges the tracks.
func (r *Recording) play(order []uint32) {
	var queue []ID // a heap of tracks with records left
	before := r.before
	for i := range r.tracks {
		if r.aim(order, &r.tracks[i]) {
			queue = append(queue, ID(i))
		}
	}
	heap.Make(queue, before)
	r.initially(order)
	for len(queue) > 0 {
		t := &r.tracks[queue[0]]
		r.now = t.next - r.first
		r.step(order, t)
		if r.aim(order, t) {
			heap.Down(queue, 0, before)
		} else {
			queue = heap.RemoveFirst(queue, before)
		}
	}
}

// aim finds the time of the next step of a track. It returns false if there is none.
func (r *Recording) aim(order []uint32, t *track) bool {
	t.next, t.class = never, 0
	if n := len(t.stack); n > 0 {
		t.next = t.stack[n-1].end
	}
	if t.first < t.end {
		x := r.records.Entry(order[t.first])
		if x.time < t.next || x.time == t.next && !x.kind.opens() {
			t.next = x.time
			if x.kind.opens() {
				t.class = 1
			}
		}
	}
	return t.next != never
}

// opens reports whether a record comes after slices that end at its time.
func (k kind) opens() bool { return k == begin || k == complete || k == flowIn || k == flowStep }

// step does the next thing on a track: a slice ends by its duration, or a record is played.
func (r *Recording) step(order []uint32, t *track) {
	if n := len(t.stack); n > 0 && t.stack[n-1].end == t.next && (t.first == t.end || r.records.Entry(order[t.first]).time > t.next || r.records.Entry(order[t.first]).kind.opens()) {
		cpu := t.stack[n-1].cpu
		t.stack = t.stack[:n-1]
		r.bound(order, t, cpu)
		return
	}
	x := r.records.Entry(order[t.first])
	t.first++
	if t.kind == CPU {
		r.begin(t)
	}
	switch x.kind {
	case begin, complete:
		r.begins(order, t, x)
	case end, endAll:
		r.ends(order, t, x)
	case flowOut:
		r.send(order[t.first-1], t, x)
	case flowStep:
		r.receive(t, x)
		r.send(order[t.first-1], t, x)
	case flowIn:
		r.receive(t, x)
	case instant:
		r.birth(t)
		r.emit(tracer.Event{Kind: tracer.Mark, Task: t.task, PE: t.pe, Code: r.mark(x.name), Value: -1})
	case counter:
		code, factor := r.metric(x.name)
		r.emit(tracer.Event{Kind: tracer.Counter, PE: t.pe, Code: code, Value: int64(math.Round(math.Float64frombits(uint64(x.value)) * factor))})
	case sample:
		r.birth(t)
		r.emit(tracer.Event{Kind: tracer.Sample, Task: t.task, PE: t.pe, Ref: uint64(x.other), Code: r.samples(x.name), Value: x.value})
	case amount:
		r.amount(t, x)
	case swap:
		r.swap(t, x)
	case waking:
		r.waking(t, x)
	case creation:
		r.creation(t, x)
	case exit:
		r.exit(t, x)
	case migration:
		r.migration(x)
	case system:
		r.system(t, x.value != 0)
	}
	if t.cut && t.first == t.end {
		r.cutShort(t)
	}
}

// emit records an event now.
func (r *Recording) emit(e tracer.Event) {
	e.Time = r.now
	if e.Peer == 0 && e.Kind != tracer.Fork && e.Kind != tracer.Move && e.Kind != tracer.Send && e.Kind != tracer.Recv {
		e.Peer = tracer.None
	}
	*r.s.Slot() = e
}

// begins begins a slice.
func (r *Recording) begins(order []uint32, t *track, x *record) {
	t.begins--
	cpu, s := int64(NoClock), slice{end: never, cpu: NoClock}
	if x.clock > 0 {
		c := &r.clocks[x.clock]
		cpu = c.reading
		if c.used >= 0 {
			s.cpu = cpu + c.used
		}
	}
	outer := len(t.stack) == 0
	if outer {
		r.goes(order, t, x)
		code := t.code
		if t.kind != Async {
			code = r.function(x.name)
		}
		s.context = r.dict.AddContext(tracer.Context{Parent: t.context, Code: code})
	} else {
		s.context = r.dict.AddContext(tracer.Context{Parent: t.stack[len(t.stack)-1].context, Code: r.function(x.name)})
	}
	if x.kind == complete {
		s.end = x.time + x.value
		if !outer && s.end > t.stack[len(t.stack)-1].end {
			r.Dropped.Add("slices cut at the end of the slice around", 1)
			s.end = t.stack[len(t.stack)-1].end
		}
	}
	if s.end == never {
		t.ends++
	}
	t.stack = append(t.stack, s)
	r.bound(order, t, cpu)
}

// ends ends the innermost slice whose end is a record of its own, and those in it.
func (r *Recording) ends(order []uint32, t *track, x *record) {
	n := len(t.stack)
	switch {
	case x.kind == endAll && n > 0:
		n, t.ends = 0, 0
	case t.ends == 0:
		r.Dropped.Add("ends without a beginning", 1)
		if n > 0 {
			r.bound(order, t, NoClock)
		}
		return
	default:
		for n--; t.stack[n].end != never; n-- {
		}
		t.ends--
		if cut := len(t.stack) - n - 1; cut > 0 {
			r.Dropped.Add("slices cut at the end of the slice around", int64(cut))
		}
	}
	t.stack = t.stack[:n]
	cpu := int64(NoClock)
	if x.clock > 0 {
		cpu = r.clocks[x.clock].reading
	}
	r.bound(order, t, cpu)
}

// bound records the part of the innermost slice from now on: until the next slice of the track begins or ends. cpu is the processor time now.
func (r *Recording) bound(order []uint32, t *track, cpu int64) {
	n := len(t.stack)
	if n == 0 {
		r.rests(order, t)
		return
	}
	top := &t.stack[n-1]
	until, then := top.end, top.cpu
	if until == never {
		until, then = max(r.last, r.now+r.first), NoClock
	}
	for _, i := range order[t.first:t.end] {
		x := r.records.Entry(i)
		if x.time > until {
			break
		}
		if x.time == top.end && x.kind.opens() { // the slice ends before it
			break
		}
		if x.kind <= endAll {
			until, then = x.time, NoClock
			if x.clock > 0 {
				then = r.clocks[x.clock].reading
			}
			break
		}
	}
	e := tracer.Event{Kind: tracer.Sample, Task: t.task, PE: t.pe, Ref: uint64(top.context), Code: r.codes.elapsed, Value: until - r.first - r.now}
	if t.kind == Async {
		e.Code = r.codes.lasting
	}
	if e.Value > 0 {
		r.emit(e)
	}
	if e.Value = then - cpu; cpu != NoClock && then != NoClock && e.Value > 0 {
		e.Code = r.codes.cpu
		r.emit(e)
	}
}

// continues reports whether another slice of the track begins now.
func (r *Recording) continues(order []uint32, t *track) bool {
	for _, i := range order[t.first:t.end] {
		x := r.records.Entry(i)
		if x.time-r.first > r.now {
			return false
		}
		if x.kind == begin || x.kind == complete {
			return true
		}
	}
	return false
}

// samples returns the metric of samples of a name.
func (r *Recording) samples(n Text) uint32 {
	x := &r.texts.all[n]
	if x.metric == 0 {
		x.metric = r.w.Metric(r.spell(x), "samples")
	}
	return x.metric
}
