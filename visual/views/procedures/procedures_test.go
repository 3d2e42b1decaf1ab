package procedures

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

func shown(t testing.TB, src tracer.Source, w, h float64, params ...string) (*Geometry, *view.Frame) {
	t.Helper()
	return kindtest.Shown[*Geometry](t, Kind(), src, w, h, params...)
}

func TestGolden(t *testing.T) {
	kindtest.Golden(t, "sampled.txt", Kind(), viewtest.Sampled(), 600, 240, nil)
}

func TestTexts(t *testing.T) {
	kindtest.Texts(t, Kind(), nil, viewtest.Sampled(), viewtest.Small(), viewtest.Spike(20_000, 4, 1), viewtest.Spike(9_000, 1024, 1))
	kindtest.Texts(t, Kind(), map[string]string{"processors": "ranks", "top": "3"}, viewtest.Sampled(), viewtest.Spike(9_000, 1024, 1))
	kindtest.Texts(t, Kind(), map[string]string{"metric": "time"}, viewtest.Small())
}

func TestAnyFrame(t *testing.T) {
	g, _ := shown(t, viewtest.Sampled(), 500, 300, "top", "2")
	kindtest.AnyFrame(t, Kind(), g)
}

// TestRanking compares the list and its shares with counts computed from the events.
func TestRanking(t *testing.T) {
	for seed := range uint64(3) {
		src := viewtest.Spike(30_000, 4, seed)
		d := src.Dict()
		ticks, total := map[string]int64{}, int64(0)
		err := src.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
			for _, e := range es {
				line := d.Code(d.Context(uint32(e.Ref)).Code)
				ticks[d.Code(line.Parent).Name] += e.Value
				total += e.Value
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for name := range ticks {
			names = append(names, name)
		}
		slices.SortFunc(names, func(a, b string) int { return cmp.Compare(ticks[b], ticks[a]) })
		for _, top := range []int{1, 7, 1000} {
			g, f := shown(t, src, 900, 3000, "top", fmt.Sprint(top))
			l := g.list(nil, g.across)
			if len(l.rows) != min(top, len(names)) || len(l.all) != len(names) || l.total != total {
				t.Fatalf("%d of %d, %d ticks; want %d of %d, %d", len(l.rows), len(l.all), l.total, min(top, len(names)), len(names), total)
			}
			out := scene.New(1000, 3100)
			view.Draw(g, f, out)
			texts := viewtest.Strings(out)
			for i, e := range l.rows {
				name := g.Named(e.function)
				if e.row.Total != ticks[names[i]] || ticks[name] != e.row.Total {
					t.Fatalf("seed %d: place %d is %s with %d, want %s with %d", seed, i+1, name, e.row.Total, names[i], ticks[names[i]])
				}
				if i < 40 && (!slices.Contains(texts, name) || !slices.Contains(texts, figures.Count(ticks[name])) || !slices.Contains(texts, figures.Percent(ticks[name], total))) {
					t.Fatalf("%s with %d is not said", name, ticks[name])
				}
			}
		}
	}
}

// names returns the procedures of the rows of rectangles.
func (s *sheet) names(rects []scene.Rect) (names []string) {
	for _, r := range rects {
		k, ok := s.function((r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
		if !ok {
			names = append(names, fmt.Sprint("nothing at ", r))
			continue
		}
		names = append(names, s.g.Named(k))
	}
	return names
}

// TestSelections hits rows and the title row, and highlights the rows of procedures with a part in the selections of other views, including
// the bottom row of a procedure that is not listed.
func TestSelections(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 700, 300, "top", "2") // step and main; last is third
	click := func(x, y float64) view.Selection {
		for _, a := range g.Input(f, view.Input{Kind: view.Click, X: x, Y: y}) {
			if a.Do == view.Select && a.Selection != nil {
				return *a.Selection
			}
		}
		return view.Selection{}
	}
	s := layout(f, g)
	x := s.name.x0 + 5
	for _, c := range []struct {
		y    float64
		want []uint32
	}{
		{f.Area.Y0 + 4, []uint32{viewtest.Step, viewtest.Spin}},
		{s.row(0).Y0 + 4, []uint32{viewtest.Step}},
		{s.row(1).Y0 + 4, []uint32{viewtest.Spin}},
		{s.row(2).Y0 + 4, nil}, // the bottom: nothing is selected
	} {
		if got := click(x, c.y); !slices.Equal(got.Codes, c.want) {
			t.Errorf("a click at %g selects %v, want %v", c.y, got.Codes, c.want)
		}
	}
	for _, c := range []struct {
		name string
		s    view.Selection
		want []string
	}{
		{"nothing", view.Selection{}, nil},
		{"a procedure", view.Selection{Codes: []uint32{viewtest.Step}}, []string{"step"}},
		{"one that is not listed", view.Selection{Codes: []uint32{viewtest.Last}}, []string{"last"}},
		{"a line of it, at which nothing happened", view.Selection{Lines: []view.Lines{{File: "spin.f90", First: 83}}}, []string{"last"}},
		{"an instruction", view.Selection{Codes: []uint32{viewtest.Step12b}}, []string{"step"}},
		{"lines of two", view.Selection{Lines: []view.Lines{{File: "spin.f90", First: 7, Last: 11}}}, []string{"step", "main"}},
		{"a line of none", view.Selection{Lines: []view.Lines{{File: "spin.f90", First: 50}}}, nil},
		{"a PE", view.Selection{PEs: []view.Span{{First: 1, Last: 1}}}, []string{"step", "main", "last"}},
		{"another PE", view.Selection{PEs: []view.Span{{First: 2, Last: 2}}}, []string{"step", "main"}},
		{"a time", view.Selection{Time: &view.Span{First: 0, Last: 30}}, []string{"main"}},
		{"another trace", view.Selection{Trace: "u", Codes: []uint32{viewtest.Step}}, nil},
	} {
		if c.s.Trace == "" {
			c.s.Trace = "t"
		}
		f.State.Shared.Selection = c.s
		if got := layout(f, g).names(g.Locate(f, c.s)); !slices.Equal(got, c.want) {
			t.Errorf("%s lights %q, want %q", c.name, got, c.want)
		}
		out := scene.New(800, 400)
		g.Overlay(f, out)
		if bottom := slices.Contains(viewtest.Strings(out), "last"); bottom != slices.Contains(c.want, "last") {
			t.Errorf("%s: at the bottom %q", c.name, viewtest.Strings(out))
		}
	}
}

// TestDetail shows the lines of a procedure in the detail by a double click.
func TestDetail(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 700, 300)
	s := layout(f, g)
	as := g.Input(f, view.Input{Kind: view.DoubleClick, X: s.name.x0, Y: s.row(0).Y0 + 3})
	if len(as) != 1 || as[0].Do != view.SetDetail || *as[0].Lines != (view.Lines{File: "spin.f90", First: 9, Last: 14}) {
		t.Errorf("%+v", as)
	}
}

// TestScroll scrolls to every row and reveals a selected one.
func TestScroll(t *testing.T) {
	g, f := shown(t, viewtest.Spike(200_000, 2, 1), 600, 300, "top", "100")
	fourth := g.Profile.Functions[g.list(nil, g.across).rows[3].function].Code
	kindtest.Rows(t, g, f, 100, func() (int, int) { return layout(f, g).Shown() }, view.Selection{Trace: "t", Codes: []uint32{fourth}})
}

// TestKeys selects procedures by keys.
func TestKeys(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 700, 300)
	for _, c := range []struct {
		key  string
		want uint32
	}{
		{"ArrowDown", viewtest.Step},
		{"ArrowDown", viewtest.Spin},
		{"ArrowDown", viewtest.Last},
		{"ArrowDown", viewtest.Last},
		{"ArrowUp", viewtest.Spin},
		{"Home", viewtest.Step},
		{"End", viewtest.Last},
		{"PageUp", viewtest.Step},
		{"PageDown", viewtest.Last},
	} {
		for _, a := range g.Input(f, view.Input{Kind: view.Press, Key: c.key}) {
			if err := f.State.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
		if got := f.State.Shared.Selection.Codes; !slices.Equal(got, []uint32{c.want}) {
			t.Errorf("%s selects %v, want %d", c.key, got, c.want)
		}
	}
}

func TestTip(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 700, 300)
	s := layout(f, g)
	want := []string{"step", "spin.f90:9–14", "78 ticks, 89 %", "from 10 on PE 2 to 46 on PE 0"}
	if tip, ok := g.Tip(f, s.name.x0, s.row(0).Y0+3); !ok || !slices.Equal(tip.Lines, want) {
		t.Errorf("%q, want %q", tip.Lines, want)
	}
}

