package lesson

import (
	"math"
	"slices"
	"testing"

	"whorl/visual/view"
)

// TestReadNumber reads numbers as people write them.
func TestReadNumber(t *testing.T) {
	for _, c := range []struct {
		text string
		m    Measure
		want []float64 // nil for a refusal
	}{
		{"2.5 ms", Time, []float64{2.5e6}},
		{"2500us", Time, []float64{2.5e6}},
		{"2500 µs", Time, []float64{2.5e6}},
		{"2,5 ms", Time, []float64{2.5e6}},
		{"0.0025 s", Time, []float64{2.5e6}},
		{"1e3 ns", Time, []float64{1000}},
		{"2,500 us", Time, []float64{2.5e6, 2500}},
		{"2.500 us", Time, []float64{2500, 2.5e6}},
		{"2.5", Time, nil},
		{"0", Time, []float64{0}},
		{"2.5 %", Time, nil},
		{"2.5 parsec", Time, nil},
		{"35 %", Portion, []float64{0.35}},
		{"35 percent", Portion, []float64{0.35}},
		{"0.35", Portion, []float64{0.35}},
		{"0,35", Portion, []float64{0.35}},
		{"35", Portion, []float64{35, 0.35}},
		{"35 ms", Portion, nil},
		{"15,419", Plain, []float64{15419, 15.419}},
		{"15 419 messages", Plain, []float64{15419}},
		{"1'000'000", Plain, []float64{1e6}},
		{"1,234,567.5", Plain, []float64{1234567.5}},
		{"about 3", Plain, nil},
		{"~ 3", Plain, []float64{3}},
		{"-3", Plain, []float64{-3}},
		{"3 %", Plain, nil},
		{"", Plain, nil},
		{"1e999", Plain, nil},
		{"12,34,56", Plain, nil},
		{"NaN", Plain, nil},
		{"Inf", Plain, nil},
		{"0x10", Plain, nil},
	} {
		got, problem := readNumber(c.text, c.m)
		same := slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) })
		if !same || (problem == "") != (c.want != nil) {
			t.Errorf("%q as a %s: %v %q, want %v", c.text, c.m, got, problem, c.want)
		}
	}
}

// TestJudge checks answers with near misses.
func TestJudge(t *testing.T) {
	n := &Question{Kind: NumberAnswer, Number: &Number{Measure: Time, Value: 2e6, Tolerance: 1e5, Shown: "2 ms", Near: []Near{{Value: 16e6, Tolerance: 1e5, Why: "all PEs"}}}}
	w := &Question{Kind: TextAnswer, Words: &Words{Accept: []string{"append/3"}, Known: []string{"append/3", "reverse/2", "reverse/3"}, Near: []Near{{Text: "main/0", Why: "it calls it"}}}}
	c := &Question{Kind: CurveAnswer, Most: 10, Curve: &Series{Points: []Point{{1, 1}, {2, 2}, {4, 3}}}}
	for _, x := range []struct {
		q    *Question
		r    Response
		want Verdict
	}{
		{n, Response{Text: "2.05 ms"}, Verdict{Right: true, Text: "Right: 2 ms."}},
		{n, Response{Text: "16 ms"}, Verdict{Text: "all PEs", near: true}},
		{n, Response{Text: "3 ms"}, Verdict{Text: "It is less than that."}},
		{n, Response{Text: "1 us"}, Verdict{Text: "It is much more than that."}},
		{n, Response{Text: "2"}, Verdict{Invalid: true, Text: "Which unit? Write a time with its unit, such as 2.5 ms or 40 us."}},
		{w, Response{Text: " Append "}, Verdict{Right: true, Text: "Right: append/3."}},
		{w, Response{Text: "reverse"}, Verdict{Text: "It is not reverse."}},
		{w, Response{Text: "main"}, Verdict{Text: "it calls it", near: true}},
		{w, Response{Text: "something"}, Verdict{Invalid: true, Text: `There is no "something" here; known are append, reverse.`}},
		{w, Response{Text: "apend"}, Verdict{Invalid: true, Text: `There is no "apend" here; did you mean append?`}},
		{c, Response{Curve: []Point{{1, 1}, {4, 4}}}, Verdict{Right: true, Text: "Your curve is near the measured one."}},
		{c, Response{Curve: []Point{{1, 5}, {4, 9}}}, Verdict{Text: "Your curve is too high, most at 4."}},
		{c, Response{Curve: []Point{{1, math.NaN()}, {4, 9}}}, Verdict{Invalid: true, Text: "Draw a curve from the left to the right."}},
		{c, Response{}, Verdict{Invalid: true, Text: "Draw a curve from the left to the right."}},
	} {
		if got := x.q.Judge(x.r); got != x.want {
			t.Errorf("%+v: %+v, want %+v", x.r, got, x.want)
		}
	}
}

