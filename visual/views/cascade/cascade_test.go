package cascade

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

func shown(t testing.TB, src tracer.Source, w, h float64, params ...string) (*Geometry, *view.Frame) {
	t.Helper()
	return kindtest.Shown[*Geometry](t, Kind(), src, w, h, params...)
}

func TestGolden(t *testing.T) {
	kindtest.Golden(t, "sampled.txt", Kind(), viewtest.Sampled(), 900, 300, nil)
}

func TestTexts(t *testing.T) {
	sources := []tracer.Source{viewtest.Sampled(), viewtest.Small(), viewtest.Spike(20_000, 4, 1), viewtest.Spike(9_000, 1024, 1)}
	kindtest.Texts(t, Kind(), nil, sources...)
	kindtest.Texts(t, Kind(), map[string]string{"processors": "ranks"}, sources...)
}

func TestAnyFrame(t *testing.T) {
	g, _ := shown(t, viewtest.Sampled(), 500, 300)
	kindtest.AnyFrame(t, Kind(), g)
}

// format formats levels: kind, lines and ticks, with * for a level that contains the selection.
func (g *Geometry) format(levels []level) string {
	var b strings.Builder
	for _, l := range levels {
		at := g.Column.Lines(l.first, l.end)
		name := ""
		if l.kind == "Instruction" || l.kind == "Procedure" {
			name = " " + strings.Fields(l.name)[0]
		}
		star := ""
		if l.chosen {
			star = "*"
		}
		fmt.Fprintf(&b, "%s%s%s %d-%d %d; ", l.kind, star, name, at.First, at.End(), l.total)
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// TestLevels compares the levels from the program to the selection and on to its hottest spot.
func TestLevels(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 900, 400)
	const top = "Program* 1-90 88; "
	for _, c := range []struct {
		name string
		s    view.Selection
		want string
	}{
		{"nothing", view.Selection{}, top + "Procedure step 9-14 78; Loop 10-13 78; Line 12-12 70; Instruction sts 12-12 45"},
		{"a procedure", view.Selection{Codes: []uint32{viewtest.Spin}}, top + "Procedure* main 1-7 7; Line 5-5 4"},
		{"a loop", view.Selection{Lines: []view.Lines{{File: "spin.f90", First: 10, Last: 13}}}, top + "Procedure* step 9-14 78; Loop* 10-13 78; Line 12-12 70; Instruction sts 12-12 45"},
		{"a line of it", view.Selection{Lines: []view.Lines{{File: "spin.f90", First: 11}}}, top + "Procedure* step 9-14 78; Loop* 10-13 78; Line* 11-11 8"},
		{"an instruction", view.Selection{Codes: []uint32{viewtest.Step12a}}, top + "Procedure* step 9-14 78; Loop* 10-13 78; Line* 12-12 70; Instruction* muls 12-12 25"},
		{"a line of no procedure", view.Selection{Lines: []view.Lines{{File: "spin.f90", First: 50}}}, top + "Line* 50-50 0"},
		{"a PE: lines of two procedures", view.Selection{PEs: []view.Span{{First: 2, Last: 2}}}, top + "Procedure step 9-14 78; Loop 10-13 78; Line 12-12 70; Instruction sts 12-12 45"},
		{"another trace", view.Selection{Trace: "u", Codes: []uint32{viewtest.Spin}}, top + "Procedure step 9-14 78; Loop 10-13 78; Line 12-12 70; Instruction sts 12-12 45"},
	} {
		if c.s.Trace == "" {
			c.s.Trace = "t"
		}
		f.State.Shared.Selection = c.s
		if got := g.format(g.levels(f)); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
	// In a logic program the clause is the level between the procedure and the line.
	h, e := shown(t, viewtest.Small(), 900, 400)
	e.State.Shared.Selection = view.Selection{Trace: "t", Codes: []uint32{viewtest.WorkB}}
	if got, want := h.format(h.levels(e)), "Program* 1-3 4; Procedure* work/1 2-3 3; Clause* 3-3 1; Line* 3-3 1"; got != want {
		t.Errorf("a clause:\n%s, want\n%s", got, want)
	}
}

// TestEachLevelIsAClick clicks in one level after the other, from the program to an instruction, and returns with a key.
func TestEachLevelIsAClick(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 1200, 500)
	click := func(kind string, line int, code uint32) {
		r := layout(f, g)
		for k := range r.panels {
			p := &r.panels[k]
			if p.kind != kind {
				continue
			}
			y := (p.y(r.item(p, line-1)) + p.y(r.item(p, line-1)+1)) / 2
			if code != 0 {
				i := slices.Index(p.codes, code)
				y = (p.y(i) + p.y(i+1)) / 2
			}
			for _, a := range g.Input(f, view.Input{Kind: view.Click, X: p.cells.X0 + 3, Y: y}) {
				if err := f.State.Apply(a); err != nil {
					t.Fatal(err)
				}
			}
			return
		}
		t.Fatalf("there is no %s", kind)
	}
	levels := func(want string) {
		t.Helper()
		got := ""
		for _, l := range g.levels(f) {
			if l.chosen {
				got += l.kind + " "
			}
		}
		if got != want {
			t.Errorf("selected are %q, want %q", got, want)
		}
	}
	click("Program", 82, 0)
	levels("Program Procedure ")
	click("Program", 11, 0)
	levels("Program Procedure ")
	click("Procedure", 12, 0)
	levels("Program Procedure Loop ")
	click("Loop", 12, 0)
	levels("Program Procedure Loop Line ")
	click("Line", 12, viewtest.Step12a)
	levels("Program Procedure Loop Line Instruction ")
	if s := f.State.Shared.Selection; !slices.Equal(s.Codes, []uint32{viewtest.Step12a}) {
		t.Errorf("selected is %+v", s)
	}
	for _, want := range []string{"Program Procedure Loop Line ", "Program Procedure Loop ", "Program Procedure ", "Program ", "Program "} {
		for _, a := range g.Input(f, view.Input{Kind: view.Press, Key: "ArrowLeft"}) {
			if err := f.State.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
		levels(want)
	}
	for _, want := range []string{"Program Procedure ", "Program Procedure Loop ", "Program Procedure Loop Line ", "Program Procedure Loop Line Instruction "} {
		for _, a := range g.Input(f, view.Input{Kind: view.Press, Key: "ArrowRight"}) {
			if err := f.State.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
		levels(want)
	}
}

// TestRectangles checks that the rectangle in each level encloses the lines of the next level.
func TestRectangles(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 1200, 500)
	f.State.Shared.Selection = view.Selection{Trace: "t", Codes: []uint32{viewtest.Step}}
	r := layout(f, g)
	l := scene.New(1300, 600)
	g.Overlay(f, l)
	var yellow, gold []scene.Rect
	for i := range l.Len() {
		if o := l.Op(i); o.Kind == scene.OpPolyline && (o.Color == lineplot.Yellow || o.Color == lineplot.Gold) {
			p, _ := o.Polyline()
			q := scene.Rect{X0: float64(p[0]), Y0: float64(p[1]), X1: float64(p[4]), Y1: float64(p[5])}
			if o.Color == lineplot.Yellow {
				yellow = append(yellow, q)
			} else {
				gold = append(gold, q)
			}
		}
	}
	if len(yellow) != 1 || len(gold) != 3 || len(r.panels) != 5 {
		t.Fatalf("%d selected and %d hottest rectangles in %d panels", len(yellow), len(gold), len(r.panels))
	}
	for k, q := range append(yellow, gold...) {
		p, next := &r.panels[k], &r.panels[k+1]
		var y0, y1 float64
		if p.kind != "Line" {
			y0, y1 = p.y(r.item(p, next.first)), p.y(r.item(p, next.end))
		} else {
			i := slices.Index(p.codes, next.sel.Codes[0])
			y0, y1 = p.y(i), p.y(i+1)
		}
		if q.Y0 > y0 || q.Y1 < y1 || q.H() > max(y1-y0, 3)+0.1 || q.X0 < p.body.X0 || q.X1 > p.body.X1 {
			t.Errorf("%s: the rectangle of the %s is %v, want from %g to %g", p.kind, next.kind, q, y0, y1)
		}
	}
}

// TestInstructions checks that the cells of each instruction of a line are drawn in the row of its name, within the panel.
func TestInstructions(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 1200, 500)
	f.State.Shared.Selection = view.Selection{Trace: "t", Codes: []uint32{viewtest.Step12a}}
	r := layout(f, g)
	k := slices.IndexFunc(r.panels, func(p panel) bool { return len(p.codes) > 1 })
	if k < 0 {
		t.Fatal("no panel has instructions")
	}
	p := &r.panels[k]
	if p.codes = p.codes[1:]; p.table.RowOf(p.codes[0]) == 0 {
		t.Fatal("the first instruction of the panel is the first of the table too")
	}
	l := scene.New(1300, 600)
	r.instructions(l, p, g.Scale(g.colours, 100, true))
	rows := map[int]bool{}
	for i := range l.Len() {
		o := l.Op(i)
		if o.Kind != scene.OpRect {
			continue
		}
		_, top, _, bottom := o.Rect()
		y0, y1 := float64(top), float64(bottom)
		if y1-y0 >= p.cells.H()-1 {
			continue // the ground of all rows
		}
		row := slices.IndexFunc(p.codes, func(c uint32) bool {
			i := slices.Index(p.codes, c)
			return y0 >= p.y(i)-0.01 && y1 <= p.y(i+1)+0.01
		})
		if row < 0 {
			t.Errorf("cells from %g to %g are in no row of the panel, %v", y0, y1, p.cells)
		}
		rows[row] = true
	}
	if len(rows) != len(p.codes) {
		t.Errorf("%d of %d instructions have cells", len(rows), len(p.codes))
	}
}

// TestIndented checks lines with deep indentation and lines in column 1 within a loop.
func TestIndented(t *testing.T) {
	lines := []string{"", "    do i = 1, n", "!HPF$ INDEPENDENT", "      do j = 1, n", "", "            a = b", "    end do"}
	for _, c := range []struct {
		most int
		want string
	}{
		{9, "|do i = 1, n|!HPF$ INDEPENDENT|  do j = 1, n||        a = b|end do"},
		{1, "|do i = 1, n|!HPF$ INDEPENDENT| do j = 1, n|| a = b|end do"},
	} {
		if got := strings.Join(indented(lines, c.most), "|"); got != c.want {
			t.Errorf("at most %d:\n%s, want\n%s", c.most, got, c.want)
		}
	}
}

// TestStrip checks that a bin has the largest count of its lines.
func TestStrip(t *testing.T) {
	src := viewtest.Spike(20_000, 4, 1)
	g, f := shown(t, src, 900, 300)
	r := layout(f, g)
	p := &r.panels[0]
	table := g.All().Lines
	for _, bin := range []int{1, 3, 50} {
		h := g.strip(p, bin, f)
		want := make([]int64, len(h.counts))
		for i := range table.Rows {
			at, _ := g.kept.Position(int(table.Rows[i].Line.Line) - 1)
			pes, ns := table.Cells(i)
			for k, pe := range pes {
				c := &want[at/bin*4+int(pe)]
				*c = max(*c, ns[k])
			}
		}
		if !slices.Equal(h.counts, want) {
			t.Errorf("bins of %d lines differ", bin)
		}
	}
}

func BenchmarkCascade(b *testing.B) {
	src := viewtest.Spike(1_000_000, 1024, 1)
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			shown(b, src, 1900, 1000)
		}
	})
	g, f := shown(b, src, 1900, 1000)
	kindtest.BenchFrame(b, "frame", f, g.Overlay)
}

// TestNarrow checks that narrow panes keep the first and the last level, and that each outlines the next.
func TestNarrow(t *testing.T) {
	for _, width := range []float64{200, 250, 330, 420, 520, 900} {
		g, f := shown(t, viewtest.Sampled(), width, 400)
		r := layout(f, g)
		n := len(r.panels)
		if n < 2 || n < 4 && width > 400 || r.panels[0].kind != "Program" || r.panels[n-1].kind != "Instruction" {
			t.Errorf("%g pixels have %d of %d levels", width, n, len(r.levels))
			continue
		}
		for k := range n - 1 {
			p, q := r.panels[k].body, r.panels[k+1].body
			if p.X1 >= q.X0 || q.X1 > f.Area.X1+1 || p.W() < 1 {
				t.Errorf("%g pixels: level %d is at %+v, the next one at %+v", width, k, p, q)
			}
			if at, ok := r.next(k); !ok || at.X0 < p.X0 || at.X1 > p.X1+1 {
				t.Errorf("%g pixels: level %d shows the next one at %+v, %v", width, k, at, ok)
			}
		}
	}
}
