package threadgraph

import (
	"sort"

	"whorl/tracer"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/derive/onward"
	"whorl/tracer/derive/spawntree"
)

// A Condensation describes a graph that was condensed while the trace was read.
type Condensation struct {
	Threads int64    // of the trace
	Wakes   int64    // of goals by others
	PE      []Amount // by PE
	Code    []Amount // by code

	Nodes *spawntree.Tally // of the reductions
}

// An Amount is a number of threads and their run time in ns.
type Amount struct{ Threads, Run int64 }

// mostWhole is the number of reductions up to which Shown keeps all threads.
const mostWhole = 1 << 18

// Shown returns the graph for a picture. That of a large logic program is condensed, so that its memory grows with the picture and not with the
// trace; the subtrees of the tasks in opened have detail as if each were the whole graph. Other graphs are those of Grow, which describes prev and
// tick.
func Shown(src tracer.Source, opened []uint64, prev *Graph, tick func(done, total int64) error) (*Graph, error) {
	counts := src.Counts()
	_, shared := tracer.ProcessTimes(src)
	if counts[tracer.Reduce] <= mostWhole || counts[tracer.Fork]+counts[tracer.Start] > 0 || shared {
		return Grow(src, prev, tick)
	}
	return condense(src, condensing{whole: mostWhole, share: 1 << 13, grain: 1 << 11, opened: opened}, tick)
}

// A condensing says how far a graph is condensed.
type condensing struct {
	whole int // most threads that are all kept
	share int // subtrees with at most this share of the threads become one
	grain int // nodes of a thread closer than this share of the run become one

	opened []uint64 // tasks whose subtrees are divided as if they were the whole graph
}

// condense reads the trace twice. The first pass measures the threads. In the second, subtrees with few threads become one thread each, and so do
// neighbours among siblings; steps and waits of other threads that are shorter than a grain become one with the step before. Each node keeps its
// virtual time, the length of the longest path to it in the whole graph.
func condense(src tracer.Source, how condensing, tick func(done, total int64) error) (*Graph, error) {
	half := func(part int64) func(done, total int64) error {
		if tick == nil {
			return nil
		}
		return func(done, total int64) error { return tick(part*total+done, 2*total) }
	}
	o := &outline{}
	codes := len(src.Dict().Codes()) + 1
	c := &condenser{about: &Condensation{Code: make([]Amount, codes), Nodes: &spawntree.Tally{Code: make([]spawntree.Total, codes)}}}
	c.condensed = true
	const most = 1 << 23 // to reserve room for: a damaged trace can promise any number
	threads := make([]measured, 0, min(max(src.Counts()[tracer.Reduce], 0), most))
	var from, to int64
	err := onward.Scan(src, outlineKinds, half(0), func(e *tracer.Event) {
		m, ok := o.event(e)
		if !ok {
			return
		}
		if m.fresh {
			threads = append(threads, measured{begin: m.begin, end: m.begin, parent: m.parent})
		}
		t := &threads[m.thread]
		if m.virtual > t.end {
			t.end = m.virtual
		}
		t.last, t.depth = max(t.last, m.until), max(t.depth, m.depth)
		if e.Kind != tracer.Resume && e.Kind != tracer.End {
			t.run += m.virtual - m.begin
		}
		if len(threads) == 1 && m.fresh {
			from = e.Time
		}
		to = max(to, m.until)
		c.about.count(e, &m)
	})
	if err != nil {
		return nil, err
	}
	sum(threads)
	height := int64(0)
	for i := range threads {
		height = max(height, threads[i].end)
	}
	if height == 0 { // the trace has no costs
		return Build(src)
	}
	c.grain = [2]int64{height / int64(how.grain), (to - from) / int64(how.grain)}
	c.about.Threads = int64(len(threads))
	opened := map[int32]bool{} // threads, and false for those above them
	for _, task := range how.opened {
		t := o.goals.Get(task).thread - 1
		for up := t; up >= 0; up = threads[up].parent {
			opened[up] = opened[up] || up == t
		}
	}
	c.divide(threads, &how, opened, height/256)

	known := o.goals
	o.goals.Clear()
	o.lanes, o.threads = o.lanes[:0], 0
	err = onward.Scan(src, outlineKinds, half(1), func(e *tracer.Event) {
		if m, ok := o.event(e); ok && !c.full {
			c.event(e, &m)
		}
	})
	if err != nil {
		return nil, err
	}
	g, place := c.finish()
	if g == nil {
		return nil, errTooMany
	}
	group := c.group
	g.locate = func(task uint64) int32 {
		if t := known.Get(task).thread; t > 0 {
			return place[group[t-1]]
		}
		return -1
	}
	return g, nil
}

