package contexts

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/internal/ranges"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/derive/labels"
	"whorl/visual/flow"
	"whorl/visual/view"
)

// Needs lists the events from which a tree can be made.
var Needs = []tracer.KindSet{tracer.Kinds(tracer.Sample), tracer.Kinds(tracer.Reduce), tracer.Kinds(tracer.Fork), tracer.Kinds(tracer.Start)}

// The values of the parameter Value.
const (
	Inclusive = "inclusive" // a context with its callees
	Exclusive = "exclusive" // a context without its callees
)

// The parameters that views of calling contexts share. A view lists those that its stages read.
var (
	Metric    = view.Param{Name: "metric", Label: "Metric", Doc: "its name in the trace; empty means the first one with values", Default: ""}
	Value     = view.Param{Name: "value", Label: "Value", Doc: "values with callees (inclusive) or without (exclusive)", Default: Inclusive, Choices: []string{Inclusive, Exclusive}}
	Processes = view.Param{Name: "processes", Label: "Processes", Doc: "show these processes alone, for instance 0-31,64; the default is all", Default: ""}
	Root      = view.Param{Name: view.Root, Label: "Subtree", Doc: "show this context and its callees alone; 0 shows the whole tree", Default: int64(0), Max: math.MaxInt64}
	Find      = view.Param{Name: view.Find, Label: "Find", Doc: "mark the contexts whose name matches this regular expression", Default: ""}
)

// Params returns the parameters of ValuesStage and of the stages that it depends on.
func Params() []view.Param { return append([]view.Param{Metric, Value, Processes}, Choices()...) }

// All derives the tree of all processes: the contexts that the user chose, for the whole run. Views of one trace share it.
var All = flow.Derive("allcontexts", "the calling contexts chosen by names",
	flow.In(Recorded), Choosing,
	func(c *flow.Call[*Contexts]) (*Contexts, error) {
		all := Recorded.In(c)
		s, some, wrong := all.selection(c.Params)
		if some {
			before := all
			if all = all.derived(all.Tree.Select(s)); before.spent() && !all.spent() && wrong == nil {
				wrong = errors.New("no context is left of " + chosenBy(c.Params))
			}
		}
		if wrong != nil && all.odd == nil {
			odd := *all
			odd.odd = wrong
			all = &odd
		}
		return all, nil
	})

// Recorded derives the tree of all processes and all contexts, with the samples and frames of labels that the user chose.
var Recorded = flow.Derive("recordedcontexts", "the merged calling contexts of all processes",
	flow.In(view.Trace, view.RunStage), labelling,
	func(c *flow.Call[*Contexts]) (*Contexts, error) {
		var before *callingcontext.Tree
		if c.Prev != nil {
			before = c.Prev.Tree
		}
		src := view.Trace.In(c)
		chosen, wrong := labels.Parse(labelQuery(c.Params), src.Dict())
		tree, err := callingcontext.Grow(src, before, chosen, c.Tick)
		if err != nil {
			return nil, err
		}
		if len(tree.Metrics) == 0 {
			return nil, errors.New("the trace has no metric of its calling contexts")
		}
		all := New(view.RunStage.In(c), tree)
		all.odd, all.log.labels = wrong, chosen
		if c.Prev != nil {
			all.log.before = c.Prev.log.latest()
		}
		return all, nil
	})

// Chosen derives the tree of the shown processes.
var Chosen = flow.Derive("contexts", "the calling contexts of the shown processes",
	flow.In(Timed),
	flow.Params{Processes.Name},
	func(c *flow.Call[*Contexts]) (*Contexts, error) {
		return Timed.In(c).Chosen(c.Params.Text(Processes.Name))
	})

// Chosen returns the tree of the processes in a list, all for "".
func (c *Contexts) Chosen(processes string) (*Contexts, error) {
	spans, err := ParseSpans(Processes.Name, processes)
	if err != nil || len(spans) == 0 {
		return c, err
	}
	odd, chosen := c.outside(Processes.Name, spans), c.within(spans)
	if len(chosen) == 0 {
		return nil, odd
	}
	some := c.Only(chosen...)
	if odd != nil {
		some.odd = odd
	}
	return some, nil
}

// Only returns the tree of some processes, given by their numbers in this one in ascending order.
func (c *Contexts) Only(processes ...int32) *Contexts {
	some, keep := *c, make([]bool, len(c.PE))
	some.PE = nil
	for _, p := range processes {
		keep[p] = true
		some.PE = append(some.PE, c.PE[p])
	}
	some.Tree = c.Tree.Only(keep)
	return &some
}

