package shown

import (
	"math"
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/network"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/view"
)

// kindOf returns a view whose input is a value.
func kindOf[T any](k *view.Kind, input *flow.Source[T], value T) *view.Kind {
	s := flow.Derive("value", "the value", flow.In(view.Recorded), nil, func(*flow.Call[T]) (T, error) { return value, nil })
	out := *k
	out.Picture = k.Picture.With(flow.Instead(&input.Stage, s))
	return &out
}

// pe and interval return things of rows and columns.
func pe(n int64) view.Selection { return view.Selection{PEs: []view.Span{{First: n, Last: n}}} }

func interval(first, last int64) view.Selection {
	return view.Selection{Time: &view.Span{First: first, Last: last}}
}

// testMatrix returns a matrix of PEs by time with numbers that occur once.
func testMatrix() *network.Matrix {
	return &network.Matrix{
		Title: "work",
		Rows:  network.Axis{Name: "PE", Labels: []string{"P0", "P1", "P2"}, Things: []view.Selection{pe(0), pe(1), pe(2)}},
		Cols:  network.Axis{Name: "time", Labels: []string{"early", "late"}, Things: []view.Selection{interval(0, 10), interval(11, 20)}},
		Values: []float64{
			11, 0,
			-33, 44,
			math.NaN(), 66,
		},
	}
}

// A written is a text of a picture with its place.
type written struct {
	text string
	x, y float64
}

func texts(p view.Picture, f *view.Frame) (all []written) {
	out := scene.New(float32(f.Area.X1), float32(f.Area.Y1))
	p.Base(f, out)
	for i := range out.Len() {
		if o := out.Op(i); o.Kind == scene.OpText {
			x, y, s, _ := o.Text()
			all = append(all, written{string(s), float64(x), float64(y)})
		}
	}
	return all
}

// place returns the place of a text that is written once.
func place(t *testing.T, all []written, text string) (x, y float64) {
	t.Helper()
	n := 0
	for _, w := range all {
		if w.text == text {
			x, y = w.x, w.y
			n++
		}
	}
	if n != 1 {
		t.Fatalf("%q is written %d times: %v", text, n, all)
	}
	return x, y
}

// TestHeat finds each number of a heat map, in one strip and in several, at the cell that the pointer and the selection name.
func TestHeat(t *testing.T) {
	for _, strip := range []int{0, 2} {
		a := testMatrix()
		a.Strip = strip
		m, f := kindtest.Shown[*Map](t, kindOf(Heat(), Matrix, a), tracer.NewMemory(), 500, 300)
		all := texts(m, f)
		for _, c := range []struct {
			text     string
			row, col int
		}{{"11", 0, 0}, {"-33", 1, 0}, {"44", 1, 1}, {"66", 2, 1}} {
			x, y := place(t, all, c.text)
			s, ok := m.Hit(f, x, y)
			if !ok || s.Trace != "t" || s.PEs[0].First != int64(c.row) || s.Time.First != a.Cols.Things[c.col].Time.First {
				t.Errorf("strips of %d: at %s is %+v", strip, c.text, s)
			}
			tip, ok := m.Tip(f, x, y)
			if want := "PE " + a.Rows.Labels[c.row] + "|time " + a.Cols.Labels[c.col] + "|work " + c.text; !ok || strings.Join(tip.Lines, "|") != want {
				t.Errorf("strips of %d: the tip is %q, want %q", strip, tip.Lines, want)
			}
			s.Time = nil
			if where := m.Locate(f, s); len(where) != 1 || !where[0].Contains(x, y) {
				t.Errorf("strips of %d: row %d is at %v, %s at %g, %g", strip, c.row, where, c.text, x, y)
			}
		}
		for _, text := range []string{"0", "NaN"} {
			if slices.ContainsFunc(all, func(w written) bool { return w.text == text }) {
				t.Errorf("strips of %d: an empty cell has the text %q", strip, text)
			}
		}
		for _, label := range a.Rows.Labels {
			place(t, all, label)
		}
		if _, ok := m.Hit(f, f.Area.X0-3, f.Area.Y0-3); ok {
			t.Errorf("strips of %d: something is beside the picture", strip)
		}
		other := pe(1)
		other.Trace = "another"
		if len(m.Locate(f, other)) > 0 {
			t.Errorf("strips of %d: PEs of another trace are in the picture", strip)
		}
		kindtest.AnyFrame(t, Heat(), m)
	}
}

