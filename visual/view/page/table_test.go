package page

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"whorl/visual/testdata/bars"

	"pgregory.net/rapid"

	"whorl/tracer"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// reductions returns a trace of n reductions on the first of pes PEs.
func reductions(pes, n int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "test", PEs: pes})
	s := m.Stream(tracer.StreamInfo{})
	for i := range n {
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Task: uint64(i + 1), Time: int64(i)}
	}
	s.Sync()
	return m
}

func TestTablesHaveNoOverlaps(t *testing.T) {
	g := glyph.New()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-zA-Z0-9µ]{1,12}( [a-z0-9]{1,12}){0,3}`)
		block := view.Block{Title: word.Draw(t, "title"), Notes: rapid.SliceOfN(word, 0, 2).Draw(t, "notes"), Columns: []string{"n"}}
		for range rapid.IntRange(0, 20).Draw(t, "swatches") {
			block.Swatches = append(block.Swatches, view.Swatch{Colors: []scene.Color{scene.RGB(1, 2, 3)}, Label: word.Draw(t, "label"), Values: []string{"1"}, Sign: nil})
		}
		table := Table{
			Views: []TableView{{Kind: bars.Kind(view.Legend{Title: "x", Blocks: []view.Block{block, {Notes: []string{"condensed"}}}})}}, Title: word.Draw(t, "title"), Subtitle: word.Draw(t, "subtitle"),
			Columns: rapid.SliceOfN(word, 1, 5).Draw(t, "columns"), Rows: rapid.SliceOfN(word, 1, 5).Draw(t, "rows"),
		}
		for range len(table.Columns) * len(table.Rows) {
			c := TableCell{Name: "cell", Caption: word.Draw(t, "caption")}
			if rapid.Bool().Draw(t, "there") {
				c.Source = reductions(rapid.IntRange(1, 4).Draw(t, "pes"), rapid.IntRange(0, 9).Draw(t, "reductions"))
			}
			table.Cells = append(table.Cells, c)
		}
		for range rapid.IntRange(0, 6).Draw(t, "facts") {
			table.Facts = append(table.Facts, view.Fact{Label: word.Draw(t, "label"), Value: word.Draw(t, "value")})
		}
		w, h := 0, 0
		if rapid.Bool().Draw(t, "sized") {
			w, h = rapid.IntRange(100, 3000).Draw(t, "w"), rapid.IntRange(100, 3000).Draw(t, "h")
		}
		l, err := table.Picture(context.Background(), w, h, g)
		if err != nil {
			if w == 0 || !strings.Contains(err.Error(), "is too small") {
				t.Fatal(err)
			}
			return
		}
		if w > 0 && (l.W != float32(w) || l.H != float32(h)) {
			t.Fatalf("%gx%g, want %dx%d", l.W, l.H, w, h)
		}
		if wrong := viewtest.Texts(l, g); wrong != nil {
			t.Fatalf("%gx%g:\n%s", l.W, l.H, strings.Join(wrong, "\n"))
		}
	})
}

// barsOf returns the widths and heights of the bars in a picture, cell by cell.
func barsOf(l *scene.List) (out []string) {
	for i := range l.Len() {
		switch o := l.Op(i); o.Kind {
		case scene.OpGroup:
			_, title := o.Group()
			out = append(out, string(title)+":")
		case scene.OpRect:
			if x0, y0, x1, y1 := o.Rect(); len(out) > 0 && x0 > 0 {
				out[len(out)-1] += fmt.Sprintf(" %.0fx%.0f", max(x1-x0, x0-x1), max(y1-y0, y0-y1))
			}
		}
	}
	return out
}

// TestTableHasOneScale checks that bars are equally wide in runs on 1 and on 4 PEs, and that cells without a picture say so.
func TestTableHasOneScale(t *testing.T) {
	table := Table{
		Views: []TableView{{Kind: bars.Kind(view.Legend{})}}, Title: "t", Columns: []string{"1 PE", "4 PEs"}, Rows: []string{"a", "b"},
		Cells: []TableCell{
			{Source: reductions(1, 2), Name: "a on 1"},
			{Source: reductions(4, 8), Name: "a on 4"},
			{Source: bars.Trace(), Name: "b on 1"},
			{Source: nil, Name: "b on 4"},
		},
	}
	l, err := table.Picture(context.Background(), 0, 0, glyph.New())
	if err != nil {
		t.Fatal(err)
	}
	bars := barsOf(l)
	if len(bars) != 2 {
		t.Fatalf("bars in %d cells, want 2: %q", len(bars), bars)
	}
	one, four := strings.Fields(bars[0]), strings.Fields(bars[1])
	w1, h1, _ := strings.Cut(one[3], "x")
	w4, h4, _ := strings.Cut(four[3], "x")
	if w1 != w4 || len(one) != 4 || len(four) != 7 || len(h4) <= len(h1) && h4 <= h1 {
		t.Errorf("bars %q and %q", one, four)
	}
	if n := strings.Count(strings.Join(viewtest.Strings(l), "\n"), "no picture"); n != 2 {
		t.Errorf("%d cells say that they have no picture, want 2:\n%q", n, viewtest.Strings(l))
	}
}

// TestTableLegend checks that the common legend has the colours of the cell with the most, but no numbers of a single run.
func TestTableLegend(t *testing.T) {
	block := view.Block{Title: "PE", Columns: []string{"reductions"}, Swatches: []view.Swatch{{Colors: []scene.Color{scene.RGB(1, 2, 3)}, Label: "PE 0", Values: []string{"4,321"}, Sign: nil}}, Notes: []string{"shared"}}
	table := Table{
		Views: []TableView{{Kind: bars.Kind(view.Legend{Blocks: []view.Block{block, {Title: "Run", Facts: []view.Fact{{Label: "Own", Value: "7"}}}, {Notes: []string{"cut"}}}})}}, Columns: []string{"1 PE"}, Rows: []string{""},
		Cells: []TableCell{{Source: reductions(1, 2), Name: "one"}}, Facts: []view.Fact{{Label: "Machine", Value: "m"}},
	}
	l, err := table.Picture(context.Background(), 0, 0, glyph.New())
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(viewtest.Strings(l), "|")
	for _, want := range []string{"PE 0", "shared", "Machine|m", "Condensed"} {
		if !strings.Contains(got, want) {
			t.Errorf("the legend lacks %q: %q", want, got)
		}
	}
	for _, not := range []string{"4,321", "Own", "assign them differently"} {
		if strings.Contains(got, not) {
			t.Errorf("the legend contains %q: %q", not, got)
		}
	}
	if block.Swatches[0].Values == nil {
		t.Error("the legend of the view was modified")
	}
}

func TestTableErrors(t *testing.T) {
	one := []TableCell{{Source: reductions(1, 2), Name: "one"}}
	for _, c := range []struct {
		table Table
		w, h  int
		want  string
	}{
		{Table{Columns: []string{"a", "b"}, Rows: []string{""}, Cells: one}, 0, 0, "2 columns and 1 rows has 1 cells"},
		{Table{}, 0, 0, "0 columns"},
		{Table{Columns: []string{"a"}, Rows: []string{""}, Cells: one}, 70, 70, "too small for 1 by 1 pictures: at least"},
		{Table{Columns: []string{"a"}, Rows: []string{""}, Cells: one}, 0, 70, "expected each side from"},
		{Table{Columns: []string{"a"}, Rows: []string{""}, Cells: one, Views: []TableView{{Params: map[string]string{"scale": "x"}}}}, 0, 0, "whole number"},
		{Table{Columns: []string{"a"}, Rows: []string{""}, Cells: one, Views: []TableView{{Params: map[string]string{"scale": "13"}}}}, 0, 0, "one: "},
	} {
		if c.table.Views == nil {
			c.table.Views = make([]TableView, 1)
		}
		c.table.Views[0].Kind = bars.Kind(view.Legend{})
		if _, err := c.table.Picture(context.Background(), c.w, c.h, glyph.New()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestTableRows draws two views of two rows of runs, of which the second has fewer PEs.
func TestTableRows(t *testing.T) {
	colours := view.Block{Title: "PE", Swatches: []view.Swatch{{Colors: []scene.Color{scene.RGB(1, 2, 3)}, Label: "PE 0", Values: nil, Sign: nil}}}
	for _, c := range []struct {
		own  bool
		same bool // bars of both rows are equally wide
	}{{false, true}, {true, false}} {
		first, second := bars.Kind(view.Legend{Blocks: []view.Block{colours}}), bars.Kind(view.Legend{Blocks: []view.Block{colours, {Title: "Reading it", Notes: []string{"note"}}}})
		first.Title, second.Title = "Bars", "Other bars"
		table := Table{
			Views: []TableView{{Kind: first}, {Kind: second, Params: map[string]string{"scale": "2"}}}, Own: c.own, Title: "t", Columns: []string{"1 PE"},
			Rows: []string{"many", "one"}, Facts: []view.Fact{{Label: "Machine", Value: "m"}},
			Cells: []TableCell{{Source: reductions(40, 8), Name: "many", Time: 7}, {Source: reductions(1, 2), Name: "one", Time: 1}},
		}
		l, err := table.Picture(context.Background(), 0, 0, glyph.New())
		if err != nil {
			t.Fatal(err)
		}
		bars := barsOf(l)
		if len(bars) != 4 {
			t.Fatalf("own %t: bars in %d cells, want 4: %q", c.own, len(bars), bars)
		}
		for _, k := range []int{0, 2} {
			many, _, _ := strings.Cut(strings.Fields(bars[k])[1], "x")
			one, _, _ := strings.Cut(strings.Fields(bars[k+1])[1], "x")
			if (many == one) != c.same {
				t.Errorf("own %t: bars %q and %q", c.own, bars[k], bars[k+1])
			}
		}
		texts := strings.Join(viewtest.Strings(l), "|")
		if strings.Count(texts, "PE 0") != 1 || strings.Count(texts, "Bars") != 2 || strings.Count(texts, "Other bars") != 2 || strings.Contains(texts, "Condensed") {
			t.Errorf("own %t: %q", c.own, texts)
		}
	}
}

// TestTableSubtitle checks that a narrow picture shows all of a long subtitle, in lines above the heads of its columns.
func TestTableSubtitle(t *testing.T) {
	subtitle := strings.TrimSpace(strings.Repeat("all on one scale of time; ", 8))
	table := Table{
		Views: []TableView{{Kind: bars.Kind(view.Legend{})}}, Title: "title", Subtitle: subtitle, Columns: []string{"1 PE"}, Rows: []string{""},
		Cells: []TableCell{{Source: reductions(1, 2), Name: "one"}},
	}
	l, err := table.Picture(context.Background(), 0, 0, glyph.New())
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(viewtest.Strings(l), " "); !strings.Contains(got, subtitle) {
		t.Errorf("the picture lacks a part of its subtitle: %q", got)
	}
	last, head := float32(0), float32(0)
	for i := range l.Len() {
		if o := l.Op(i); o.Kind == scene.OpText {
			switch _, y, s, _ := o.Text(); {
			case strings.Contains(string(s), "scale"):
				last = y
			case string(s) == "1 PE":
				head = y
			}
		}
	}
	if head <= last {
		t.Errorf("the head of a column is at %g, the subtitle ends at %g", head, last)
	}
}

// TestTableFills draws two runs in a given size. The bars of both have one scale, and are higher where pictures take all the room than where they
// keep their shapes.
func TestTableFills(t *testing.T) {
	draw := func(fill bool) string {
		table := Table{
			Views: []TableView{{Kind: bars.Kind(view.Legend{Title: "x"})}}, Title: "Bars", Columns: []string{"a", "b (reference)"}, Rows: []string{""}, Fill: fill,
			Cells: []TableCell{{Source: reductions(1, 4), Name: "a"}, {Source: reductions(1, 8), Name: "b"}},
		}
		l, err := table.Picture(t.Context(), 600, 800, glyph.New())
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(barsOf(l), "; ")
	}
	if got, want := draw(false), "a: 32x162; b: 32x324"; got != want {
		t.Errorf("pictures that keep their shapes have the bars\n%s, want\n%s", got, want)
	}
	if got, want := draw(true), "a: 53x264; b: 53x528"; got != want {
		t.Errorf("pictures that take all the room have the bars\n%s, want\n%s", got, want)
	}
}
