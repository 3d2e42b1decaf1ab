package waits

import (
	"math"
	"strings"

	"whorl/internal/numbering"
	"whorl/tracer"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/taskindex"
)

// A builder follows the tasks of a trace.
type builder struct {
	slots    taskindex.Table[int32] // by task: index in tasks, + 1; gone for a task that has ended
	tasks    []life                 // of tasks that have not ended, and spare ones
	spare    []int32
	threads  threads
	goals    taskindex.Table[reduced]
	pes      []uint64 // tasks, 0 for none
	groups   groups
	blocks   blocks
	byTask   map[uint64]blocks    // by task whose blocks are told apart
	bindings map[uint64][]binding // by binder
	sent     map[uint64]uint32    // code of the sender by message, of those on their way
	listed   []Task
	codes    codes
	last     uint64
	root     Span  // the longest life of a task without a parent
	until    int64 // end of the last step
	from, to int64 // the time that counts
	lost     int64
}

// gone stands for the slot of a task that has ended.
const gone = -1

// A life is the state of a task.
type life struct {
	id      uint64
	code    uint32
	state   State
	ended   bool   // the entry is spare
	on      bool   // it runs on pe, or the system works for it there
	records bool   // it has waited until the trace was recorded
	cause   Cause  // of its wait; Code is that of the task
	heard   uint32 // code of the sender of the last message that it received in this wait
	pe      int32
	born    int64
	since   int64
	waits   int64
	place   int // in listed, + 1
	most    Span
	Times
}

type groups struct {
	codes numbering.List[uint32]
	sums  []Group
}

func (g *groups) group(code uint32) *Group {
	n := int(g.codes.Number(code))
	if n == len(g.sums) {
		g.sums = append(g.sums, Group{Code: code})
	}
	return &g.sums[n]
}

// threads has the facts about each thread that a walk back through the trace needs.
type threads struct {
	table    taskindex.Table[thread]
	servants []bool // by code: its tasks serve the program
}

// serves reports whether a task serves the program, as the collector does. No path leads to it.
func (p *threads) serves(task uint64) bool {
	code := p.table.Get(task).code
	return int(code) < len(p.servants) && p.servants[code]
}

// joiner returns the task that joins an inline thread. e is the Start or the End of the thread.
func (p *threads) joiner(e *tracer.Event) uint64 {
	if e.Ref != 0 {
		return e.Ref
	}
	return p.table.Get(e.Task).parent
}

type thread struct {
	parent uint64
	code   uint32
	known  bool
}

func newBuilder(src tracer.Source) *builder {
	return &builder{codes: codes{dict: src.Dict()}, blocks: blocks{}, sent: map[uint64]uint32{}, from: math.MinInt64, to: math.MaxInt64}
}

func (b *builder) part(p Part) {
	if p.From != 0 || p.To != 0 {
		b.from, b.to = p.From, max(p.To, p.From)
	}
	if len(p.Tasks) > 0 {
		b.byTask = map[uint64]blocks{}
	}
	for _, task := range p.Tasks {
		b.byTask[task] = blocks{}
	}
}

// clip returns the instant of the time that counts that is next to another.
func (b *builder) clip(at int64) int64 { return min(max(at, b.from), b.to) }

// counts reports whether a task or wait has a part in the time that counts.
func (b *builder) counts(from, to int64) bool {
	return (to > b.from || from == to && to == b.from) && from < b.to
}

// codes holds the code table of a dictionary, which may grow while the trace is read.
type codes struct {
	dict *tracer.Dict
	all  []tracer.Code
}

// table returns the code table, which has the entry id if the trace has it.
func (c *codes) table(id uint32) []tracer.Code {
	if int(id) >= len(c.all) {
		c.all = c.dict.Codes()
	}
	return c.all
}

// entry returns an entry of the table, the zero Code if the trace has none.
func (c *codes) entry(id uint32) tracer.Code {
	if all := c.table(id); int(id) < len(all) {
		return all[id]
	}
	return tracer.Code{}
}

// find returns the life of a task, nil if the task is 0, has ended or is not known.
func (b *builder) find(task uint64) *life {
	if s := b.slots.Find(task); task != 0 && s != nil && *s > 0 {
		return &b.tasks[*s-1]
	}
	return nil
}

// life returns the life of a task, which begins at a time if the task is new. It returns nil for no task and for one that has ended.
func (b *builder) life(task uint64, code uint32, at int64) *life {
	if task == 0 {
		return nil
	}
	s := b.slots.Place(task)
	switch {
	case *s > 0:
		return &b.tasks[*s-1]
	case *s == gone:
		b.lost++
		return nil
	}
	n := len(b.tasks)
	if k := len(b.spare); k > 0 {
		n = int(b.spare[k-1])
		b.spare = b.spare[:k-1]
	} else {
		b.tasks = append(b.tasks, life{})
	}
	*s = int32(n) + 1
	t := &b.tasks[n]
	*t = life{id: task, code: code, state: Ready, pe: tracer.None, born: at, since: at}
	if len(b.listed) < MostTasks {
		b.listed = append(b.listed, Task{ID: task})
		t.place = len(b.listed)
	}
	return t
}

