package contexts

import (
	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/flow"
)

// Spreads holds the distribution of each node's values over the processes. The value of a process that never reached a node is 0.
type Spreads struct {
	*Values
	byNode []callingcontext.Spread // nil for a single process, where a spread takes no time
}

// SpreadStage derives the distributions of the shown values.
var SpreadStage = flow.Derive("contextspreads", "the distribution over the processes in each calling context",
	flow.In(ValuesStage), nil,
	func(c *flow.Call[*Spreads]) (*Spreads, error) {
		return NewSpreads(ValuesStage.In(c)), nil
	})

// NewSpreads returns the distributions of values.
func NewSpreads(v *Values) *Spreads {
	s := &Spreads{Values: v}
	if len(v.Processes) > 1 {
		s.byNode = make([]callingcontext.Spread, v.Nodes())
	}
	for n := range s.byNode {
		s.byNode[n] = v.Spread(int32(n))
	}
	return s
}

// Of returns the distribution of the values of a context over the processes.
func (s *Spreads) Of(node int32) callingcontext.Spread {
	if s.byNode == nil {
		return s.Spread(node)
	}
	return s.byNode[node]
}

// Visits returns the metric that counts visits of a context, or false if there is none.
func (c *Contexts) Visits() (metric int, ok bool) {
	for m := range c.Metrics {
		if c.Metrics[m].Visits {
			return m, true
		}
	}
	return 0, false
}

// Word returns "function" or "procedure", whichever the language of the run uses.
func (c *Contexts) Word() string {
	if c.Nodes() > 1 {
		if code := c.Code[1]; int(code) < len(c.Run.Codes) && c.Run.Codes[code].Type == tracer.Function && c.Run.Meta.Substrate != "hpf" {
			return "function"
		}
	}
	return "procedure"
}

// Module returns the file of a procedure or function, or "" if it is unknown.
func (c *Contexts) Module(code uint32) string {
	if int(code) < len(c.Run.Codes) {
		return c.Run.Codes[code].File
	}
	return ""
}

// Path returns the names on the call path of a node.
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

// Without adds to notes that n things of a noun are not drawn because they have no value.
func Without(notes []string, n int, noun, shape string) []string {
	switch n {
	case 0:
		return notes
	case 1:
		return append(notes, "1 "+noun+" without a value has no "+shape+".")
	}
	return append(notes, figures.Count(int64(n))+" "+noun+"s without a value have no "+shape+".")
}

// extremes returns the first processes with the least and the most value.
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

// Describe returns the lines of a node's tip: name, call path, place in the source, values with their shares, visits, and distribution
// over the processes.
func (v *Values) Describe(node int32) []string {
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

// Amounts describes an inclusive and an exclusive value, with their shares of the total.
func (v *Values) Amounts(inclusive, exclusive int64) []string {
	line := func(n int64, words string) string {
		s := v.Amount(n) + " " + words
		if all := v.In[0]; all > 0 && n >= 0 {
			s += ", " + figures.Percent(n, all)
		}
		return s
	}
	return []string{line(inclusive, Inclusive), line(exclusive, Exclusive)}
}

// Across describes the distribution of values over the processes.
func (v *Values) Across(values []int64) []string {
	if len(values) < 2 {
		return nil
	}
	s := callingcontext.SpreadOf(values, len(values))
	kind := Exclusive
	if v.Inclusive {
		kind = Inclusive
	}
	if s.Least == s.Most {
		return []string{kind + ": " + v.Amount(s.Least) + " on each of " + figures.Count(int64(len(values))) + " processes"}
	}
	least, most := extremes(values)
	return []string{
		kind + ": mean " + v.Amount(callingcontext.Rounded(s.Mean)) + " ± " + figures.Share(s.Relative(), 0),
		"from " + v.Amount(s.Least) + " on " + v.Process(least) + " to " + v.Amount(s.Most) + " on " + v.Process(most),
	}
}
