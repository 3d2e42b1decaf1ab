// Package launch starts runs, steers them, reports how they end, and edits the programs of traces where they are shown.
package launch

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/tracer"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/app/runs"
	"whorl/visual/documents"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// A Launcher starts runs, steers them, and reports how they end.
type Launcher struct {
	model   *panes.Model
	links   *panes.Links
	actions *panes.Actions
	window  *panes.Window
	out     *outbox.Outbox

	stepped *documents.Document // whose last step is selected when its events arrive; nil for none
	marked  int                 // events of its trace at the last selection
}

// NewLauncher returns a launcher of the runs of a model.
func NewLauncher(m *panes.Model, l *panes.Links, a *panes.Actions, w *panes.Window, out *outbox.Outbox) *Launcher {
	return &Launcher{model: m, links: l, actions: a, window: w, out: out}
}

// Begin starts a run and shows it; it returns nil if that fails.
func (l *Launcher) Begin(r experiment.Run) *documents.Document {
	d, err := l.model.Docs.Start(r)
	if l.out.Check(outbox.AboutRun, err); err != nil {
		return nil
	}
	l.actions.Show(runs.Name(r), d)
	return d
}

// OpenRun opens a run of the table that a document shows: its trace file, if the table has one, or else a new run of its command. A run that is open
// already comes to the front.
func (l *Launcher) OpenRun(d *documents.Document, do view.Action) {
	r, err := experiment.ParseCommand(do.Value)
	if l.out.Check(outbox.AboutRun, err); err != nil {
		return
	}
	if d.Path != "" && filepath.IsLocal(do.Name) && filepath.Ext(do.Name) == ".whorl" {
		folder := d.Path
		if filepath.Ext(folder) != "" {
			folder = filepath.Dir(folder)
		}
		path := filepath.Join(folder, do.Name)
		if l.actions.ComesForward(func(d *documents.Document) bool { return d.Path == path }) {
			return
		}
		l.model.Docs.Load(&documents.File{Name: runs.Name(r) + ".whorl", Path: path, Size: -1}, "", documents.Search{})
		l.out.Redraw()
		return
	}
	if !l.actions.ComesForward(func(d *documents.Document) bool { return d.Run != nil && d.Run.Command("") == r.Command("") }) {
		l.Begin(r)
	}
}

// RunBeside starts a run and shows it in a column, compared with a document. The suffix of its name says how it differs.
func (l *Launcher) RunBeside(d *documents.Document, r experiment.Run, suffix string) {
	fresh, err := l.model.Docs.Start(r)
	if l.out.Check(outbox.AboutRun, err); err != nil {
		return
	}
	if d.Group == 0 {
		d.Group = l.model.Docs.NewGroup()
	}
	fresh.Group = d.Group
	l.actions.Show(runs.Name(r)+suffix, fresh)
}

// RunColumns starts runs and shows them side by side in place of everything. Traces with notes stay open, without panes.
func (l *Launcher) RunColumns(all []experiment.Run) {
	var started []*documents.Document
	group := l.model.Docs.NewGroup()
	for _, r := range all {
		d, err := l.model.Docs.Start(r)
		if l.out.Check(outbox.AboutRun, err); err != nil {
			break
		}
		d.Group = group
		l.model.Add(runs.Name(r), d)
		started = append(started, d)
	}
	if len(started) == 0 {
		return
	}
	l.actions.Edit(func(w *workspace.Workspace) error {
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
			if err := l.model.Arranger.Open(w, d.Name); err != nil {
				return err
			}
		}
		for i, p := range w.State.Personal.Panes { // the numbers of all runs are in front
			if k := l.model.Arranger.Kind(p.View); k != nil && k.Group {
				w.Show(w.IDs[i])
				break
			}
		}
		return nil
	})
	l.model.UpdatePanes()
}

// Steer sends a command to the run of a document.
func (l *Launcher) Steer(d *documents.Document, c session.Command) {
	if c.Do == session.Resume {
		l.stepped = nil
	}
	d.Command(c, l.window.Now)
	l.out.Redraw()
}

