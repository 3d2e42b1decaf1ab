package contexts

import (
	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/flow"
)

// Spreads say how the values of the processes lie about their mean, by node; those of processes that were never there are 0.
type Spreads struct {
	*Values
	ByNode []callingcontext.Spread
}

// SpreadStage derives the spreads for the metric and the values that are shown.
var SpreadStage = flow.Derive("contextspreads", "how the values of the processes lie about their mean in each calling context",
	flow.In(ValuesStage), nil,
	func(c *flow.Call[*Spreads]) (*Spreads, error) {
		return ValuesStage.In(c).spreads(), nil
	})

func (v *Values) spreads() *Spreads {
	s := &Spreads{Values: v, ByNode: make([]callingcontext.Spread, v.Nodes())}
	for n := range s.ByNode {
		s.ByNode[n] = v.Spread(int32(n))
	}
	return s
}

// Visits is the metric that counts how often a context was entered, false where there is none.
func (c *Contexts) Visits() (metric int, ok bool) {
	for m := range c.Metrics {
		if c.Metrics[m].Visits {
			return m, true
		}
	}
	return 0, false
}

// Word is what a function of the run is called.
func (c *Contexts) Word() string {
	if c.Nodes() > 1 {
		if code := c.Code[1]; int(code) < len(c.Run.Codes) && c.Run.Codes[code].Type == tracer.Function && c.Run.Meta.Substrate != "hpf" {
			return "function"
		}
	}
	return "procedure"
}

// Module is the file that a procedure or function is from, "" where it is not known.
func (c *Contexts) Module(code uint32) string {
	if int(code) < len(c.Run.Codes) {
		return c.Run.Codes[code].File
	}
	return ""
}

// Path is the way from the program to a node, in names.
func (c *Contexts) Path(node int32) string {
	path := ""
	for _, v := range c.Way(node) {
		if path != "" {
			path += " › "
		}
		path += c.Name(v)
	}
	return path
}

// extremes are the processes with the least and the most of some values, given by process.
func extremes(values []int64) (least, most int) {
	for i, x := range values {
		if x < values[least] {
			least = i
		}
		if x > values[most] {
			most = i
		}
	}
	return least, most
}

// Told tells of a node: its name, where it stands, what it spent with its share of all, and how that lies on the processes.
func (v *Values) Told(node int32) []string {
	lines := []string{v.Name(node)}
	if len(v.Way(node)) > 1 {
		lines = append(lines, "in "+v.Path(v.Parent[node]))
	}
	if place := v.Run.Place(v.Code[node]); place != "" {
		lines = append(lines, place)
	}
	lines = append(lines, v.Amounts(v.In[node], v.Ex[node])...)
	if m, ok := v.Visits(); ok && m != v.Metric {
		lines = append(lines, figures.Count(v.Total(node, m, false))+" "+v.Metrics[m].Name)
	}
	return append(lines, v.Across(v.Tree.Values(node, v.Metric, v.Inclusive, nil))...)
}

// Amounts tells of an inclusive and an exclusive value, with their shares of all.
func (v *Values) Amounts(inclusive, exclusive int64) []string {
	said := func(n int64, words string) string {
		s := v.Amount(n) + " " + words
		if all := v.In[0]; all > 0 && n >= 0 {
			s += ", " + figures.Percent(n, all)
		}
		return s
	}
	return []string{said(inclusive, "inclusive"), said(exclusive, "exclusive")}
}

// Across tells how values lie on the processes.
func (v *Values) Across(values []int64) []string {
	if len(values) < 2 {
		return nil
	}
	s := callingcontext.SpreadOf(values, len(values))
	what := callingWhat(v.Inclusive)
	if s.Least == s.Most {
		return []string{what + ": " + v.Amount(s.Least) + " on each of " + figures.Count(int64(len(values))) + " processes"}
	}
	least, most := extremes(values)
	return []string{
		what + ": mean " + v.Amount(callingcontext.Rounded(s.Mean)) + " ± " + figures.Fixed(100*s.Relative(), 0) + " %",
		"from " + v.Amount(s.Least) + " on " + v.Process(least) + " to " + v.Amount(s.Most) + " on " + v.Process(most),
	}
}

func callingWhat(inclusive bool) string {
	if inclusive {
		return Inclusive
	}
	return Exclusive
}