// enter puts a task into a state at a time. If it was blocked, the wait ends.
func (b *builder) enter(t *life, s State, at int64) {
	if t.state == Blocked {
		b.block(t, at, false)
	}
	b.move(t, s, at)
}

func (b *builder) move(t *life, s State, at int64) {
	t.Times[t.state] += max(b.clip(at)-b.clip(t.since), 0)
	t.since = max(t.since, at)
	t.state = s
}

// settle adds a life that is over, or that the trace does not see to its end, to the sums.
func (b *builder) settle(t *life, at int64, alive bool) {
	if !b.counts(t.born, at) {
		if t.place > 0 {
			b.listed[t.place-1].ID = 0
		}
		return
	}
	if at = b.clip(at); b.threads.table.Get(t.id).parent == 0 {
		b.root = b.root.longer(Span{t.id, b.clip(t.born), at})
	}
	g := b.groups.group(t.code)
	g.Tasks++
	g.Waits += t.waits
	g.Most = g.Most.longer(t.most)
	if alive {
		g.Alive++
	}
	g.Add(&t.Times)
	if t.place > 0 {
		b.listed[t.place-1] = Task{ID: t.id, Code: t.code, Born: b.clip(t.born), Ended: at, Waits: t.waits, Alive: alive, Most: t.most, Times: t.Times}
	}
}

// end ends a task.
func (b *builder) end(t *life, at int64) {
	b.leave(t)
	b.enter(t, Running, at)
	b.settle(t, max(at, t.since), false)
	n := *b.slots.Find(t.id) - 1
	*b.slots.Find(t.id) = gone
	t.ended = true
	b.spare = append(b.spare, n)
}

// block adds the wait of a task to the sums.
func (b *builder) block(t *life, at int64, open bool) {
	c := t.cause
	c.Code = t.code
	b.waited(c, Span{t.id, t.since, max(at, t.since)}, open)
}

// waited adds a wait to the sums.
func (b *builder) waited(c Cause, s Span, open bool) {
	t := b.find(s.Task)
	if !b.counts(s.From, s.To) {
		if t != nil && s.From < b.to { // suspend has counted it
			t.waits--
		}
		return
	}
	s.From, s.To = b.clip(s.From), b.clip(s.To)
	if t != nil {
		t.most = t.most.longer(s)
	}
	b.blocks.add(c, s, open)
	if of, ok := b.byTask[s.Task]; ok {
		of.add(c, s, open)
	}
}

// suspend begins a wait of a task.
func (b *builder) suspend(t *life, k Kind, reason uint32, at int64) {
	if t == nil {
		return
	}
	b.leave(t)
	b.enter(t, Blocked, at)
	t.cause, t.heard = Cause{Kind: k, Reason: reason}, 0
	t.records = t.records || k == ForWake && b.codes.entry(reason).Name == tracer.ReasonTracing
	if at < b.to {
		t.waits++
	}
}

// resume ends the wait of a task.
func (b *builder) resume(t *life, by uint32, inferred bool, next State, at int64) {
	if t == nil || t.state != Blocked {
		b.lost++
		return
	}
	t.cause.By, t.cause.Inferred = by, inferred
	b.enter(t, next, at)
}

// run puts a task on a PE. The task that was there has lost it.
func (b *builder) run(t *life, pe int32, at int64) {
	if at < b.to && !t.records && !b.serves(t.code) {
		b.last = t.id
	}
	if p := bounds.Entry(&b.pes, pe); p != nil {
		if old := b.find(*p); old != nil && old != t && old.on && old.pe == pe {
			b.enter(old, Ready, at)
			old.on = false
		}
		*p = t.id
	}
	t.on, t.pe = true, pe
	b.enter(t, Running, at)
}

// serves reports whether the tasks of a function serve the program.
func (b *builder) serves(code uint32) bool {
	system := &b.threads.servants
	for int(code) >= len(*system) && int(code) < len(b.codes.table(code)) {
		name := b.codes.all[len(*system)].Name
		*system = append(*system, (strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "runtime/")) && name != "runtime.main")
	}
	return int(code) < len(*system) && (*system)[code]
}

// leave takes a task off its PE.
func (b *builder) leave(t *life) {
	if p := bounds.Entry(&b.pes, t.pe); p != nil && t.on && *p == t.id {
		*p = 0
	}
	t.on = false
}

// codeOf returns the code of a thread or goal.
func (b *builder) codeOf(task uint64) uint32 {
	if t := b.find(task); t != nil {
		return t.code
	}
	return b.threads.table.Get(task).code
}
