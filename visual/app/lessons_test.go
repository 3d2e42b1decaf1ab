package app

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"whorl/internal/figures"
	"whorl/lesson"
	"whorl/lesson/script/solve"
	"whorl/lessons"
	"whorl/testdata/must"
	"whorl/visual/app/panes"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// TestLessons walks through every lesson: each question gets a wrong answer and then the right one, each task is done.
func TestLessons(t *testing.T) {
	for _, name := range lessons.Names {
		t.Run(name, func(t *testing.T) {
			keeper := &memory{}
			d := taken(t, name, keeper, 1280, 900)
			l := d.app.lessons.Lesson()
			d.shot("lesson-" + name)
			if s := d.progress(keeper); len(s.Done) > 0 {
				t.Errorf("%v are done before anybody has done anything", s.Done)
			}
			for _, id := range l.Asks {
				b := l.Find(id)
				switch {
				case b.Task != nil:
					if d.progress(keeper).Completed(id) {
						t.Errorf("the task %s is done by answers", id)
					}
					d.do(b.Task)
				case b.Kind == lesson.Predict:
					d.answer(b, lesson.Response{Text: rightText(b.Question), Curve: []lesson.Point{{}}})
				default:
					if wrong, ok := wrongAnswer(b.Question); ok {
						d.answer(b, wrong)
						if s := d.progress(keeper); s.Completed(id) || s.Tries[id] != 1 {
							t.Errorf("%s: after a wrong answer %v it has %v done, %v tries", id, wrong, s.Done, s.Tries)
						}
					}
					d.answer(b, rightAnswer(b.Question))
				}
				if s := d.progress(keeper); !s.Completed(id) {
					d.shot("stuck-" + name + "-" + id)
					t.Fatalf("%s is not done; done are %v; responses %v", id, s.Done, s.Responses)
				}
			}
			d.shot("lesson-" + name + "-end")
			if !d.shows(lesson.Say(l.Lang, "%d of %d done", len(l.Asks), len(l.Asks))) {
				t.Errorf("the progress is not that of the end:\n%s", d.texts())
			}
		})
	}
}

// TestLessonFollows: a task is ticked by the event that does it, not by the next one.
func TestLessonFollows(t *testing.T) {
	keeper := &memory{}
	d := taken(t, "waves", keeper, 1280, 900)
	for _, id := range d.app.lessons.Lesson().Predictions() {
		b := d.app.lessons.Lesson().Find(id)
		d.answer(b, lesson.Response{Curve: []lesson.Point{{}}})
	}
	d.scrollTo("the task", func() (ui.Accessible, bool) { return d.named(ui.RoleHeading, "To do", 0) })
	d.app.actions.SetFocus(d.paneOf("kaleidoscope").ID)
	d.settle()
	d.step(Event{Kind: ui.Key, Key: "3"})
	if _, ok := d.named(ui.RoleHeading, "Done", 0); !ok || !d.progress(keeper).Completed("look") {
		t.Errorf("done are %v; the panel shows\n%s", d.progress(keeper).Done, d.texts())
	}
}

// TestLessonReply: the verdict comes into sight where the field is at the bottom of the panel, and so does a hint.
func TestLessonReply(t *testing.T) {
	d := taken(t, "one-slow-process", &memory{}, 1280, 900)
	field := func() (ui.Accessible, bool) { return d.named(ui.RoleField, "your answer", 0) }
	for range 200 {
		if c, ok := field(); ok && float64(c.Rect.Y1) > d.in.H-60 {
			break
		}
		d.in.H -= 4
		d.settle()
	}
	c, _ := field()
	d.click(float64(c.Rect.X0)+20, float64(c.Rect.Y0+c.Rect.Y1)/2)
	d.typed("abc")
	d.key("Enter", 0)
	d.settle()
	if c, ok := d.named(ui.RoleStatus, "Write a share", 0); !ok || c.Rect.H() < 10 {
		t.Errorf("the verdict has %v: %v\n%s", c.Rect, ok, d.texts())
	}
	x, y := d.scrollTo("hint", func() (ui.Accessible, bool) { return d.named(ui.RoleButton, "Hint", 0) })
	d.click(x, y)
	d.settle()
	if c, ok := d.named(ui.RoleParagraph, "The process with that column", 0); !ok || c.Rect.H() < 40 {
		t.Errorf("the hint has %v: %v\n%s", c.Rect, ok, d.texts())
	}
}

