package calltable

import (
	"testing"

	"whorl/visual/backend/raster"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

func BenchmarkWay(b *testing.B) {
	g, _ := shown(b, Tree(), viewtest.Tangle(-10_000, 1, 1), 600, 400, "open", "101")
	for b.Loop() {
		g.way(1, 10_000)
	}
}

// BenchmarkTable draws 3,000 contexts of 256 processes, all open.
func BenchmarkTable(b *testing.B) {
	src := viewtest.Tangle(3000, 256, 1)
	for _, k := range []*view.Kind{Tree(), Functions()} {
		params := []string{}
		if k.Name == "contexts" {
			params = []string{"open", "0"}
		}
		g, f := shown(b, k, src, 1900, 1000, params...)
		f.State.Personal.Hover = g.selection("t", 9)
		b.Run(k.Name, func(b *testing.B) {
			l := scene.New(2000, 1100)
			painter := raster.New(kindtest.Glyphs)
			for b.Loop() {
				l.Reset(2000, 1100)
				view.Draw(g, f, l)
				g.Overlay(f, l)
				painter.Picture(l, 1)
			}
			b.ReportMetric(float64(len(g.rows)), "rows")
		})
	}
}
