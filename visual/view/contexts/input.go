package contexts

import (
	"slices"

	"whorl/internal/figures"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/view"
	"whorl/visual/view/trail"
)

// Trail returns the trail that leads back from the root of the shown subtree.
func (c *Contexts) Trail(f *view.Frame, root int32) trail.Trail {
	id := uint64(0)
	if root != 0 {
		id = c.ID(root)
	}
	return trail.New(f, id, func(root uint64) string { return c.Name(c.Root(root)) })
}

// Enter shows the subtree of a node, unless the node has no callees.
func (c *Contexts) Enter(pane int, node int32) []view.Action {
	if c.End[node] == node+1 {
		return view.Refuse(pane, c.Name(node)+" has no callees")
	}
	return []view.Action{{Do: view.EnterSubtree, Pane: pane, Task: c.ID(node)}}
}

// EnterSelected shows the subtree of the selected context.
func (c *Contexts) EnterSelected(f *view.Frame, pane int) []view.Action {
	if l := c.Highlight(f.Trace, f.Selected()); l != nil && len(l.Nodes) == 1 && l.Nodes[0] > 0 {
		return c.Enter(pane, l.Nodes[0])
	}
	return view.Refuse(pane, "click a context to select it, then show its callees")
}

// Keys are the keys that Press handles.
var Keys = []view.Key{
	{Key: "m", Doc: "show the next metric"},
	{Key: "v", Doc: "show values with or without callees"},
	{Key: "s", Doc: "show the selected processes alone, or all again"},
}

// Press handles Keys and returns nil for other keys.
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
		if l := v.Highlight(f.Trace, f.Selected()); l != nil && len(l.Processes) > 0 && len(l.Processes) < len(v.PE) {
			return Processes.Set(in.Pane, FormatSpans(v.SelectProcesses("", l.Processes).PEs))
		}
		if len(v.PE) < v.Run.Meta.PEs {
			return Processes.Set(in.Pane, "")
		}
		return view.Refuse(in.Pane, "select processes first, for instance by a click on a PE in the timeline")
	}
	return nil
}

// Choices returns the metrics of the trace and the index of the shown one, for view.Chooser.
func (v *Values) Choices(param string) ([]string, int) {
	if param == Metric.Name {
		return v.MetricNames(), v.Metric
	}
	return nil, -1
}

// NextFound selects the match after the selected node, and the first one after the last.
func (c *Contexts) NextFound(f *view.Frame, pane int, found []int32, back bool) []view.Action {
	if len(found) == 0 {
		return view.Refuse(pane, "no matches: type a name into “Find” in the settings")
	}
	next := 0
	if l := c.Highlight(f.Trace, f.Selected()); l != nil && len(l.Nodes) > 0 {
		k, exact := slices.BinarySearch(found, l.Nodes[0])
		switch {
		case back:
			k += len(found) - 1
		case exact:
			k++
		}
		next = k % len(found)
	} else if back {
		next = len(found) - 1
	}
	s := c.Select(f.Trace, found[next])
	return []view.Action{{Do: view.Select, Pane: pane, Selection: &s}}
}

// Counted returns the number of shown processes as text, and that of all if they differ.
func (c *Contexts) Counted() string {
	if n := c.Run.Meta.PEs; n > len(c.PE) {
		return figures.Count(int64(len(c.PE))) + " of " + figures.Count(int64(n))
	}
	return figures.Count(int64(len(c.PE)))
}

// Notes returns sentences about sums that overflow and events that were left out.
func (v *Values) Notes() (notes []string) {
	if v.beyond {
		notes = append(notes, "Sums above "+figures.Count(callingcontext.Most)+" are shown as this number.")
	}
	if v.cut > 0 {
		notes = append(notes, "The callers of the "+figures.Count(int64(v.cut))+" smallest parts are left out.")
	}
	if v.Dropped > 0 {
		notes = append(notes, figures.Count(v.Dropped)+" events without a known context or PE are left out.")
	}
	return notes
}
