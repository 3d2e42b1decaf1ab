package detail

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

var glyphs = kindtest.Glyphs

func kinds() []*view.Kind { return []*view.Kind{Kind(), Extremes(), Assembler()} }

func TestPictures(t *testing.T) {
	for _, k := range kinds() {
		kindtest.Golden(t, k.Name+".txt", k, viewtest.Sampled(), 1000, 500, nil)
	}
}

func TestTexts(t *testing.T) {
	for _, k := range kinds() {
		sources := []tracer.Source{viewtest.Sampled(), viewtest.Spike(3000, 200, 1), viewtest.Small()}
		kindtest.Texts(t, k, nil, sources...)
		if k.Name != "minmax" {
			for _, mode := range lineplot.Processors.Choices {
				kindtest.Texts(t, k, map[string]string{"processors": mode, "sort": "ticks"}, sources...)
			}
		}
	}
}

func TestAnyFrame(t *testing.T) {
	for _, k := range kinds() {
		for _, src := range []*tracer.Memory{viewtest.Sampled(), viewtest.Spike(3000, 200, 1)} {
			g, _ := kindtest.Shown[view.Picture](t, k, src, 600, 400)
			kindtest.AnyFrame(t, k, g)
		}
	}
}

func shown(t testing.TB, k *view.Kind, src tracer.Source, params ...string) (*Geometry, *view.Frame, *layout) {
	t.Helper()
	g, f := kindtest.Shown[*Geometry](t, k, src, 900, 400, params...)
	return g, f, g.layout(f)
}

// rowTexts returns the texts of a picture by row of the detail.
func rowTexts(l *layout, out *scene.List) map[int][]string {
	texts := map[int][]string{}
	for i := range out.Len() {
		if o := out.Op(i); o.Kind == scene.OpText {
			_, y, s, _ := o.Text()
			if row := l.rowAt(float64(y)); row >= 0 {
				texts[row] = append(texts[row], string(s))
			}
		}
	}
	return texts
}

// TestNumbers reads the ticks of Sampled from the cells of the picture, and the extremes, means and variances beside them.
func TestNumbers(t *testing.T) {
	g, f, l := shown(t, Kind(), viewtest.Sampled(), "line", "1")
	out := scene.New(1000, 500)
	view.Draw(g, f, out)
	texts := rowTexts(l, out)
	for _, c := range []struct {
		line int
		want string
	}{
		{3, "1 1 1 1 0 1 0 1.0 0.0"},
		{5, "0 0 4 0 0 4 2 1.3 3.6"},
		{11, "6 2 0 0 2 6 0 2.7 6.2"},
		{12, "40 20 10 10 2 40 0 23.3 155.6"}, // (40²+20²+10²)/3 - (70/3)²
	} {
		got := texts[c.line-1]
		got = slices.DeleteFunc(slices.Clone(got), func(s string) bool {
			return s == strconv.Itoa(c.line) && s != "3" && s != "5" || strings.ContainsAny(s, "xyai")
		})
		if c.line == 3 || c.line == 5 {
			got = slices.Delete(got, slices.Index(got, strconv.Itoa(c.line)), slices.Index(got, strconv.Itoa(c.line))+1)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("line %d reads %q, want %q", c.line, got, c.want)
		}
	}
	for row, s := range texts {
		if line := row + 1; !slices.Contains([]int{3, 5, 11, 12}, line) && len(s) > 2 {
			t.Errorf("line %d without ticks reads %q", line, s)
		}
	}
}

// TestBlack checks that exactly the cells without ticks are black.
func TestBlack(t *testing.T) {
	g, f, l := shown(t, Kind(), viewtest.Sampled(), "line", "1")
	out := scene.New(1000, 500)
	view.Draw(g, f, out)
	color := func(row, column int) (c scene.Color) {
		x, y := (l.x(column)+l.x(column+1))/2, (l.y(row)+l.y(row+1))/2
		for i := range out.Len() {
			if o := out.Op(i); o.Kind == scene.OpRect {
				if x0, y0, x1, y1 := o.Rect(); x0 <= float32(x) && float32(x) < x1 && y0 <= float32(y) && float32(y) < y1 {
					c = o.Color
				}
			}
		}
		return c
	}
	ticks := map[int][3]int64{3: {1, 1, 1}, 5: {0, 0, 4}, 11: {6, 2, 0}, 12: {40, 20, 10}}
	scale := l.scale()
	for row := l.first; row < l.end; row++ {
		for pe := range 3 {
			want := scale.Color(ticks[row+1][pe])
			if got := color(row, pe); got != want {
				t.Errorf("line %d on PE %d is %v, want %v", row+1, pe, got, want)
			}
		}
	}
	if scale.Color(0) != scale.None || scale.Color(40) == scale.Color(39) {
		t.Error("the hottest colour is not that of the hottest spot alone")
	}
}

