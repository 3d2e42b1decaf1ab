package view

import "testing"

// TestModulesOf: a pane refers to the pane whose modules it shows also after other panes are closed, and to none once that one is.
func TestModulesOf(t *testing.T) {
	var s State
	must := func(a Action) {
		t.Helper()
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a", "b"} {
		must(Action{Do: OpenTrace, Name: name})
	}
	for _, trace := range []string{"a", "b", "b", "b"} {
		must(Action{Do: AddPane, Name: "v", Value: trace})
	}
	must(Action{Do: SetOf, Pane: 3, Index: 3})
	for _, wrong := range []int{-1, 4, 5} {
		if err := s.Apply(Action{Do: SetOf, Pane: 3, Index: wrong}); err == nil {
			t.Errorf("a pane shows the modules of %d", wrong)
		}
	}
	whole := s
	must(Action{Do: CloseTrace, Name: "a"})
	if got := s.Personal.Panes[2].ModulesOf; got != 2 {
		t.Errorf("after closing a trace the pane shows the modules of %d, want 2", got)
	}
	must(Action{Do: RemovePane, Pane: 0})
	if got := s.Personal.Panes[1].ModulesOf; got != 1 {
		t.Errorf("after closing another pane: %d, want 1", got)
	}
	must(Action{Do: RemovePane, Pane: 0})
	if got := s.Personal.Panes[0].ModulesOf; got != 0 {
		t.Errorf("after closing the pane itself: %d, want 0", got)
	}
	if whole.Personal.Panes[3].ModulesOf != 3 {
		t.Error("an earlier state has changed")
	}
}
