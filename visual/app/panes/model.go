package panes

import (
	"fmt"
	"slices"
	"strings"

	"whorl/experiment"
	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/visual/app/clock"
	"whorl/visual/app/runs"
	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/views"
	"whorl/visual/views/modules"
	"whorl/visual/workspace"
)

// A Model holds the contents of the window: the workspace with its history, the documents, and the panes with their pictures. Only actions
// changes the workspace in ways that can be undone.
type Model struct {
	workspace.History
	Arranger workspace.Arranger
	Docs     documents.Set
	Programs map[*documents.Document]*runs.Edited
	Panes    map[int]*Pane // by id
	Focus    int           // the pane that gets the keys, 0 for none
	Clock    clock.Clock
	Covered  []string // traces whose panes show why they show nothing, in place of pictures
	Marks    uint64   // counts the changes after which overlays are drawn again
}

// NewModel returns a model without any traces. kinds are the views that it knows, nil for all.
func NewModel(kinds []*view.Kind, dark bool) *Model {
	m := &Model{History: workspace.New(dark), Panes: map[int]*Pane{}, Programs: map[*documents.Document]*runs.Edited{}}
	m.Clock = clock.Clock{State: &m.State, Docs: &m.Docs}
	m.Arranger = workspace.Arranger{Kinds: kinds, Trace: m.facts}
	if kinds == nil {
		m.Arranger.Kinds = views.All
	}
	return m
}

// Covers reports whether any of some traces is covered, or the recorded run of a trial of a covered one.
func (m *Model) Covers(traces ...string) bool {
	return slices.ContainsFunc(traces, func(name string) bool { return slices.Contains(m.Covered, strings.TrimSuffix(name, RecordedSuffix)) })
}

// Hides reports whether a view of a trace shows a covered trace: its own, or that of a run beside which it shows its own.
func (m *Model) Hides(kind *view.Kind, trace string) bool {
	if m.Covers(trace) {
		return true
	}
	d := m.Docs.Get(trace)
	return d != nil && d.Group != 0 && kind.Group && slices.ContainsFunc(m.Covered, func(name string) bool {
		other := m.Docs.Get(name)
		return other != nil && other.Group == d.Group
	})
}

