package view

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestSelectionHistory goes back and forward through the selections.
func TestSelectionHistory(t *testing.T) {
	s := &State{}
	do(t, s, Action{Do: OpenTrace, Name: "a"})
	sel := func(n int64) *Selection { return &Selection{Trace: "a", PEs: []Span{{n, n}}} }
	for _, c := range []struct {
		a    Action
		want int64 // the selected PE, -1 for none, -2 if the action is refused
	}{
		{Action{Do: SelectBack}, -2},
		{Action{Do: Select, Selection: sel(1)}, 1},
		{Action{Do: Select, Selection: sel(1)}, 1},
		{Action{Do: Select, Selection: sel(2)}, 2},
		{Action{Do: Select, Selection: sel(3), More: true}, 3},
		{Action{Do: Select}, -1},
		{Action{Do: SelectBack}, 3},
		{Action{Do: SelectBack}, 1},
		{Action{Do: SelectBack}, -2},
		{Action{Do: SelectNext}, 3},
		{Action{Do: SelectNext}, -2},
		{Action{Do: SelectBack}, 1},
		{Action{Do: Select, Selection: sel(4)}, 4},
		{Action{Do: SelectNext}, -2},
		{Action{Do: SelectBack}, 1},
	} {
		err := s.Apply(c.a)
		got := int64(-1)
		if pes := s.Shared.Selection.PEs; len(pes) > 0 {
			got = pes[0].First
		}
		if idle := NotNow(""); c.want == -2 != errors.As(err, &idle) || c.want != -2 && (err != nil || got != c.want) {
			t.Errorf("after %+v the PE %d is selected, %v; want %d", c.a, got, err, c.want)
		}
	}
	for n := range int64(2 * maxPast) {
		do(t, s, Action{Do: Select, Selection: sel(n)})
	}
	if len(s.Shared.Past) != maxPast {
		t.Errorf("the past has %d selections, want %d", len(s.Shared.Past), maxPast)
	}
	do(t, s, Action{Do: CloseTrace, Name: "a"})
	if len(s.Shared.Past) > 0 || !s.Shared.Selection.Empty() {
		t.Errorf("the closed trace has %d selections", len(s.Shared.Past))
	}
}

// TestKept: selections are kept under names, replaced and forgotten.
func TestKept(t *testing.T) {
	s := &State{}
	do(t, s, Action{Do: OpenTrace, Name: "a"})
	do(t, s, Action{Do: OpenTrace, Name: "b"})
	keep := func(trace, name, expr string) Action {
		return Action{Do: Keep, Name: name, Selection: &Selection{Trace: trace, Expr: expr}}
	}
	do(t, s, keep("b", "slow", "time > 1ms"))
	do(t, s, keep("a", "slow workers", "pe in 3..7"))
	do(t, s, keep("a", "fast", "pe = 1"))
	do(t, s, keep("a", "slow workers", "pe in 4..7"))
	want := []Kept{{"a", "fast", "pe = 1"}, {"a", "slow workers", "pe in 4..7"}, {"b", "slow", "time > 1ms"}}
	if !slices.Equal(s.Shared.Kept, want) {
		t.Errorf("kept: %+v", s.Shared.Kept)
	}
	for _, a := range []Action{
		keep("c", "x", "pe = 1"), keep("a", "", "pe = 1"), keep("a", strings.Repeat("x", maxName+1), "pe = 1"), keep("a", "x", ""), keep("a", "x", "\xff"),
		{Do: Forget, Name: "slow", Value: "a"},
	} {
		if s.Apply(a) == nil {
			t.Errorf("%+v has no error", a)
		}
	}
	do(t, s, Action{Do: Forget, Name: "fast", Value: "a"})
	do(t, s, Action{Do: CloseTrace, Name: "b"})
	if !slices.Equal(s.Shared.Kept, want[1:2]) {
		t.Errorf("kept: %+v", s.Shared.Kept)
	}
}
