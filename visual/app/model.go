package app

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// A model is what is open in the window and how it is arranged: the workspace with its history, the documents, and the panes with their
// pictures. It handles no events and draws no bars; it collects the messages and the requests that its actions lead to.
type model struct {
	workspace.History
	arranger workspace.Arranger
	docs     documents.Set
	programs map[*documents.Document]*editedProgram
	panes    map[int]*pane // by id
	focus    int           // the pane that gets the keys, 0 for none
	links    links
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

// facts returns what decides where a trace opens.
func (m *model) facts(name string) *workspace.Trace {
	d := m.docs.Get(name)
	if d == nil {
		return nil
	}
	return &workspace.Trace{Meta: d.Source.Meta(), Counts: d.Source.Counts(), Group: d.Group, Fits: d.Fits}
}

// show opens a document under a name based on another one, with the views that suit it.
func (m *model) show(base string, d *documents.Document) {
	name := documents.NameFor(base, func(name string) bool { return m.docs.Get(name) != nil || m.awaits(name) })
	m.docs.Add(name, d)
	m.edit(func(w *workspace.Workspace) error { return m.arranger.Open(w, name) })
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

// begin starts a run and shows it; it returns nil if that fails.
func (m *model) begin(r experiment.Run) *documents.Document {
	d, err := m.docs.Start(r)
	if err != nil {
		m.fail(err)
		return nil
	}
	m.show(runName(r), d)
	return d
}

// runBeside starts a run and shows it in a column, compared with a document. The suffix of its name says how it differs.
func (m *model) runBeside(d *documents.Document, r experiment.Run, suffix string) {
	fresh, err := m.docs.Start(r)
	if err != nil {
		m.fail(err)
		return
	}
	if d.Group == 0 {
		d.Group = m.docs.NewGroup()
	}
	fresh.Group = d.Group
	m.show(runName(r)+suffix, fresh)
}

// runColumns starts runs and shows them side by side in place of everything. Traces with notes stay open, without panes.
func (m *model) runColumns(runs []experiment.Run) {
	var started []*documents.Document
	group := m.docs.NewGroup()
	for _, r := range runs {
		d, err := m.docs.Start(r)
		if err != nil {
			m.fail(err)
			break
		}
		d.Group = group
		m.docs.Add(documents.NameFor(runName(r), func(name string) bool { return m.docs.Get(name) != nil || m.awaits(name) }), d)
		started = append(started, d)
	}
	if len(started) == 0 {
		return
	}
	m.edit(func(w *workspace.Workspace) error {
		for _, name := range w.State.Shared.Traces {
			if slices.ContainsFunc(w.State.Shared.Annotations, func(n view.Annotation) bool { return n.Trace == name }) {
				continue
			}
			if err := w.Apply(view.Action{Do: view.CloseTrace, Name: name}); err != nil {
				return err
			}
		}
		w.Root, w.IDs, w.State.Personal.Panes = nil, nil, nil
		for _, d := range started {
			if err := m.arranger.Open(w, d.Name); err != nil {
				return err
			}
		}
		return nil
	})
	m.updatePanes()
}

// runName returns the name of the trace of a run.
func runName(r experiment.Run) string {
	name := strings.TrimSuffix(filepath.Base(r.Program), filepath.Ext(r.Program))
	if len(r.Args) > 0 {
		name += " " + strings.Join(r.Args, " ")
	}
	return fmt.Sprintf("%s, %s, %s", name, countPEs(r.PEs), r.Policy)
}

// countPEs returns a number of PEs in words.
func countPEs(n int) string {
	if n == 1 {
		return "1 PE"
	}
	return figures.Count(int64(n)) + " PEs"
}

// steer sends a command to the run of a document.
func (m *model) steer(d *documents.Document, c session.Command) {
	d.Command(c, m.now)
	m.changed = true
}

// stepRun moves the run of the focused pane by reductions, back too.
func (m *model) stepRun(by int64) {
	d := m.focused()
	if d == nil || d.Live == nil || d.Run == nil {
		return
	}
	if by > 0 {
		m.steer(d, session.Command{Do: session.Step, N: by})
		return
	}
	m.goTo(d, max(d.Live.Status.Reductions+by, 0))
}

// goTo makes a run stop at a reduction.
func (m *model) goTo(d *documents.Document, reduction int64) {
	m.check(m.docs.GoTo(d, reduction, m.now))
	m.changed = true
}

// finished reports how a run has ended; of compared runs, once all have ended, whether their answers are the same.
func (m *model) finished(d *documents.Document) {
	var names []string
	answers := map[string]bool{}
	group := m.links.compared(d)
	for _, e := range group {
		if e.Live != nil && e.Live.Status.Err == "" {
			if !e.Live.Over {
				names = nil
				break
			}
			names = append(names, e.Name)
			answers[strings.TrimSpace(e.Live.Status.Answer)] = true
		}
	}
	answer := strings.TrimSpace(d.Live.Status.Answer)
	switch st := d.Live.Status; {
	case st.Err != "":
		m.notify(ui.Failure, d.Name+": "+st.Err)
	case group != nil && len(names) == 0: // others go on
	case len(answers) > 1:
		m.warn(fmt.Sprintf("The answers of these %d runs differ: %s", len(names), strings.Join(names, "; ")))
	case answer == "":
	case len(names) > 1:
		m.say(fmt.Sprintf("%d runs have the same answer: %s", len(names), answer))
	default:
		m.say(d.Name + ": " + answer)
	}
}

// selectedTask returns the selected task and its document, false unless exactly one task is selected.
func (m *model) selectedTask() (d *documents.Document, task uint64, ok bool) {
	s := m.State.Shared.Selection
	d = m.docs.Get(s.Trace)
	if len(s.Tasks) != 1 || s.Tasks[0].Last > s.Tasks[0].First || d == nil {
		return nil, 0, false
	}
	return d, s.Tasks[0].First, true
}

// selectedLine returns the first selected line of the program, or the line of the first selected code, and its document; false if there
// is none.
func (m *model) selectedLine() (d *documents.Document, l view.Lines, ok bool) {
	s := m.State.Shared.Selection
	d = m.docs.Get(s.Trace)
	if d == nil {
		return nil, l, false
	}
	if len(s.Lines) > 0 {
		return d, s.Lines[0], true
	}
	dict := d.Source.Dict()
	for _, c := range s.Codes {
		code := dict.Code(c)
		for code.Type == tracer.Instruction && code.Parent > 0 {
			code = dict.Code(code.Parent)
		}
		if code.Line > 0 && code.File != "" {
			return d, view.Lines{File: code.File, First: code.Line}, true
		}
	}
	return nil, l, false
}

// openLine asks for the selected line to be opened in the user's editor.
func (m *model) openLine() {
	d, l, ok := m.selectedLine()
	if !ok {
		return
	}
	a := Ask{Do: EditLine, Name: l.File, Line: int(l.First), Path: d.Path}
	for _, f := range d.Source.Meta().Source {
		if view.SameFile(f.Name, l.File) {
			a.Text = f.Text
			break
		}
	}
	m.ask(a)
}

// revealable reports whether a pane has to show the selection: it can move to it, and shows its trace.
func (m *model) revealable(p *pane) bool {
	s := m.State.Shared.Selection
	return !s.Empty() && p.trace == s.Trace && (view.Implements[view.Revealer](p.kind) || view.Implements[view.Shower](p.kind))
}

// reveal makes the panes that can move to the selection show it: those in front now, hidden ones when they come to the front.
func (m *model) reveal() {
	for _, p := range m.panes {
		p.reveals = m.revealable(p)
	}
	m.revealed()
}

// revealed moves the visible panes that are ready to show the selection and show none of it.
func (m *model) revealed() {
	s := m.State.Shared.Selection
	for _, p := range m.visible() {
		if !p.reveals || p.shows != p.trace || p.result.Value == nil || p.area.W() < 1 || p.area.H() < 1 {
			continue
		}
		p.reveals = false
		if p.trace != s.Trace {
			continue
		}
		if v, ok := p.result.Value.(view.Shower); ok {
			if l, moves := v.Show(m.frame(p), s); moves {
				m.check(m.Do(view.Action{Do: view.SetDetail, Lines: &l}))
			}
		}
		if v, ok := p.result.Value.(view.Revealer); ok {
			if c, moves := v.Reveal(m.frame(p), s); moves {
				m.check(m.Do(view.Action{Do: view.SetCamera, Pane: m.Index(p.id), Camera: &c}))
			}
		}
	}
}