// TestCompare compares predictions with the outcome. The reason of a near miss stands between the prediction and the answer.
func TestCompare(t *testing.T) {
	n := &Question{Kind: NumberAnswer, Number: &Number{Measure: Plain, Value: 7, Shown: "7", Near: []Near{{Value: 8, Why: "One of them began."}}}}
	w := &Question{Kind: TextAnswer, Words: &Words{Accept: []string{"failed"}, Near: []Near{{Text: "done", Why: "So ends the other run."}}}}
	c := &Question{Kind: ChoiceAnswer, Choices: []Choice{{Text: "They wait.", Right: true, Why: "Each waits."}, {Text: "They run.", Why: "Who is the first?"}}}
	german := *n
	german.Lang = "de"
	for _, x := range []struct {
		q    *Question
		r    Response
		want string
	}{
		{n, Response{Text: "7"}, "You said 7; it is 7."},
		{n, Response{Text: " 3"}, "You said 3; it is 7."},
		{n, Response{Text: "8 "}, "You said 8. One of them began. The answer is 7."},
		{&german, Response{Text: "8"}, "Sie sagten 8. One of them began. Richtig ist 7."},
		{n, Response{Text: "?"}, "Write a number, such as 12 or 1.5."},
		{w, Response{Text: "limited"}, "You said limited; it is called failed."},
		{w, Response{Text: "done"}, "You said done. So ends the other run. The answer is failed."},
		{c, Response{Choice: 0}, "Each waits."},
		{c, Response{Choice: 1}, "Who is the first? The answer is: They wait."},
	} {
		if got := x.q.Compare(x.r).Text; got != x.want {
			t.Errorf("%+v: %q, want %q", x.r, got, x.want)
		}
	}
}

// TestTaskDone checks states of the viewer.
func TestTaskDone(t *testing.T) {
	one := view.Selection{Trace: "a", Tasks: []view.Tasks{{First: 7}}}
	task := &Task{View: "timeline", Run: "a", Params: map[string]string{"color": "pe"}, Select: &one, Is: "the slowest task", Trial: map[string]string{"policy": "steal"}}
	s := &view.Shared{}
	p := &view.Personal{}
	if v := task.Done(s, p); v.Right || v.Text != "Open the view timeline: color pe; select the slowest task; try the run with policy steal." {
		t.Errorf("%+v", v)
	}
	task.Lang = "de"
	if v := task.Done(s, p); v.Right || v.Text != "Öffnen Sie die Sicht timeline: color pe; wählen Sie the slowest task aus; versuchen Sie den Lauf mit policy steal." {
		t.Errorf("%+v", v)
	}
	task.Lang = ""
	p.Panes = []view.Pane{{View: "timeline", Trace: "a", Params: map[string]string{"color": "pe"}}}
	s.Selection = view.Selection{Trace: "a", Tasks: []view.Tasks{{First: 7, Last: 8}}}
	s.Trials = []view.Trial{{Trace: "a", Settings: map[string]string{"policy": "steal", "pes": "4"}}}
	if v := task.Done(s, p); v.Right || v.Text != "Select the slowest task, and nothing else." {
		t.Errorf("%+v", v)
	}
	p.Panes[0].Params = nil
	if v := task.Done(s, p); v.Right {
		t.Error("the task is done without its parameter")
	}
	task.Preset = []string{"color"}
	s.Selection.Tasks = []view.Tasks{{First: 7, Subtree: true}}
	if v := task.Done(s, p); !v.Right {
		t.Errorf("%+v", v)
	}
	p.Panes[0].Params = map[string]string{"color": "time"}
	if v := task.Done(s, p); v.Right {
		t.Error("the task is done with another value of a parameter that panes have by themselves")
	}
}

