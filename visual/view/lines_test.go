package view

import (
	"slices"
	"testing"

	"whorl/tracer"
)

// TestCoded checks that lines select the codes of clauses, lines and functions at them, but not instructions or procedures.
func TestCoded(t *testing.T) {
	r := &Run{Codes: []tracer.Code{
		{},
		{Type: tracer.Procedure, Name: "p/0", File: "a.fghc", Line: 1},
		{Type: tracer.Clause, Name: "p/0", File: "a.fghc", Line: 1, Parent: 1},
		{Type: tracer.Clause, Name: "p/0", File: "a.fghc", Line: 4, Parent: 1},
		{Type: tracer.Function, Name: "f", File: "src/b.f90", Line: 1},
		{Type: tracer.Line, File: "src/b.f90", Line: 3, Parent: 4},
		{Type: tracer.Instruction, Name: "add", Line: 3, Parent: 5},
		{Type: tracer.Line, File: "src/b.f90", Line: 5, Parent: 4},
	}}
	for _, c := range []struct {
		s    Selection
		want []uint32
	}{
		{Selection{}, nil},
		{Selection{Codes: []uint32{3}}, []uint32{3}},
		{Selection{Lines: []Lines{{File: "a.fghc", First: 1}}}, []uint32{2}},
		{Selection{Lines: []Lines{{File: "lib/a.fghc", First: 1, Last: 4}}}, []uint32{2, 3}},
		{Selection{Lines: []Lines{{File: "b.f90", First: 2, Last: 4}}}, []uint32{5}},
		{Selection{Lines: []Lines{{File: "b.f90", First: 3}, {File: `src\b.f90`, First: 5}}}, []uint32{5, 7}},
		{Selection{Lines: []Lines{{File: "b.f90", First: 1, Last: 4}}, Codes: []uint32{5, 7}}, []uint32{5}},
		{Selection{Lines: []Lines{{File: "b.f90", First: 1, Last: 4}}, Codes: []uint32{4}}, []uint32{4, 5}},
		{Selection{Lines: []Lines{{File: "b.f90", First: 2}}}, []uint32{noCode}},
		{Selection{Lines: []Lines{{File: "c.f90", First: 3}}}, []uint32{noCode}},
	} {
		got := r.Coded(c.s)
		if !slices.Equal(got.Codes, c.want) || got.Lines != nil {
			t.Errorf("%+v is coded as %d, want %d", c.s, got.Codes, c.want)
		}
	}
}

// TestLinesAreSelected checks that selections treat lines like their other lists.
func TestLinesAreSelected(t *testing.T) {
	a, b := Selection{Trace: "t", Lines: []Lines{{"a", 3, 5}}}, Selection{Trace: "t", Lines: []Lines{{"a", 7, 0}}}
	if a.Empty() || a.Equal(b) || !a.Equal(a) {
		t.Error("lines are not part of a selection")
	}
	if got := a.With(b); len(got.Lines) != 2 || got.Lines[1] != b.Lines[0] {
		t.Errorf("with another line: %+v, want both", got)
	}
	if got := a.With(Selection{Trace: "t", Codes: []uint32{1}}); len(got.Lines) != 0 {
		t.Errorf("with codes: %+v, want no lines", got)
	}
	if (Lines{First: 4}).End() != 4 || (Lines{First: 4, Last: 9}).End() != 9 {
		t.Error("End returns the wrong line")
	}
}

func TestDetailErrors(t *testing.T) {
	var s State
	for _, l := range []Lines{{}, {"a", 0, 4}, {"", 1, 4}, {"a", 1, maxLine + 1}} {
		if err := s.Apply(Action{Do: SetDetail, Lines: &l}); err == nil || s.Shared.Detail != nil {
			t.Errorf("invalid lines %+v are accepted", l)
		}
	}
	if err := s.Apply(Action{Do: SetDetail, Lines: &Lines{"a", 2, 4}}); err != nil || *s.Shared.Detail != (Lines{"a", 2, 4}) {
		t.Error(err)
	}
	if err := s.Apply(Action{Do: SetDetail}); err != nil || s.Shared.Detail != nil {
		t.Error(err)
	}
}