// outside returns an error if a span in the value of a parameter goes beyond the last PE.
func (c *Contexts) outside(param string, spans []view.Span) error {
	for _, s := range spans {
		if s.Last >= int64(len(c.PE)) {
			return fmt.Errorf("%s %s: the processes are 0 to %d", param, FormatSpans([]view.Span{s}), len(c.PE)-1)
		}
	}
	return nil
}

// Wrong reports which of the user's settings were ignored: an invalid search, unknown processes, a missing baseline. It is nil if there are none.
func (c *Contexts) Wrong(sought error, d *Differences) error {
	switch {
	case sought != nil:
		return sought
	case c.odd != nil:
		return c.odd
	case d != nil && d.Wrong != nil:
		return d.Wrong
	}
	return nil
}

// Values are the sums of a metric over the processes of Contexts.
type Values struct {
	*Contexts
	Metric    int     // in Metrics
	Inclusive bool    // the values of contexts include their callees
	In, Ex    []int64 // by node: inclusive and exclusive
	beyond    bool    // some sums exceed 64 bits
}

// ValuesStage derives the sums of the metric.
var ValuesStage = flow.Derive("contextvalues", "the sum over the processes in each calling context",
	flow.In(Chosen),
	flow.Params{Metric.Name, Value.Name},
	func(c *flow.Call[*Values]) (*Values, error) {
		return Chosen.In(c).Values(c.Params.Text(Metric.Name), c.Params.Text(Value.Name) != Exclusive)
	})

// Values returns the sums of a metric; "" means the first metric with values.
func (c *Contexts) Values(metric string, inclusive bool) (*Values, error) {
	v := &Values{Contexts: c, Metric: c.metric, Inclusive: inclusive, In: make([]int64, c.Nodes()), Ex: make([]int64, c.Nodes())}
	if metric != "" {
		if v.Metric = slices.IndexFunc(c.Metrics, func(m callingcontext.Metric) bool { return m.Name == metric }); v.Metric < 0 {
			return nil, nearest.Unknown("metric", metric, c.MetricNames())
		}
	}
	for n := range v.In {
		v.In[n], v.Ex[n] = c.Total(int32(n), v.Metric, true), c.Total(int32(n), v.Metric, false)
		v.beyond = v.beyond || max(v.In[n], -v.In[n], v.Ex[n], -v.Ex[n]) == callingcontext.Most
	}
	return v, nil
}

// MetricNames returns the names of the metrics, in their order.
func (c *Contexts) MetricNames() []string {
	names := make([]string, len(c.Metrics))
	for i := range names {
		names[i] = c.Metrics[i].Name
	}
	return names
}

// Value returns the inclusive or exclusive value of a node, whichever is shown.
func (v *Values) Value(node int32) int64 { return v.Sum(node, v.Inclusive) }

// Sum returns the inclusive or exclusive value of a node.
func (v *Values) Sum(node int32, inclusive bool) int64 {
	if inclusive {
		return v.In[node]
	}
	return v.Ex[node]
}

// Own returns what a node adds to the exclusive value of its function. In a tree that was turned round, the nodes below the root have all of it.
func (v *Values) Own(node int32) int64 {
	switch {
	case !v.turned:
		return v.Ex[node]
	case v.Parent[node] == callingcontext.Root:
		return v.In[node]
	}
	return 0
}

// Spread returns the distribution of a node's values over the processes.
func (v *Values) Spread(node int32) callingcontext.Spread {
	return v.Contexts.Spread(node, v.Metric, v.Inclusive)
}

// Amount formats an amount of the metric with its unit.
func (v *Values) Amount(n int64) string {
	m := v.Metrics[v.Metric]
	scale := m.Scale
	if scale == 0 {
		scale = 1
	}
	x := float64(n) * scale
	if s, ok := figures.Measured(x, m.Unit); ok {
		return s
	}
	switch m.Unit {
	case "", "count", "samples":
		return figures.Count(n)
	case "ticks":
		return figures.Counted(n, "tick")
	default:
		if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			return figures.Count(int64(x)) + " " + m.Unit
		}
		return strconv.FormatFloat(x, 'g', 4, 64) + " " + m.Unit
	}
}

// ParseSpans parses the value of a parameter, a list of numbers and ranges such as 0-31,64.
func ParseSpans(param, s string) (spans []view.Span, err error) {
	list, err := ranges.Parse(s)
	if err != nil {
		return nil, fmt.Errorf("%s %w", param, err)
	}
	for _, r := range list {
		spans = append(spans, view.Span{First: min(r.First, r.Last), Last: max(r.First, r.Last)})
	}
	return spans, nil
}

// FormatSpans is the inverse of ParseSpans.
func FormatSpans(spans []view.Span) string {
	list := make([]ranges.Range, len(spans))
	for i, s := range spans {
		list[i] = ranges.Range(s)
	}
	return ranges.Format(list)
}
