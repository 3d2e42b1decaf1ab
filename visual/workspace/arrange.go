package workspace

import (
	"slices"

	"whorl/tracer"
	"whorl/visual/view"
)

// An Arranger opens traces in the views whose Kinds name a position for them.
type Arranger struct {
	Kinds []*view.Kind
	Trace func(name string) *Trace // nil for a trace that is not loaded
}

// A Trace holds the properties of a trace that determine where it opens.
type Trace struct {
	Meta   tracer.Meta
	Counts [tracer.NumKinds]int64
	Coming tracer.KindSet           // events that a run will have, of which it may have none yet
	Group  int                      // runs of the same group are compared; 0 for none
	Fits   func(k *view.Kind) error // nil if the view can show the trace
}

// manyProcesses is the least number of processes of a sampled run that opens with the views that compare processes.
const manyProcesses = 32

// pictureShare is the share of Main in the column of a compared run.
const pictureShare = 0.6

// Shares of the window.
var (
	mainShare    = map[view.Arrangement]float64{view.Goals: 0.58, view.Threads: 0.58, view.Samples: 0.45, view.Processes: 0.62, view.Profiles: 0.55}
	columnsShare = [...]float64{1: 0.6, 2: 0.68, 3: 0.74, 4: 0.68} // of the columns of compared runs, by their number
)

// arrangements lists the arrangements that suit a trace, the best first.
func (t *Trace) arrangements() []view.Arrangement {
	threads := t.Counts[tracer.Fork] > 0 || t.Meta.Substrate == "dts"
	sampled := t.hasKind(tracer.Sample) && t.Counts[tracer.Reduce] == 0 && !threads
	switch {
	case t.Counts[tracer.Counter] > 0 && t.Counts[tracer.Sample]+t.Counts[tracer.Reduce] == 0 && !threads:
		return []view.Arrangement{view.Tables, view.Goals}
	case sampled && t.Meta.PEs >= manyProcesses:
		return []view.Arrangement{view.Processes, view.Samples, view.Goals}
	case sampled && t.Meta.Substrate != "" && t.Meta.Substrate != "hpf":
		return []view.Arrangement{view.Profiles, view.Samples, view.Goals}
	case sampled:
		return []view.Arrangement{view.Samples, view.Goals}
	case threads:
		return []view.Arrangement{view.Threads, view.Goals}
	}
	return []view.Arrangement{view.Goals}
}

// slot lists the views of a slot that can show the trace, in the order of their tabs, and their positions.
func (a *Arranger) slot(t *Trace, in view.Arrangement, s view.Slot) (kinds []*view.Kind, positions []view.Position) {
	all, places := view.InSlot(a.Kinds, in, s)
	for i, k := range all {
		if t.hasAll(places[i].Needs) && t.Fits(k) == nil {
			kinds, positions = append(kinds, k), append(positions, places[i])
		}
	}
	return kinds, positions
}

// hasAll reports whether the trace has events of all kinds of a set.
func (t *Trace) hasAll(needs tracer.KindSet) bool {
	for k := range tracer.NumKinds {
		if needs.Contains(k) && !t.hasKind(k) {
			return false
		}
	}
	return true
}

// hasLines reports whether the trace has the text of its program, or counts of its lines or functions.
func (t *Trace) hasLines() bool {
	return len(t.Meta.Source) > 0 || t.hasKind(tracer.Sample) || t.hasKind(tracer.Reduce) || slices.Contains([]string{"fghc", "dts", "hpf"}, t.Meta.Substrate)
}

// flat reports whether the tasks of a trace are its PEs, as ranks of MPI are, so that no task has forked another.
func (t *Trace) flat() bool {
	forks := t.Counts[tracer.Fork]
	return forks > 0 && forks <= int64(t.Meta.PEs) && t.Meta.Substrate != "dts" && t.Counts[tracer.Reduce] == 0
}

// hasKind reports whether the trace has events of a kind, or will have.
func (t *Trace) hasKind(k tracer.Kind) bool { return t.Counts[k] > 0 || t.Coming.Contains(k) }

// first returns the arrangement of a trace and the view that opens it. If no view can show the trace, it returns the first of all views, which
// then shows the reason.
func (a *Arranger) first(t *Trace) (view.Arrangement, *view.Kind) {
	for _, in := range t.arrangements() {
		kinds, _ := a.slot(t, in, view.Main)
		for _, k := range kinds {
			if slices.Contains(k.Positions, view.Position{In: in}) {
				return in, k
			}
		}
	}
	for _, k := range a.Kinds {
		if t.Fits(k) == nil {
			return view.Goals, k
		}
	}
	return view.Goals, a.Kinds[0]
}

// Open opens a trace in the views that suit it. The first trace gets the whole window, a compared trace gets a column, and any other gets one view
// at the right.
func (a *Arranger) Open(w *Workspace, name string) error {
	if err := w.Apply(view.Action{Do: view.OpenTrace, Name: name}); err != nil {
		return err
	}
	return a.Arrange(w, name)
}

// Arrange shows a trace of the workspace in the views that suit it, as Open does.
func (a *Arranger) Arrange(w *Workspace, name string) error {
	t := a.Trace(name)
	switch {
	case t.Group != 0:
		return a.addColumn(w, name, t)
	case w.Root == nil:
		return a.arrange(w, name, t)
	}
	_, k := a.first(t)
	id, err := w.Open(k.Name, name)
	if err != nil {
		return err
	}
	w.Root = Divide(Columns, w.Root, Leaf(id)).Even()
	return nil
}

// arrange fills an empty window with the views of a trace.
func (a *Arranger) arrange(w *Workspace, name string, t *Trace) error {
	in, first := a.first(t)
	var nodes [view.Far + 1]*Node
	for s := range nodes {
		kinds, _ := a.slot(t, in, view.Slot(s))
		kinds = slices.DeleteFunc(kinds, func(k *view.Kind) bool { return k == first })
		if view.Slot(s) == view.Main {
			kinds = append([]*view.Kind{first}, kinds...)
		}
		var err error
		if nodes[s], err = openTabs(w, name, kinds); err != nil {
			return err
		}
	}
	shares := Shares{Left: mainShare[in], Main: 0.5, Right: 0.5}
	w.Root = shares.join(join(Rows, nodes[view.Main], nodes[view.Under], shares.Main), &nodes)
	return nil
}

// join joins the leaves of the slots at the right with a node at the left.
func (s Shares) join(left *Node, slots *[view.Far + 1]*Node) *Node {
	right := join(Columns, join(Rows, slots[view.Right], slots[view.Corner], s.Right), slots[view.Far], 0.5)
	return join(Columns, left, right, s.Left)
}

// join divides a place between two nodes. If one is nil, the other gets all of it.
func join(s Split, a, b *Node, share float64) *Node {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return &Node{Split: s, Share: share, A: a, B: b}
}

// openTabs returns a leaf with a trace in some views, the first in front; nil for no views. It reuses open panes of these views that have no place.
func openTabs(w *Workspace, trace string, kinds []*view.Kind) (*Node, error) {
	var panes []int
	for _, k := range kinds {
		i := slices.IndexFunc(w.IDs, func(id int) bool {
			p := w.Pane(id)
			return p.View == k.Name && p.Trace == trace && w.Root.LeafOf(id) == nil && !slices.Contains(panes, id)
		})
		if i >= 0 {
			panes = append(panes, w.IDs[i])
			continue
		}
		id, err := w.Open(k.Name, trace)
		if err != nil {
			return nil, err
		}
		panes = append(panes, id)
	}
	if panes == nil {
		return nil, nil
	}
	return Leaf(panes...), nil
}
