package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"whorl/lesson"
	"whorl/lesson/script/solve"
	"whorl/visual/app/lessons"
	"whorl/visual/share"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// TestSessionAnswers: who teaches sees a histogram of what the others predict and who is stuck, without names; the others see none.
func TestSessionAnswers(t *testing.T) {
	r := newClassroom(t)
	open := func(name string, role share.Role) *driver {
		d := drive(t, Options{Runner: native{}, Lessons: &solve.Shelf{}, Progress: &memory{}}, 1280, 900, 1)
		d.app.Join(share.Access{Name: name, Dial: func() share.Conn { return &wire{room: r, role: role} }})
		r.windows = append(r.windows, d)
		d.app.OpenLesson("load-balance")
		r.until("the lesson", func() bool { return d.app.lessons.Lesson() != nil && d.app.session.Joined() })
		return d
	}
	owner := open("Ada", share.Owner)
	r.until("the runs", func() bool { return len(owner.app.model.IDs) > 0 && !owner.teaches() })
	bob, cy := open("Bob", share.Viewer), open("Cy", share.Viewer)
	l := owner.app.lessons.Lesson()
	first, question := l.Find(l.Asks[0]), (*lesson.Block)(nil)
	for _, id := range l.Asks {
		if b := l.Find(id); b.Question != nil && b.Question.Number != nil && question == nil {
			question = b
		}
	}
	if first.Question == nil || first.Question.Kind != lesson.ChoiceAnswer || question == nil {
		t.Fatalf("the lesson begins with %+v", first)
	}
	bob.answer(first, lesson.Response{Choice: 0})
	cy.answer(first, lesson.Response{Choice: 1})
	for _, wrong := range []string{"1 ns", "2 ns"} {
		bob.answer(question, lesson.Response{Text: wrong})
	}
	crowd := func(id string) lessons.Crowd { return owner.app.session.Crowds()[l.Name+"/"+id] }
	r.until("the answers", func() bool {
		q := crowd(question.ID)
		return len(crowd(first.ID)) == 2 && len(q) == 1 && q[0].Tries == 2 && !q[0].Right
	})
	owner.top()
	owner.scrollTo("the histogram", func() (ui.Accessible, bool) { return owner.named(ui.RoleStatus, "2 answers", 0) })
	for _, choice := range first.Question.Choices {
		if _, ok := owner.named(ui.RoleStatus, choice.Text+": 1", 0); !ok {
			t.Errorf("no bar says how many predict %q", choice.Text)
		}
	}
	owner.shot("session-histogram")
	owner.scrollTo("who is stuck", func() (ui.Accessible, bool) { return owner.named(ui.RoleStatus, "1 answer, 0 right, 1 stuck", 0) })
	if bob.app.session.Crowds() != nil || strings.Contains(fmt.Sprint(owner.app.session.Crowds()), "Bob") {
		t.Errorf("a viewer reads %v, the owner %v", bob.app.session.Crowds(), owner.app.session.Crowds())
	}
}

// TestSessionLesson: whoever presents opens a lesson for all who follow, with its runs and at the same step, also for a late joiner and on a phone.
// Answers are everybody's own. Who chooses another lesson roams, and comes back to that of the session.
func TestSessionLesson(t *testing.T) {
	r := newClassroom(t)
	owner, _ := r.pupil("Ada", share.Owner, 1280, 900)
	bob, kept := r.pupil("Bob", share.Viewer, 1100, 700)
	shown := func(d *driver) string {
		if p := d.app.lessons; p.Open && p.Lesson() != nil && !p.Waits() {
			return fmt.Sprint(p.Lesson().Name, " ", p.Place().Step)
		}
		return ""
	}
	same := func(d *driver, lesson string) {
		t.Helper()
		r.until("the lesson "+lesson, func() bool {
			return strings.HasPrefix(shown(d), lesson+" ") && shown(owner) == shown(d) && len(d.app.model.IDs) > 0 && !owner.teaches()
		})
	}
	turn := func(d *driver, lines float64) {
		d.move(200, d.in.H-60)
		d.step(Event{Kind: ui.Wheel, X: 200, Y: d.in.H - 60, DY: lines})
		d.settle()
	}
	owner.app.OpenLesson("load-balance")
	same(bob, "load-balance")
	first := owner.app.lessons.Lesson().Asks[0]
	owner.answer(owner.app.lessons.Lesson().Find(first), lesson.Response{Choice: 0})
	turn(owner, -8)
	if step := owner.app.lessons.Place().Step; step == 0 {
		t.Error("some pages down the step is the first one")
	}
	same(bob, "load-balance")
	if s := bob.progress(kept); len(s.Done) > 0 {
		t.Errorf("the prediction of the owner is Bob's: %v", s.Done)
	}
	bob.shot("session-lesson")
	cy, _ := r.pupil("Cy", share.Viewer, 390, 844)
	same(cy, "load-balance")
	cy.shot("session-lesson-phone")

	// A panel that was put away stays so until there is another lesson. What a follower scrolls turns no pages for others.
	bob.key("!", 0)
	at := shown(owner)
	turn(cy, -4)
	turn(owner, -8)
	r.until("the next step", func() bool { return shown(owner) != at && shown(cy) == shown(owner) })
	if bob.app.lessons.Open {
		t.Error("the step of the owner opens Bob's panel")
	}
	// Other parameters are other runs with the same names.
	pes := func(d *driver) int {
		if doc := d.app.model.Docs.Get("blind"); doc != nil && doc.Run != nil {
			return doc.Run.PEs
		}
		return 0
	}
	owner.top()
	owner.on("As written")
	owner.until("the sets", func() bool { return strings.Contains(owner.overTexts(), "Four PEs") })
	x, y, _ := owner.place("Four PEs")
	owner.click(x, y)
	r.until("the runs on 4 PEs", func() bool { return pes(owner) == 4 && pes(bob) == 4 && pes(cy) == 4 })

	owner.app.OpenLesson("waves")
	same(bob, "waves")
	same(cy, "waves")

	// Another lesson is chosen alone.
	bob.top()
	bob.on("All lessons")
	bob.scrollTo("the list", func() (ui.Accessible, bool) { return bob.named(ui.RoleButton, "Load balance", 0) })
	bob.on("Load balance")
	r.until("Bob's lesson", func() bool { return strings.HasPrefix(shown(bob), "load-balance") })
	if !bob.shows("You roam") || !strings.HasPrefix(shown(owner), "waves") {
		t.Errorf("Bob has %s and the owner %s:\n%s", shown(bob), shown(owner), bob.texts())
	}
	r.until("Bob's own runs", func() bool {
		return pes(bob) == 8 && slices.ContainsFunc(bob.app.model.State.Personal.Panes, func(p view.Pane) bool { return p.Trace == "blind" })
	})
	if pes(owner) == 8 || slices.ContainsFunc(owner.app.model.State.Personal.Panes, func(p view.Pane) bool { return p.Trace == "blind" }) {
		t.Error("Bob's runs are the owner's")
	}
	turn(owner, -8)
	bob.step(Event{Kind: ui.Key, Key: "~"})
	same(bob, "waves")
	r.until("the time of the runs of the session", func() bool { _, to := bob.app.model.Clock.Span(); return to > 0 })
	owner.key("!", 0)
	r.until("the end of the lesson", func() bool { return !bob.app.lessons.Open && !cy.app.lessons.Open })
}
