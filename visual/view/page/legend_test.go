package page_test

import (
	"fmt"
	"strings"
	"testing"

	"whorl/visual/testdata/bars"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/view"

	"pgregory.net/rapid"

	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
)

// TestNoHeadingAlone checks in small pictures that each heading of a long legend has rows below it, and that no note is cut off.
func TestNoHeadingAlone(t *testing.T) {
	var run view.Block
	for i := range 9 {
		run.Facts = append(run.Facts, view.Fact{Label: fmt.Sprintf("fact %d", i), Value: "value"})
	}
	run.Title = "Run"
	colours := view.Block{Title: "Colours", Columns: []string{"count"}}
	for i := range 10 {
		colours.Swatches = append(colours.Swatches, view.Swatch{Colors: []scene.Color{{A: 255}}, Label: fmt.Sprintf("swatch %d", i), Values: []string{"1"}, Sign: nil})
	}
	notes := view.Block{Title: "Notes", Notes: []string{"a long sentence that needs several lines at the width that there is last1.", "and one more of the kind last2."}}
	k := bars.Kind(view.Legend{Title: "Title", Subtitle: "Subtitle", Blocks: []view.Block{colours, run, notes}})
	g := glyph.New()
	headings := 0
	for _, size := range [][2]int{{160, 120}, {200, 150}, {240, 180}, {320, 240}, {180, 240}, {640, 480}} {
		l, err := drawtest.Render(t.Context(), k, bars.Trace(bars.TwoReductions...), nil, size[0], size[1], g)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string // headings begin with #
		for i := range l.Len() {
			if o := l.Op(i); o.Kind == scene.OpText {
				_, _, s, style := o.Text()
				switch text := string(s); {
				case style.Face == scene.Bold && text != "Title":
					lines = append(lines, "#"+text)
					headings++
				case text != "count":
					lines = append(lines, text)
				}
			}
		}
		all := strings.Join(lines, "\n")
		for i, s := range lines {
			if s[0] == '#' && (i+1 == len(lines) || lines[i+1][0] == '#') {
				t.Errorf("%dx%d: no rows below heading %s in\n%s", size[0], size[1], s, all)
			}
		}
		if strings.Contains(all, "a long") && !strings.Contains(all, "last1.") || strings.Contains(all, "and one") && !strings.Contains(all, "last2.") {
			t.Errorf("%dx%d: a note is cut off in\n%s", size[0], size[1], all)
		}
	}
	if headings < 9 {
		t.Errorf("%d headings were drawn, want at least 9", headings)
	}
}

// TestPagesHaveNoOverlaps draws random legends at random sizes.
func TestPagesHaveNoOverlaps(t *testing.T) {
	g := glyph.New()
	src := bars.Trace(bars.TwoReductions...)
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-zA-Z0-9/,%µ]{1,12}( [a-z0-9]{1,12}){0,4}`)
		block := rapid.Custom(func(t *rapid.T) view.Block {
			b := view.Block{Title: word.Draw(t, "title"), Notes: rapid.SliceOfN(word, 0, 2).Draw(t, "notes")}
			b.Columns = rapid.SliceOfN(word, 0, 3).Draw(t, "columns")
			for range rapid.IntRange(0, 14).Draw(t, "swatches") {
				b.Swatches = append(b.Swatches, view.Swatch{Colors: []scene.Color{scene.RGB(1, 2, 3)}, Label: word.Draw(t, "label"), Values: rapid.SliceOfN(word, len(b.Columns), len(b.Columns)).Draw(t, "values"), Sign: nil})
			}
			for range rapid.IntRange(0, 12).Draw(t, "facts") {
				b.Facts = append(b.Facts, view.Fact{Label: word.Draw(t, "label"), Value: word.Draw(t, "value")})
			}
			if rapid.Bool().Draw(t, "ramp") {
				b.Ramp = &view.Ramp{Colors: []scene.Color{scene.RGB(0, 0, 0), scene.RGB(255, 0, 0)}, Ticks: rapid.SliceOfN(word, 0, 5).Draw(t, "ticks")}
			}
			return b
		})
		k := bars.Kind(view.Legend{
			Title: word.Draw(t, "title"), Subtitle: word.Draw(t, "subtitle"), Warning: rapid.SampledFrom([]string{"", "Stopped by a limit: the trace ends there"}).Draw(t, "warning"),
			Blocks: rapid.SliceOfN(block, 0, 4).Draw(t, "blocks"),
		})
		w, h := rapid.IntRange(100, 4000).Draw(t, "w"), rapid.IntRange(100, 3000).Draw(t, "h")
		l, err := drawtest.Render(t.Context(), k, src, nil, w, h, g)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := viewtest.Texts(l, g); wrong != nil {
			t.Fatalf("%dx%d:\n%s", w, h, strings.Join(wrong, "\n"))
		}
	})
}

func TestTextsSeesOverlaps(t *testing.T) {
	g := glyph.New()
	style := scene.TextStyle{Size: 12}
	l := scene.New(100, 100)
	l.Text(10, 20, "over", style)
	l.Text(15, 24, "lap", style)
	l.Text(90, 50, "edge", style)
	l.Clip(0, 60, 100, 100)
	l.Text(10, 80, "inside", style)
	l.Pop()
	l.Text(10, 70, "in the drawing", style)
	wrong := viewtest.Texts(l, g)
	if len(wrong) != 3 { // the text inside the clip is correct
		t.Errorf("%d faults, want 3:\n%s", len(wrong), strings.Join(wrong, "\n"))
	}
}