// TestTaskSelection: with any, one task of those that are wanted is enough, and no more than one; the context of a function stands for the function.
func TestTaskSelection(t *testing.T) {
	leaves := Task{Run: "a", Any: true, Is: "a leaf", Select: &view.Selection{Tasks: []view.Tasks{{First: 3, Last: 5}, {First: 9}}}}
	function := Task{Run: "a", Is: "the function", Select: &view.Selection{Codes: []uint32{4}}}
	tasks := func(all ...view.Tasks) view.Selection { return view.Selection{Trace: "a", Tasks: all} }
	for _, c := range []struct {
		name string
		task *Task
		sel  view.Selection
		done bool
	}{
		{"nothing", &leaves, view.Selection{}, false},
		{"the first", &leaves, tasks(view.Tasks{First: 3}), true},
		{"one in a range, with its subtree", &leaves, tasks(view.Tasks{First: 4, Subtree: true}), true},
		{"the last", &leaves, tasks(view.Tasks{First: 9}), true},
		{"another task", &leaves, tasks(view.Tasks{First: 6}), false},
		{"two of them", &leaves, tasks(view.Tasks{First: 3}, view.Tasks{First: 9}), false},
		{"a range of them", &leaves, tasks(view.Tasks{First: 3, Last: 4}), false},
		{"one of another run", &leaves, view.Selection{Trace: "b", Tasks: []view.Tasks{{First: 3}}}, false},
		{"one and a PE", &leaves, view.Selection{Trace: "a", Tasks: []view.Tasks{{First: 3}}, PEs: []view.Span{{}}}, false},
		{"the function", &function, view.Selection{Trace: "a", Codes: []uint32{4}}, true},
		{"a context of it", &function, view.Selection{Trace: "a", Codes: []uint32{4}, Contexts: []uint64{77}}, true},
		{"a context of another", &function, view.Selection{Trace: "a", Codes: []uint32{5}, Contexts: []uint64{78}}, false},
	} {
		if v := c.task.Done(&view.Shared{Selection: c.sel}, &view.Personal{}); v.Right != c.done {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}

// TestCovered: a prediction covers the runs that give it away, unless something before it is about them.
func TestCovered(t *testing.T) {
	predict := func(id string, runs ...string) Block {
		return Block{Kind: Predict, ID: id, Question: &Question{Runs: runs}}
	}
	l := &Lesson{Blocks: []Block{
		predict("first", "b", "a"),
		{Kind: PictureOf, Picture: &Picture{Run: "shown"}},
		{Kind: Ask, ID: "q", Question: &Question{Runs: []string{"asked"}}},
		{Kind: ToDo, ID: "t", Task: &Task{Run: "used"}},
		predict("second", "a", "shown", "asked", "used", "c"),
	}}
	s := &State{}
	for _, step := range []struct {
		done string
		want []string
	}{{"", []string{"a", "b", "c"}}, {"first", []string{"a", "c"}}, {"second", nil}} {
		if s.Done = append(s.Done, step.done); !slices.Equal(l.Covered(s), step.want) {
			t.Errorf("after %q %v are covered, want %v", step.done, l.Covered(s), step.want)
		}
	}
}

// TestProgress notes answers and reads them back.
func TestProgress(t *testing.T) {
	var p Progress
	s := p.State("x")
	b := &Block{Kind: Ask, ID: "a"}
	s.Note(b, Response{Text: "1"}, Verdict{})
	s.Note(b, Response{Text: "?"}, Verdict{Invalid: true})
	s.Note(b, Response{Text: "2"}, Verdict{Right: true})
	s.Note(&Block{Kind: Predict, ID: "b"}, Response{Choice: 1}, Verdict{})
	s.Note(b, Response{Text: "2"}, Verdict{Right: true})
	q, err := ReadProgress(p.Write())
	if h := (Head{Asks: []string{"a", "b", "c"}}); err != nil || q.State("x").Count(&h) != 2 || q.State("x").Tries["a"] != 1 || q.State("x").Responses["a"].Text != "2" {
		t.Errorf("%v %+v", err, q.State("x"))
	}
}