// TestLessonCompares: the runs of a lesson that panes show are compared. Others do not stretch their scale of time.
func TestLessonCompares(t *testing.T) {
	for name, want := range map[string]int{"waves": 0, "data-distribution": 2} {
		d := taken(t, name, &memory{}, 1280, 900)
		for _, trace := range d.app.model.Clock.Traces() {
			if got := d.app.links.Compared(d.app.model.Docs.Get(trace)); len(got) != want {
				t.Errorf("%s: %s is compared with %d runs, want %d", name, trace, len(got), want)
			}
		}
	}
}

// TestLessonSets: another set of parameters has other runs and other answers; what was right before is not shown as right.
func TestLessonSets(t *testing.T) {
	keeper := &memory{}
	d := taken(t, "load-balance", keeper, 1280, 900)
	first := d.app.lessons.Lesson()
	set := first.Sets[2]
	q := first.Find("balance").Question
	other := must.Get((&solve.Shelf{}).Open(context.Background(), "load-balance", "en", set, nil))(t)
	if right := rightAnswer(q); other.Find("balance").Question.Judge(right).Right {
		t.Fatalf("%v is right for the defaults and for %q", right, set)
	}
	d.on("As written")
	d.on(set)
	d.until("the other runs", func() bool { return d.app.lessons.Lesson().Set == set && !d.teaches() })
	d.settle()
	d.answer(d.app.lessons.Lesson().Find("balance"), rightAnswer(q))
	if s := d.progress(keeper); s.Completed("balance") {
		t.Errorf("the answer of the defaults is right for %q too", set)
	}
	if r := d.app.model.Docs.Get("blind").Run; r.PEs == first.Runs[0].Run.PEs {
		t.Errorf("the run of %q has %d PEs", set, r.PEs)
	}
}

// TestLessonCovers: panes of runs that give a prediction away show no picture until it is made, also while the lesson is put away, and neither do the
// small pictures of questions.
func TestLessonCovers(t *testing.T) {
	d := taken(t, "load-balance", &memory{}, 1280, 900)
	covered := func() (n int) {
		for _, p := range d.app.model.Visible() {
			if p.Err != nil && p.Picture() == nil {
				n++
			}
		}
		return n
	}
	all := len(d.app.model.Visible())
	if all == 0 || covered() != all {
		t.Errorf("%d of %d panes are covered before the prediction", covered(), all)
	}
	d.shot("lesson-covered")
	told := func() (all string) { // by the bar of the time
		for _, c := range d.out.Controls {
			if float64(c.Rect.Y0) > d.in.H-60 {
				all += fmt.Sprintln(c.Name, c.Value, c.Max)
			}
		}
		return all
	}
	from, to := d.app.model.Clock.Span()
	length := figures.Duration(to - from)
	most := fmt.Sprint(float64(to - from))
	if strings.Contains(told(), length) || strings.Contains(told(), most) || d.shows("of "+length) || d.shows("Done: ") || !d.shows("100 % of the run") {
		t.Errorf("the bar of a covered run of %s shows\n%s%s", length, told(), d.texts())
	}
	d.key("!", 0)
	d.settle()
	if n := covered(); n != all {
		t.Errorf("%d of %d panes are covered when the lesson is put away", n, all)
	}
	d.app.actions.AddPane("comparison", "blind", d.app.model.Focus, workspace.AsTab)
	d.settle()
	if p := d.paneOf("comparison"); p.Picture() != nil {
		t.Error("the comparison of covered runs is shown")
	}
	d.app.actions.ClosePane(d.paneOf("comparison").ID)
	d.tries(d.app.model.Docs.Get("blind"), map[string]string{"pes": "4"})
	d.key("W", 0)
	if d.shows("Speed-up") || !d.shows("Numbers are shown after") || !d.app.model.Covers("blind"+panes.RecordedSuffix) {
		t.Errorf("a trial of a covered run tells %s", d.texts())
	}
	d.key("W", 0)
	d.app.actions.Apply(view.Action{Do: view.Try, Name: "blind"})
	d.trial(d.app.model.Docs.Get("blind"))
	drawn := func() (n int) {
		d.key("I", 0)
		d.settle()
		for _, card := range d.app.questions.Cards {
			for _, part := range card.Parts {
				if part.Thumb.Ready() {
					n++
				}
			}
		}
		d.key("Escape", 0)
		return n
	}
	if n := drawn(); n != 0 {
		t.Errorf("%d small pictures of questions show covered runs", n)
	}
	d.key("!", 0)
	d.settle()
	d.answer(d.app.lessons.Lesson().Find("faster"), lesson.Response{})
	d.settle()
	if n := covered(); n != 0 {
		t.Errorf("%d panes are covered after the prediction", n)
	}
	if drawn() == 0 {
		t.Error("no question has a picture after the prediction")
	}
	if !strings.Contains(told(), length) || !strings.Contains(told(), most) || !d.shows("of "+length) || !d.shows("Done: ") {
		t.Errorf("the bar of a run of %s shows\n%s%s", length, told(), d.texts())
	}
}

