package views

import (
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/glyph"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// TestUntil checks that the legend of each view that shows a run until a time names the time, and that no legend does without one.
func TestUntil(t *testing.T) {
	text, checked := glyph.New(), 0
	for _, k := range All {
		for _, src := range []tracer.Source{viewtest.Small(), viewtest.Sampled(), viewtest.Called()} {
			if k.CanOpen(src) != nil {
				continue
			}
			o, err := view.Open(k, src, text)
			if err != nil {
				t.Fatal(err)
			}
			from, to := src.Span()
			middle := from + (to-from)/2
			for _, until := range []*int64{nil, &middle} {
				l, err := page.Shoot(t.Context(), o, 1200, 900, page.Shot{Shared: view.Shared{Until: until}})
				if err != nil {
					t.Fatal(err)
				}
				said, got := strings.Join(viewtest.Strings(l.List), "\n"), false
				for _, words := range []string{"Until ", "Only ", "Now\nTime\n"} {
					got = got || strings.Contains(said, words)
				}
				if want := until == &middle && !k.Whole || view.Implements[view.Moving](k); got != want {
					t.Errorf("%s: the legend names the time: %v, want %v: %q", k.Name, got, want, viewtest.Strings(l.List))
				}
				checked++
			}
			o.Close()
		}
	}
	if checked < 2*len(All) {
		t.Errorf("%d pictures of %d views", checked, len(All))
	}
}
