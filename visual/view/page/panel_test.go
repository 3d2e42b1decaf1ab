package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestNoRowIsLostSilently checks in panels of random sizes that each row of a legend is drawn or counted by an "and n more" line.
func TestNoRowIsLostSilently(t *testing.T) {
	g := glyph.New()
	style := view.NewStyle(false, 12)
	rapid.Check(t, func(t *rapid.T) {
		var l view.Legend
		n, names := 0, map[string]bool{}
		name := func(kind string) string {
			s := fmt.Sprint(kind, n)
			n++
			names[s] = true
			return s
		}
		for range rapid.IntRange(1, 4).Draw(t, "blocks") {
			b := view.Block{Title: "Title"}
			if rapid.Bool().Draw(t, "numbers") {
				b.Columns = []string{"number"}
			}
			for range rapid.IntRange(0, 14).Draw(t, "swatches") {
				b.Swatches = append(b.Swatches, view.Swatch{Colors: []scene.Color{{A: 255}}, Label: name("swatch"), Values: []string{"1"}[:len(b.Columns)]})
			}
			for range rapid.IntRange(0, 14).Draw(t, "facts") {
				b.Facts = append(b.Facts, view.Fact{Label: name("f"), Value: strings.Repeat("v", rapid.IntRange(1, 12).Draw(t, "long"))})
			}
			for range rapid.IntRange(0, 2).Draw(t, "notes") {
				b.Notes = append(b.Notes, name("note"))
			}
			if rapid.Bool().Draw(t, "ramp") {
				b.Ramp = &view.Ramp{Colors: []scene.Color{{A: 255}, {R: 255, A: 255}}, Ticks: []string{name("r")}}
			}
			l.Blocks = append(l.Blocks, b)
		}
		w, h := rapid.Float64Range(150, 500).Draw(t, "w"), rapid.Float64Range(17, 1200).Draw(t, "h")
		out := scene.New(float32(w), float32(h))
		DrawLegend(l, scene.Rect{X1: w, Y1: h}, style, g, out)
		if wrong := viewtest.Texts(out, g); len(wrong) > 0 {
			t.Fatalf("%gx%g:\n%s", w, h, strings.Join(wrong, "\n"))
		}
		shown, more := 0, 0
		for _, text := range viewtest.Strings(out) {
			var k int
			if _, err := fmt.Sscanf(text, "and %d more", &k); err == nil {
				more += k
			}
			if names[text] {
				shown++
			}
		}
		if shown+more != n {
			t.Fatalf("%gx%g: %d rows drawn and %d counted, want %d together:\n%s", w, h, shown, more, n, strings.Join(viewtest.Strings(out), "\n"))
		}
	})
}

// TestNamesAreToldApart: names that would be shortened alike take two lines, others one.
func TestNamesAreToldApart(t *testing.T) {
	g := glyph.New()
	var l view.Legend
	b := view.Block{Title: "Critical path", Columns: []string{"share"}}
	for _, name := range []string{"runs whorl/dts.(*stacked).run.func1", "runs whorl/dts.(*queued).run.func1", "runs whorl/dts_test.TestLoopForksLazily"} {
		b.Swatches = append(b.Swatches, view.Swatch{Colors: []scene.Color{{A: 255}}, Label: name, Values: []string{"1 %"}})
	}
	l.Blocks = []view.Block{b}
	out := scene.New(200, 400)
	DrawLegend(l, scene.Rect{X1: 200, Y1: 400}, view.NewStyle(false, 12), g, out)
	if wrong := viewtest.Texts(out, g); len(wrong) > 0 {
		t.Error(strings.Join(wrong, "\n"))
	}
	texts := viewtest.Strings(out)
	for _, part := range []string{"(*stacked).run.func1", "(*queued).run.func1"} {
		if !slices.Contains(texts, part) {
			t.Errorf("%s is not among %q", part, texts)
		}
	}
	if n := len(slices.DeleteFunc(texts, func(s string) bool { return !strings.HasPrefix(s, "runs") })); n != 3 {
		t.Errorf("%d names in %q", n, texts)
	}
}