// TestHeatColumns locates a time span, which only the columns have.
func TestHeatColumns(t *testing.T) {
	m, f := kindtest.Shown[*Map](t, kindOf(Heat(), Matrix, testMatrix()), tracer.NewMemory(), 500, 300)
	x, y := place(t, texts(m, f), "66")
	s := interval(15, 16)
	s.Trace = "t"
	if where := m.Locate(f, s); len(where) != 1 || !where[0].Contains(x, y) || where[0].Contains(f.Area.X0+150, y) {
		t.Errorf("the late column is at %v, one of its numbers at %g, %g", where, x, y)
	}
}

// TestNarrowStrips: strips that are narrower than the labels of their columns share labels, which do not overlap.
func TestNarrowStrips(t *testing.T) {
	a := &network.Matrix{Title: "work", Rows: network.Axis{Name: "line"}, Cols: network.Axis{Name: "PE", Labels: []string{"10", "11"}}, Strip: 1}
	for range 60 {
		a.Rows.Labels = append(a.Rows.Labels, "row")
		a.Values = append(a.Values, 1, 2)
	}
	m, f := kindtest.Shown[*Map](t, kindOf(Heat(), Matrix, a), tracer.NewMemory(), 500, 300)
	n, end := 0, math.Inf(-1)
	for _, w := range texts(m, f) {
		if w.text != "10" && w.text != "11" {
			continue
		}
		half := float64(f.Text.Width(w.text, f.Style.Font, scene.Regular)) / 2
		if w.x-half < end {
			t.Errorf("the label at %g overlaps the one that ends at %g", w.x, end)
		}
		n, end = n+1, w.x+half
	}
	if n < 5 {
		t.Errorf("only %d labels are drawn", n)
	}
}

// TestHeatColors: numbers below 0 are blue, those above 0 not; without negative numbers the greatest has the last colour of the ramp.
func TestHeatColors(t *testing.T) {
	m, f := kindtest.Shown[*Map](t, kindOf(Heat(), Matrix, testMatrix()), tracer.NewMemory(), 500, 300)
	if a, b := m.color(-33), m.color(44); a.B <= a.R || b.R <= b.B {
		t.Errorf("-33 has the colour %v, 44 the colour %v", a, b)
	}
	ramp := m.Legend(f).Blocks[0].Ramp
	if want := []string{"-66", "0", "66"}; !slices.Equal(ramp.Ticks, want) {
		t.Errorf("the legend has the numbers %q, want %q", ramp.Ticks, want)
	}
	if first, last := ramp.Colors[0], ramp.Colors[len(ramp.Colors)-1]; first != m.color(-66) || last != m.color(66) {
		t.Errorf("the legend has the colours %v", ramp.Colors)
	}
	quiet, f := kindtest.Shown[*Map](t, kindOf(Heat(), Matrix, testMatrix()), tracer.NewMemory(), 500, 300, "numbers", "false")
	if slices.ContainsFunc(texts(quiet, f), func(w written) bool { return w.text == "44" }) {
		t.Error("numbers are written without being asked for")
	}
}

// testTable returns a table of two procedures.
func testTable() *network.Table {
	return &network.Table{
		Title: "profile", Things: []view.Selection{{Codes: []uint32{1}}, {Codes: []uint32{2}}},
		Columns: []network.Column{
			{Name: "procedure", Texts: []string{"split", "append"}},
			{Name: "work", Unit: "ns", Numbers: []float64{2000, math.NaN()}},
			{Name: "runs", Numbers: []float64{7, 14}},
		},
	}
}