// finish returns the graph, and its thread for each condensed thread; nil if there are too many nodes.
func (c *condenser) finish() (g *Graph, place []int32) {
	for i := range c.kept {
		c.wait(&c.kept[i])
	}
	if c.full {
		return nil, nil
	}
	g, order := c.graph()
	if g == nil {
		return nil, nil
	}
	g.Condensed = c.about
	g.Bulk = make([]Bulk, g.Len())
	place = make([]int32, len(c.kept))
	for i := range c.kept {
		t := &c.kept[i]
		place[i] = order[t.n-1]
		if t.bulk {
			b := Bulk{Threads: int64(t.size), Work: t.run, Columns: t.columns}
			area := float64(t.end-t.begin) / Parts * float64(t.columns)
			for k, sum := range t.alive {
				b.Fill[k] = float32(min(sum/max(area, 1), 1))
			}
			g.Bulk[place[i]] = b
		}
	}
	return g, place
}

// count adds an event to the amounts.
func (c *Condensation) count(e *tracer.Event, m *move) {
	switch {
	case e.Kind == tracer.End:
		return
	case e.Kind == tracer.Resume:
		if m.by >= 0 {
			c.Wakes++
		}
		return
	}
	code := &c.Code[min(int(e.Code), len(c.Code)-1)]
	code.Run += m.virtual - m.begin
	if m.fresh {
		code.Threads++
	}
	if e.Kind == tracer.Reduce {
		c.node(e)
	}
	if pe := bounds.Entry(&c.PE, e.PE); pe != nil {
		pe.Run += m.virtual - m.begin
		if m.fresh {
			pe.Threads++
		}
	}
}

// node adds a reduction.
func (c *Condensation) node(e *tracer.Event) {
	n := c.Nodes
	if len(n.PE) == 0 {
		n.From = e.Time
	}
	n.From, n.To = min(n.From, e.Time), max(n.To, e.Time)
	one := spawntree.Total{Nodes: 1, Cost: e.Value}
	n.Code[min(int(e.Code), len(n.Code)-1)].Add(one)
	if pe := bounds.Entry(&n.PE, e.PE); pe != nil {
		pe.Add(one)
	} else {
		n.NoPE.Add(one)
	}
}

// A condenser makes the nodes of a condensed graph.
type condenser struct {
	builder
	about *Condensation
	group []int32 // by thread: the condensed thread that it belongs to
	kept  []condensed
	grain [2]int64 // least virtual and real time between two nodes of a thread
}

// A condensed thread stands for itself or for several.
type condensed struct {
	measured                // of the subtree, or of neighbouring subtrees
	bulk     bool           // it stands for subtrees
	largest  int32          // root of the largest of them
	most     int32          // threads of that one
	alive    [Parts]float64 // ns of virtual time during which its threads last, by part of its time
	limit    int32          // the largest subtree below it that becomes one
	n        int32          // thread of the builder + 1; 0 before its first event
	steps    []int32        // records of the steps
	fixed    bool           // forks or wake-ups follow the last step, so that its cost may not grow
	shown    [2]int64
	waits    *record // the wait in progress, not yet a node
}

func (c *condenser) event(e *tracer.Event, m *move) {
	t := &c.kept[c.group[m.thread]]
	switch {
	case t.n == 0:
		c.begin(e, m, t)
	case t.bulk:
		if m.fresh && m.thread == t.largest {
			th := c.builder.threads.get(t.n - 1)
			th.task, th.code, th.pe = e.Task, e.Code, e.PE
		}
	case e.Kind == tracer.Resume:
		c.resume(e, m, t)
	case e.Kind == tracer.End:
		c.wait(t)
		c.node(record{time: e.Time, virtual: m.virtual, thread: t.n - 1, ref: -1, pe: e.PE, code: e.Code, kind: End})
	default:
		c.step(e, m, t)
	}
	if e.Kind == tracer.Suspend && !t.bulk {
		t.waits = &record{time: m.until, virtual: m.virtual, thread: t.n - 1, ref: -1, pe: e.PE, code: e.Code, kind: BJoin}
	}
}

