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

// find carries out a search in a trace t.
func find(src tracer.Source, text string) []Match {
	s := New(src, "t", text)
	for s.Work(0) {
	}
	return s.Found
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
		{"p.fghc:4", true, "p.fghc:4"},
		{"fghc:1", false, "p.fghc:1"},
		{"fghc:1", true, ""}, // before the first clause
		{":6", true, "p.fghc:6"},
		{"q.fghc:4", true, ""},
		{":0", true, ""},
		{`T\.$`, true, "p.fghc:5"},
		{"su\xff", false, "sum/2; Assume; p.fghc:1; p.fghc:2; p.fghc:3; p.fghc:4; p.fghc:6; p.fghc:7"}, // without the invalid byte
		{strings.Repeat("a", 4<<20), true, ""},
	} {
		var got []string
		for _, m := range find(trace(c.clauses), c.text) {
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
		if got := find(trace(c.clauses), c.text)[0].Selection; !got.Equal(c.want) {
			t.Errorf("%q selects %+v, want %+v", c.text, got, c.want)
		}
	}
}

// functions returns a trace of some functions, whose names begin with f.
func functions(n int) *tracer.Memory {
	m := tracer.NewMemory()
	for i := range n {
		m.Dict().Add(tracer.Code{Type: tracer.Function, Name: fmt.Sprint("f", i)})
	}
	return m
}

// TestSteps: a search in many names stops when its time is over and goes on where it stopped.
func TestSteps(t *testing.T) {
	s := New(functions(1000), "t", "f")
	if !s.Work(0) || len(s.Found) == 0 || len(s.Found) > 100 {
		t.Fatalf("a search without time has %d matches", len(s.Found))
	}
	for s.Work(0) {
	}
	for i, m := range s.Found {
		if len(s.Found) != 1000 || m.Name != fmt.Sprint("f", i) {
			t.Fatalf("match %d of %d is %s", i, len(s.Found), m.Name)
		}
	}
}

// TestLongLine: the rest of a line without end is left out, so that no regular expression takes long.
func TestLongLine(t *testing.T) {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Source: []tracer.SourceFile{{Name: "p.go", Text: "x" + strings.Repeat("-", mostLine) + "y\nx y\r\n"}}})
	for _, c := range []struct {
		text string
		want int
	}{{"^x", 2}, {"y$", 1}, {".{1000}", 1}} {
		if got := find(m, c.text); len(got) != c.want {
			t.Errorf("%q finds %d lines, want %d", c.text, len(got), c.want)
		}
	}
}

// TestMost: a text that matches everything finds a bounded number.
func TestMost(t *testing.T) {
	m := functions(Most + 10)
	if n := len(find(m, "f")); n != Most {
		t.Errorf("%d matches, want %d", n, Most)
	}
}
