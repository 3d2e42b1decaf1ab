package comparison

import (
	"slices"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// group returns measured runs of Pascal's triangle on some numbers of PEs.
func group(t *testing.T, pes ...int) (*Group, tracer.Source) {
	t.Helper()
	g := &Group{}
	var first tracer.Source
	for i, n := range pes {
		r := experiment.Defaults("fghc/pascal")
		r.Args, r.PEs = []string{"15"}, n
		src := experimenttest.Trace(t, r)
		if i == 0 {
			first = src
		}
		g.Runs = append(g.Runs, must.Get(Measure(string(rune('a'+i)), src))(t))
	}
	return g, first
}

// shown returns the table of a group in a frame.
func shown(t *testing.T, g *Group, src tracer.Source, w, h float64, params ...string) (*Geometry, *view.Frame) {
	t.Helper()
	o := kindtest.Open(t, Kind(), src, params...)
	o.Data.SetGroup(g)
	r := must.Get(o.Geometry(t.Context(), 0, int(min(w, h))))(t)
	area := scene.Rect{X1: w, Y1: h}
	f := &view.Frame{Area: area, Clip: area, Style: view.NewStyle(false, 12), Text: kindtest.Glyphs, Trace: "a", State: &view.State{}}
	f.Camera = view.Fit(r.Value.Bounds(), area, 0)
	f.Camera.ScaleY = 0
	return r.Value.(*Geometry), f
}

// TestAlone: a trace that is compared with no other has a table of one row, in every frame.
func TestAlone(t *testing.T) {
	src := viewtest.Small()
	g, _ := kindtest.Shown[*Geometry](t, Kind(), src, 600, 300)
	if len(g.rows) != 1 || g.columns[0].key != byTitle {
		t.Errorf("the columns are %+v", g.columns)
	}
	kindtest.AnyFrame(t, Kind(), g)
	kindtest.Texts(t, Kind(), nil, src)
}

// TestDifferences: the differences are those of the numbers in the CSV of whorl compare.
func TestDifferences(t *testing.T) {
	runs, src := group(t, 1, 4)
	g, f := shown(t, runs, src, 900, 200)
	_, heads, rows := g.Table()
	cell := func(row int, head string) string {
		i := slices.Index(heads, head)
		if i < 0 {
			t.Fatalf("no column %s in %q", head, heads)
		}
		return rows[row][i]
	}
	time := func(i int) float64 { return g.compared.Cells[i].Numbers[0].Mean }
	if want := change(time(1), time(0), false); cell(1, "time, difference to the first row") != want || !strings.HasPrefix(want, "-") {
		t.Errorf("the time differs by %s, want %s", cell(1, "time, difference to the first row"), want)
	}
	if cell(0, "time, difference to the first row") != "" || cell(0, "speedup") != "1.00" || cell(0, "work") != cell(0, "time") {
		t.Errorf("the first row is %q", rows[0])
	}
	if texts := strings.Join(viewtest.Strings(drawn(g, f)), "\n"); !strings.Contains(texts, cell(1, "speedup")) || !strings.Contains(texts, cell(1, "time, difference to the first row")) {
		t.Errorf("the picture shows\n%s", texts)
	}
	g, f = shown(t, runs, src, 260, 200)
	if texts := strings.Join(viewtest.Strings(drawn(g, f)), "\n"); !strings.Contains(texts, "time") || strings.Contains(texts, "pp") || !strings.Contains(texts, "more columns with more width") {
		t.Errorf("a narrow picture shows\n%s", texts)
	}
	g, _ = shown(t, runs, src, 900, 200, "differences", "false")
	if _, heads, _ := g.Table(); slices.Contains(heads, "time, difference to the first row") {
		t.Errorf("without differences the headings are %q", heads)
	}
}

func drawn(g *Geometry, f *view.Frame) *scene.List {
	out := scene.New(float32(f.Area.X1), float32(f.Area.Y1))
	g.Base(f, out)
	return out
}

// TestChange compares texts of differences with those worked out by hand.
func TestChange(t *testing.T) {
	for _, c := range []struct {
		x, first float64
		share    bool
		want     string
	}{
		{3, 2, false, "+50.0 %"}, {1, 2, false, "-50.0 %"}, {2, 2, false, "0.0 %"}, {30, 2, false, "× 15.0"}, {3, 0, false, ""}, {0.75, 0.5, true, "+25.0 pp"},
	} {
		if got := change(c.x, c.first, c.share); strings.ReplaceAll(got, "−", "-") != c.want {
			t.Errorf("from %v to %v: %q, want %q", c.first, c.x, got, c.want)
		}
	}
}

// TestInput: a click on a heading sorts, a second one reverses, a click on a row shows its run, and the wheel scrolls. The arrow keys scroll too.
func TestInput(t *testing.T) {
	runs, src := group(t, 1, 2, 4, 8, 16)
	g, f := shown(t, runs, src, 700, 110)
	s := layout(f, g)
	click := func(x, y float64) []view.Action { return g.Input(f, view.Input{Kind: view.Click, X: x, Y: y}) }
	i := slices.IndexFunc(s.fields, func(f field) bool { return f.key() == "time_ns" })
	acts := click(s.fields[i].x1-2, f.Area.Y0+5)
	if len(acts) != 3 || acts[0].Value != "time_ns" || acts[1].Value != "false" {
		t.Errorf("a click on the time does %+v", acts)
	}
	sorted, f2 := shown(t, runs, src, 700, 110, "sort", "time_ns")
	if acts := sorted.Input(f2, view.Input{Kind: view.Click, X: s.fields[i].x1 - 2, Y: 5}); len(acts) != 2 || acts[0].Value != "true" {
		t.Errorf("a second click does %+v", acts)
	}
	if r := s.Row(1); len(click(r.X0+20, r.Y0+3)) != 1 || click(r.X0+20, r.Y0+3)[0].Do != view.ShowTrace || click(r.X0+20, r.Y0+3)[0].Name != "b" {
		t.Errorf("a click on the second row does %+v", click(r.X0+20, r.Y0+3))
	}
	if tip, ok := view.TipAt(g, f, s.Row(1).X0+20, s.Row(1).Y0+3); !ok || tip.Lines[0] != "b" || !slices.ContainsFunc(tip.Lines, func(l string) bool { return strings.HasPrefix(l, "transfer ") }) {
		t.Errorf("the tip of the second row is %q", tip.Lines)
	}
	for _, in := range []view.Input{{Kind: view.Wheel, DY: -1, X: 50, Y: 50}, {Kind: view.Press, Key: "End"}, {Kind: view.Press, Key: "ArrowDown"}} {
		if acts := g.Input(f, in); len(acts) != 1 || acts[0].Do != view.SetCamera {
			t.Errorf("%+v does %+v", in, acts)
		}
	}
	if rows := func() (pes []int) {
		for _, r := range sorted.rows {
			pes = append(pes, sorted.compared.Cells[r.index].PEs)
		}
		return pes
	}(); rows[0] != 1 {
		t.Errorf("sorted by time the PEs are %v", rows)
	}
}

// TestWarnings: the legend warns of numbers that are being computed and names the runs whose files are cut off.
func TestWarnings(t *testing.T) {
	runs, src := group(t, 1, 2)
	runs.Runs[1].Numbers, runs.Runs[1].State, runs.Runs[1].Reading = nil, "to be read", true
	g, f := shown(t, runs, src, 700, 200)
	if l := g.Legend(f); l.Title != "fghc/pascal 15" || l.Warning != "Some numbers are being computed" || !slices.Contains(g.columns[len(g.columns)-1].texts, "to be read") {
		t.Errorf("while a run is read the legend is %+v", l)
	}
	more, src := group(t, 1, 2)
	more.Runs[1].Meta.Extra = []tracer.KV{{Key: tracer.MissingKey, Value: "2 of 3 blocks"}}
	if g, f := shown(t, more, src, 700, 200); g.Legend(f).Warning != "Incomplete: b" {
		t.Errorf("with a part of a run the legend is %+v", g.Legend(f))
	}
}

// TestSortColumns: the settings offer the columns of the table; another name is reported with the nearest one.
func TestSortColumns(t *testing.T) {
	runs, src := group(t, 1, 2)
	g, _ := shown(t, runs, src, 700, 200, "sort", "speedups")
	if all, now := g.Choices("sort"); now != 0 || !slices.Contains(all, "speedup") || slices.Contains(all, "policy") {
		t.Errorf("the columns are %q, now %d", all, now)
	}
	if err := g.Wrong(); err == nil || !strings.Contains(err.Error(), "speedup") {
		t.Errorf("an unknown column: %v", err)
	}
	if g, _ := shown(t, runs, src, 700, 200, "sort", "pes"); g.Wrong() != nil {
		t.Error(g.Wrong())
	}
}
