package tracer

import (
	"container/heap"
	"slices"
)

// A MergeInput is one stream to merge.
type MergeInput struct {
	Next   func() ([]Event, error) // returns the next events in the order of recording, none at the end; they are valid until the next call
	Offset int64                   // ns to add to the times before they are compared
}

// maxHold is the number of events of MergeKinds that may overtake an input that waits.
const maxHold = 1 << 16

// MergeKinds are the kinds that Merge must see to hold back events that come before their cause.
var MergeKinds = Kinds(Fork, Start, End, JoinBegin, JoinEnd, Reduce, Suspend, Fail, Resume)

// Merge calls f with the events of the wanted kinds from all inputs, ordered by (Time + Offset, input), in batches of one input each.
//
// The clocks of different streams never agree exactly, so an effect can have an earlier time than its cause. With hold set, an input whose
// next event lacks its cause waits while the others continue. Start with a Peer other than None, End, JoinBegin, JoinEnd and Resume need a
// Fork, Start or Suspend of their Task; Reduce, Suspend and Fail with a Ref need a Reduce of the goal Ref. The wait ends after the cause, after
// 65,536 events of MergeKinds, or when no other input can continue. With hold set the inputs must deliver MergeKinds; then the order of the
// wanted events does not depend on the set of wanted kinds.
func Merge(inputs []MergeInput, hold bool, want KindSet, f func(input int, es []Event) error) error {
	m := NewMerger(hold && len(inputs) > 1, want, f)
	for _, in := range inputs {
		m.Add(in)
	}
	return m.End()
}

// A Merger merges streams that still grow, in the order of Merge.
type Merger struct {
	made    idSet // tasks that have had an event of MergeKinds
	reduced idSet
	inputs  []MergeInput
	want    KindSet
	hold    bool
	f       func(int, []Event) error
	ready   heads
	dry     []*head // inputs that had no event when asked
	waiting map[need][]*head
	order   []wait // by until; entries that are over are skipped
	passed  int64  // events of MergeKinds so far
	scratch []Event

	growing bool  // dry inputs may get events, none of them earlier than limit
	limit   int64 // of times, exclusive
}

// NewMerger returns a Merger without inputs. Its arguments are those of Merge.
func NewMerger(hold bool, want KindSet, f func(input int, es []Event) error) *Merger {
	return &Merger{want: want, f: f, hold: hold, waiting: map[need][]*head{}}
}

// Add adds an input, numbered from 0.
func (m *Merger) Add(in MergeInput) {
	m.dry = append(m.dry, &head{input: len(m.inputs)})
	m.inputs = append(m.inputs, in)
}

// Until merges the events with times below a limit. The inputs must deliver all of them now and no earlier event later; an input that returns none
// is asked again by the next call.
func (m *Merger) Until(limit int64) error {
	m.growing, m.limit = true, limit
	return m.run()
}

// End merges everything that is left. The inputs must deliver all of it.
func (m *Merger) End() error {
	m.growing = false
	return m.run()
}

// A need is a cause that an event waits for: the creation of a task or the reduction of a goal.
type need struct {
	id     uint64
	reduce bool
}

// A head is an input with its next events.
type head struct {
	input int
	es    []Event
	time  int64 // time of es[0] plus the offset
	pos   int   // index in ready
	held  bool
	until int64 // while held: the value of m.passed at which it is released
	free  bool  // released: es[0] passes without its cause
	lack  need
}

// A wait is an entry of Merger.order. It is over when h is no longer held, or is held again.
type wait struct {
	h     *head
	until int64
}

func (w wait) over() bool { return !w.h.held || w.h.until != w.until }

func (m *Merger) run() error {
	dry := m.dry
	m.dry = nil
	for _, h := range dry {
		if err := m.refill(h); err != nil {
			return err
		}
		if len(h.es) > 0 {
			m.admit(h)
		} else {
			m.dry = append(m.dry, h)
		}
	}
	for {
		if len(m.ready) == 0 {
			h := m.earliestHeld()
			if h == nil || m.growing {
				return nil
			}
			m.letGo(h)
		}
		h := m.ready[0]
		if !m.due(h.time) {
			return nil
		}
		if err := m.advance(h); err != nil {
			return err
		}
		for m.waited() {
			m.letGo(m.order[0].h)
		}
	}
}

// due reports whether events of a time are to be merged now.
func (m *Merger) due(time int64) bool { return !m.growing || time < m.limit }

// waited reports whether the first waiting input has waited long enough.
func (m *Merger) waited() bool {
	for len(m.order) > 0 && m.order[0].over() {
		m.order = m.order[1:]
	}
	return len(m.order) > 0 && m.order[0].until <= m.passed
}

// advance emits the events of h that precede those of every other input, and then moves h to its new place.
func (m *Merger) advance(h *head) error {
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
		if t := e.Time + offset; n > 0 && (!m.due(t) || second < len(m.inputs) && (t > limit || t == limit && h.input > second)) {
			break
		}
		if m.hold && MergeKinds.Contains(e.Kind) {
			if w, ok := m.needs(e); ok && !h.free {
				h.lack, h.held = w, true
				break
			}
			h.free = false
			m.passed++
			if m.note(e) || m.waited() {
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

// settle moves h, which is in ready, to the place of its next event.
func (m *Merger) settle(h *head) {
	switch {
	case len(h.es) == 0:
		heap.Remove(&m.ready, h.pos)
		m.dry = append(m.dry, h)
	case h.held:
		heap.Remove(&m.ready, h.pos)
		h.until = m.passed + maxHold
		m.waiting[h.lack] = append(m.waiting[h.lack], h)
		m.order = append(m.order, wait{h, h.until})
	default:
		heap.Fix(&m.ready, h.pos)
	}
}

func (m *Merger) admit(h *head) {
	h.time = h.es[0].Time + m.inputs[h.input].Offset
	heap.Push(&m.ready, h)
}

func (m *Merger) refill(h *head) (err error) {
	h.es, err = m.inputs[h.input].Next()
	return err
}

func (m *Merger) emit(input int, es []Event) error {
	if m.want != AllKinds {
		m.scratch = m.scratch[:0]
		for i := range es {
			if m.want.Contains(es[i].Kind) {
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

// needs returns the cause of e, and true if it has not happened yet.
func (m *Merger) needs(e *Event) (need, bool) {
	switch e.Kind {
	case Start:
		return need{id: e.Task}, e.Peer != None && !m.made.contains(e.Task)
	case End, JoinBegin, JoinEnd, Resume:
		return need{id: e.Task}, !m.made.contains(e.Task)
	case Reduce, Suspend, Fail:
		return need{id: e.Ref, reduce: true}, e.Ref != 0 && !m.reduced.contains(e.Ref)
	}
	return need{}, false
}

// note records the task that e creates, and reports whether another input was waiting for it.
func (m *Merger) note(e *Event) bool {
	switch e.Kind {
	case Reduce:
		return m.reduced.add(e.Task) && m.wake(need{id: e.Task, reduce: true})
	case Fail: // nothing follows in the goal
		return false
	}
	return m.made.add(e.Task) && m.wake(need{id: e.Task})
}

func (m *Merger) wake(w need) bool {
	if len(m.waiting) == 0 {
		return false
	}
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

func (m *Merger) letGo(h *head) {
	hs := slices.DeleteFunc(m.waiting[h.lack], func(o *head) bool { return o == h })
	if m.waiting[h.lack] = hs; len(hs) == 0 {
		delete(m.waiting, h.lack)
	}
	h.held, h.free = false, true
	heap.Push(&m.ready, h)
}

func (m *Merger) earliestHeld() *head {
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
