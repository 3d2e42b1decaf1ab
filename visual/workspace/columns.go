package workspace

import (
	"slices"

	"whorl/visual/view"
)

// Compared runs are side by side, each in a column with the main view above and a view over time below. To the right of the columns, or below them if
// there are many, is one leaf with the program and the statistics of the run that the user works in.

// addColumn adds the column of a compared run: right of the other columns, or right of everything if the user has rearranged the window.
func (a *Arranger) addColumn(w *Workspace, name string, t *Trace) error {
	columns, text := a.grid(w, t)
	switch other, u := a.alone(w, t); {
	case w.Root == nil:
	case u != nil: // the other run makes room
		w.Root = nil
		first, err := a.column(w, other, u)
		if err != nil {
			return err
		}
		if text, err = a.openSlot(w, view.Compared, view.Right, other); err != nil {
			return err
		}
		columns = []*Node{first}
	case columns == nil:
		col, err := a.column(w, name, t)
		if err == nil {
			w.Root = Divide(Columns, w.Root, col).Even()
		}
		return err
	}
	col, err := a.column(w, name, t)
	if err != nil {
		return err
	}
	if text == nil {
		if text, err = a.openSlot(w, view.Compared, view.Right, name); err != nil {
			return err
		}
	}
	w.Root = joinColumns(append(columns, col), text)
	return nil
}

// column returns the column of a run.
func (a *Arranger) column(w *Workspace, name string, t *Trace) (*Node, error) {
	picture, err := a.openSlot(w, view.Compared, view.Main, name)
	if err != nil {
		return nil, err
	}
	under, err := a.openSlot(w, view.Compared, view.Under, name)
	if err != nil {
		return nil, err
	}
	col := join(Rows, picture, under, pictureShare)
	if col == nil { // the first view shows the reason
		_, k := a.first(t)
		return openTabs(w, name, []*view.Kind{k})
	}
	return col, nil
}

// joinColumns arranges columns and the text beside them.
func joinColumns(columns []*Node, text *Node) *Node {
	root := columns[0]
	for _, col := range columns[1:] {
		root = Divide(Columns, root, col)
	}
	if len(columns) > 1 {
		root = root.Even()
	}
	most := len(columnsShare) - 1
	if len(columns) >= most { // there is no room beside them
		return join(Rows, root, text, columnsShare[most])
	}
	return join(Columns, root, text, columnsShare[len(columns)])
}

// grid returns the columns of the runs that t is compared with, and the leaf beside them. It returns nil if the user has rearranged the window.
func (a *Arranger) grid(w *Workspace, t *Trace) (columns []*Node, text *Node) {
	if w.Root == nil || w.Root.Split == Tabs || !a.Reads(w, w.Root.B) {
		return nil, nil
	}
	for n := w.Root.A; ; n = n.A {
		col := n
		if n.Split == Columns {
			col = n.B
		}
		for _, id := range col.All() {
			if u := a.Trace(w.Pane(id).Trace); u == nil || u.Group != t.Group {
				return nil, nil
			}
		}
		columns = append(columns, col)
		if n.Split != Columns {
			break
		}
	}
	slices.Reverse(columns)
	return columns, w.Root.B
}

// Reads reports whether a node is a leaf for text, with a view that belongs beside the columns of compared runs.
func (a *Arranger) Reads(w *Workspace, n *Node) bool {
	return n.Split == Tabs && slices.ContainsFunc(n.Panes, func(id int) bool {
		k := a.Kind(w.Pane(id).View)
		return k != nil && slices.ContainsFunc(k.Positions, func(p view.Position) bool { return p.In == view.Compared && p.Slot == view.Right })
	})
}

// Kind returns the view of a name, nil if there is none.
func (a *Arranger) Kind(name string) *view.Kind {
	for _, k := range a.Kinds {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// alone returns the single other run of t's group if it fills the window in its initial arrangement; nil if there is another trace or the user has
// rearranged the window.
func (a *Arranger) alone(w *Workspace, t *Trace) (name string, other *Trace) {
	all := w.Root.All()
	if len(all) == 0 {
		return "", nil
	}
	name = w.Pane(all[0]).Trace
	other = a.Trace(name)
	if other == nil || other.Group != t.Group {
		return "", nil
	}
	fresh := Workspace{Next: 1}
	if fresh.Apply(view.Action{Do: view.OpenTrace, Name: name}) != nil || a.arrange(&fresh, name, other) != nil || !alike(w, w.Root, &fresh, fresh.Root) {
		return "", nil
	}
	return name, other
}

// alike reports whether two nodes have the same splits and show the same views of the same traces.
func alike(w *Workspace, n *Node, v *Workspace, m *Node) bool {
	if n.Split != m.Split {
		return false
	}
	if n.Split != Tabs {
		return alike(w, n.A, v, m.A) && alike(w, n.B, v, m.B)
	}
	names := func(w *Workspace, n *Node) (all []string) {
		for _, id := range n.Panes {
			p := w.Pane(id)
			all = append(all, p.View+" of "+p.Trace)
		}
		slices.Sort(all)
		return all
	}
	return slices.Equal(names(w, n), names(v, m))
}

// Attend switches the leaves for text from other runs of the comparison to the run name, except for leaves that keep holds for. It does nothing if
// a leaf for text already shows the run. It reports whether anything changed.
func (a *Arranger) Attend(w *Workspace, name string, keep func(leaf *Node) bool) bool {
	t := a.Trace(name)
	if t == nil || t.Group == 0 {
		return false
	}
	var leaves []*Node
	for _, n := range w.Root.Leaves() {
		if !a.Reads(w, n) || keep(n) {
			continue
		}
		if slices.ContainsFunc(n.Panes, func(id int) bool { return w.Pane(id).Trace == name }) {
			return false
		}
		leaves = append(leaves, n)
	}
	changed := false
	w.Update(func(id int, p *view.Pane) {
		if !slices.ContainsFunc(leaves, func(n *Node) bool { return slices.Contains(n.Panes, id) }) {
			return
		}
		u := a.Trace(p.Trace)
		if k := a.Kind(p.View); k != nil && u != nil && u.Group == t.Group && t.Fits(k) == nil {
			p.Trace, changed = name, true
		}
	})
	return changed
}
