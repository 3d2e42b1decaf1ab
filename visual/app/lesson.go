package app

import (
	"maps"
	"time"

	"whorl/experiment"
	"whorl/lesson"
	"whorl/visual/app/outbox"
	"whorl/visual/documents"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// A course makes the runs of the lesson that was opened last. They come into the window together when all have ended.
type course struct {
	lesson *lesson.Lesson // nil if there is nothing to do
	set    documents.Set
	docs   []*documents.Document // in the order of the runs of the lesson
	next   time.Duration         // when the set is to be pumped again
}

// OpenLesson opens a lesson with its runs.
func (a *App) OpenLesson(name string) {
	a.lessons.Show(name)
	a.out.Redraw()
}

// drawLessons draws the panel of lessons and does what the user asks there.
func (a *App) drawLessons(c *ui.Context, r *ui.Rect) {
	did := a.lessons.Draw(c, r, a.command("lessons").keys[0].String())
	if did.Picture != nil {
		a.showPicture(did.Picture)
	}
}

// workLessons takes over what the lessons have computed in the background, goes on with their runs, and ticks tasks that are done.
func (a *App) workLessons() {
	if a.lessons.Receive() {
		a.out.Redraw()
	}
	if l := a.lessons.TakeStart(); l != nil {
		a.beginRuns(l)
	}
	k := &a.course
	if k.lesson != nil {
		if a.window.Now >= k.next {
			k.set.Pump(a.window.Now)
			k.next = a.window.Now
			if at, ok := k.set.Pumps(a.window.Now); ok {
				k.next = at
			}
		}
		over := true
		for _, d := range k.docs {
			over = over && d.Live.Over
		}
		if over {
			a.arrangeRuns()
		}
	}
	for key, answer := range a.lessons.TakeAnswers() {
		a.session.Answer(key, answer)
	}
	a.lessons.Crowds = a.session.Crowds()
	if a.lessons.Check(&a.model.State.Shared, &a.model.State.Personal) {
		a.out.Redraw()
	}
}

// lessonsNext returns when the lessons have something to do; false for never.
func (a *App) lessonsNext() (time.Duration, bool) {
	switch {
	case a.course.lesson != nil:
		return a.course.next, true
	case a.lessons.Waits():
		return a.window.Now + documents.PollEvery, true
	}
	return 0, false
}

// beginRuns starts the runs of a lesson. In a shared session only those who present do it, and the others get their runs.
func (a *App) beginRuns(l *lesson.Lesson) {
	k := &a.course
	k.set.Close()
	*k = course{}
	if a.model.Docs.Runner == nil || len(l.Runs) == 0 || a.session.Joined() && !a.session.Presents() {
		return
	}
	k.set.Runner, k.set.Memory, k.set.Scratch = a.model.Docs.Runner, a.model.Docs.Memory, a.model.Docs.Scratch
	for i := range l.Runs {
		d, err := k.set.Start(l.Runs[i].Run)
		if a.out.Check(outbox.AboutRun, err); err != nil {
			k.set.Close()
			return
		}
		k.set.Add(l.Runs[i].Name, d)
		k.docs = append(k.docs, d)
	}
	k.lesson, k.next = l, a.window.Now
	a.out.Redraw()
}

// arrangeRuns shows the runs of the lesson in its workspace, in place of the panes of the window.
func (a *App) arrangeRuns() {
	k := a.course
	a.course = course{}
	l := k.lesson
	var names []string
	var runs []experiment.Run
	for i, d := range k.docs {
		name := l.Runs[i].Name
		names, runs = append(names, name), append(runs, l.Runs[i].Run)
		old := a.model.Docs.Get(name)
		a.model.Docs.Add(name, d)
		if old != nil {
			old.Discard()
		}
	}
	text := l.Workspace.Text
	if text == "" {
		var err error
		if text, err = workspace.RunsFile(nil, names, runs); err != nil {
			a.out.Fail(outbox.AboutRun, err)
			return
		}
	}
	a.saving.Open("the workspace of the lesson "+l.Title, "", text)
	if l.Workspace.Text == "" {
		a.askAbout(l, names)
	}
	a.model.UpdatePanes()
	a.model.FocusFirst()
	a.out.Redraw()
}

// askAbout arranges the window with the default workspace of a lesson.
func (a *App) askAbout(l *lesson.Lesson, names []string) {
	trace := l.Workspace.Run
	if trace == "" {
		trace = names[0]
	}
	if len(names) > 1 {
		group := a.model.Docs.NewGroup()
		for _, name := range names {
			a.model.Docs.Get(name).Group = group
		}
	}
	a.actions.Edit(func(w *workspace.Workspace) error {
		for i := range workspace.Questions {
			if q := &workspace.Questions[i]; q.Name == l.Workspace.Question {
				return a.model.Arranger.Ask(w, q, trace)
			}
		}
		return a.model.Arranger.Open(w, trace)
	})
}

// showPicture shows what a picture of the lesson shows in the focused pane's place, as a tab.
func (a *App) showPicture(pic *lesson.Picture) {
	if a.model.Docs.Get(pic.Run) == nil {
		a.out.Say(outbox.AboutAction, "The run "+pic.Run+" is not open: show the runs of the lesson again")
		return
	}
	before := len(a.model.IDs)
	a.actions.AddPane(pic.View, pic.Run, a.model.Focus, workspace.AsTab)
	if len(a.model.IDs) == before {
		return
	}
	pane := len(a.model.IDs) - 1
	params := maps.Clone(pic.Params)
	a.actions.Edit(func(w *workspace.Workspace) error {
		for name, value := range params {
			if err := w.Apply(view.Action{Do: view.SetParam, Pane: pane, Name: name, Value: value}); err != nil {
				return err
			}
		}
		return nil
	})
	a.actions.SetFocus(a.model.IDs[pane])
}

// workPictures computes the pictures of the lesson. It reports whether there is more to do.
func (a *App) workPictures(budget time.Duration) bool {
	more, drawn := a.lessons.Work(a.model.Docs.Get, a.window.Text, a.memory, a.window.Now, budget)
	if drawn {
		a.out.Redraw()
	}
	return more
}
