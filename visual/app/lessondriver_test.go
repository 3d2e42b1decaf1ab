package app

import (
	"math"
	"slices"
	"strings"
	"testing"

	"whorl/lesson"
	"whorl/lesson/script/solve"
	"whorl/lessons"
	"whorl/testdata/must"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// memory keeps the progress of a test.
type memory struct{ text []byte }

func (m *memory) Load() (lesson.Progress, error) {
	if m.text == nil {
		return lesson.Progress{}, nil
	}
	return lesson.ReadProgress(m.text)
}

func (m *memory) Save(p *lesson.Progress) error {
	m.text = p.Write()
	return nil
}

// taken returns a driver of a window with a lesson whose runs are shown.
func taken(t *testing.T, name string, keeper *memory, w, h float64) *driver {
	d := drive(t, Options{Runner: native{}, Lessons: &solve.Shelf{}, Progress: keeper}, w, h, 1)
	d.key("!", 0)
	d.until("the list of lessons", func() bool { return len(d.app.lessons.Heads()) == len(lessons.Names) })
	d.settle()
	d.app.OpenLesson(name)
	d.until("the runs of the lesson", func() bool {
		return d.app.lessons.Lesson() != nil && len(d.app.model.IDs) > 0 && !d.teaches()
	})
	d.settle()
	return d
}

// named returns the control of the panel whose name begins with a text in the scope of a question.
func (d *driver) named(role ui.Role, name string, after float32) (ui.Accessible, bool) {
	for _, c := range d.out.Controls {
		if c.Role == role && strings.HasPrefix(c.Name, name) && c.Rect.Y0 >= after {
			return c, true
		}
	}
	return ui.Accessible{}, false
}

// scrollTo turns the wheel over the panel until a control of a role and a name is in the window, and returns its middle.
func (d *driver) scrollTo(what string, find func() (ui.Accessible, bool)) (x, y float64) {
	d.Helper()
	for range 400 {
		if c, ok := find(); ok && float64(c.Rect.Y1) < d.in.H-8 && c.Rect.H() > 4 && c.Rect.Y0 > 110 {
			return float64(c.Rect.X0+c.Rect.X1) / 2, float64(c.Rect.Y0+c.Rect.Y1) / 2
		}
		d.move(200, d.in.H-60)
		d.step(Event{Kind: ui.Wheel, X: 200, Y: d.in.H - 60, DY: -4})
		d.settle()
	}
	d.Fatalf("%s is not in the panel:\n%s", what, d.texts())
	return 0, 0
}

// top scrolls the panel to its beginning.
func (d *driver) top() {
	d.move(200, d.in.H-60)
	for range 12 {
		d.step(Event{Kind: ui.Wheel, X: 200, Y: d.in.H - 60, DY: 100})
	}
	d.settle()
}

// answer answers a question of the lesson as a person does, and returns the verdict.
func (d *driver) answer(b *lesson.Block, r lesson.Response) {
	d.Helper()
	q := b.Question
	d.top()
	first := ""
	lesson.Walk(q.Ask, func(b *lesson.Block) {
		if first == "" {
			first = lesson.Inline(b.Spans)
		}
	})
	below := func() (ui.Accessible, bool) { return d.named(ui.RoleParagraph, first, 0) }
	d.scrollTo(b.ID, below)
	from := func() float32 { c, _ := below(); return c.Rect.Y0 }
	switch q.Kind {
	case lesson.ChoiceAnswer:
		x, y := d.scrollTo("choice", func() (ui.Accessible, bool) { return d.named(ui.RoleRadio, q.Choices[r.Choice].Text, from()) })
		d.click(x, y)
	case lesson.CurveAnswer:
		x, y := d.scrollTo("curve", func() (ui.Accessible, bool) { return d.named(ui.RoleSlider, q.Curve.Y+" by ", 0) })
		d.click(x, y)
		d.key("Home", 0)
		for range q.Curve.Points {
			for range int(r.Curve[0].Y) {
				d.key("ArrowUp", 0)
			}
			d.key("ArrowUp", 0)
			d.key("ArrowRight", 0)
		}
	default:
		x, y := d.scrollTo("field", func() (ui.Accessible, bool) { return d.named(ui.RoleField, "your answer", from()) })
		d.click(x, y)
		d.key("a", ui.Control)
		d.typed(r.Text)
		d.key("Enter", 0)
		return
	}
	name := "Check"
	if b.Kind == lesson.Predict {
		name = "Predict"
	}
	x, y := d.scrollTo(name, func() (ui.Accessible, bool) { return d.named(ui.RoleButton, name, from()) })
	d.click(x, y)
}

// state returns the progress of the lesson that is shown.
func (d *driver) progress(m *memory) *lesson.State {
	p := must.Get(m.Load())(d.T)
	return p.State(d.app.lessons.Lesson().Name)
}

// do does what a task asks for.
func (d *driver) do(task *lesson.Task) {
	a := d.app
	if task.View != "" {
		trace := task.Run
		if trace == "" {
			trace = a.lessons.Lesson().Runs[0].Name
		}
		a.course.ShowPicture(&lesson.Picture{Run: trace, View: task.View, Params: task.Params})
	}
	if task.Select != nil {
		sel := *task.Select
		if sel.Trace = task.Run; task.Any {
			sel.Tasks = []view.Tasks{{First: sel.Tasks[len(sel.Tasks)-1].First}}
		}
		a.actions.Apply(view.Action{Do: view.Select, Selection: &sel})
	}
	if len(task.Trial) > 0 {
		a.actions.Apply(view.Action{Do: view.Try, Name: task.Run, Settings: task.Trial})
	}
	if task.Until != nil {
		at := (task.Until.First + task.Until.Last) / 2
		a.actions.Apply(view.Action{Do: view.SetUntil, Until: &at})
	}
	if task.Window != nil {
		a.actions.Apply(view.Action{Do: view.SetWindow, Window: task.Window})
	}
	d.settle()
}

func rightText(q *lesson.Question) string {
	switch {
	case q.Number != nil:
		return shown(q.Number, q.Number.Value)
	case q.Words != nil:
		return q.Words.Accept[0]
	}
	return ""
}

// shown writes a number as people do.
func shown(n *lesson.Number, x float64) string {
	s := lesson.Series{}
	switch n.Measure {
	case lesson.Time:
		return s.Show(x) + " ns"
	case lesson.Portion:
		return s.Show(100*x) + " %"
	}
	return s.Show(x)
}

func rightAnswer(q *lesson.Question) lesson.Response {
	r := lesson.Response{Text: rightText(q)}
	r.Choice = max(slices.IndexFunc(q.Choices, func(c lesson.Choice) bool { return c.Right }), 0)
	return r
}

// wrongAnswer returns the first near miss, or another wrong answer.
func wrongAnswer(q *lesson.Question) (r lesson.Response, ok bool) {
	switch {
	case q.Number != nil:
		r.Text = shown(q.Number, 3*q.Number.Value+7)
		if len(q.Number.Near) > 0 && math.Abs(q.Number.Near[0].Value-q.Number.Value) > 2*q.Number.Tolerance {
			r.Text = shown(q.Number, q.Number.Near[0].Value)
		}
	case q.Words != nil && len(q.Words.Known) > 1:
		i := slices.IndexFunc(q.Words.Known, func(s string) bool { return !q.Judge(lesson.Response{Text: s}).Right })
		r.Text = q.Words.Known[max(i, 0)]
	case len(q.Choices) > 0:
		r.Choice = slices.IndexFunc(q.Choices, func(c lesson.Choice) bool { return !c.Right })
	default:
		return r, false
	}
	v := q.Judge(r)
	return r, !v.Right && !v.Invalid
}

// teaches reports whether the runs of a lesson are being made.
func (d *driver) teaches() bool {
	_, waits := d.app.course.Next()
	return waits
}