// TestAlignedViews checks that the detail and the extremes show a line at the same height.
func TestAlignedViews(t *testing.T) {
	src := viewtest.Sampled()
	_, _, a := shown(t, Kind(), src)
	_, _, b := shown(t, Extremes(), src)
	if a.first != b.first || a.end != b.end || a.y(a.first+5) != b.y(b.first+5) {
		t.Errorf("rows %d to %d and %d to %d", a.first, a.end, b.first, b.end)
	}
}

// TestHit selects lines, cells and processors by position and locates them again.
func TestHit(t *testing.T) {
	g, f, l := shown(t, Kind(), viewtest.Sampled(), "line", "1")
	mid := func(row int) float64 { return (l.y(row) + l.y(row+1)) / 2 }
	lines := func(n int32) []view.Lines { return []view.Lines{{File: "spin.f90", First: n, Last: n}} }
	for _, c := range []struct {
		name string
		x, y float64
		want view.Selection
	}{
		{"the text of line 12", l.text + 5, mid(11), view.Selection{Trace: "t", Lines: lines(12)}},
		{"the number of line 2", l.number - 2, mid(1), view.Selection{Trace: "t", Lines: lines(2)}},
		{"a cell", l.x(1) + 2, mid(11), view.Selection{Trace: "t", Lines: lines(12), PEs: []view.Span{{First: 1, Last: 1}}}},
		{"an empty cell", l.x(2) + 2, mid(10), view.Selection{Trace: "t", Lines: lines(11)}},
		{"a heading", l.x(2) + 2, l.top - 3, view.Selection{Trace: "t", PEs: []view.Span{{First: 2, Last: 2}}}},
		{"the overview of the file", f.Area.X1 - 2, mid(3), view.Selection{}},
	} {
		got, ok := g.Hit(f, c.x, c.y)
		if ok == c.want.Empty() || !got.Equal(c.want) {
			t.Errorf("%s: %+v", c.name, got)
		}
		if len(c.want.Lines) > 0 && len(c.want.PEs) == 0 {
			if at := g.Locate(f, got); len(at) != 1 || at[0].Y0 != l.y(int(c.want.Lines[0].First)-1) {
				t.Errorf("%s is found at %v", c.name, at)
			}
		}
	}
	// In another order the same position selects another processor.
	g, f, l = shown(t, Kind(), viewtest.Sampled(), "line", "1", "order", "2,0")
	if got, _ := g.Hit(f, l.x(0)+2, mid(11)); !slices.Equal(got.PEs, []view.Span{{First: 2, Last: 2}}) {
		t.Errorf("the first column is %v", got.PEs)
	}
	g, f, l = shown(t, Kind(), viewtest.Sampled(), "line", "1", "processors", "ranks")
	if got, _ := g.Hit(f, l.x(0)+2, mid(11)); len(got.PEs) != 0 || len(got.Lines) != 1 {
		t.Errorf("a rank is %+v", got)
	}
}

// TestSelectedElsewhere highlights the lines of the selections of other views.
func TestSelectedElsewhere(t *testing.T) {
	g, f, _ := shown(t, Kind(), viewtest.Sampled(), "line", "1")
	for _, c := range []struct {
		name string
		s    view.Selection
		want []int // the first line of each range
	}{
		{"an instruction", view.Selection{Codes: []uint32{viewtest.Step12b}}, []int{12}},
		{"a line", view.Selection{Codes: []uint32{viewtest.Spin5}}, []int{5}},
		{"a procedure", view.Selection{Codes: []uint32{viewtest.Step}}, []int{9}},
		{"a PE", view.Selection{PEs: []view.Span{{First: 2, Last: 2}}}, []int{3, 5, 12}},
		{"nothing", view.Selection{}, nil},
	} {
		c.s.Trace = "t"
		var got []int
		for _, r := range g.Locate(f, c.s) {
			l := g.layout(f)
			got = append(got, l.rowAt(r.Y0+1)+1)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s lights %d, want %d", c.name, got, c.want)
		}
	}
}

func press(key string) view.Input { return view.Input{Kind: view.Press, Key: key} }

