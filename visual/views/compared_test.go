package views

import (
	"slices"
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/visual/glyph"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view/page"
	"whorl/visual/views/halo"
)

// TestComparedHaloLegend checks that the one legend of compared runs explains all rings of the runs on several PEs, wherever
// the run on one PE stands, whose processes are all equal.
func TestComparedHaloLegend(t *testing.T) {
	on := func(pes int) tracer.Source {
		r := experiment.Defaults("hpf/jacobi")
		r.Args, r.PEs = []string{"8", "1"}, pes
		return experimenttest.Trace(t, r)
	}
	one, four := on(1), on(4)
	for _, runs := range [][]tracer.Source{{one, four}, {four, one}} {
		table := page.Table{Views: []page.TableView{{Kind: halo.Kind()}}, Columns: []string{"a", "b"}, Rows: []string{""}}
		for _, src := range runs {
			table.Cells = append(table.Cells, page.TableCell{Source: src, Name: "run"})
		}
		texts := viewtest.Strings(must.Get(table.Picture(t.Context(), 0, 0, glyph.New()))(t))
		for _, want := range []string{"Outer ring: above the mean", "Central ring: near the mean", "Inner ring: below the mean", "all processes are equal"} {
			n := 0
			for _, s := range texts {
				if s == want {
					n++
				}
			}
			if n != 1 {
				t.Errorf("the legend has %q %d times, of %q", want, n, slices.Compact(texts))
			}
		}
	}
}
