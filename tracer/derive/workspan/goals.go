package workspan

import (
	"slices"

	"whorl/internal/numbering"
	"whorl/tracer"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/taskindex"
)

// Goals measures the goals of a logic program from their events, in the order of the trace, without a thread graph: it holds 40 bytes for each
// goal. A longest path leads from the reduction of the parent to a goal, or from that of the goal which resumed it. The threads and edges are those
// that package threadgraph describes. The zero Goals is ready to use.
//
// A live PE can record a Resume before the Reduce that caused it. The resumed goal then gets the longer path at that Reduce, without the goals that
// it has created in between.
//
// The burdened span needs the burden, which is known after the last event. Goals tries that of the first thread that changed its PE: if it is the
// median in the end, as in most simulated runs, Measure has the burdened span. Otherwise it takes a second pass with Burdened.
type Goals struct {
	Tasks   int64 // distinct tasks that were tried, ran or ended
	Threads int64 // goals that did not go on in place of their parents
	Span    int64

	// Shared tells that costs are parts of measured times. A path takes the typical cost of each clause, since the longest one would collect errors;
	// and the burden leaves out the time that a PE stands still for the reasons that Dict names.
	Shared bool
	Dict   *tracer.Dict // nil for none

	means    []mean  // by code, if Shared
	costs    []int64 // by code, after a whole pass if Shared
	height   int32   // + 1
	work     int64
	waiting  int64
	blocked  int64
	by       blocks // blocked
	migrated int64
	late     []int64 // of threads that changed their PE: times from when they could start until they started
	last     uint64  // the goal that ends a longest path
	goals    taskindex.Table[goal]
	far      []uint64 // tasks whose numbers do not fit into a link
	lanes    []lane
	wakes    []wake // by goals that are still to be reduced
	spare    uint32 // first of the list of unused wakes, + 1

	trial    trial
	early    []tracer.Event // the first ones, while no burden is known
	burden   int64          // that is tried
	burdened int64          // the span with it
}

// A goal is the state of a goal or, besides sum to code, of a thread.
type goal struct {
	sum      int64  // the longest path to its end
	burdened int64  // the same with burdens
	until    int64  // time of its last node
	via      link   // the goal before it on that path
	code     uint32 // of its last try that counts
	level    uint32 // of its reduction or of a thread, + 1; 0 before, or the first of its wakes, + 1
	state    uint32
}

// States of a goal: the PE of the last try + 1, and flags.
const (
	goalPE      = 1<<21 - 1
	goalKnown   = 1 << 31
	goalWaits   = 1 << 30
	goalAwaited = 1 << 29 // it is to be reduced and has wakes
	goalEnded   = 1 << 28 // it is never reduced: a builtin that waited, or a thread
	goalForked  = 1 << 27 // a structural edge leads to it from its parent
	goalAgain   = 1 << 26 // a second pass has read an event of it
)

// reduced reports whether the level of a goal or thread is known.
func (s *goal) reduced() bool { return s.level > 0 && s.state&goalAwaited == 0 }

// tried reports whether the last try of a goal was on a PE.
func (s *goal) tried(pe int32) bool { return int32(s.state&goalPE)-1 == pe }

// A mean holds the sum and the number of the costs of a code.
type mean struct{ sum, count int64 }

// typical returns the cost that a path takes for a step of a code with a cost: in the first pass the mean cost of the steps until then.
func (g *Goals) typical(code uint32, cost int64) int64 {
	if int(code) < len(g.costs) {
		return g.costs[code]
	}
	if code >= mostCodes {
		return cost
	}
	for int(code) >= len(g.means) {
		g.means = append(g.means, mean{})
	}
	m := &g.means[code]
	m.sum, m.count = add(m.sum, cost), m.count+1
	return m.sum / m.count
}

const mostCodes = 1 << 20 // of a table of codes

// typicalCosts returns the cost of a step of each code after a whole pass, nil if costs are not Shared.
func (g *Goals) typicalCosts() []int64 {
	if g.Shared && g.costs == nil {
		return credibleCosts(g.means)
	}
	return g.costs
}

