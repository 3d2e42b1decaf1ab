package app

import (
	"fmt"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/views"
	"whorl/visual/workspace"
)

// TestQuestionsAreValid: each plan of a question has views in its Main slot, and the parameters that positions set have these values.
func TestQuestionsAreValid(t *testing.T) {
	for _, q := range workspace.Questions {
		for i, p := range q.Plans {
			if kinds, _ := view.InSlot(views.All, p.In, view.Main); len(kinds) == 0 {
				t.Errorf("%s: plan %d has no view in its Main slot", q.Name, i)
			}
		}
	}
	for _, k := range views.All {
		for _, p := range k.Positions {
			if p.Set == "" {
				continue
			}
			name, value, _ := strings.Cut(p.Set, "=")
			q, err := k.Param(name)
			if err == nil {
				_, err = q.Parse(value)
			}
			if err != nil {
				t.Errorf("%s: %s: %v", k.Name, p.Set, err)
			}
		}
	}
}

// TestQuestions opens the gallery for runs of several kinds: the cards have pictures of the run or say what it lacks, and a chosen card arranges the
// window, which one undo takes back.
func TestQuestions(t *testing.T) {
	for _, c := range []struct {
		program, policy string
		lacks           []string // by question
		shown           []string // the views in front, by question, "" for a question that lacks something
	}{
		{
			"pascal", "",
			[]string{"", "", "Needs Send events", "", "", "Needs runs to compare"},
			[]string{"kaleidoscope utilisation measures", "threadgraph timeline efficiency", "", "source overview detail", "contexts halo sunburst source", ""},
		},
		{
			"hpf/jacobi", "",
			[]string{"", "", "", "", "", "Needs runs to compare"},
			[]string{
				"procedures overview utilisation efficiency", "timeline utilisation efficiency measures", "bodies timeline measures",
				"source overview detail", "contexts halo sunburst source", "",
			},
		},
	} {
		d := opened(t, c.program, 1280, 800)
		start := d.app.model.Root.String()
		for i, q := range workspace.Questions {
			d.key("I", 0)
			if !d.shows(q.Title) || !d.shows("What do you want to know about") {
				t.Fatalf("%s: the gallery shows\n%s", c.program, d.texts())
			}
			for _, card := range d.app.questions.Cards {
				if len(d.app.questions.Waiting) > 0 || card.Why == "" && len(card.Parts) == 0 {
					t.Errorf("%s: the card %s has %d pictures, %d are not computed", c.program, card.Title, len(card.Parts), len(d.app.questions.Waiting))
				}
			}
			if i == 0 {
				d.shot("questions-" + c.program[:3])
				d.in.W = 390
				d.settle()
				d.shot("questions-narrow-" + c.program[:3])
				d.in.W = 1280
				d.settle()
			}
			if want := c.lacks[i]; want != "" && !d.shows(want) {
				t.Errorf("%s: %s does not say %q:\n%s", c.program, q.Title, want, d.texts())
			}
			d.on(q.Title)
			if c.lacks[i] != "" {
				if d.app.model.Root.String() != start || !d.app.questions.Open {
					t.Errorf("%s: %s, which lacks something, changes the window", c.program, q.Title)
				}
				d.key("Escape", 0)
				continue
			}
			got := ""
			for _, leaf := range d.app.model.Root.Leaves() {
				got += " " + d.app.model.Pane(leaf.Shown).View
			}
			if got != " "+c.shown[i] || d.app.questions.Open || d.app.model.Focus != d.app.model.Root.Leaves()[0].Shown {
				t.Errorf("%s: %s shows%s, want %s", c.program, q.Title, got, c.shown[i])
			}
			if d.key("z", ui.Control); d.app.model.Root.String() != start {
				t.Fatalf("%s: undo leads to %s, want %s", c.program, d.app.model.Root, start)
			}
		}
	}
}

// TestQuestionsOfRecordings: each question has views that say something about the recording, or names what it lacks.
func TestQuestionsOfRecordings(t *testing.T) {
	for _, c := range []struct{ file, question, shown, lacks string }{
		{"mpi/stencil.otf2", "Balance", " procedures overview utilisation efficiency", ""}, // whose ranks fork nothing
		{"traces/shop.otlp.json", "Balance", " kaleidoscope utilisation measures", ""},
		{"profiles/heat.perf", "Balance", " procedures overview utilisation measures", ""}, // whose samples have times
		{"traces/build.actiongraph.json", "Lines", "", "Needs the text of the program"},
	} {
		d := drive(t, Options{}, 1280, 800, 1)
		d.app.Open("x", must.Get(open.File("../../testdata/"+c.file))(t))
		d.settle()
		d.key("I", 0)
		if c.lacks != "" {
			if !d.shows(c.lacks) {
				t.Errorf("%s: %s does not say %q:\n%s", c.file, c.question, c.lacks, d.texts())
			}
			continue
		}
		d.on(c.question)
		got := ""
		for _, leaf := range d.app.model.Root.Leaves() {
			got += " " + d.app.model.Pane(leaf.Shown).View
		}
		if got != c.shown {
			t.Errorf("%s: %s shows%s, want%s", c.file, c.question, got, c.shown)
		}
	}
}

// TestQuestionOfComparedRuns shows two runs in columns.
func TestQuestionOfComparedRuns(t *testing.T) {
	d := drive(t, Options{}, 1280, 800, 1)
	for _, policy := range []string{"random", "steal-half"} {
		d.add(policy, run(t, "pascal", 4, policy), 1)
		if err := d.app.model.Change(func(w *workspace.Workspace) error { return d.app.model.Arranger.Open(w, policy) }); err != nil {
			t.Fatal(err)
		}
	}
	d.settle()
	d.key("I", 0)
	d.shot("questions-compared")
	d.on("Policies")
	got := ""
	for _, leaf := range d.app.model.Root.Leaves() {
		p := d.app.model.Pane(leaf.Shown)
		got += fmt.Sprintln(p.View, p.Trace)
	}
	if want := "kaleidoscope random\nutilisation random\nkaleidoscope steal-half\nutilisation steal-half\nefficiency random\nsource random\n"; got != want {
		t.Errorf("the panes are\n%swant\n%s", got, want)
	}
}

// TestPicturesWithinMemory: the small pictures of a trace that is too large keep to the memory.
func TestPicturesWithinMemory(t *testing.T) {
	src := run(t, "pascal", 4, "")
	var events int64
	for k := range tracer.NumKinds {
		events += src.Counts()[k]
	}
	d := drive(t, Options{Memory: events * 10}, 1280, 800, 1)
	d.app.Open("pascal", src)
	d.settle()
	d.key("I", 0)
	if len(d.app.questions.Waiting) > 0 || !d.app.questions.Open {
		t.Errorf("%d pictures wait", len(d.app.questions.Waiting))
	}
}