// TestSheet finds the cells of a table at the row that the pointer and the selection name, with bars in proportion.
func TestSheet(t *testing.T) {
	l, f := kindtest.Shown[*List](t, kindOf(Sheet(), Table, testTable()), tracer.NewMemory(), 500, 300)
	all := texts(l, f)
	for _, heading := range []string{"procedure", "work", "runs"} {
		place(t, all, heading)
	}
	for _, c := range []struct {
		text string
		code uint32
		tip  string
	}{{"split", 1, "split|work 2 µs|runs 7"}, {"append", 2, "append|work |runs 14"}} {
		x, y := place(t, all, c.text)
		s, ok := l.Hit(f, x+2, y-2)
		if !ok || s.Trace != "t" || !slices.Equal(s.Codes, []uint32{c.code}) {
			t.Errorf("at %s is %+v", c.text, s)
		}
		if where := l.Locate(f, s); len(where) != 1 || !where[0].Contains(x+2, y-2) {
			t.Errorf("the row of %s is at %v", c.text, where)
		}
		tip, _ := l.Tip(f, x+2, y-2)
		if strings.Join(tip.Lines, "|") != c.tip {
			t.Errorf("the tip is %q, want %q", strings.Join(tip.Lines, "|"), c.tip)
		}
	}
	kindtest.AnyFrame(t, Sheet(), l)
	empty, f := kindtest.Shown[*List](t, kindOf(Sheet(), Table, &network.Table{}), tracer.NewMemory(), 500, 300)
	place(t, texts(empty, f), "The table is empty.")
	narrow, f := kindtest.Shown[*List](t, kindOf(Sheet(), Table, testTable()), tracer.NewMemory(), 160, 100)
	place(t, texts(narrow, f), "and 1 column")
}

// TestMarks: the overlay frames the selected row.
func TestMarks(t *testing.T) {
	m, f := kindtest.Shown[*Map](t, kindOf(Heat(), Matrix, testMatrix()), tracer.NewMemory(), 500, 300)
	l, g := kindtest.Shown[*List](t, kindOf(Sheet(), Table, testTable()), tracer.NewMemory(), 500, 300)
	for _, c := range []struct {
		picture interface {
			Overlay(f *view.Frame, out *scene.List)
		}
		frame *view.Frame
		s     view.Selection
	}{{m, f, pe(1)}, {l, g, view.Selection{Codes: []uint32{2}}}} {
		before := scene.New(520, 320)
		c.picture.Overlay(c.frame, before)
		c.s.Trace = "t"
		c.frame.State.Shared.Selection = c.s
		after := scene.New(520, 320)
		c.picture.Overlay(c.frame, after)
		if before.Len() != 0 || after.Len() == 0 {
			t.Errorf("%T: the overlay has %d marks without a selection, %d with one", c.picture, before.Len(), after.Len())
		}
	}
}

// TestMeets: each kind of thing that both selections name has to agree.
func TestMeets(t *testing.T) {
	both := func(a, b view.Selection) view.Selection { return narrowed(a, b) }
	lines := func(first, last int32) view.Selection {
		return view.Selection{Lines: []view.Lines{{File: "a", First: first, Last: last}}}
	}
	code := view.Selection{Codes: []uint32{3}}
	for _, c := range []struct {
		name string
		a, b view.Selection
		want bool
	}{
		{"the same PE", pe(1), pe(1), true},
		{"other PEs", pe(1), pe(2), false},
		{"nothing in common", pe(1), code, false},
		{"times that meet", interval(0, 5), interval(5, 9), true},
		{"times apart", interval(0, 5), interval(6, 9), false},
		{"the PE, another time", both(pe(1), interval(0, 5)), both(pe(1), interval(6, 9)), false},
		{"the PE, one without a time", both(pe(1), interval(0, 5)), pe(1), true},
		{"lines that meet", lines(4, 6), lines(6, 8), true},
		{"lines apart", lines(4, 6), lines(7, 8), false},
		{"the same line", lines(4, 0), lines(4, 4), true},
		{"the same code", code, code, true},
		{"another code", code, view.Selection{Codes: []uint32{4}}, false},
	} {
		if meets(c.a, c.b) != c.want || meets(c.b, c.a) != c.want {
			t.Errorf("%s: they meet: %v", c.name, !c.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		x     float64
		unit  string
		share bool
		want  string
	}{
		{math.NaN(), "", false, ""}, {0.5, "", true, "50.0 %"}, {1500, "ns", false, "1.5 µs"}, {12345, "", false, "12,345"}, {123.6, "", false, "124"}, {0.1234, "", false, "0.123"},
	} {
		if got := number(c.x, c.unit, c.share); strings.ReplaceAll(got, "\u202f", " ") != c.want {
			t.Errorf("%g %s is %q, want %q", c.x, c.unit, got, c.want)
		}
	}
}