// credibleCosts returns the cost of a step of each code. Steps that were measured together share what disturbed them, so the mean cost of a few
// steps says little: each code gets additional steps with the mean cost of all codes (H. Bühlmann, "Experience rating and credibility", 1967). The
// costs of all steps add up to the same sum, or less by rounding.
func credibleCosts(means []mean) []int64 {
	const additional = 128 // about as many as are measured together
	var all mean
	for _, m := range means {
		all.sum, all.count = add(all.sum, m.sum), all.count+m.count
	}
	if all.sum == 0 {
		return make([]int64, len(means))
	}
	usual := float64(additional * (float64(all.sum) / float64(all.count)))
	costs := make([]float64, len(means))
	sum := 0.0
	for code, m := range means {
		costs[code] = (float64(m.sum) + usual) / float64(m.count+additional)
		sum += float64(float64(m.count) * costs[code])
	}
	whole := make([]int64, len(means))
	for code, cost := range costs {
		whole[code] = int64(cost * (float64(all.sum) / sum))
	}
	return whole
}

// Height returns the largest level of a reduced goal or a thread, -1 for none. A goal or thread has one level more than its parent, and level 0 if
// its parent has no earlier record.
func (g *Goals) Height() int32 { return g.height - 1 }

// Event adds an event of any kind.
func (g *Goals) Event(e *tracer.Event) {
	g.event(e)
	if g.trial == trialOpen {
		g.search(e)
	}
}

func (g *Goals) event(e *tracer.Event) {
	switch e.Kind {
	case tracer.Reduce, tracer.Suspend, tracer.Fail:
		g.try(e)
	case tracer.Resume:
		g.resume(e)
	case tracer.Fork:
		g.trial, g.early = trialClosed, nil // Burdened does not read it
		if e.Task != 0 {
			g.rank(g.goals.Place(e.Task), e.Ref)
		}
	case tracer.Start:
		if own := g.goal(e.Task); own != nil {
			g.rank(own, 0)
		}
	case tracer.End:
		g.end(e)
	case tracer.Busy, tracer.Idle, tracer.Overhead:
		g.state(e)
	}
}

// goal returns the state of a task, nil for task 0.
func (g *Goals) goal(task uint64) *goal {
	if task == 0 {
		return nil
	}
	s := g.goals.Place(task)
	if s.state&goalKnown == 0 {
		s.state |= goalKnown
		g.Tasks++
	}
	return s
}

// tried returns the state of a task that has been tried, nil for others.
func (g *Goals) tried(task uint64) *goal {
	if s := g.goals.Find(task); s != nil && s.state&goalPE != 0 {
		return s
	}
	return nil
}

func (g *Goals) try(e *tracer.Event) {
	own := g.goal(e.Task)
	if own == nil {
		return
	}
	on := bounds.Entry(&g.lanes, e.PE)
	if own.state&goalPE == 0 {
		g.begin(e, own, on)
	}
	cost := max(e.Value, 0)
	g.work = add(g.work, cost)
	until := add(e.Time, cost)
	own.until = max(until, own.until)
	own.state = own.state&^(goalPE|goalWaits) | uint32(min(max(e.PE, -1), bounds.MaxPEs)+1)&goalPE
	if own.state&goalPE == 0 {
		own.state |= goalPE // an invalid PE
	}
	if on != nil {
		if e.Kind != tracer.Reduce && until >= on.until { // false for a builtin that waits during the reduction of its goal
			on.last = 0
		}
		on.busy(until)
	}
	if e.Kind == tracer.Suspend {
		if own.state |= goalWaits; own.code == 0 {
			own.code = e.Code
		}
		return
	}
	if g.Shared {
		cost = g.typical(e.Code, cost)
	}
	own.sum, own.burdened, own.code = add(own.sum, cost), add(own.burdened, cost), e.Code
	g.reach(e.Task, own)
	g.burdened = max(g.burdened, own.burdened)
	if e.Kind == tracer.Fail {
		return
	}
	if on != nil {
		on.last, on.until = e.Task, until
	}
	early := g.release(own)
	g.rank(own, e.Ref)
	g.wake(e.Task, own, early)
}

// rank sets the level of a new node of the spawn tree.
func (g *Goals) rank(own *goal, parent uint64) {
	if own.reduced() {
		return
	}
	g.forget(own)
	own.level = 1
	if above := g.goals.Find(parent); parent != 0 && above != nil && above != own && above.reduced() {
		own.level += above.level
	}
	g.height = max(g.height, int32(own.level))
}

