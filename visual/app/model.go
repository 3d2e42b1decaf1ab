package app

import (
	"fmt"
	"slices"

	"whorl/experiment"
	"whorl/internal/nearest"
	"whorl/visual/app/clock"
	"whorl/visual/app/runs"
	"whorl/visual/documents"
	"whorl/visual/view"
	"whorl/visual/views"
	"whorl/visual/workspace"
)

// A model holds what is open in the window: the workspace with its history, the documents, and the panes with their pictures. Only actions
// changes the workspace in ways that can be undone.
type model struct {
	workspace.History
	arranger workspace.Arranger
	docs     documents.Set
	programs map[*documents.Document]*runs.Edited
	panes    map[int]*pane // by id
	focus    int           // the pane that gets the keys, 0 for none
	clock    clock.Clock
	marks    uint64 // counts the changes after which overlays are drawn again
}

// newModel returns a model without any traces.
func newModel(o Options) *model {
	m := &model{History: workspace.New(o.Dark), panes: map[int]*pane{}, programs: map[*documents.Document]*runs.Edited{}}
	m.clock = clock.Clock{State: &m.State, Docs: &m.docs}
	m.arranger = workspace.Arranger{Kinds: o.Views, Trace: m.facts}
	if o.Views == nil {
		m.arranger.Kinds = views.All
	}
	m.docs.Runner = o.Runner
	if m.docs.Memory = o.Memory / 8; o.Memory > 0 {
		m.docs.Scratch = o.Scratch
	}
	return m
}

// titles returns short titles that distinguish the open traces, by the names of the traces.
func (m *model) titles() map[string]string {
	names := m.clock.Traces()
	all := make([]*experiment.Run, len(names))
	for i, name := range names {
		if d := m.docs.Get(name); d != nil {
			all[i] = d.Run
		}
	}
	titles := map[string]string{}
	for i, title := range runs.Titles(names, all) {
		titles[names[i]] = title
	}
	return titles
}

// redrawOverlays makes the overlays of all panes be drawn again.
func (m *model) redrawOverlays() { m.marks++ }

// sweep closes the documents that no pane shows and no undo can bring back.
func (m *model) sweep() {
	m.docs.Keep(m.Traces())
	for d := range m.programs {
		if m.docs.Get(d.Name) != d {
			delete(m.programs, d)
		}
	}
}

// document returns the document of a pane, nil if it is not loaded.
func (m *model) document(p *pane) *documents.Document { return m.docs.Get(p.trace) }

// focused returns the document of the focused pane, nil if there is none.
func (m *model) focused() *documents.Document {
	if w := m.Pane(m.focus); w != nil {
		return m.docs.Get(w.Trace)
	}
	return nil
}

// viewNames lists the names of all views.
func (m *model) viewNames() (names []string) {
	for _, k := range m.arranger.Kinds {
		names = append(names, k.Name)
	}
	return names
}

// updatePanes opens and closes panes as the workspace says.
func (m *model) updatePanes() {
	for id, p := range m.panes {
		switch w := m.Pane(id); {
		case w == nil || w.View != p.view:
			p.leave()
			delete(m.panes, id)
		case w.Trace != p.trace:
			p.leave()
			p.trace = w.Trace
		}
	}
	for i, id := range m.IDs {
		w := &m.State.Personal.Panes[i]
		if m.panes[id] != nil {
			continue
		}
		p := &pane{id: id, view: w.View, trace: w.Trace, kind: m.arranger.Kind(w.View)}
		if p.kind == nil { // of another version; it stays in the workspace
			p.kind = &view.Kind{Name: w.View, Title: w.View}
			p.err = fmt.Errorf("%w; the workspace keeps it for a version that has it", nearest.Unknown("view", w.View, m.viewNames()))
		}
		m.panes[id] = p
		p.reveals = m.revealable(p)
	}
	if m.Pane(m.focus) == nil {
		m.focusFirst()
	}
}

// focusFirst gives the keys to the pane in front of the first leaf, if there is one.
func (m *model) focusFirst() {
	m.focus = 0
	if leaves := m.Root.Leaves(); len(leaves) > 0 {
		m.focus = leaves[0].Shown
	}
}

// visible lists the panes whose pictures are in the window, from left to right and from top to bottom.
func (m *model) visible() []*pane {
	var seen []*pane
	for _, leaf := range m.Root.Leaves() {
		if p := m.panes[leaf.Shown]; p != nil && p.seen {
			seen = append(seen, p)
		}
	}
	return seen
}

// facts returns the properties of a trace that decide where it opens.
func (m *model) facts(name string) *workspace.Trace {
	d := m.docs.Get(name)
	if d == nil {
		return nil
	}
	return &workspace.Trace{Meta: d.Source.Meta(), Counts: d.Source.Counts(), Group: d.Group, Fits: d.Fits}
}

// add opens a document under a new name based on another one.
func (m *model) add(base string, d *documents.Document) {
	m.docs.Add(documents.NameFor(base, func(name string) bool { return m.docs.Get(name) != nil || m.awaits(name) }), d)
}

// awaits reports whether a trace of the workspace has no document yet.
func (m *model) awaits(name string) bool {
	return m.docs.Get(name) == nil && slices.Contains(m.State.Shared.Traces, name)
}

// missing reports whether a trace of the workspace has no document and none is being read.
func (m *model) missing(name string) bool { return m.awaits(name) && !m.docs.Awaits(name) }

// traceOf returns the trace of a pane, "" if it is closed.
func (m *model) traceOf(id int) string {
	if w := m.Pane(id); w != nil {
		return w.Trace
	}
	return ""
}

// editing returns the program that a pane edits, nil if the pane shows a picture.
func (m *model) editing(p *pane) *runs.Edited {
	if e := m.programs[m.document(p)]; e != nil && p.kind.Program && e.Open {
		return e
	}
	return nil
}