func BenchmarkProcedures(b *testing.B) {
	src := viewtest.Spike(1_000_000, 1024, 1)
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			shown(b, src, 1900, 1000)
		}
	})
	g, f := shown(b, src, 1900, 1000, "top", "1000")
	kindtest.BenchFrame(b, "frame", f, g.Base, g.Overlay)
}

// TestWidePane checks that the numbers of a wide pane lie near the names, and that the bars of PEs get some of the room.
func TestWidePane(t *testing.T) {
	g, f := shown(t, viewtest.Spike(3000, 8, 1), 600, 400)
	narrow := layout(f, g)
	g, f = shown(t, viewtest.Spike(3000, 8, 1), 3000, 400)
	s := layout(f, g)
	if names := s.name.x1 - s.name.x0; names > (nameEms+1)*s.em {
		t.Errorf("names have %g pixels, want at most %g", names, nameEms*s.em)
	}
	if wide, usual := s.heat.x1-s.heat.x0, narrow.heat.x1-narrow.heat.x0; wide < 1.9*usual || wide > 2.3*usual {
		t.Errorf("the bars of PEs have %g pixels, %g in a narrow pane", wide, usual)
	}
}

// TestPlaceKeepsFile checks that a long path is shortened to the name of its file.
func TestPlaceKeepsFile(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 900, 400)
	for i := range g.Profile.Files {
		g.Profile.Files[i].Name = "a/folder/with/a/name/that/is/much/too/long/for/the/column/" + g.Profile.Files[i].Name
	}
	out := scene.New(900, 400)
	view.Draw(g, f, out)
	for i := range out.Len() {
		if o := out.Op(i); o.Kind == scene.OpText {
			if _, _, text, _ := o.Text(); strings.HasPrefix(string(text), "spin.f90:") {
				return
			}
		}
	}
	t.Error("no place begins with the name of the file")
}