// TestLegendsAreSetDensely checks that rows without numbers are set two to a line if there is too little room, before any are left out.
func TestLegendsAreSetDensely(t *testing.T) {
	g := glyph.New()
	style := view.NewStyle(false, 12)
	l := view.Legend{Blocks: []view.Block{{Title: "Run"}}}
	for i := range 10 {
		l.Blocks[0].Facts = append(l.Blocks[0].Facts, view.Fact{Label: fmt.Sprint("fact ", i), Value: "1"})
	}
	line := float64(scene.Round(12 * view.LineEms))
	for _, c := range []struct {
		lines float64
		rows  int // with facts
		more  string
	}{{11, 10, ""}, {10, 5, ""}, {6, 5, ""}, {5, 4, "and 3 more"}} {
		out := scene.New(300, float32(c.lines*line))
		DrawLegend(l, scene.Rect{X1: 300, Y1: c.lines * line}, style, g, out)
		rows := map[float32]bool{}
		for i := range out.Len() {
			if o := out.Op(i); o.Kind == scene.OpText {
				if _, y, s, _ := o.Text(); strings.HasPrefix(string(s), "fact") || strings.HasSuffix(string(s), "more") {
					rows[y] = true
				}
			}
		}
		if len(rows) != c.rows || slices.Contains(viewtest.Strings(out), c.more) != (c.more != "") {
			t.Errorf("panel of %g lines: %d lines with facts, want %d and %q:\n%s", c.lines, len(rows), c.rows, c.more, strings.Join(viewtest.Strings(out), "\n"))
		}
	}
}

// TestLabelsOfFacts checks that only long values shorten the labels beside them.
func TestLabelsOfFacts(t *testing.T) {
	g := glyph.New()
	for _, c := range []struct{ label, value, shown string }{
		{"Attraction constant", "2.00", "Attraction constant"},
		{"Attraction constant", strings.Repeat("long ", 9), "Attraction cons…"},
	} {
		l := view.Legend{Blocks: []view.Block{{Facts: []view.Fact{{Label: c.label, Value: c.value}, {Label: "Mass", Value: "1"}}}}}
		for _, lines := range []float64{9, 2} { // one or two facts on a line
			out := scene.New(200, float32(lines)*18)
			DrawLegend(l, scene.Rect{X1: 200, Y1: lines * 18}, view.NewStyle(false, 12), g, out)
			if texts := viewtest.Strings(out); !slices.Contains(texts, c.shown) {
				t.Errorf("%q with the value %q in %g lines: texts %q", c.label, c.value, lines, texts)
			}
		}
	}
}

// TestLongHeadings checks that the heading of colours continues on a second line where it does not fit, and that no text covers it.
func TestLongHeadings(t *testing.T) {
	g := glyph.New()
	l := view.Legend{Blocks: []view.Block{{Title: "Bodies: messages sent in 4.29 ms", Ramp: &view.Ramp{Colors: make([]scene.Color, 9), Ticks: []string{"0", "1"}}}}}
	out := scene.New(160, 200)
	DrawLegend(l, scene.Rect{X1: 160, Y1: 200}, view.NewStyle(false, 12), g, out)
	texts := strings.Join(viewtest.Strings(out), " ")
	if !strings.Contains(texts, l.Blocks[0].Title) || slices.Contains(viewtest.Strings(out), l.Blocks[0].Title) {
		t.Errorf("texts %q", texts)
	}
	if wrong := viewtest.Texts(out, g); len(wrong) > 0 {
		t.Error(wrong)
	}
}