// TestLessonKeys: after an answer was typed, a press on the tab of a pane gives the keys to the pane.
func TestLessonKeys(t *testing.T) {
	d := taken(t, "load-balance", &memory{}, 1280, 900)
	q := d.app.lessons.Lesson().Find("balance")
	d.answer(q, lesson.Response{Text: "3"})
	tab, ok := d.named(ui.RoleTab, "Kaleidoscope", 0)
	if !ok {
		t.Fatalf("no tab in\n%s", d.texts())
	}
	d.click(float64(tab.Rect.X0)+20, float64(tab.Rect.Y0)+10)
	d.settle()
	d.key("W", 0)
	d.settle()
	if !d.app.whatIf.Open {
		t.Error("the key went to the field with the answer")
	}
}

// TestLessonPhone: in a narrow window the lesson is a drawer.
func TestLessonPhone(t *testing.T) {
	d := taken(t, "grain-size", &memory{}, 390, 844)
	d.shot("lesson-phone")
	if !d.app.lessons.Open || !d.shows("All lessons") {
		t.Errorf("the drawer shows\n%s", d.texts())
	}
}

// TestLessonParameters: a number of the lesson is changed in its field, and the questions have other answers; an impossible one is refused.
func TestLessonParameters(t *testing.T) {
	d := taken(t, "load-balance", &memory{}, 1280, 900)
	first := d.app.lessons.Lesson()
	enter := func(text string) {
		d.top()
		x, y := d.scrollTo("the field", func() (ui.Accessible, bool) { return d.named(ui.RoleField, "parameter pes", 0) })
		d.click(x, y)
		d.key("a", ui.Control)
		d.typed(text)
		d.settle()
	}
	enter("1000000")
	d.on("Make the runs")
	d.until("the refusal", func() bool {
		_, ok := d.named(ui.RoleStatus, `pes: "1000000": expected a whole number from`, 0)
		return ok
	})
	if d.app.lessons.Lesson() != first {
		t.Error("an impossible number has another lesson")
	}
	enter("5")
	d.shot("lesson-parameters")
	d.key("Enter", 0)
	d.until("the runs", func() bool { return d.app.lessons.Lesson() != first && !d.teaches() })
	d.settle()
	l := d.app.lessons.Lesson()
	if r := d.app.model.Docs.Get("blind").Run; r.PEs != 5 || l.Set != first.Set {
		t.Errorf("the run has %d PEs, the set is %q", r.PEs, l.Set)
	}
	if a, b := first.Find("balance").Question.Number, l.Find("balance").Question.Number; a.Value == b.Value {
		t.Errorf("the answer is %v as before", b.Shown)
	}
	if d.shows("Make the runs") {
		t.Error("the button is there without a change")
	}
}
