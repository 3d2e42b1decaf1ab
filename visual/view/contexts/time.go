package contexts

import (
	"math"
	"sync"

	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/flow"
	"whorl/visual/view"
)

// A timeline holds the log of a trace, recorded at the first request for a time window.
type timeline struct {
	mu          sync.Mutex
	log, before *callingcontext.Log // before is the log of the trace when it was shorter
}

// get returns the log and records it at the first call.
func (t *timeline) get(src tracer.Source, tick flow.Tick) (*callingcontext.Log, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.log == nil {
		log, err := callingcontext.Record(src, t.before, tick)
		if err != nil {
			return nil, err
		}
		t.log, t.before = log, nil
	}
	return t.log, nil
}

// latest returns the log, or that of the trace when it was shorter, or nil if no window was requested yet.
func (t *timeline) latest() *callingcontext.Log {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.log != nil {
		return t.log
	}
	return t.before
}

// Timed derives the tree of the time window. It has the nodes of the tree of the whole run.
var Timed = flow.Derive("timedcontexts", "the calling contexts of the time window",
	flow.In(view.Trace, All),
	flow.Params{view.Counted},
	func(c *flow.Call[*Contexts]) (*Contexts, error) {
		all := All.In(c)
		time := view.ParseCounted(c.Params.Text(view.Counted))
		if time == nil {
			return all, nil
		}
		src := view.Trace.In(c)
		log, err := all.log.get(src, c.Tick)
		if err != nil {
			return nil, err
		}
		tree, err := log.Between(src, time.First, time.Last, c.Tick)
		if err != nil {
			return nil, err
		}
		some := *all
		if tree.Nodes() != all.Nodes() || len(tree.Metrics) != len(all.Metrics) { // the trace has grown
			some = *New(all.Run, tree)
		}
		some.Tree, some.Time = tree, time
		return &some, nil
	})

// LegendOf returns the legend of the run with the time window, if there is one.
func (c *Contexts) LegendOf(f *view.Frame, subtitle string) view.Legend {
	l := c.Run.Legend(subtitle)
	if c.Time == nil {
		return l
	}
	part := *f
	part.Window = &view.Span{First: max(c.Time.First, c.Run.From), Last: c.Time.Last}
	if c.Time.Last == math.MaxInt64 {
		part.Window.Last = c.Run.To
	}
	return c.Run.LegendOf(&part, subtitle, "")
}
