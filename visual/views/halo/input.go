package halo

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// Input hovers, selects and moves as every view does; a double click enters a subtree, a click on the sign beside a node hides what it called,
// or shows it, and one on the way back leads there.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	s := newSheet(f, g)
	if in.Kind == view.Click || in.Kind == view.DoubleClick {
		if k := view.NewTrail(f, g.rootID(), g.rootName).At(in.X, in.Y); k >= 0 {
			if in.Kind == view.DoubleClick {
				return nil
			}
			return []view.Action{{Do: view.LeaveTo, Pane: in.Pane, Index: k}}
		}
	}
	switch in.Kind {
	case view.Click:
		if k, ok := s.signAt(in.X, in.Y); ok {
			return g.toggle(in.Pane, k)
		}
	case view.Move:
		if p, ok := s.panel(); ok && p.box.Has(in.X, in.Y) {
			return s.within(p, in)
		}
	case view.DoubleClick:
		if p, ok := s.panel(); ok && p.box.Has(in.X, in.Y) {
			return nil
		}
		if _, ok := s.signAt(in.X, in.Y); ok {
			return nil
		}
		if k, ok := s.node(in.X, in.Y); ok && k > 0 {
			return []view.Action{{Do: view.EnterSubtree, Pane: in.Pane, Task: g.ID(g.nodes[k])}}
		}
		return nil
	case view.Wheel:
		return s.Zoom(in)
	case view.Press:
		if acts := s.press(in); acts != nil {
			return acts
		}
	}
	return s.Navigate(g, keys, f, in)
}

// within hovers the node of a panel, with the processes of the column under the pointer.
func (s *sheet) within(p *panel, in view.Input) []view.Action {
	sel := s.g.Select(s.Trace, s.g.nodes[p.k])
	if b := p.bin(in.X, in.Y); b >= 0 && len(p.bins[b]) > 0 {
		sel.PEs = s.g.SelectProcesses(s.Trace, p.bins[b]).PEs
	}
	if s.State.Personal.Hover.Equal(sel) {
		return nil
	}
	return []view.Action{{Do: view.Hover, Selection: &sel}}
}

// press answers the keys of the view.
func (s *sheet) press(in view.Input) []view.Action {
	g := s.g
	switch in.Key {
	case "Enter":
		k, ok := s.selected()
		if !ok {
			return view.Refuse(in.Pane, "select one context to see what it called: a click selects")
		}
		return []view.Action{{Do: view.EnterSubtree, Pane: in.Pane, Task: g.ID(k)}}
	case "c":
		if k, ok := s.selected(); ok && g.at[k] >= 0 && g.nodes[g.at[k]] == k {
			return g.toggle(in.Pane, g.at[k])
		}
		return view.Refuse(in.Pane, "select one context to hide what it called: a click selects")
	case "x":
		if len(g.foldIDs) == 0 {
			return view.Refuse(in.Pane, "nothing is hidden so")
		}
	case "m":
		return contexts.Metric.Set(in.Pane, g.Metrics[(g.Metric+1)%len(g.Metrics)].Name)
	case "v":
		if g.Inclusive {
			return contexts.Value.Set(in.Pane, contexts.Exclusive)
		}
		return contexts.Value.Set(in.Pane, contexts.Inclusive)
	case "s":
		if lit := s.lit(); lit != nil && len(lit.Processes) > 0 && len(lit.Processes) < len(g.PE) {
			return contexts.Processes.Set(in.Pane, contexts.FormatSpans(g.SelectProcesses("", lit.Processes).PEs))
		}
		if len(g.PE) < max(g.Run.Meta.PEs, 1) {
			return contexts.Processes.Set(in.Pane, "")
		}
		return view.Refuse(in.Pane, "select processes to see them alone: a click on a column of a histogram selects")
	case "d":
		return g.Compare(s.Frame, in.Pane, g.diff, true)
	case "n":
		if len(g.found) == 0 {
			return view.Refuse(in.Pane, "nothing was found: type a name into “find” among the settings")
		}
		return s.onward(in.Pane, g.found)
	case "u":
		list := g.byUnevenness()
		if len(list) == 0 {
			return view.Refuse(in.Pane, "the processes do not differ")
		}
		return s.onward(in.Pane, list)
	}
	return nil
}

func (s *sheet) lit() *contexts.Lit {
	if s.State == nil {
		return nil
	}
	return s.g.Lit(s.Trace, s.State.Shared.Selection)
}

// selected is the one node of the tree that is selected.
func (s *sheet) selected() (int32, bool) {
	if lit := s.lit(); lit != nil && len(lit.Nodes) == 1 {
		return lit.Nodes[0], true
	}
	return 0, false
}

// toggle hides what a node called, or shows it.
func (g *Geometry) toggle(pane int, k int32) []view.Action {
	v := g.nodes[k]
	if g.End[v] == v+1 {
		return view.Refuse(pane, g.Name(v)+" called nothing")
	}
	list, id := slices.Clone(g.foldIDs), g.ID(v)
	if i := slices.Index(list, id); i >= 0 {
		list = slices.Delete(list, i, i+1)
	} else {
		list = append(list, id)
	}
	words := make([]string, len(list))
	for i, id := range list {
		words[i] = strconv.FormatUint(id, 10)
	}
	return folded.Set(pane, strings.Join(words, ","))
}

// byUnevenness lists the nodes that are drawn at which processes differ: first those at which the slowest one has most above the mean.
func (g *Geometry) byUnevenness() (out []int32) {
	over := map[int32]float64{}
	for k, v := range g.nodes {
		if s := &g.spread[k]; !s.Equal {
			over[v] = float64(s.Most) - s.Mean
			out = append(out, v)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return over[out[i]] > over[out[j]] })
	return out
}

// onward selects the node that follows the selected one in a list, the first where none of them is selected, and goes there.
func (s *sheet) onward(pane int, list []int32) []view.Action {
	next := 0
	if v, ok := s.selected(); ok {
		if i := slices.Index(list, v); i >= 0 {
			next = (i + 1) % len(list)
		}
	}
	sel := s.g.Select(s.Trace, list[next])
	acts := []view.Action{{Do: view.Select, Pane: pane, Selection: &sel}}
	k := s.g.at[list[next]]
	if x, y := s.at(k); !s.In.Has(x, y) {
		c := s.around(k)
		acts = append(acts, view.Action{Do: view.SetCamera, Pane: pane, Camera: &c})
	}
	return acts
}
