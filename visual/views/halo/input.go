package halo

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"whorl/visual/view"
)

// Input handles the input of the view: a double click enters a subtree, a click on the sign beside a node hides or shows its callees, and a
// click on the trail leads back. Other input is handled as in every view.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	s := newSheet(f, g)
	if acts, ok := g.Trail(f, g.root).Input(in); ok {
		return acts
	}
	switch in.Kind {
	case view.Click:
		if k, ok := s.signAt(in.X, in.Y); ok {
			return g.toggle(in.Pane, k)
		}
	case view.Move:
		if p, ok := s.panel(); ok && p.box.Contains(in.X, in.Y) {
			return s.within(p, in)
		}
	case view.DoubleClick:
		if p, ok := s.panel(); ok && p.box.Contains(in.X, in.Y) {
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

// press handles the keys of the view.
func (s *sheet) press(in view.Input) []view.Action {
	g := s.g
	switch in.Key {
	case "Enter":
		k, ok := s.selected()
		if !ok {
			return view.Refuse(in.Pane, "click a context to select it, then show its callees")
		}
		return []view.Action{{Do: view.EnterSubtree, Pane: in.Pane, Task: g.ID(k)}}
	case "c":
		if k, ok := s.selected(); ok && g.place[k] >= 0 && g.nodes[g.place[k]] == k {
			return g.toggle(in.Pane, g.place[k])
		}
		return view.Refuse(in.Pane, "click a context to select it, then hide its callees")
	case "x":
		if len(g.foldIDs) == 0 {
			return view.Refuse(in.Pane, "no callees are hidden")
		}
	case "m", "v", "s":
		return g.Press(s.Frame, in)
	case "d":
		return g.Compare(s.Frame, in.Pane, g.diff, true)
	case "n", "N":
		if len(g.found) == 0 {
			return view.Refuse(in.Pane, "no matches: type a name into “Find” in the settings")
		}
		return s.onward(in.Pane, g.found, in.Key == "N")
	case "u":
		list := g.byUnevenness()
		if len(list) == 0 {
			return view.Refuse(in.Pane, "all processes have the same values")
		}
		return s.onward(in.Pane, list, false)
	}
	return nil
}

// selected returns the node that the selection consists of.
func (s *sheet) selected() (int32, bool) {
	if lit := s.g.Highlight(s.Trace, s.Selected()); lit != nil && len(lit.Nodes) == 1 {
		return lit.Nodes[0], true
	}
	return 0, false
}

// toggle hides or shows the callees of a node.
func (g *Geometry) toggle(pane int, k int32) []view.Action {
	v := g.nodes[k]
	if g.End[v] == v+1 {
		return view.Refuse(pane, g.Name(v)+" has no callees")
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

// byUnevenness returns the drawn nodes at which processes differ, in order of how far the slowest process is above the mean, farthest first.
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

// onward selects the node after the selected one in a list, or the first one, and moves there.
func (s *sheet) onward(pane int, list []int32, back bool) []view.Action {
	if back {
		list = slices.Clone(list)
		slices.Reverse(list)
	}
	next := 0
	if v, ok := s.selected(); ok {
		if i := slices.Index(list, v); i >= 0 {
			next = (i + 1) % len(list)
		}
	}
	sel := s.g.Select(s.Trace, list[next])
	acts := []view.Action{{Do: view.Select, Pane: pane, Selection: &sel}}
	k := s.g.place[list[next]]
	if x, y := s.position(k); !s.In.Contains(x, y) {
		c := s.around(k)
		acts = append(acts, view.Action{Do: view.SetCamera, Pane: pane, Camera: &c})
	}
	return acts
}
