package calltable

import (
	"testing"

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
		kindtest.BenchFrame(b, k.Name, f, g.Base, g.Overlay)
	}
}
