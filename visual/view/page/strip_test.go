package page

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestStrip checks in strips of random widths that texts do not overlap, and that each swatch is drawn or counted by an "and n more" note.
func TestStrip(t *testing.T) {
	g := glyph.New()
	style := view.NewStyle(false, 13)
	rapid.Check(t, func(t *rapid.T) {
		var l view.Legend
		n := 0
		for b := range rapid.IntRange(0, 3).Draw(t, "blocks") {
			block := view.Block{Title: fmt.Sprint("block ", b), Notes: []string{"a note that a strip leaves out"}}
			if rapid.Bool().Draw(t, "ramp") {
				block.Ramp = &view.Ramp{Colors: []scene.Color{{A: 255}, {R: 255, A: 255}}, Ticks: []string{"0 ns", "1 ms"}}
			}
			for range rapid.IntRange(0, 14).Draw(t, "swatches") {
				block.Swatches = append(block.Swatches, view.Swatch{Colors: []scene.Color{{A: 255}}, Label: fmt.Sprint("swatch ", n)})
				n++
			}
			l.Blocks = append(l.Blocks, block)
		}
		w, lines := rapid.Float64Range(10, 1500).Draw(t, "w"), rapid.IntRange(1, 3).Draw(t, "lines")
		h := StripHeight(l, w, lines, style, g)
		out := scene.New(float32(w), float32(h))
		DrawStrip(l, scene.Rect{X1: w, Y1: h}, lines, style, g, out)
		if h == 0 {
			if out.Len() != 0 {
				t.Fatal("a strip of height 0 is drawn")
			}
			return
		}
		if wrong := viewtest.Inside(out, g); len(wrong) > 0 {
			t.Fatalf("width %g:\n%s", w, strings.Join(wrong, "\n"))
		}
		shown, more := 0, 0
		for i := range out.Len() {
			if o := out.Op(i); o.Kind == scene.OpText {
				_, _, s, style := o.Text()
				switch text := string(s); {
				case strings.HasPrefix(text, "swatch"):
					shown++
				case style.Face == scene.Regular:
					_, _ = fmt.Sscanf(text, "and %d more", &more)
				}
			}
		}
		if shown+more != n {
			t.Fatalf("width %g: %d swatches drawn and %d counted, want %d together", w, shown, more, n)
		}
	})
	if h := StripHeight(view.Legend{Blocks: []view.Block{{Title: "Run", Facts: []view.Fact{{Label: "PEs", Value: "4"}}}}}, 500, 2, style, g); h != 0 {
		t.Errorf("a legend of facts has a strip of %g pixels, want none", h)
	}
}
