package contexts

import (
	"slices"

	"whorl/internal/figures"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/view"
)

// Trail is the way back from a context whose subtree is shown.
func (c *Contexts) Trail(f *view.Frame, root int32) view.Trail {
	id := uint64(0)
	if root != 0 {
		id = c.id[root]
	}
	return view.NewTrail(f, id, func(root uint64) string { return c.Name(c.Root(root)) })
}

// Enter shows the subtree of a node, unless it is the node alone.
func (c *Contexts) Enter(pane int, node int32) []view.Action {
	if c.End[node] == node+1 {
		return view.Refuse(pane, "nothing was called from "+c.Name(node))
	}
	return []view.Action{{Do: view.EnterSubtree, Pane: pane, Task: c.id[node]}}
}

// EnterSelected shows the subtree of the context that is selected.
func (c *Contexts) EnterSelected(f *view.Frame, pane int) []view.Action {
	if f.State != nil {
		if l := c.Lit(f.Trace, f.State.Shared.Selection); l != nil && len(l.Nodes) == 1 && l.Nodes[0] > 0 {
			return c.Enter(pane, l.Nodes[0])
		}
	}
	return view.Refuse(pane, "select one context to see what it called: a click selects")
}

// Keys are those that Press answers.
var Keys = []view.Key{
	{Key: "m", Doc: "the next metric"},
	{Key: "v", Doc: "of contexts with all that they called, or of themselves alone"},
	{Key: "s", Doc: "the selected processes alone, or all"},
}

// Press answers Keys; nil for others.
func (v *Values) Press(f *view.Frame, in view.Input) []view.Action {
	switch in.Key {
	case "m":
		return Metric.Set(in.Pane, v.Metrics[(v.Metric+1)%len(v.Metrics)].Name)
	case "v":
		if v.Inclusive {
			return Value.Set(in.Pane, Exclusive)
		}
		return Value.Set(in.Pane, Inclusive)
	case "s":
		if f.State != nil {
			if l := v.Lit(f.Trace, f.State.Shared.Selection); l != nil && len(l.Processes) > 0 && len(l.Processes) < len(v.PE) {
				return Processes.Set(in.Pane, FormatSpans(v.SelectProcesses("", l.Processes).PEs))
			}
		}
		if len(v.PE) < v.Run.Meta.PEs {
			return Processes.Set(in.Pane, "")
		}
		return view.Refuse(in.Pane, "select PEs to see their own tree: a click on a PE in the timeline selects one")
	}
	return nil
}

// Choices are the metrics of the trace, as view.Chooser has them.
func (v *Values) Choices(param string) ([]string, int) {
	if param == Metric.Name {
		return v.MetricNames(), v.Metric
	}
	return nil, -1
}

// NextFound selects the node that follows the selected one among those that were found, the first behind the last.
func (c *Contexts) NextFound(f *view.Frame, pane int, found []int32) []view.Action {
	if len(found) == 0 {
		return view.Refuse(pane, "nothing was found: type a name into “find” among the settings")
	}
	next := 0
	if f.State != nil {
		if l := c.Lit(f.Trace, f.State.Shared.Selection); l != nil && len(l.Nodes) > 0 {
			k, at := slices.BinarySearch(found, l.Nodes[0])
			if at {
				k++
			}
			next = k % len(found)
		}
	}
	s := c.Select(f.Trace, found[next])
	return []view.Action{{Do: view.Select, Pane: pane, Selection: &s}}
}

// Counted says how many processes are counted.
func (c *Contexts) Counted() string {
	if n := c.Run.Meta.PEs; n > len(c.PE) {
		return figures.Count(int64(len(c.PE))) + " of " + figures.Count(int64(n))
	}
	return figures.Count(int64(len(c.PE)))
}

// Notes are sentences of what the values lack.
func (v *Values) Notes() (notes []string) {
	if v.beyond {
		notes = append(notes, "Sums beyond "+figures.Count(callingcontext.Most)+" are shown as that.")
	}
	if v.Dropped > 0 {
		notes = append(notes, figures.Count(v.Dropped)+" events are of no known context or PE; they are left out.")
	}
	return notes
}