// TestScroll moves the lines shared by all views.
func TestScroll(t *testing.T) {
	for _, k := range []*view.Kind{Kind(), Extremes()} {
		g, f, _ := shown(t, k, viewtest.Sampled())
		var s view.State
		_ = s.Apply(view.Action{Do: view.OpenTrace, Name: "t"})
		_ = s.Apply(view.Action{Do: view.AddPane, Name: k.Name, Value: "t"})
		do := func(in view.Input) view.Lines {
			for _, a := range g.Input(f, in) {
				if err := s.Apply(a); err != nil {
					t.Fatal(err)
				}
			}
			if f.Detail = s.Shared.Detail; f.Detail == nil {
				return view.Lines{}
			}
			return *f.Detail
		}
		x, y := f.Area.X0+100, f.Area.Y0+200
		n := g.layout(f).count
		for _, c := range []struct {
			name        string
			in          view.Input
			first, last int
		}{
			{"home", press("Home"), 1, n},
			{"the wheel", view.Input{Kind: view.Wheel, X: x, Y: y, DY: -1}, 4, n + 3},
			{"an arrow", press("ArrowDown"), 5, n + 4},
			{"above the first", view.Input{Kind: view.Wheel, X: x, Y: y, DY: 50}, 1, n},
			{"a page", press("PageDown"), n - 1, 2*n - 2},
			{"the end", press("End"), 91 - n, 90},
			{"the hottest", press("u"), 12 - n/2, 12 - n/2 + n - 1},
		} {
			if got := do(c.in); got.First != int32(max(c.first, 1)) || got.End() != int32(max(c.first, 1)+n-1) && got.End() != int32(c.last) {
				t.Errorf("%s, %s: %+v, want %d to %d", k.Name, c.name, got, c.first, c.last)
			}
		}
		more := do(press("-"))
		if count := int(more.End() - more.First + 1); count <= n {
			t.Errorf("zoomed out to %d lines of %d", count, n)
		}
		if l := g.layout(f); l.end-l.first != int(more.End()-more.First+1) {
			t.Errorf("%d rows are seen, want %+v", l.end-l.first, more)
		}
		do(press("f"))
		if s.Shared.Detail != nil {
			t.Errorf("still %+v", s.Shared.Detail)
		}
	}
}

// TestShow moves the detail to a selection that is out of sight, and leaves it otherwise.
func TestShow(t *testing.T) {
	for _, k := range kinds() {
		p, f := kindtest.Shown[view.Picture](t, k, viewtest.Sampled(), 900, 400, "line", "1")
		g := p.(view.Shower)
		if l, ok := g.Show(f, view.Selection{Trace: "t", Codes: []uint32{viewtest.Spin3}}); ok {
			t.Errorf("%s: moves to %+v although line 3 is visible", k.Name, l)
		}
		l, ok := g.Show(f, view.Selection{Trace: "t", Codes: []uint32{viewtest.Last}})
		if !ok || l.First > 82 || l.End() < 82 || l.File != "spin.f90" {
			t.Errorf("%s: moves to %+v, want line 82", k.Name, l)
		}
		f.Detail = &l
		if l, ok := g.Show(f, view.Selection{Trace: "t", Codes: []uint32{viewtest.Last}}); ok {
			t.Errorf("%s: moves to %+v although line 82 is visible", k.Name, l)
		}
	}
}

// TestUntil counts the events up to a moment.
func TestUntil(t *testing.T) {
	g, f, _ := shown(t, Kind(), viewtest.Sampled(), "line", "1")
	until := int64(60) // before step
	f.Until = &until
	l := g.layout(f)
	var lines []int32
	for _, r := range l.sums.Lines.Rows {
		lines = append(lines, r.Line.Line)
	}
	if !slices.Equal(lines, []int32{3, 5}) {
		t.Errorf("lines %d", lines)
	}
}

