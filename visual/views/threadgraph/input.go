package threadgraph

import (
	"slices"
	"strconv"
	"strings"

	"whorl/visual/view"
)

// Input handles the pointer and keys as in every view. The wheel zooms only columns with Control and only rows over the axis. A double click
// folds or unfolds a subtree.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	s := newSheet(f, g)
	switch in.Kind {
	case view.Wheel:
		if in.X < s.In.X0 && !in.Ctrl { // over the axis
			in.Alt = true
		}
		return s.Zoom(in)
	case view.DoubleClick:
		if t, ok := newBrush(f, g).nearest(in.X, in.Y); ok {
			return g.toggle(in.Pane, g.source(t))
		}
		return nil
	case view.Press:
		switch in.Key {
		case "g":
			return trueScale.Set(in.Pane, strconv.FormatBool(!g.exact))
		case "i":
			if g.waiting {
				return timing.Set(in.Pane, runOnly)
			}
			return timing.Set(in.Pane, withAll)
		case "k":
			return withPath.Set(in.Pane, strconv.FormatBool(!g.withPath))
		case "e":
			return withFree.Set(in.Pane, strconv.FormatBool(!g.withFree))
		case "c":
			return g.toggleSelected(f, in.Pane)
		case "x":
			if len(g.fold.tasks) == 0 {
				return view.Refuse(in.Pane, "nothing is folded")
			}
		case "n", "N":
			if len(g.found) == 0 {
				return view.Refuse(in.Pane, "no thread was found: type a task or a name into “Find” in the settings")
			}
			return s.onward(f, in.Pane, g.found, in.Key == "N")
		case "u":
			return s.onward(f, in.Pane, g.work.longer, false)
		}
	}
	return s.Navigate(g, keys, f, in)
}

// toggle folds or unfolds the subtree of a thread of the trace. One that stands for several is opened.
func (g *Geometry) toggle(pane int, n int32) []view.Action {
	if g.graph.Bulk != nil && g.graph.Bulk[n].Threads > 1 {
		return opened.Set(pane, listed(append(slices.Clone(g.opened), g.graph.Task[n])))
	}
	if g.graph.Size[n] == 1 {
		return view.Refuse(pane, "this thread has no subtree")
	}
	list := slices.Clone(g.fold.tasks)
	k := slices.IndexFunc(list, func(task uint64) bool { return g.graph.Numbered(task) == n })
	if k >= 0 {
		list = slices.Delete(list, k, k+1)
	} else {
		list = append(list, g.graph.Task[n])
	}
	return folded.Set(pane, listed(list))
}

// listed returns tasks as the value of a parameter.
func listed(tasks []uint64) string {
	words := make([]string, len(tasks))
	for i, task := range tasks {
		words[i] = strconv.FormatUint(task, 10)
	}
	return strings.Join(words, ",")
}

// toggleSelected folds or unfolds the subtree of the selected thread.
func (g *Geometry) toggleSelected(f *view.Frame, pane int) []view.Action {
	if s := f.Selected(); s.Trace == f.Trace && len(s.Tasks) == 1 && s.Tasks[0].Last <= s.Tasks[0].First {
		if n := g.graph.Numbered(s.Tasks[0].First); n >= 0 {
			return g.toggle(pane, n)
		}
	}
	return view.Refuse(pane, "click a thread to select it, then fold its subtree")
}

// onward selects the thread after the selected one in a list of threads of the trace, or the first one, and shows it.
func (s *sheet) onward(f *view.Frame, pane int, list []int32, back bool) []view.Action {
	g := s.g
	if back {
		list = slices.Clone(list)
		slices.Reverse(list)
	}
	next := 0
	if sel := f.Selected(); sel.Trace == f.Trace && len(sel.Tasks) == 1 {
		if k := slices.Index(list, g.graph.Numbered(sel.Tasks[0].First)); k >= 0 {
			next = (k + 1) % len(list)
		}
	}
	if len(list) == 0 {
		return view.Refuse(pane, "there are no threads")
	}
	n := list[next]
	sel := view.Selection{Trace: f.Trace, Tasks: []view.Tasks{{First: g.graph.Task[n]}}}
	acts := []view.Action{{Do: view.Select, Pane: pane, Selection: &sel}}
	if t := g.shownBy(n); g.First[t] < g.First[t+1] && !s.close(t) {
		c := s.cameraOn(t)
		acts = append(acts, view.Action{Do: view.SetCamera, Pane: pane, Camera: &c})
	}
	return acts
}

// close reports whether a thread of the layout is visible and far enough from its neighbours to distinguish it.
func (s *sheet) close(t int32) bool {
	x, y := s.threadX(t), s.nodeY(s.g.First[t])
	return s.X.Scale >= 0.8*s.em && s.In.Contains(x, y) && s.nodeY(s.g.First[t+1]-1)-y >= 1
}
