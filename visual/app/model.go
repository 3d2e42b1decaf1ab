package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"whorl/visual/app/clock"
	"whorl/visual/app/runs"
	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// A model holds everything that is open in the window: the workspace with its history, the documents, and the panes with their pictures.
// It handles no events and draws no bars. It collects the messages and requests of its actions.
type model struct {
	workspace.History
	arranger workspace.Arranger
	docs     documents.Set
	programs map[*documents.Document]*runs.Edited
	panes    map[int]*pane // by id
	focus    int           // the pane that gets the keys, 0 for none
	links    links
	clock    clock.Clock
	play     play

	text  scene.Measurer
	now   time.Duration
	w, h  float64 // of the window, in points
	scale float64 // device pixels in a point

	changed  bool     // the widgets must be drawn again before the step ends
	marks    uint64   // changes when overlays may have changed
	notices  []notice // for the widgets to show
	requests []Ask    // for the shell
}

// A notice is a message to the user.
type notice struct {
	severity ui.Severity
	text     string
}

// fail shows an error; it stays until the user dismisses it.
func (m *model) fail(err error) { m.notify(ui.Failure, err.Error()) }

// warn shows a warning.
func (m *model) warn(text string) { m.notify(ui.Warning, text) }

// say shows that something was done.
func (m *model) say(text string) { m.notify(ui.Success, text) }

// check shows an error, if there is one.
func (m *model) check(err error) {
	if err != nil {
		m.fail(err)
	}
}

// maxNotice is the length of a message in bytes; longer ones are cut.
const maxNotice = 600

func (m *model) notify(s ui.Severity, text string) {
	if text = strings.TrimSpace(text); len(text) > maxNotice {
		text = strings.ToValidUTF8(text[:maxNotice], "") + "…"
	}
	m.notices = append(m.notices, notice{s, text})
	m.changed = true
}

// ask leaves a request for the shell.
func (m *model) ask(a Ask) { m.requests = append(m.requests, a) }

// act applies an action of a view and shows the error of one that cannot be applied.
func (m *model) act(do view.Action) {
	if do.Do == view.TogglePlay {
		m.togglePlay()
		return
	}
	followers := m.links.followers(do)
	err := m.Do(do)
	m.changed = true
	m.marks++
	if idle := view.NotNow(""); errors.As(err, &idle) {
		m.notify(ui.Info, idle.Error())
		return
	}
	if err != nil {
		m.fail(err)
		return
	}
	m.links.follow(do, followers)
	switch do.Do {
	case view.CloseTrace, view.UndoAction:
		m.sweep()
	case view.Select:
		m.reveal()
	}
}

// edit changes the workspace in a way that can be undone. If that fails, documents without a place are closed.
func (m *model) edit(f func(w *workspace.Workspace) error) {
	if err := m.Change(f); err != nil {
		m.fail(err)
		m.sweep()
	}
	m.changed = true
	m.marks++
}

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

// setFocus gives the keys to a pane, and shows its run in the panes for text unless a program is edited there.
func (m *model) setFocus(id int) {
	if m.focus == id {
		return
	}
	m.focus, m.changed = id, true
	edited := func(n *workspace.Node) bool {
		return slices.ContainsFunc(n.Panes, func(id int) bool { return m.panes[id] != nil && m.editing(m.panes[id]) != nil })
	}
	if w := m.Pane(id); w != nil {
		m.arranger.Attend(&m.Workspace, w.Trace, edited) // like which tab is in front, this is no step of the undo
	}
}

// updatePanes opens and closes panes as the workspace says.
func (m *model) updatePanes() {
	for id, p := range m.panes {
		switch w := m.Pane(id); {
		case w == nil || w.View != p.kind.Name:
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
		p := &pane{id: id, trace: w.Trace, kind: m.arranger.Kind(w.View)}
		if p.kind == nil { // of another version; it stays in the workspace
			p.kind = &view.Kind{Name: w.View, Title: w.View}
			p.err = fmt.Errorf("there is no view %q here", w.View)
		}
		m.panes[id] = p
		p.reveals = m.revealable(p)
	}
	if m.Pane(m.focus) == nil {
		m.focus = 0
		if leaves := m.Root.Leaves(); len(leaves) > 0 {
			m.focus = leaves[0].Shown
		}
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

// addPane opens a pane beside another and focuses it.
func (m *model) addPane(viewName, trace string, beside int, s workspace.Side) {
	m.edit(func(w *workspace.Workspace) error {
		id, err := w.OpenAt(viewName, trace, beside, s)
		if err == nil {
			m.focus = id
		}
		return err
	})
}

// addView shows the trace of a pane in another view, as a tab beside the pane. Compared runs get that view too, unless they have it.
func (m *model) addView(k *view.Kind, p *pane) {
	others := m.links.counterparts(p)
	m.edit(func(w *workspace.Workspace) error {
		for _, q := range others {
			if m.document(q).Fits(k) != nil || slices.ContainsFunc(w.State.Personal.Panes, func(o view.Pane) bool { return o.View == k.Name && o.Trace == q.trace }) {
				continue
			}
			id, err := w.OpenAt(k.Name, q.trace, q.id, workspace.AsTab)
			if err != nil {
				return err
			}
			w.Show(id)
		}
		id, err := w.OpenAt(k.Name, p.trace, p.id, workspace.AsTab)
		if err == nil {
			m.focus = id
		}
		return err
	})
}

// splitPane shows the picture of the focused pane a second time, with the same camera and settings.
func (m *model) splitPane(s workspace.Side) {
	old := m.Pane(m.focus)
	if old == nil {
		return
	}
	copied := *old
	m.edit(func(w *workspace.Workspace) error {
		id, err := w.OpenAt(copied.View, copied.Trace, m.focus, s)
		if err == nil {
			w.Update(func(at int, p *view.Pane) {
				if at == id {
					*p = copied
				}
			})
		}
		return err
	})
}

func (m *model) closePane(id int) {
	if i := m.Index(id); i >= 0 {
		m.act(view.Action{Do: view.RemovePane, Pane: i})
	}
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

// show opens a document under a new name based on another one, with the views that suit it.
func (m *model) show(base string, d *documents.Document) {
	m.add(base, d)
	m.edit(func(w *workspace.Workspace) error { return m.arranger.Open(w, d.Name) })
	if len(m.IDs) > 0 && m.Pane(m.focus) == nil {
		m.focus = m.IDs[0]
	}
}

// awaits reports whether a trace of the workspace has no document yet.
func (m *model) awaits(name string) bool {
	return m.docs.Get(name) == nil && slices.Contains(m.State.Shared.Traces, name)
}

// missing reports whether a trace of the workspace has no document and none is being read.
func (m *model) missing(name string) bool { return m.awaits(name) && !m.docs.Awaits(name) }