// TestTip reads the tips of a cell and of a heading.
func TestTip(t *testing.T) {
	g, f, l := shown(t, Kind(), viewtest.Sampled(), "line", "1")
	tip, _ := g.Tip(f, l.x(1)+2, l.y(11)+3)
	want := "spin.f90:12|step|PE 1: 20 ticks|70 ticks, 80 %|from 10 on PE 2 to 40 on PE 0|mean 23.3, standard deviation 12.5"
	if got := strings.Join(tip.Lines, "|"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	tip, _ = g.Tip(f, l.x(1)+2, l.top-3)
	if got := strings.Join(tip.Lines, "|"); got != "PE 1|26 ticks at all lines" {
		t.Errorf("%q", got)
	}
}

// TestGoals shows reductions at the lines of their clauses, by PE.
func TestGoals(t *testing.T) {
	g, f, l := shown(t, Kind(), viewtest.Small(), "line", "1")
	if g.Noun() != "reductions" {
		t.Errorf("counts %s", g.Noun())
	}
	out := scene.New(1000, 500)
	view.Draw(g, f, out)
	if got := rowTexts(l, out)[1]; !slices.Equal(got[:3], []string{"2", "0", "0"}) { // work(1): tasks 2 and 4 on PE 0
		t.Errorf("line 2 reads %q", got)
	}
	g, f, l = shown(t, Kind(), viewtest.Small(), "line", "1", "metric", "time")
	out.Reset(1000, 500)
	view.Draw(g, f, out)
	if got := rowTexts(l, out)[2]; !slices.Contains(got, "40 ns") { // work(2): task 3 on PE 1
		t.Errorf("line 3 reads %q", got)
	}
}

// TestExtremesStay checks that long lines do not displace the numbers of the extremes beside the heat in panes of usual widths.
func TestExtremesStay(t *testing.T) {
	src := viewtest.Sampled()
	meta := src.Meta()
	meta.Source[0].Text = strings.Replace(meta.Source[0].Text, "x(i) = y * y", "x(i) = y * y"+strings.Repeat(" + y", 40), 1)
	src.SetMeta(meta)
	for _, c := range []struct {
		width float64
		want  string
	}{{380, "min max"}, {520, "min PE max PE"}, {1200, "min PE max PE mean variance"}, {160, ""}} {
		g, f := kindtest.Shown[*Geometry](t, Kind(), src, c.width, 400)
		l := g.layout(f)
		if got := strings.Join(l.bars.titles, " "); got != c.want || len(l.bars.right) != len(l.bars.titles) {
			t.Errorf("%g pixels have %q, want %q", c.width, got, c.want)
		}
	}
}

// TestAllColumns checks that the cells of eight PEs leave room for 40 characters of a long line, and for the mean and the variance.
func TestAllColumns(t *testing.T) {
	src := viewtest.Spike(3000, 8, 3)
	meta := src.Meta()
	meta.Source[0].Text = strings.Replace(meta.Source[0].Text, "x = x + 1", "x = x"+strings.Repeat(" + 1", 30), 1)
	src.SetMeta(meta)
	g, f := kindtest.Shown[*Geometry](t, Kind(), src, 1200, 900)
	f.Style = view.NewStyle(false, 16)
	l := g.layout(f)
	if got := (l.stop - l.text) / l.digit; got < 40 || len(l.bars.titles) != len(titles) || l.cell < 2*l.em {
		t.Errorf("%.1f characters, the columns %q, cells of %g pixels", got, l.bars.titles, l.cell)
	}
}

// TestNoEmptyEnd checks that lines before the detail fill the room left at the end of a file.
func TestNoEmptyEnd(t *testing.T) {
	g, f := kindtest.Shown[*Geometry](t, Kind(), viewtest.Sampled(), 900, 600)
	f.Detail = &view.Lines{File: "spin.f90", First: 80, Last: 90}
	l := g.layout(f)
	if n := l.end - l.first; l.end != 90 || n < 25 || float64(n+1)*l.row < f.Area.Y1-l.top {
		t.Errorf("rows %d to %d of %g pixels are seen in %g", l.first, l.end, l.row, f.Area.Y1-l.top)
	}
	f.Detail = &view.Lines{File: "spin.f90", First: 40, Last: 50}
	if l := g.layout(f); l.first != 39 {
		t.Errorf("rows from %d on are seen", l.first)
	}
}

// TestShortText checks that program text narrower than 12 ems is shown beside the bars.
func TestShortText(t *testing.T) {
	src := viewtest.Sampled()
	meta := src.Meta()
	meta.Source[0].Text = strings.Repeat("x = x + 1\n", 90)
	src.SetMeta(meta)
	for w := 250.0; w < 900; w += 10 {
		g, f := kindtest.Shown[*Geometry](t, Kind(), src, w, 400)
		if l := g.layout(f); l.stop-l.text < 9*l.digit {
			t.Errorf("%g pixels have %.1f characters beside the columns %q", w, (l.stop-l.text)/l.digit, l.bars.titles)
		}
	}
}
