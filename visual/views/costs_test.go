package views

import (
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestCostsByLine checks that the legends of views by line and by procedure tell how the times of reductions differ from the work of the run, and say
// nothing about times where they count.
func TestCostsByLine(t *testing.T) {
	src := viewtest.Small()
	meta := src.Meta()
	meta.SetCostError(0.25)
	src.SetMeta(meta)
	if src.Counts()[tracer.Suspend] == 0 {
		t.Fatal("no try ends in suspension")
	}
	for _, name := range []string{"overview", "procedures", "detail"} {
		k := All[slices.IndexFunc(All, func(k *view.Kind) bool { return k.Name == name })]
		for _, c := range []struct {
			metric string
			want   bool
		}{{"time", true}, {"reductions", false}} {
			var notes []string
			for _, b := range legendOf(t, k, src, map[string]string{"metric": c.metric}).Blocks {
				notes = append(notes, b.Notes...)
			}
			for _, want := range []string{"Times are those of reductions.", "Times are ± 25 %"} {
				if strings.Contains(strings.Join(notes, " "), want) != c.want {
					t.Errorf("%s by %s: %q", name, c.metric, notes)
				}
			}
		}
	}
}
