package tracer

import (
	"container/heap"
	"slices"
)

// A MergeInput is one stream to merge.
type MergeInput struct {
	Next   func() ([]Event, error) // the next events in the order of recording, none at the end; valid until the next call
	Offset int64                   // to add to the times for the comparison
}

// maxHold is how many events of the kinds that make or need a task may pass a stream that waits for its next event's task.
const maxHold = 1 << 16

// MergeKinds are the kinds that Merge must see to hold back what came too early.
var MergeKinds = Kinds(Fork, Start, End, JoinBegin, JoinEnd, Reduce, Suspend, Fail, Resume)

// Merge calls f with the events of all inputs whose kind is wanted, in the order of (Time + Offset, input), in batches of one input
// each. Clocks of different streams never agree wholly, so that an effect can bear an earlier time than its cause: with hold set, an
// input whose next event needs a task that no event made yet waits, and the others go on. What an event needs: Start with a Peer other
// than None, End, JoinBegin, JoinEnd and Resume that their Task was forked, started or suspended; Reduce, Suspend and Fail with a Ref
// that the goal Ref was reduced. The wait ends when that happened, when 65,536 events that make or need tasks have passed, or when no
// other input can go on; then the event comes as it is. The order of the wanted events does not depend on what else is wanted, as long as the inputs
// give MergeKinds too.
func Merge(inputs []MergeInput, hold bool, want KindSet, f func(input int, es []Event) error) error {
	m := merger{inputs: inputs, want: want, f: f, waiting: map[need][]*head{}}
	m.hold = hold && len(inputs) > 1
	for i := range inputs {
		h := &head{input: i}
		if err := m.refill(h); err != nil {
			return err
		}
		if len(h.es) > 0 {
			m.admit(h)
		}
	}
	return m.run()
}

// A need is the creation of a task or the reduction of a goal.
type need struct {
	id     uint64
	reduce bool
}

// A head is an input with the events that come next in it.
type head struct {
	input int
	es    []Event
	time  int64 // of es[0], with the offset
	pos   int   // in ready
	held  bool
	until int64 // where held: the count of m.passed at which it is let go
	free  bool  // let go: es[0] comes as it is
	lack  need
}

// A wait is over when h is not held, or held again since.
type wait struct {
	h     *head
	until int64
}

func (w wait) over() bool { return !w.h.held || w.h.until != w.until }

type merger struct {
	made    idSet // tasks forked, started or suspended
	reduced idSet
	inputs  []MergeInput
	want    KindSet
	hold    bool
	f       func(int, []Event) error
	ready   heads
	waiting map[need][]*head
	order   []wait // by until; what waits no more is passed over
	passed  int64  // events that make or need tasks, so far
	scratch []Event
}

func (m *merger) run() error {
	for {
		if len(m.ready) == 0 {
			h := m.earliestHeld()
			if h == nil {
				return nil
			}
			m.letGo(h)
		}
		h := m.ready[0]
		if err := m.advance(h); err != nil {
			return err
		}
		for m.due() {
			m.letGo(m.order[0].h)
		}
	}
}

// due says whether the first of those that wait has waited long enough.
func (m *merger) due() bool {
	for len(m.order) > 0 && m.order[0].over() {
		m.order = m.order[1:]
	}
	return len(m.order) > 0 && m.order[0].until <= m.passed
}

// advance emits the run of h that comes before every other input, and puts h where it belongs then.
func (m *merger) advance(h *head) error {
	second, limit := len(m.inputs), int64(0)
	for _, c := range []int{1, 2} {
		if c < len(m.ready) && (second == len(m.inputs) || m.ready[c].before(limit, second)) {
			second, limit = m.ready[c].input, m.ready[c].time
		}
	}
	offset := m.inputs[h.input].Offset
	n := 0
	for n < len(h.es) {
		e := &h.es[n]
		if t := e.Time + offset; second < len(m.inputs) && (t > limit || t == limit && h.input > second) && n > 0 {
			break
		}
		if m.hold && MergeKinds.Has(e.Kind) {
			if w, ok := m.needs(e); ok && !h.free {
				h.lack, h.held = w, true
				break
			}
			h.free = false
			m.passed++
			if m.note(e) || m.due() {
				n++
				break
			}
		}
		n++
	}
	if err := m.emit(h.input, h.es[:n]); err != nil {
		return err
	}
	h.es = h.es[n:]
	if len(h.es) == 0 {
		if err := m.refill(h); err != nil {
			return err
		}
	}
	if len(h.es) > 0 {
		h.time = h.es[0].Time + offset
	}
	m.settle(h)
	return nil
}

