package sunburst

import (
	"testing"

	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// BenchmarkFrame opens and draws 3,000 contexts of 256 processes: the whole picture, and the overlay.
func BenchmarkFrame(b *testing.B) {
	src := viewtest.Tangle(3000, 256, 1)
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			shown(b, src, 1900, 1000)
		}
	})
	g, f := shown(b, src, 1900, 1000)
	draw := func(name string, s view.Selection, parts ...func(*view.Frame, *scene.List)) {
		f.State.Shared.Selection = s
		kindtest.BenchFrame(b, name, f, parts...)
	}
	pes := view.Selection{Trace: "t", PEs: []view.Span{{First: 3, Last: 60}}}
	draw("base", view.Selection{}, g.Base)
	draw("overlay/code", view.Selection{Trace: "t", Codes: []uint32{g.Code[20]}}, g.Overlay)
	draw("overlay/pes", pes, g.Overlay)
	draw("both", pes, g.Base, g.Overlay)
}
