package contexts

import (
	"math"
	"sync"

	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/derive/labels"
	"whorl/visual/flow"
	"whorl/visual/view"
)

// A timeline holds the log of a trace, recorded at the first request for a time window.
type timeline struct {
	mu          sync.Mutex
	log, before *callingcontext.Log // before is the log of the trace when it was shorter
	labels      *labels.Chooser
}

// get returns the log and records it at the first call.
func (t *timeline) get(src tracer.Source, tick flow.Tick) (*callingcontext.Log, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.log == nil {
		log, err := callingcontext.Record(src, t.before, t.labels, tick)
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

// Timed derives the tree of the time window. It has the nodes of All.
var Timed = flow.Derive("timedcontexts", "the calling contexts of the time window",
	flow.In(view.Trace, Recorded, All),
	append(flow.Params{view.Counted}, Choosing...),
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
		recorded, some := Recorded.In(c), *all
		if tree.Nodes() != recorded.Nodes() || len(tree.Metrics) != len(recorded.Metrics) { // the trace has grown
			some = *New(all.Run, tree)
			recorded = &some
		}
		if s, chosen, _ := recorded.selection(c.Params); chosen {
			if recorded == &some {
				some = *New(all.Run, tree).derived(tree.Select(s))
			} else {
				some.Tree = tree.Select(s).Tree
			}
		} else {
			some.Tree = tree
		}
		some.Time = time
		return &some, nil
	})

// Runs returns the amounts of the shown metric that each PE spent at the nodes in the order of time, or the reason why there is no such order.
func (v *Values) Runs(src tracer.Source, tick flow.Tick) (runs [][]callingcontext.Run, why string, err error) {
	log, err := v.log.get(src, tick)
	if err != nil {
		return nil, "", err
	}
	first, last := int64(math.MinInt64), int64(math.MaxInt64)
	if v.Time != nil {
		first, last = v.Time.First, v.Time.Last
	}
	runs, ok := log.Runs(v.Metrics[v.Metric], first, last)
	switch {
	case !ok:
		return nil, "The trace is too long to show its samples in the order of time.", nil
	case !log.Timed():
		return nil, "The samples of the trace have no times, so there is no order of time.", nil
	case v.of == nil:
		return runs, "", nil
	}
	for pe, list := range runs {
		kept := list[:0]
		for _, r := range list {
			if int(r.Node) < len(v.to) && v.kept[r.Node] {
				kept = append(kept, callingcontext.Run{Node: v.to[r.Node], Amount: r.Amount})
			}
		}
		runs[pe] = kept
	}
	return runs, "", nil
}

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
