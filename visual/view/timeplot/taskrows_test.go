package timeplot

import (
	"testing"

	"whorl/tracer/testdata/profiletest"
)

// TestSelectionOfManyRows selects groups of very many functions, and the groups of one function.
func TestSelectionOfManyRows(t *testing.T) {
	profiletest.Linear(t, 10_000, func(n int) {
		r := &TaskRows{By: RowsByGroup, folded: true, Tasks: make([]uint64, n)}
		for i := range n {
			r.Groups = append(r.Groups, RowGroup{Code: uint32(i) + 1, First: i})
		}
		if s := r.Selection("t", 0, n-1); len(s.Codes) != n {
			t.Errorf("%d codes of %d functions", len(s.Codes), n)
		}
	})
	r := &TaskRows{By: RowsByTask, folded: true, Tasks: make([]uint64, 2*mostSelected)}
	for i := range 3 {
		r.Groups = append(r.Groups, RowGroup{Code: 7, First: i})
	}
	if s := r.Selection("t", 0, 2); len(s.Codes) != 1 || s.Codes[0] != 7 {
		t.Errorf("the rows of a function select %v", s.Codes)
	}
}
