package runs

import (
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/tracer"
	"whorl/visual/documents"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

const sums = `main(X) :- true | sum([1,2,3,4], A)@node(1), sum([5,6], B)@node(2), add(A, B, X).
sum([], S) :- true | S = 0.
sum([H|T], S) :- true | sum(T, R), add(H, R, S).
add(A, B, C) :- integer(A), integer(B) | C := A + B.
`

// summed returns the trace of a run of sums.
func summed(t *testing.T) *documents.Document {
	return documents.New(experimenttest.Trace(t, experiment.Run{
		Program: "sums.fghc", Text: sums, Goal: "main(X)", PEs: 3, Policy: "static", Machine: experiment.Machines()[0].Name, Seed: 1,
	}))
}

func TestPlacing(t *testing.T) {
	d := summed(t)
	for _, c := range []struct {
		button string
		edit   bool
	}{{"Run beside this", false}, {"Edit the program", true}} {
		var p Placing
		if err := p.Begin(d, 2); err != nil { // the first goal of main
			t.Fatal(err)
		}
		var placed *Placed
		u := usertest.New(t, 900, 700, func(c *ui.Context) {
			if done := p.Draw(c); done != nil {
				placed = done
			}
		})
		if !u.Shows("Body of clause 1 of sums.fghc:") || !u.Shows("sum([5,6], B)@node(2)") {
			t.Fatalf("the dialog shows\n%s", u.Texts())
		}
		u.Click("sum([5,6], B)")
		if p.node != "2" {
			t.Errorf("the goal is on PE %s, want 2", p.node)
		}
		u.ClickOn("placing/pe")
		u.Keys("Control+a")
		u.Keys("Backspace")
		if !u.Shows("a number of a PE, or an expression") {
			t.Errorf("an empty PE is not refused:\n%s", u.Texts())
		}
		u.Type("0")
		u.Click(c.button)
		switch want := strings.Replace(sums, "@node(2)", "@node(0)", 1); {
		case placed == nil:
			t.Errorf("%s does nothing:\n%s", c.button, u.Texts())
		case placed.Run.Text != want || placed.Suffix != ", sum/2 on 0" || placed.Edit != c.edit || placed.Beside != d || p.Open:
			t.Errorf("%s leads to %+v", c.button, placed)
		}
	}
}

// TestNothingToPlace: the dialog does not open for tasks without a clause, and for programs that cannot be read.
func TestNothingToPlace(t *testing.T) {
	d := summed(t)
	broken := tracer.NewMemory()
	broken.SetMeta(tracer.Meta{Source: []tracer.SourceFile{{Name: "p", Text: "p :- ("}}})
	stream := broken.Stream(tracer.StreamInfo{})
	*stream.Slot() = tracer.Event{Kind: tracer.Reduce, Task: 1, Code: 1}
	stream.Sync()
	for _, c := range []struct {
		d    *documents.Document
		task uint64
		want string
	}{
		{d, 1 << 40, "task 1099511627776 has not reduced"},
		{documents.New(broken), 1, ""},
	} {
		var p Placing
		err := p.Begin(c.d, c.task)
		if err == nil || !strings.Contains(err.Error(), c.want) || p.Open {
			t.Errorf("the error is %v, want %q; the dialog is open: %v", err, c.want, p.Open)
		}
	}
}

// TestRootIsPlacedInItsOwnClause: a task without a parent stands for the first goal of its own clause.
func TestRootIsPlacedInItsOwnClause(t *testing.T) {
	d := summed(t)
	var p Placing
	if err := p.Begin(d, 1); err != nil {
		t.Fatal(err)
	}
	if p.clause != 1 || p.goal != 0 || p.node != "1" {
		t.Errorf("it places goal %d of clause %d on %s", p.goal, p.clause, p.node)
	}
}