// Titles returns short titles that distinguish the open traces, by the names of the traces.
func (m *Model) Titles() map[string]string {
	names := m.Clock.Traces()
	all := make([]*experiment.Run, len(names))
	for i, name := range names {
		if d := m.Docs.Get(name); d != nil {
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
func (m *Model) redrawOverlays() { m.Marks++ }

// sweep closes the documents that no pane shows and no undo can bring back.
func (m *Model) sweep() {
	m.Docs.Keep(m.sources(m.Traces()))
	for d := range m.Programs {
		if m.Docs.Get(d.Name) != d {
			delete(m.Programs, d)
		}
	}
}

// Document returns the document of a pane, nil if it is not loaded.
func (m *Model) Document(p *Pane) *documents.Document { return m.Docs.Get(p.Trace) }

// Focused returns the document of the focused pane, nil if there is none.
func (m *Model) Focused() *documents.Document {
	if w := m.Pane(m.Focus); w != nil {
		return m.Docs.Get(w.Trace)
	}
	return nil
}

// viewNames lists the names of all views.
func (m *Model) viewNames() (names []string) {
	for _, k := range m.Arranger.Kinds {
		names = append(names, k.Name)
	}
	return names
}

// UpdatePanes opens and closes panes as the workspace says.
func (m *Model) UpdatePanes() {
	for id, p := range m.Panes {
		switch w := m.Pane(id); {
		case w == nil || w.View != p.View:
			p.leave()
			delete(m.Panes, id)
		case w.Trace != p.Trace:
			p.leave()
			p.Trace = w.Trace
		}
	}
	for i, id := range m.IDs {
		w := &m.State.Personal.Panes[i]
		if m.Panes[id] != nil {
			continue
		}
		p := &Pane{ID: id, View: w.View, Trace: w.Trace, Kind: m.Arranger.Kind(w.View)}
		if p.Kind == nil { // of another version; it stays in the workspace
			p.Kind = &view.Kind{Name: w.View, Title: w.View}
			p.Err = fmt.Errorf("%w; the workspace keeps it for a version that has it", nearest.Unknown("view", w.View, m.viewNames()))
		}
		if p.Kind.Modules {
			p.Kind, p.wired.shown = modules.Live(p.Kind)
		}
		m.Panes[id] = p
		p.reveals = m.revealable(p)
	}
	if m.Pane(m.Focus) == nil {
		m.FocusFirst()
	}
}

// FocusFirst gives the keys to the pane in front of the first leaf, if there is one.
func (m *Model) FocusFirst() {
	m.Focus = 0
	if leaves := m.Root.Leaves(); len(leaves) > 0 {
		m.Focus = leaves[0].Shown
	}
}

// Visible lists the panes whose pictures are in the window, from left to right and from top to bottom.
func (m *Model) Visible() []*Pane {
	var seen []*Pane
	for _, leaf := range m.Root.Leaves() {
		if p := m.Panes[leaf.Shown]; p != nil && p.Seen {
			seen = append(seen, p)
		}
	}
	return seen
}

// computing lists the panes whose pictures are computed: those in the window, and those whose modules are in the window.
func (m *Model) computing() []*Pane {
	seen := m.Visible()
	for _, p := range m.Visible() {
		if t := m.Panes[m.ShownBy(p)]; t != nil && !slices.Contains(seen, t) {
			if t.Area.W() < 1 {
				t.Area = scene.Rect{X1: 800, Y1: 600} // it has had no place in the window yet
			}
			seen = append(seen, t)
		}
	}
	return seen
}

// ShownBy returns the pane whose modules a pane shows: the one that it names, or the first other picture of its trace; 0 for none.
func (m *Model) ShownBy(p *Pane) int {
	w := m.Pane(p.ID)
	if w == nil || !p.Kind.Modules {
		return 0
	}
	if w.ModulesOf > 0 {
		return m.IDs[w.ModulesOf-1]
	}
	for i, other := range m.State.Personal.Panes {
		if k := m.Arranger.Kind(other.View); other.Trace == w.Trace && (k == nil || !k.Modules) {
			return m.IDs[i]
		}
	}
	return 0
}

// facts returns the properties of a trace that decide where it opens.
func (m *Model) facts(name string) *workspace.Trace {
	d := m.Docs.Get(name)
	if d == nil {
		return nil
	}
	t := &workspace.Trace{Meta: d.Source.Meta(), Counts: d.Source.Counts(), Group: d.Group, Fits: d.Fits}
	if d.Run != nil && d.Live != nil && !d.Live.Over { // which may have recorded nothing yet
		if substrate, err := d.Run.Substrate(); err == nil {
			t.Meta.Substrate, t.Meta.PEs = substrate, d.Run.PEs
		}
		if t.Meta.Substrate == "hpf" {
			t.Coming = tracer.Kinds(tracer.Sample)
		}
	}
	return t
}

// Add opens a document under a new name based on another one.
func (m *Model) Add(base string, d *documents.Document) {
	m.Docs.Add(documents.NameFor(base, func(name string) bool { return m.Docs.Get(name) != nil || m.Awaits(name) }), d)
}

// Awaits reports whether a trace of the workspace has no document yet.
func (m *Model) Awaits(name string) bool {
	return m.Docs.Get(name) == nil && slices.Contains(m.State.Shared.Traces, name)
}

// Missing reports whether a trace of the workspace has no document and none is being read.
func (m *Model) Missing(name string) bool { return m.Awaits(name) && !m.Docs.Awaits(name) }

// TraceOf returns the trace of a pane, "" if it is closed.
func (m *Model) TraceOf(id int) string {
	if w := m.Pane(id); w != nil {
		return w.Trace
	}
	return ""
}

// Editing returns the program that a pane edits, nil if the pane shows a picture.
func (m *Model) Editing(p *Pane) *runs.Edited {
	if e := m.Programs[m.Document(p)]; e != nil && p.Kind.Program && e.Open {
		return e
	}
	return nil
}
