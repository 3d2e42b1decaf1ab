package search

import (
	"fmt"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/view"
)

// trace is a trace of two procedures and a function, with a program.
func trace(clauses bool) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 4, Source: []tracer.SourceFile{{Name: "p.fghc", Text: "% sums [a list\nsum([], S) :- S = 0.\nsum([X|Xs], S) :-\n    sum(Xs, T),\n    S := X + T.\n% sums end\nmain(S) :- sum([1], S).\n"}}})
	d := m.Dict()
	sum := d.Add(tracer.Code{Type: tracer.Procedure, Name: "sum/2", File: "p.fghc", Line: 2})
	main := d.Add(tracer.Code{Type: tracer.Procedure, Name: "main/1", File: "p.fghc", Line: 7})
	d.Add(tracer.Code{Type: tracer.Procedure, Name: "sum/2", File: "q.fghc", Line: 2})
	if clauses {
		for _, c := range []tracer.Code{{Parent: main, Line: 7}, {Parent: sum, Line: 2}, {Parent: sum, Line: 3}} {
			c.Type, c.Name, c.File = tracer.Clause, "", "p.fghc"
			d.Add(c)
		}
	}
	d.Add(tracer.Code{Type: tracer.Function, Name: "Assume"})
	return m
}

// TestFind finds parts of a trace by numbers, names and lines of the program.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		text    string
		clauses bool
		want    string
	}{
		{"", true, ""},
		{"  ", true, ""},
		{"3", true, "task 3; PE 3"},
		{"0", true, "PE 0; p.fghc:2"},
		{"7", true, "task 7"},
		{"pe 2", true, "PE 2"},
		{"PE 4", true, ""},
		{"^SUM", true, "sum/2; p.fghc:2; p.fghc:3"},
		{"sum", true, "sum/2; Assume; p.fghc:2; p.fghc:3; p.fghc:7"},
		{"[a", true, ""}, // in a comment
		{"[]", true, "p.fghc:2"},
		{"S := X", true, "p.fghc:5"},
		{"[a", false, "p.fghc:1"},
		{"^main", false, "main/1; p.fghc:7"},
		{"nothing", true, ""},
	} {
		var got []string
		for _, m := range Find(trace(c.clauses), "t", c.text) {
			got = append(got, m.Name)
			if m.Selection.Trace != "t" || m.Selection.Empty() {
				t.Errorf("%q: %s selects %+v", c.text, m.Name, m.Selection)
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%q finds %q, want %q", c.text, got, c.want)
		}
	}
	// The selections are the codes of the name, of the clause that has the line, and the line itself.
	for _, c := range []struct {
		text    string
		clauses bool
		want    view.Selection
	}{
		{"^sum/2", true, view.Selection{Codes: []uint32{1, 3}}},
		{"S := X", true, view.Selection{Codes: []uint32{6}}},
		{"S := X", false, view.Selection{Lines: []view.Lines{{File: "p.fghc", First: 5}}}},
		{"7", true, view.Selection{Tasks: []view.Tasks{{First: 7}}}},
		{"PE 1", true, view.Selection{PEs: []view.Span{{First: 1, Last: 1}}}},
	} {
		c.want.Trace = "t"
		if got := Find(trace(c.clauses), "t", c.text)[0].Selection; !got.Equal(c.want) {
			t.Errorf("%q selects %+v, want %+v", c.text, got, c.want)
		}
	}
}

// TestMost: a text that matches everything finds a bounded number.
func TestMost(t *testing.T) {
	m := tracer.NewMemory()
	for i := range Most + 10 {
		m.Dict().Add(tracer.Code{Type: tracer.Function, Name: fmt.Sprint("f", i)})
	}
	if n := len(Find(m, "t", "f")); n != Most {
		t.Errorf("%d matches, want %d", n, Most)
	}
}