// TestWarningsStay checks that panels and strips of all sizes with enough room show the warning.
func TestWarningsStay(t *testing.T) {
	g := glyph.New()
	style := view.NewStyle(true, 12)
	l := view.Legend{Warning: "Stopped by a limit: the trace ends there", Blocks: []view.Block{{Title: "PE"}}}
	for i := range 30 {
		l.Blocks[0].Swatches = append(l.Blocks[0].Swatches, view.Swatch{Colors: []scene.Color{{A: 255}}, Label: fmt.Sprint("PE ", i)})
	}
	for _, h := range []float64{40, 60, 100, 1000} {
		out := scene.New(200, float32(h))
		DrawLegend(l, scene.Rect{X1: 200, Y1: h}, style, g, out)
		if all := strings.Join(viewtest.Strings(out), " "); !strings.HasPrefix(all, l.Warning) {
			t.Errorf("panel of height %g: texts %q, want the warning first", h, all)
		}
	}
	out := scene.New(300, 40)
	DrawStrip(l, scene.Rect{X1: 300, Y1: 40}, 1, style, g, out)
	if texts := viewtest.Strings(out); len(texts) == 0 || texts[0] != "Stopped by a limit" {
		t.Errorf("strip: texts %q, want the warning first", texts)
	}
}

// TestLegendPlaces checks that without a legend the picture fills the image and has no text, and that a legend inside lies over it.
func TestLegendPlaces(t *testing.T) {
	g := glyph.New()
	l := view.Legend{Title: "Title", Subtitle: "Subtitle", Blocks: []view.Block{{Title: "Run", Facts: []view.Fact{{Label: "PEs", Value: "4"}}}}}
	var wide []float64
	for _, place := range LegendPlaces {
		p := newPage(600, 600, 0, false, place, g)
		wide = append(wide, min(p.picture.W(), p.picture.H()))
		out := scene.New(600, 600)
		p.draw(out, l)
		texts := viewtest.Strings(out)
		if place == LegendNone {
			if out.Len() > 0 {
				t.Errorf("%s: %q", place, texts)
			}
			continue
		}
		want := []string{"Title", "Subtitle", "Run", "PEs", "4"}
		if place == LegendBelow {
			want = want[:2] // it has no numbers
		}
		if !slices.Equal(texts, want) {
			t.Errorf("%s: %q", place, texts)
		}
		if clipped := viewtest.Inside(out, g); len(clipped) > 0 {
			t.Errorf("%s: %q", place, clipped)
		}
	}
	if wide[0] > 500 || wide[1] < 500 || wide[2] < 570 || wide[3] != wide[2] {
		t.Errorf("sides of the picture: %v", wide)
	}
}

// TestLegendBelow checks that a legend below the picture names its colours in few lines and leaves the picture the rest, whatever the sides of the
// image, and that a page has the font that the user wants.
func TestLegendBelow(t *testing.T) {
	l := view.Legend{Title: "Title", Blocks: []view.Block{{Title: "State", Swatches: []view.Swatch{{Label: "busy"}, {Label: "idle"}}}}}
	for _, c := range []struct{ w, h, font float32 }{{600, 400, 0}, {1600, 400, 0}, {400, 1600, 0}, {669, 472, 22}} {
		p := newPage(c.w, c.h, c.font, false, LegendBelow, glyph.New())
		if !p.enlarge(l) {
			t.Error("the legend has no room")
		}
		out := scene.New(c.w, c.h)
		p.draw(out, l)
		if texts := viewtest.Strings(out); !slices.Equal(texts, []string{"Title", "State", "busy", "idle"}) {
			t.Errorf("%g x %g: %q", c.w, c.h, texts)
		}
		if p.picture.W() < float64(c.w-2*p.margin) || p.picture.Y1 > p.panel.Y0 || p.panel.H() > float64(4*p.style.Font) || c.font > 0 && p.style.Font != c.font {
			t.Errorf("%g x %g: picture %v, panel %v, font %g", c.w, c.h, p.picture, p.panel, p.style.Font)
		}
	}
}
