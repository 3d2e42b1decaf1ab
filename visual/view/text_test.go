package view

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/glyph"
	"whorl/visual/scene"
)

func TestWrap(t *testing.T) {
	g := glyph.New()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[a-zA-Zµ0-9 ,]{0,60}`).Draw(t, "text")
		width := rapid.Float32Range(0, 300).Draw(t, "width")
		for _, l := range Wrap(g, s, width, 12, scene.Regular) {
			if w := g.Width(l, 12, scene.Regular); w > width+0.01 {
				t.Fatalf("line %q is %g wide, want %g", l, w, width)
			}
		}
		if width > 250 { // wider than any word
			if got, want := strings.Join(Wrap(g, "a b "+s[:min(len(s), 10)], width, 12, scene.Regular), " "), strings.Join(strings.Fields("a b "+s[:min(len(s), 10)]), " "); got != want {
				t.Fatalf("wrapped to %q, want %q", got, want)
			}
		}
	})
}
