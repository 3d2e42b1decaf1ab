// Package course makes the runs of lessons, arranges them in the window, and shows the pictures that a lesson points to.
package course

import (
	"maps"
	"slices"
	"time"

	"whorl/experiment"
	"whorl/lesson"
	"whorl/visual/app/lessons"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/app/saving"
	"whorl/visual/app/sharing"
	"whorl/visual/documents"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// A Course makes the runs of the lesson that was opened last. They come into the window together when all have ended.
type Course struct {
	lessons *lessons.Panel
	model   *panes.Model
	actions *panes.Actions
	window  *panes.Window
	out     *outbox.Outbox
	saving  *saving.Saver
	session *sharing.Session
	memory  int64 // bytes that a picture may take, 0 for no limit

	making making
}

// making is the work on the runs of a lesson.
type making struct {
	lesson *lesson.Lesson // nil if there is nothing to do
	set    documents.Set
	docs   []*documents.Document // in the order of the runs of the lesson
	next   time.Duration         // when the set is to be pumped again
}

// New returns the course of a window.
func New(panel *lessons.Panel, model *panes.Model, actions *panes.Actions, window *panes.Window, out *outbox.Outbox, saving *saving.Saver, session *sharing.Session, memory int64) *Course {
	return &Course{lessons: panel, model: model, actions: actions, window: window, out: out, saving: saving, session: session, memory: memory}
}

// Close ends the runs.
func (k *Course) Close() { k.making.set.Close() }

// Proceed takes over what the lessons have computed in the background, and goes on with their runs.
func (k *Course) Proceed() {
	if k.lessons.Receive() {
		k.out.Redraw()
	}
	if l := k.lessons.TakeStart(); l != nil {
		k.beginRuns(l)
	}
	if m := &k.making; m.lesson != nil {
		if k.window.Now >= m.next {
			m.set.Pump(k.window.Now)
			m.next = k.window.Now
			if at, ok := m.set.Pumps(k.window.Now); ok {
				m.next = at
			}
		}
		over := true
		for _, d := range m.docs {
			over = over && d.Live.Over
		}
		if over {
			k.arrangeRuns()
		}
	}
	k.lessons.Crowds = k.session.Crowds()
}

// Follow ticks the tasks that the learner has done, uncovers the runs that a prediction hid, and sends answers to the session.
func (k *Course) Follow() {
	for key, answer := range k.lessons.TakeAnswers() {
		k.session.Answer(key, answer)
	}
	if covered := k.lessons.Covered(); !slices.Equal(covered, k.model.Covered) {
		k.model.Covered = covered
		k.out.Redraw()
	}
	if k.lessons.Check(&k.model.State.Shared, &k.model.State.Personal) {
		k.out.Redraw()
	}
}

// Next returns when the lessons have something to do; false for never.
func (k *Course) Next() (time.Duration, bool) {
	switch {
	case k.making.lesson != nil:
		return k.making.next, true
	case k.lessons.Waits():
		return k.window.Now + documents.PollEvery, true
	}
	return 0, false
}

// beginRuns starts the runs of a lesson. In a shared session followers do not: they get those of the stage.
func (k *Course) beginRuns(l *lesson.Lesson) {
	m := &k.making
	m.set.Close()
	*m = making{}
	if k.model.Docs.Runner == nil || len(l.Runs) == 0 || k.session.Follows() {
		return
	}
	m.set.Runner, m.set.Memory, m.set.Scratch = k.model.Docs.Runner, k.model.Docs.Memory, k.model.Docs.Scratch
	for i := range l.Runs {
		d, err := m.set.Start(l.Runs[i].Run)
		if k.out.Check(outbox.AboutRun, err); err != nil {
			m.set.Close()
			return
		}
		m.set.Add(l.Runs[i].Name, d)
		m.docs = append(m.docs, d)
	}
	m.lesson, m.next = l, k.window.Now
	k.out.Redraw()
}

// arrangeRuns shows the runs of the lesson in its workspace, in place of the panes of the window.
func (k *Course) arrangeRuns() {
	l, docs := k.making.lesson, k.making.docs
	k.making = making{}
	var names []string
	var runs []experiment.Run
	for i, d := range docs {
		name := l.Runs[i].Name
		names, runs = append(names, name), append(runs, l.Runs[i].Run)
		old := k.model.Docs.Get(name)
		k.model.Docs.Add(name, d)
		if old != nil {
			old.Discard()
		}
	}
	text := l.Workspace.Text
	if text == "" {
		var err error
		if text, err = workspace.RunsFile(nil, names, runs); err != nil {
			k.out.Fail(outbox.AboutRun, err)
			return
		}
	}
	k.saving.Open("the workspace of the lesson "+l.Title, "", text)
	if l.Workspace.Text == "" {
		k.askAbout(l, names)
	}
	k.model.UpdatePanes()
	k.model.FocusFirst()
	k.out.Redraw()
}

// askAbout arranges the window with the default workspace of a lesson. Runs that it does not show are not compared: they would stretch the scale of
// time of the others.
func (k *Course) askAbout(l *lesson.Lesson, names []string) {
	trace := l.Workspace.Run
	if trace == "" {
		trace = names[0]
	}
	if len(names) > 1 {
		group := k.model.Docs.NewGroup()
		for _, name := range names {
			k.model.Docs.Get(name).Group = group
		}
	}
	k.actions.Edit(func(w *workspace.Workspace) error {
		for i := range workspace.Questions {
			if q := &workspace.Questions[i]; q.Name == l.Workspace.Question {
				return k.model.Arranger.Ask(w, q, trace)
			}
		}
		return k.model.Arranger.Open(w, trace)
	})
	for _, name := range names {
		if !slices.Contains(k.model.Clock.Traces(), name) {
			k.model.Docs.Get(name).Group = 0
		}
	}
}

// ShowPicture shows what a picture of the lesson shows in the focused pane's place, as a tab.
func (k *Course) ShowPicture(pic *lesson.Picture) {
	if k.model.Docs.Get(pic.Run) == nil {
		k.out.Say(outbox.AboutAction, "The run "+pic.Run+" is not open: show the runs of the lesson again")
		return
	}
	before := len(k.model.IDs)
	k.actions.AddPane(pic.View, pic.Run, k.model.Focus, workspace.AsTab)
	if len(k.model.IDs) == before {
		return
	}
	pane := len(k.model.IDs) - 1
	params := maps.Clone(pic.Params)
	k.actions.Edit(func(w *workspace.Workspace) error {
		for name, value := range params {
			if err := w.Apply(view.Action{Do: view.SetParam, Pane: pane, Name: name, Value: value}); err != nil {
				return err
			}
		}
		return nil
	})
	k.actions.SetFocus(k.model.IDs[pane])
}

// Work computes the pictures of the lesson. It reports whether there is more to do.
func (k *Course) Work(budget time.Duration) bool {
	more, drawn := k.lessons.Work(k.model.Docs.Get, k.window.Text, k.memory, k.window.Now, budget)
	if drawn {
		k.out.Redraw()
	}
	return more
}
