package page

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"whorl/visual/glyph"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestSquareImages checks that the picture of a square image gets room that the legend does not need, that the legend
// keeps its text, and that other images keep their layout.
func TestSquareImages(t *testing.T) {
	g := glyph.New()
	facts := func(n int) view.Block {
		b := view.Block{Title: "Run"}
		for i := range n {
			b.Facts = append(b.Facts, view.Fact{Label: fmt.Sprint("Number ", i), Value: fmt.Sprint(100 * i)})
		}
		return b
	}
	rows := view.Block{Title: "PE", Columns: []string{"reductions", "busy"}}
	for i := range 12 {
		rows.Swatches = append(rows.Swatches, view.Swatch{Label: fmt.Sprint("PE ", i), Values: []string{"1,234", "56.7 ms"}})
	}
	long := view.Block{Title: "Names", Swatches: []view.Swatch{{Label: strings.Repeat("a long name with many words ", 4)}}, Notes: []string{strings.Repeat("A sentence. ", 30)}}
	for _, c := range []struct {
		name   string
		w, h   float32
		place  string
		legend view.Legend
		least  float64 // side of the picture; 0 for that of the first layout
	}{
		{"few facts", 800, 800, LegendBeside, view.Legend{Blocks: []view.Block{facts(5)}}, 640},
		{"a table and facts", 800, 800, LegendBeside, view.Legend{Blocks: []view.Block{rows, facts(10)}}, 530},
		{"nearly square", 800, 760, LegendBeside, view.Legend{Blocks: []view.Block{rows, facts(10)}}, 490},
		{"long names", 800, 800, LegendBeside, view.Legend{Blocks: []view.Block{long}}, 433},
		{"small", 300, 300, LegendBeside, view.Legend{Blocks: []view.Block{facts(4)}}, 180},
		{"oblong", 1000, 800, LegendBeside, view.Legend{Blocks: []view.Block{facts(5)}}, 0},
		{"inside", 800, 800, LegendInside, view.Legend{Blocks: []view.Block{facts(5)}}, 770},
		{"none", 800, 800, LegendNone, view.Legend{Blocks: []view.Block{facts(5)}}, 770},
	} {
		p := newPage(c.w, c.h, 0, false, c.place, g)
		first := *p
		shown := func() []string {
			texts := viewtest.Strings(p.paintLegend(c.legend))
			slices.Sort(texts)
			return texts
		}
		before := shown()
		grown := p.enlarge(c.legend)
		side := min(p.picture.W(), p.picture.H())
		if was := min(first.picture.W(), first.picture.H()); grown != (side > was) || side < was || c.least == 0 && p.picture != first.picture || side < c.least {
			t.Errorf("%s: the picture has a side of %.0f, first %.0f, want at least %.0f", c.name, side, was, c.least)
		}
		letters := func(texts []string) int { return len(strings.ReplaceAll(strings.Join(texts, ""), " ", "")) }
		if after := shown(); letters(after) < letters(before) {
			t.Errorf("%s: the legend says %q, first %q", c.name, after, before)
		}
		if clipped := viewtest.Inside(p.paintLegend(c.legend), g); len(clipped) > 0 {
			t.Errorf("%s: %q", c.name, clipped)
		}
		if overlap := math.Min(p.picture.X1-p.panel.X0, p.picture.Y1-p.panel.Y0); c.place == LegendBeside && overlap > 0 {
			t.Errorf("%s: the legend covers %.0f pixels of the picture", c.name, overlap)
		}
	}
}
