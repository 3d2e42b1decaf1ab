package gallery

import (
	"slices"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer/open"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/page"
	"whorl/visual/views"
)

// drawCloseUp draws Figure 2b of VIPACT: a function at the bottom of a large picture of the tree, and its name below it.
func drawCloseUp(t *testing.T, s *studio) *scene.List {
	trace := must.Get(open.File(s.file("mixture.whorl")))(t)
	defer trace.Close()
	kind := views.All[slices.IndexFunc(views.All, func(k *view.Kind) bool { return k.Name == "halo" })]
	o := must.Get(view.Open(kind, trace, glyph.New()))(t)
	defer o.Close()
	whole := must.Get(page.Shoot(t.Context(), o, 2400, 1800, page.Shot{Legend: page.LegendNone, Font: 48}))(t)
	for i := range whole.Len() {
		op := whole.Op(i)
		if op.Kind != scene.OpText {
			continue
		}
		if x, y, text, _ := op.Text(); string(text) == "new_block" {
			const w, h = 480, 360
			out := scene.New(w, h)
			out.AppendAt(whole.List, w/2-x, h-30-y)
			return out
		}
	}
	t.Fatal("no function is called new_block")
	return nil
}