// begin continues the longest path of the parent with the first try of a goal.
func (g *Goals) begin(e *tracer.Event, own *goal, on *lane) {
	var parent *goal
	if e.Ref != 0 && e.Ref != e.Task {
		parent = g.tried(e.Ref)
	}
	if parent == nil {
		g.Threads++
		return
	}
	own.sum, own.burdened, own.via = parent.sum, parent.burdened, g.link(e.Ref)
	if on != nil && on.last == e.Ref && e.Time >= on.until {
		return // the PE continues with it
	}
	g.Threads++
	own.state |= goalForked
	g.waiting = add(g.waiting, max(0, e.Time-parent.until))
	if from := int32(parent.state&goalPE) - 1; on != nil && from != e.PE {
		g.migrated++
		g.migrate(e.Time, parent.until, on, bounds.Entry(&g.lanes, from))
	}
	g.load(own, own.burdened)
}

func (g *Goals) resume(e *tracer.Event) {
	own := g.goal(e.Task)
	if own == nil || own.state&goalPE == 0 {
		return
	}
	var by *goal
	now, x := e.Time, Block{Blocked: Blocked{Code: e.Code, Fetched: true}}
	if e.Ref != 0 && e.Ref != e.Task { // else the answer of another PE resumes it
		x.Fetched = false
		by = g.goals.Place(e.Ref)
		if by.state&goalPE != 0 { // a builtin binds when it is tried or continues, and is never reduced
			g.raise(e.Task, own, by.sum, e.Ref)
			g.load(own, by.burdened)
			if x.By = by.code; by.tried(e.PE) { // its try goes on
				now = max(now, by.until)
			}
		}
	}
	if own.state&goalWaits != 0 {
		x.Time, x.Count = max(0, now-own.until), 1
		g.blocked = add(g.blocked, x.Time)
		g.by.add(x)
	}
	if by != nil && !by.reduced() && by.state&goalEnded == 0 {
		g.await(by, wake{task: e.Task, sum: own.sum, burdened: own.burdened, next: by.level, ended: x})
	}
	own.until = max(own.until, now)
	own.state = own.state &^ goalWaits
	if on := bounds.Entry(&g.lanes, e.PE); on != nil {
		on.busy(now)
	}
}

// end records the end of a builtin that waited, or of a thread.
func (g *Goals) end(e *tracer.Event) {
	own := g.goal(e.Task)
	if own == nil {
		return
	}
	if on := bounds.Entry(&g.lanes, e.PE); on != nil {
		on.busy(e.Time)
	}
	g.forget(own)
	own.state |= goalEnded
}

// Blocks returns the times that goals were blocked, by the code that ended the blocks, longest first.
func (g *Goals) Blocks() []Block { return g.by.list() }

// Measure returns the measures of the goals so far, without the nodes of the path. BurdenedSpan is -1 if it takes a second pass.
func (g *Goals) Measure() *Measure {
	m := &Measure{
		Work: g.work, Span: g.Span, Burden: -1, BurdenedSpan: -1, Migrated: g.migrated, Waiting: g.waiting, Blocked: g.blocked, Blocks: g.Blocks(),
	}
	if len(g.late) > 0 {
		late := slices.Clone(g.late)
		slices.Sort(late)
		if m.Burden = late[len(late)/2]; m.Burden == g.burden && g.trial == trialBegun {
			m.BurdenedSpan = g.burdened
		}
	}
	var codes numbering.List[uint32]
	task := g.last
	for range g.Tasks { // a damaged trace can have a cycle
		s := g.goals.Find(task)
		if s == nil {
			break
		}
		before := g.before(s)
		cost := s.sum
		if via := g.goals.Find(before); via != nil && before != 0 {
			cost -= via.sum
		}
		if cost > 0 {
			m.spend(&codes, s.code, cost)
		}
		task = before
	}
	m.sort()
	return m
}

// Again restarts g, whose measures are lost, for another pass over the same events, which tries no burden. If costs are Shared, each step then takes
// the typical cost of its clause in all events.
func (g *Goals) Again() {
	*g = Goals{
		Shared: g.Shared, Dict: g.Dict, costs: g.typicalCosts(), goals: g.goals, lanes: g.lanes[:0], late: g.late[:0], wakes: g.wakes[:0], trial: trialClosed,
	}
	g.goals.Clear()
}

// BurdenedKinds are the kinds of events that Burdened needs.
var BurdenedKinds = tracer.Kinds(tracer.Reduce, tracer.Suspend, tracer.Fail, tracer.Resume, tracer.Start, tracer.End)

// GoalKinds are the kinds of events that Goals needs.
var GoalKinds = BurdenedKinds | tracer.Kinds(tracer.Busy, tracer.Idle, tracer.Overhead)
