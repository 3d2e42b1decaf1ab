package scene_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/glyph"
	"whorl/visual/scene"
)

// TestWrap checks that lines end between words, but not between a number and its unit.
func TestWrap(t *testing.T) {
	g := glyph.New()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"waits for half of it", []string{"waits for half of", "it"}},
		{"it waits for 50.3 % of it", []string{"it waits for", "50.3 % of it"}},
		{"it takes (about 12 ms) more", []string{"it takes (about", "12 ms) more"}},
		{"it may be PE 5 plus 6", []string{"it may be PE 5", "plus 6"}},
	} {
		if got := scene.Wrap(g, c.text, 90, 12, scene.Regular); !slices.Equal(got, c.want) {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}

func TestElided(t *testing.T) {
	g := glyph.New()
	for _, c := range []struct {
		text, end, middle string
		width             float32
	}{
		{"shortest path", "shortest path", "shortest path", 200},
		{"the shortest path, of all", "the shortest path…", "the shortest…of all", 110},
		{"a_procedure_with_a_long_name_39/3", "a_procedure_with_…", "a_procedure_…_39/3", 120},
		{"longword", "", "", 8},
		{"ThreadPoolForegroundWorker 28", "ThreadPoolForegroun…", "ThreadPoolFor…ker 28", 130},
	} {
		end, middle := scene.Elide(g, c.text, c.width, 12, scene.Regular), scene.ElideMiddle(g, c.text, c.width, 12, scene.Regular)
		if end != c.end || middle != c.middle {
			t.Errorf("%q in %g pixels is %q and %q, want %q and %q", c.text, c.width, end, middle, c.end, c.middle)
		}
	}
}

// TestElidedLong checks that a text which is cut before it is measured keeps whole characters and, in the middle, its end.
func TestElidedLong(t *testing.T) {
	g := glyph.New()
	for ahead := range 4 { // the bytes before characters of two and three
		for _, c := range []string{"é", "…", "x"} {
			s := strings.Repeat("a", ahead) + strings.Repeat(c, 5000) + "/3"
			width := g.Width(strings.Repeat(c, 4500), 12, scene.Regular)
			end, middle := scene.Elide(g, s, width, 12, scene.Regular), scene.ElideMiddle(g, s, width, 12, scene.Regular)
			for _, text := range []string{end, middle} {
				if strings.ContainsRune(text, '\uFFFD') || len(text) < 4000 || len(text) > 4200 {
					t.Errorf("%d letters and %s: %d bytes, from %q to %q", ahead, c, len(text), text[:8], text[len(text)-8:])
				}
			}
			if !strings.HasSuffix(middle, "/3") {
				t.Errorf("%d letters and %s: the end is %q", ahead, c, middle[len(middle)-8:])
			}
		}
	}
}

func TestElidedFits(t *testing.T) {
	g := glyph.New()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[a-zA-Zµ0-9 ,]{0,60}`).Draw(t, "text")
		width := rapid.Float32Range(0, 300).Draw(t, "width")
		end, middle := scene.Elide(g, s, width, 12, scene.Regular), scene.ElideMiddle(g, s, width, 12, scene.Regular)
		if w := max(g.Width(end, 12, scene.Regular), g.Width(middle, 12, scene.Regular)); w > width+0.01 {
			t.Fatalf("%q and %q are %g wide, want %g", end, middle, w, width)
		}
		if g.Width(s, 12, scene.Regular) <= width {
			if end != s || middle != s {
				t.Fatalf("%q became %q and %q without need", s, end, middle)
			}
		} else if kept, cut := strings.CutSuffix(end, "…"); end != "" && (!cut || !strings.HasPrefix(s, kept)) {
			t.Fatalf("%q became %q", s, end)
		} else if middle != "" && strings.Count(middle, "…") != 1 {
			t.Fatalf("%q became %q", s, middle)
		}
	})
}
