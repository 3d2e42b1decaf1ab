package detail

import (
	"context"
	"strconv"
	"testing"

	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// BenchmarkScroll draws successive screens of a program of a million lines on 1,024 PEs.
func BenchmarkScroll(b *testing.B) {
	for _, mode := range []string{"each", "groups", "ranks"} {
		b.Run(mode, func(b *testing.B) {
			src := viewtest.Spike(1_000_000, 1024, 1)
			k := Kind()
			g, f := kindtest.Shown[*Geometry](b, k, src, 1900, 1000, "processors", mode)
			out := scene.New(2000, 1100)
			first := int32(1)
			for b.Loop() {
				first = (first+977)%900_000 + 1
				f.Detail = &view.Lines{File: "spike.f90", First: first, Last: first + 50}
				out.Reset(2000, 1100)
				view.Draw(g, f, out)
			}
		})
	}
}

// BenchmarkOpen derives and draws the first picture.
func BenchmarkOpen(b *testing.B) {
	for _, c := range []struct{ lines, pes int }{{94_824, 4}, {1_000_000, 1024}} {
		b.Run(strconv.Itoa(c.lines), func(b *testing.B) {
			src := viewtest.Spike(c.lines, c.pes, 1)
			for b.Loop() {
				if _, err := drawtest.Render(context.Background(), Kind(), src, nil, 1200, 900, glyphs); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