// settle moves h, which is in ready, to where its next event belongs.
func (m *merger) settle(h *head) {
	switch {
	case len(h.es) == 0:
		heap.Remove(&m.ready, h.pos)
	case h.held:
		heap.Remove(&m.ready, h.pos)
		h.until = m.passed + maxHold
		m.waiting[h.lack] = append(m.waiting[h.lack], h)
		m.order = append(m.order, wait{h, h.until})
	default:
		heap.Fix(&m.ready, h.pos)
	}
}

func (m *merger) admit(h *head) {
	h.time = h.es[0].Time + m.inputs[h.input].Offset
	heap.Push(&m.ready, h)
}

func (m *merger) refill(h *head) (err error) {
	h.es, err = m.inputs[h.input].Next()
	return err
}

func (m *merger) emit(input int, es []Event) error {
	if m.want != AllKinds {
		m.scratch = m.scratch[:0]
		for i := range es {
			if m.want.Has(es[i].Kind) {
				m.scratch = append(m.scratch, es[i])
			}
		}
		es = m.scratch
	}
	if len(es) == 0 {
		return nil
	}
	return m.f(input, es)
}

// needs returns what e needs, where that has not happened.
func (m *merger) needs(e *Event) (need, bool) {
	switch e.Kind {
	case Start:
		return need{id: e.Task}, e.Peer != None && !m.made.has(e.Task)
	case End, JoinBegin, JoinEnd, Resume:
		return need{id: e.Task}, !m.made.has(e.Task)
	case Reduce, Suspend, Fail:
		return need{id: e.Ref, reduce: true}, e.Ref != 0 && !m.reduced.has(e.Ref)
	}
	return need{}, false
}

// note learns what e makes, and says whether that let another input go on.
func (m *merger) note(e *Event) bool {
	woke := false
	if m.made.add(e.Task) {
		woke = m.wake(need{id: e.Task})
	}
	if e.Kind == Reduce && m.reduced.add(e.Task) {
		woke = m.wake(need{id: e.Task, reduce: true}) || woke
	}
	return woke
}

func (m *merger) wake(w need) bool {
	hs := m.waiting[w]
	if len(hs) == 0 {
		return false
	}
	delete(m.waiting, w)
	for _, h := range hs {
		h.held = false
		heap.Push(&m.ready, h)
	}
	return true
}

func (m *merger) letGo(h *head) {
	hs := slices.DeleteFunc(m.waiting[h.lack], func(o *head) bool { return o == h })
	if m.waiting[h.lack] = hs; len(hs) == 0 {
		delete(m.waiting, h.lack)
	}
	h.held, h.free = false, true
	heap.Push(&m.ready, h)
}

func (m *merger) earliestHeld() *head {
	m.order = slices.DeleteFunc(m.order, wait.over)
	var first *head
	for _, w := range m.order {
		if h := w.h; first == nil || h.before(first.time, first.input) {
			first = h
		}
	}
	return first
}

func (h *head) before(time int64, input int) bool {
	return h.time < time || h.time == time && h.input < input
}

// heads is a heap by (time, input).
type heads []*head

func (h heads) Len() int           { return len(h) }
func (h heads) Less(i, j int) bool { return h[i].before(h[j].time, h[j].input) }
func (h heads) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].pos, h[j].pos = i, j
}

func (h *heads) Push(x any) {
	x.(*head).pos = len(*h)
	*h = append(*h, x.(*head))
}

func (h *heads) Pop() any {
	x := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return x
}
