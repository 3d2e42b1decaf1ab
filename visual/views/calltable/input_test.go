package calltable

import (
	"maps"
	"slices"
	"testing"

	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestLitRows compares the rows of selections with those of each context taken alone, for several open rows.
func TestLitRows(t *testing.T) {
	for _, params := range [][]string{{"open", "101"}, {"open", "20"}, {"open", "20", "least", "5"}, {"open", "0"}} {
		g, f := shown(t, Tree(), viewtest.Tangle(400, 4, 1), 500, 400, params...)
		s := layout(f, g)
		for _, code := range g.Code[1:40] {
			sel := view.Selection{Trace: "t", Codes: []uint32{code}}
			rows, above := map[int]bool{}, map[int]bool{}
			for v, c := range g.Code {
				if c != code {
					continue
				}
				if i := g.shownBy(int32(v)); i >= 0 && g.rows[i].node == int32(v) {
					rows[i] = true
				} else if i >= 0 {
					above[i] = true
				}
			}
			l := s.lit(sel)
			if !slices.Equal(l.rows, slices.Sorted(maps.Keys(rows))) || !slices.Equal(l.above, slices.Sorted(maps.Keys(above))) {
				t.Errorf("%v, code %d: rows %v, above %v; want %v and %v", params, code, l.rows, l.above, rows, above)
			}
		}
	}
}
