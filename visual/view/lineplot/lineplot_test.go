package lineplot

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/tracer"
	"whorl/tracer/derive/lineprofile"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/flow"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// plotOf returns the plot of the first metric of a trace.
func plotOf(t testing.TB, src tracer.Source) *Plot {
	t.Helper()
	prof, err := lineprofile.Grow(src, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := spawntree.Grow(src, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	run, err := view.ReadRun(src)
	if err != nil {
		t.Fatal(err)
	}
	return NewPlot(run, tree, prof, 0, false)
}

// TestColumn checks that each line has its own row and is found from it.
func TestColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &lineprofile.Profile{}
		for _, n := range rapid.SliceOfN(rapid.Int32Range(0, 20), 1, 6).Draw(t, "lengths") {
			p.Files = append(p.Files, lineprofile.File{Name: string(rune('a' + len(p.Files))), Lines: n})
		}
		c := NewColumn(p)
		row := 0
		for k, f := range p.Files {
			for line := int32(1); line <= f.Lines; line++ {
				l := lineprofile.Line{File: int32(k), Line: line}
				if c.Row(l) != row || c.Line(row) != l {
					t.Fatalf("line %+v has row %d, want %d, the row of %+v", l, c.Row(l), row, c.Line(row))
				}
				if first, end, ok := c.RowsOf(view.Lines{File: f.Name, First: line}); !ok || first != row || end != row+1 {
					t.Fatalf("%s:%d is from %d to %d", f.Name, line, first, end)
				}
				last := rapid.Int32Range(line, f.Lines+3).Draw(t, "last")
				first, end, _ := c.RowsOf(view.Lines{File: f.Name, First: line, Last: last})
				if got := c.Lines(first, end+5); got.File != f.Name || got.First != line || got.Last != min(f.Lines, c.Line(min(end+5, c.Rows())-1).Line) && c.Line(min(end+4, c.Rows()-1)).File == int32(k) {
					t.Fatalf("rows %d to %d are %+v", first, end, got)
				}
				if low, high := c.FileOf(row); low != row-int(line)+1 || high-low != int(f.Lines) {
					t.Fatalf("the file of row %d is from %d to %d", row, low, high)
				}
				row++
			}
		}
		if c.Rows() != row {
			t.Fatalf("%d rows, want %d", c.Rows(), row)
		}
		if _, _, ok := c.RowsOf(view.Lines{File: "z", First: 1}); ok {
			t.Fatal("an unknown file has lines")
		}
	})
}

// TestScale checks that only 0 has the colour of none, and that only the largest amount, or 256 and more, has the hottest colour. The colour of
// none is the background, except for the spectrum of PerfVisS, which lies on black. Elsewhere more heat contrasts more with the background.
func TestScale(t *testing.T) {
	for i, scheme := range palette.Schemes {
		for _, background := range view.Background.Choices {
			h := NewHeat(flow.Values{Palette.Name: scheme.Name, view.Background.Name: background})
			normal, fixed := new(Plot).Scale(h, 1000, true), new(Plot).Scale(h, 1000, false)
			if normal.Color(0) != h.None || normal.Color(1) == h.None || normal.Color(999) == normal.Color(1000) || fixed.Color(256) != fixed.Color(1000) ||
				fixed.Color(250) == fixed.Color(256) {
				t.Errorf("%s: wrong colours for 0 or the largest amount", scheme.Name)
			}
			ground := view.NewStyle(background == "dark", 1).Ground
			if i == 0 {
				ground = scene.RGB(0, 0, 0)
			}
			lightness := func(c scene.Color) float64 { return palette.ToLab(color.NRGBA{R: c.R, G: c.G, B: c.B, A: c.A}).L }
			distance := func(n int64) float64 {
				return math.Abs(lightness(normal.Color(n)) - lightness(h.None))
			}
			if h.None != ground || distance(1) < 0.1 || i > 0 && (distance(500) < distance(1)+0.1 || distance(1000) < distance(500)+0.1) {
				t.Errorf("%s, %s: none is %v, and heat has the lightness %g, %g, %g above it", scheme.Name, background, h.None, distance(1), distance(500), distance(1000))
			}
		}
	}
	hot, cold := palette.Schemes[0].Heat(1, false), palette.Schemes[0].Heat(0, false)
	if hot.R < 200 || hot.G > 60 || hot.B > 60 || cold.B < 150 || cold.R > 100 {
		t.Errorf("hot is %v and cold %v", hot, cold)
	}
}

// TestDetail checks the rows of the detail; without lines they lie around the hottest line.
func TestDetail(t *testing.T) {
	p := plotOf(t, viewtest.Sampled())
	for _, c := range []struct {
		l          *view.Lines
		first, end int
	}{
		{nil, 0, 40}, // around row 11, kept within the file
		{&view.Lines{File: "spin.f90", First: 5, Last: 8}, 4, 8},
		{&view.Lines{File: "spin.f90", First: 88, Last: 300}, 87, 90},
		{&view.Lines{File: "other.f90", First: 5}, 0, 40},
	} {
		if first, end := p.Detail(c.l); first != c.first || end != c.end {
			t.Errorf("%+v is from %d to %d, want %d to %d", c.l, first, end, c.first, c.end)
		}
	}
}

func TestUnknownMetric(t *testing.T) {
	d := view.NewData(viewtest.Sampled())
	defer d.Close()
	r := view.Read(d, PlotStage)
	for _, c := range []struct{ name, want string }{{"ticks", ""}, {"foo", `unknown metric "foo"; known are ticks`}} {
		for _, p := range []struct {
			name  string
			value any
		}{{Metric.Name, c.name}, {Inclusive.Name, false}} {
			if err := r.SetParam(p.name, p.value); err != nil {
				t.Fatal(err)
			}
		}
		got := ""
		if _, err := r.Get(t.Context(), 0); err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: error %q, want %q", c.name, got, c.want)
		}
	}
}