// begin makes a thread with its first step, and all steps of a bulk.
func (c *condenser) begin(e *tracer.Event, m *move, t *condensed) {
	th := thread{task: e.Task, parent: -1, code: e.Code, pe: e.PE, last: -1, goal: true}
	var up *condensed
	if m.parent >= 0 {
		if up = &c.kept[c.group[m.parent]]; up.n > 0 && len(up.steps) > 0 {
			th.parent, th.forked = up.n-1, true
		}
	}
	n := c.enter(th)
	if n < 0 {
		return
	}
	t.n = n + 1
	if th.parent >= 0 {
		c.hang(up, max(c.ended(up, m.begin), 0), hanging{thread: n, joined: -1, task: e.Task})
	}
	at := record{time: e.Time, virtual: m.begin, thread: n, pe: e.PE, code: e.Code, kind: Start}
	if !t.bulk {
		c.put(e.Task, at, t, m.virtual-m.begin)
		t.shown = [2]int64{m.virtual, m.until}
		return
	}
	const most = 32 // steps
	k := int64(min(max(t.depth-m.depth+1, 1), most))
	for i := range k {
		next := at
		next.virtual = m.begin + (t.end-m.begin)/k*i
		next.time = e.Time + (t.last-e.Time)/k*i
		end := m.begin + (t.end-m.begin)/k*(i+1)
		if i+1 == k {
			end = t.end
		}
		c.put(e.Task, next, t, end-next.virtual)
		at.kind = Step
	}
}

// put adds a step of a goal.
func (c *condenser) put(task uint64, r record, t *condensed, cost int64) {
	if r.ref = c.all.add(goal{task: task, thread: r.thread, step: -1}); r.ref < 0 {
		c.full = true
		return
	}
	n := c.node(r)
	if n < 0 {
		return
	}
	c.setCost(n, cost)
	c.all.get(r.ref).step = n
	t.steps = append(t.steps, n)
	t.fixed = false
}

// ended returns the number of the last step of a thread that has ended at a virtual time, -1 for none.
func (c *condenser) ended(t *condensed, virtual int64) int {
	return sort.Search(len(t.steps), func(i int) bool {
		return c.records.get(t.steps[i]).virtual+c.cost(t.steps[i]) > virtual
	}) - 1
}

// hang adds a fork or wake-up after a step of a condensed thread.
func (c *condenser) hang(by *condensed, step int, h hanging) {
	n := by.steps[step]
	by.fixed = by.fixed || step == len(by.steps)-1
	h.by, h.step = c.records.get(n).ref, n
	c.forked.add(h)
}

// near reports whether an instant is within a grain of the last node of a thread.
func (c *condenser) near(t *condensed, virtual, now int64) bool {
	return virtual-t.shown[0] < c.grain[0] && now-t.shown[1] < c.grain[1]
}

// step adds a step, or adds its cost to the step before.
func (c *condenser) step(e *tracer.Event, m *move, t *condensed) {
	cost := m.virtual - m.begin
	if n := t.steps[len(t.steps)-1]; c.near(t, m.virtual, m.until) && c.records.get(n).pe == e.PE && t.waits == nil && !t.fixed {
		c.setCost(n, c.cost(n)+cost)
		return
	}
	c.wait(t)
	c.put(e.Task, record{time: e.Time, virtual: m.begin, thread: t.n - 1, pe: e.PE, code: e.Code, kind: Step}, t, cost)
	t.shown = [2]int64{m.virtual, m.until}
}

// wait makes a node of a wait.
func (c *condenser) wait(t *condensed) {
	if t.waits != nil {
		c.node(*t.waits)
		t.waits = nil
	}
}

// resume ends a wait. A short one leaves no nodes.
func (c *condenser) resume(e *tracer.Event, m *move, t *condensed) {
	if t.waits == nil || c.near(t, m.virtual, e.Time) {
		t.waits = nil
		return
	}
	c.wait(t)
	n := c.node(record{time: e.Time, virtual: m.virtual, thread: t.n - 1, ref: -1, pe: e.PE, code: e.Code, kind: AJoin})
	t.shown = [2]int64{m.virtual, e.Time}
	if n < 0 || m.by < 0 {
		return
	}
	by := &c.kept[c.group[m.by]]
	if by == t || by.n == 0 {
		return
	}
	if step := c.ended(by, m.wake); step >= 0 {
		c.hang(by, step, hanging{thread: t.n - 1, joined: n, task: e.Task})
	}
}
