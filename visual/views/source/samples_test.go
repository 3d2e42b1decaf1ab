package source

import (
	"slices"
	"strings"
	"testing"

	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestSampled reads the ticks beside each line and highlights lines by selections of all kinds.
func TestSampled(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 700, 2000)
	out := scene.New(800, 2100)
	view.Draw(g, f, out)
	l := g.layout(f)
	texts := map[int32]string{}
	for i := range out.Len() {
		if o := out.Op(i); o.Kind == scene.OpText {
			if _, y, s, _ := o.Text(); g.row(l, float64(y)) > 0 {
				texts[g.rows[g.row(l, float64(y))].line] += string(s) + "|"
			}
		}
	}
	for _, c := range []struct {
		line int32
		want string
	}{
		{3, "3|3|3.4 %|x = 0|"}, {12, "12|70|79.5 %|x(i) = y * y|"}, {13, "13|end do|"}, {82, "82|3|3.4 %|print *, x|"}, // of 88
	} {
		if texts[c.line] != c.want {
			t.Errorf("line %d says %q, want %q", c.line, texts[c.line], c.want)
		}
	}
	lines := func(n ...int32) (ls []view.Lines) {
		for _, n := range n {
			ls = append(ls, view.Lines{File: "spin.f90", First: n})
		}
		return ls
	}
	for _, c := range []struct {
		name string
		s    view.Selection
		want []int32
	}{
		{"a line", view.Selection{Lines: lines(12)}, []int32{12}},
		{"a line without ticks", view.Selection{Lines: lines(13)}, nil},
		{"the first line of a procedure", view.Selection{Lines: lines(9)}, nil},
		{"lines on a PE", view.Selection{Lines: []view.Lines{{File: "spin.f90", First: 1, Last: 12}}, PEs: []view.Span{{First: 2, Last: 2}}}, []int32{3, 5, 12}},
		{"an instruction", view.Selection{Codes: []uint32{viewtest.Step12b}}, []int32{12}},
		{"a procedure", view.Selection{Codes: []uint32{viewtest.Step}}, []int32{11, 12}},
		{"a PE", view.Selection{PEs: []view.Span{{First: 1, Last: 1}}}, []int32{3, 11, 12, 82}},
		{"a time", view.Selection{Time: &view.Span{First: 0, Last: 60}}, []int32{3, 5}},
		{"a task", view.Selection{Tasks: []view.Tasks{{First: 1}}}, nil},
	} {
		c.s.Trace = "t"
		var got []int32
		for _, r := range g.Locate(f, c.s) {
			got = append(got, g.rows[g.row(l, r.Y0+1)].line)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s lights %d, want %d", c.name, got, c.want)
		}
	}
	at := func(line int32) (x, y float64) { return l.text + 3, l.y(g.files[0].begin+line-1) + 3 }
	for _, line := range []int32{12, 13} { // lines with and without samples can be selected
		x, y := at(line)
		if s, ok := g.Hit(f, x, y); !ok || len(s.Lines) != 1 || s.Lines[0].First != line || len(s.Codes) != 0 {
			t.Errorf("line %d is %+v", line, s)
		}
	}
	x, y := at(12)
	if tip, _ := g.Tip(f, x, y); strings.Join(tip.Lines, "|") != "step|spin.f90:12|70 ticks, 79.5 %" {
		t.Errorf("%q", tip.Lines)
	}
	until := int64(60)
	f.Until = &until
	if got := g.counts(f.Counted()); slices.ContainsFunc(got[2:], func(c total) bool { return c.nodes > 0 }) || got[0].nodes != 3 || got[1].nodes != 4 {
		t.Errorf("until 60 ns: %v", got)
	}
}

// TestNumbersOfFewLines checks that large line numbers of a file without text, which has few rows, lie in the picture.
func TestNumbersOfFewLines(t *testing.T) {
	src := viewtest.Sampled()
	meta := src.Meta()
	meta.Source = nil
	src.SetMeta(meta)
	g, f := shown(t, src, 500, 400)
	if n := len(g.rows); n >= 10 {
		t.Fatalf("the listing has %d rows, want fewer than 10 for line 82", n)
	}
	if l := g.layout(f); l.number-f.Area.X0 < 2*l.digit+0.4*l.em {
		t.Errorf("line numbers of two digits end %g pixels from the left side, a digit has %g", l.number-f.Area.X0, l.digit)
	}
}

// TestWholeRows checks that only whole rows are drawn and that a cut line ends with an ellipsis.
func TestWholeRows(t *testing.T) {
	for _, height := range []float64{100, 111, 119} {
		g, f := kindtest.Shown[*Geometry](t, Kind(), viewtest.Sampled(), 130, height, "line", "9")
		out := scene.New(1000, 1000)
		view.Draw(g, f, out)
		cut, lowest := 0, 0.0
		for i := range out.Len() {
			if o := out.Op(i); o.Kind == scene.OpText {
				_, y, s, _ := o.Text()
				lowest = max(lowest, float64(y))
				if string(s) == "…" {
					cut++
				}
			}
		}
		line := g.layout(f).line
		if lowest+0.3*line > f.Area.Y1 || lowest < f.Area.Y1-2*line {
			t.Errorf("of %g pixels the last line is at %g", height, lowest)
		}
		if cut == 0 || cut >= int(height/line) { // subroutine step(x) is too long, do i = 1, n is not
			t.Errorf("%d lines are cut", cut)
		}
	}
}

// TestBeginsAtTheHottest checks that the listing of a long sampled program begins a little above the hottest line, or at the line set by
// the parameter, and that Home goes to the first line in both cases.
func TestBeginsAtTheHottest(t *testing.T) {
	for _, c := range []struct {
		line string
		want int
	}{{"0", 12 - hotAbove}, {"1", 0}, {"30", 29}} {
		g, f := kindtest.Shown[*Geometry](t, Kind(), viewtest.Sampled(), 500, 300, "line", c.line)
		if top := int(g.layout(f).top); top != c.want {
			t.Errorf("line %s: at the top is row %d, want %d", c.line, top, c.want)
		}
		for _, a := range g.Input(f, view.Input{Kind: view.Press, Key: "Home"}) {
			f.Camera = *a.Camera
		}
		if top := int(g.layout(f).top); top != 0 {
			t.Errorf("line %s: Home goes to row %d", c.line, top)
		}
	}
	if g, f := shown(t, long(100), 500, 300); g.layout(f).top != 0 {
		t.Errorf("a logic program begins at row %g", g.layout(f).top)
	}
}

// TestComments checks the class of comments in programs of all languages.
func TestComments(t *testing.T) {
	g, _ := shown(t, viewtest.Sampled(), 500, 300)
	for _, c := range []struct {
		line int32
		want class
	}{{1, plain}, {2, comment}, {12, plain}, {40, comment}} {
		row, _, _ := g.rowsOf(view.Lines{File: "spin.f90", First: c.line})
		if got := g.rows[row].spans[0].class; got != c.want {
			t.Errorf("line %d, %q: class %d, want %d", c.line, g.rows[row].text, got, c.want)
		}
	}
}
