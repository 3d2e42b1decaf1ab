package app

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/internal/figures"
	"whorl/visual/documents"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

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