// StepRun moves the run of the focused pane by reductions, back too.
func (l *Launcher) StepRun(by int64) {
	d := l.model.Focused()
	if d == nil || d.Live == nil || d.Run == nil {
		return
	}
	l.follow(d)
	if by > 0 {
		l.Steer(d, session.Command{Do: session.Step, N: by})
		return
	}
	l.GoTo(d, max(d.Live.Status.Reductions+by, 0))
}

// GoTo makes a run stop at a reduction.
func (l *Launcher) GoTo(d *documents.Document, reduction int64) {
	l.follow(d)
	l.out.Check(outbox.AboutRun+d.Name, l.model.Docs.GoTo(d, reduction, l.window.Now))
	l.out.Redraw()
}

// follow makes selectStep select the steps of a run.
func (l *Launcher) follow(d *documents.Document) {
	if l.stepped != d {
		l.stepped, l.marked = d, 0
	}
}

// SelectStep selects the last task that a stepped run has worked on, so that the source shows and marks its clause.
func (l *Launcher) SelectStep() {
	d := l.stepped
	if d == nil || d.Live == nil || d.Live.Status.State == session.Running {
		return
	}
	if l.model.Docs.Get(d.Name) != d {
		l.stepped = nil
		return
	}
	n := 0
	var last tracer.Event
	err := d.Source.Scan(tracer.Kinds(tracer.Reduce, tracer.Fork), func(es []tracer.Event) error {
		n += len(es)
		for i := range es {
			if e := &es[i]; e.Time >= last.Time {
				last = *e
			}
		}
		return nil
	})
	if err != nil || n == l.marked {
		return
	}
	sel := view.Selection{Trace: d.Name}
	if n > 0 {
		sel.Tasks = []view.Tasks{{First: last.Task}}
	}
	l.actions.Apply(view.Action{Do: view.Select, Selection: &sel, More: l.marked > 0})
	l.marked = n
}

// Finished reports how a run has ended; of compared runs, once all have ended, whether their answers are the same.
func (l *Launcher) Finished(d *documents.Document) {
	if d.Module || d.Before() != nil && d.Live.Status.Err == "" { // the panel of the trial shows its end
		return
	}
	var names []string
	answers := map[string]bool{}
	group := l.links.Compared(d)
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
	topic, answer := outbox.AboutRun+d.Name, strings.TrimSpace(d.Live.Status.Answer)
	for _, e := range l.model.Docs.All() {
		if d.Live.Status.Err == "" && e.Run != nil && d.Run != nil && e.Run.Program == d.Run.Program { // an earlier version may have failed
			l.out.Mend(outbox.AboutRun + e.Name)
		}
	}
	switch st := d.Live.Status; {
	case st.Err != "":
		l.out.Notify(ui.Failure, topic, d.Name+": "+st.Err)
	case group != nil && len(names) == 0: // others go on
	case len(answers) > 1:
		l.out.Warn(topic, fmt.Sprintf("The answers of these %d runs differ: %s", len(names), strings.Join(names, "; ")))
	case answer == "":
	case len(names) > 1:
		l.out.Say(topic, fmt.Sprintf("%d runs have the same answer: %s", len(names), answer))
	default:
		l.out.Say(topic, d.Name+": "+answer)
	}
}

// Running returns the document of the focused pane if its run has not ended, nil otherwise.
func (l *Launcher) Running() *documents.Document {
	if d := l.model.Focused(); d != nil && d.Live != nil && d.Live.Status.State != session.Finished {
		return d
	}
	return nil
}

// Play resumes or pauses the run of the focused pane. It reports false if that has no run that goes on.
func (l *Launcher) Play() bool {
	d := l.Running()
	switch {
	case d == nil:
		return false
	case d.Live.Status.State == session.Paused:
		l.Steer(d, session.Command{Do: session.Resume})
	case !d.Live.Status.Unpausable:
		l.Steer(d, session.Command{Do: session.Pause})
	}
	return true
}
