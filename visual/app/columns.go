package app

import (
	"slices"

	"whorl/visual/view"
)

// Runs that are compared stand side by side, a column each: its picture above, and below it what happened when. Beside the columns, or
// below them where there are many, is one place for what is read: the program and the numbers of the run that one works in.

// Views of a column, from top to bottom, and of the place beside the columns. Those of a line are tabs.
var (
	columnViews = [][]string{{"kaleidoscope", bodiesView}, {"utilisation", "timeline"}}
	besideViews = []string{"source", "measures"}
)

// manyColumns leave no room beside them.
const manyColumns = 4

// Shares of the picture in its column, and of so many columns in the window.
const pictureShare = 0.6

var columnsShare = [manyColumns + 1]float64{1: 0.6, 2: 0.68, 3: 0.74, 4: 0.68}

// addColumn gives a run that is compared its place in the window: beside the others, where these stand as they were put.
func (a *App) addColumn(w *workspace, d *document) error {
	columns, beside := a.grid(w, d)
	switch other := a.alone(w, d); {
	case w.root == nil:
	case other != nil: // it makes room
		w.root = nil
		first, err := a.column(w, other)
		if err != nil {
			return err
		}
		rest, err := a.places(w, other, besideViews)
		if err != nil {
			return err
		}
		columns, beside = []*node{first}, rest
	case columns == nil:
		col, err := a.column(w, d)
		if err == nil {
			w.root = row(w.root, col).even()
		}
		return err
	}
	col, err := a.column(w, d)
	if err != nil {
		return err
	}
	if beside == nil {
		if beside, err = a.places(w, d, besideViews); err != nil {
			return err
		}
	}
	w.root = besides(append(columns, col), beside)
	return nil
}

// row puts two places side by side.
func row(a, b *node) *node { return &node{split: columns, share: 0.5, a: a, b: b} }

// besides arranges columns and what stands beside them.
func besides(all []*node, beside *node) *node {
	root := all[0]
	for _, col := range all[1:] {
		root = row(root, col)
	}
	if len(all) > 1 {
		root = root.even()
	}
	if beside == nil {
		return root
	}
	n := &node{split: columns, share: columnsShare[min(len(all), manyColumns)], a: root, b: beside}
	if len(all) >= manyColumns {
		n.split = rows
	}
	return n
}

// grid finds the columns of the runs that d is compared with, and what stands beside them, in a window that is arranged like that.
func (a *App) grid(w *workspace, d *document) (all []*node, beside *node) {
	if w.root == nil || w.root.split == tabs || w.root.b.split != tabs || !a.reads(w, w.root.b) {
		return nil, nil
	}
	for n := w.root.a; ; n = n.a {
		col := n
		if n.split == columns {
			col = n.b
		}
		for _, id := range col.all() {
			if e := a.docs[w.pane(id).Trace]; e == nil || e.group != d.group {
				return nil, nil
			}
		}
		all = append(all, col)
		if n.split != columns {
			break
		}
	}
	slices.Reverse(all)
	return all, w.root.b
}

// attend shows the run that one works in where another one of those it is compared with is read, unless it is read there or elsewhere too,
// or the program is edited there.
func (a *App) attend() {
	d := a.focused()
	group := a.compared(d)
	if group == nil {
		return
	}
	shown := func(id int) string { return a.pane(id).Trace }
	var places []*node
	for _, n := range a.root.leaves() {
		if !a.reads(&a.workspace, n) || slices.ContainsFunc(n.panes, func(id int) bool { return a.panes[id] != nil && a.editing(a.panes[id]) != nil }) {
			continue
		}
		if slices.ContainsFunc(n.panes, func(id int) bool { return shown(id) == d.name }) {
			return
		}
		places = append(places, n)
	}
	panes := slices.Clone(a.state.Personal.Panes)
	for _, n := range places {
		for _, id := range n.panes {
			p := &panes[a.index(id)]
			if k := a.kind(p.View); k != nil && slices.Contains(group, a.docs[p.Trace]) && a.unfit(k, d) == nil {
				p.Trace = d.name
			}
		}
	}
	a.state.Personal.Panes = panes // like which tab is in front, this is not worth an undo
	a.changed = true
}

// reads says whether a place is one for what is read: it has a view that moves to what is selected.
func (a *App) reads(w *workspace, n *node) bool {
	return slices.ContainsFunc(n.panes, func(id int) bool {
		k := a.kind(w.pane(id).View)
		if k == nil {
			return false
		}
		_, ok := k.View.(view.Revealer)
		return ok
	})
}

// alone is the one other run of d's group that the window shows, as it was arranged when it was opened; nil where there is another, or
// the user has arranged it.
func (a *App) alone(w *workspace, d *document) *document {
	all := w.root.all()
	if len(all) == 0 {
		return nil
	}
	other := a.docs[w.pane(all[0]).Trace]
	if other == nil || other.group != d.group {
		return nil
	}
	fresh := workspace{next: 1}
	if fresh.apply(view.Action{Do: view.OpenTrace, Name: other.name}) != nil || a.arrangement(&fresh, other.name) != nil || !alike(w, w.root, &fresh, fresh.root) {
		return nil
	}
	return other
}

// alike says whether two places are divided alike and show the same views of the same traces.
func alike(w *workspace, n *node, v *workspace, m *node) bool {
	if n.split != m.split {
		return false
	}
	if n.split != tabs {
		return alike(w, n.a, v, m.a) && alike(w, n.b, v, m.b)
	}
	names := func(w *workspace, n *node) (all []string) {
		for _, id := range n.panes {
			p := w.pane(id)
			all = append(all, p.View+" of "+p.Trace)
		}
		slices.Sort(all)
		return all
	}
	return slices.Equal(names(w, n), names(v, m))
}

// column is the column of a run.
func (a *App) column(w *workspace, d *document) (col *node, err error) {
	for _, names := range columnViews {
		n, err := a.places(w, d, names)
		switch {
		case err != nil:
			return nil, err
		case n == nil:
		case col == nil:
			col = n
		default:
			col = &node{split: rows, share: pictureShare, a: col, b: n}
		}
	}
	if col == nil { // no view fits: the first says why
		id, err := w.open(a.firstView(d), d.name)
		return leaf(id), err
	}
	return col, nil
}

// places is a place with those views that suit a run as tabs, the first in front; nil where none does. Panes that have no place are used
// again.
func (a *App) places(w *workspace, d *document, names []string) (n *node, err error) {
	for _, name := range names {
		if k := a.kind(name); k == nil || a.unfit(k, d) != nil || name == bodiesView && !talks(d) {
			continue
		}
		id := 0
		for i, p := range w.state.Personal.Panes {
			if p.View == name && p.Trace == d.name && w.root.leafOf(w.ids[i]) == nil {
				id = w.ids[i]
				break
			}
		}
		if id == 0 {
			if id, err = w.open(name, d.name); err != nil {
				return nil, err
			}
		}
		if n == nil {
			n = leaf(id)
		} else {
			n.panes = append(n.panes, id)
		}
	}
	return n, nil
}
