package surface

import (
	"image/color"
	"math"
	"slices"
	"strconv"
	"testing"

	"whorl/tracer"
	"whorl/visual/backend/raster"
	"whorl/visual/layout/terrain"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

func shown(t testing.TB, src tracer.Source, w, h float64, params ...string) (*Geometry, *view.Frame) {
	t.Helper()
	g, f := kindtest.Shown[*Geometry](t, Kind(), src, w, h, params...)
	f.Camera.ScaleY = 0
	return g, f
}

func TestGolden(t *testing.T) {
	kindtest.Golden(t, "small.txt", Kind(), viewtest.Small(), 300, 220, nil)
}

func TestTexts(t *testing.T) {
	sources := []tracer.Source{viewtest.Sampled(), viewtest.Small(), viewtest.Spike(20_000, 4, 1), viewtest.Spike(9_000, 1024, 1)}
	kindtest.Texts(t, Kind(), nil, sources...)
	kindtest.Texts(t, Kind(), map[string]string{"processors": "ranks"}, sources...)
	kindtest.Texts(t, Kind(), map[string]string{"processors": "each"}, sources[3])
}

func TestAnyFrame(t *testing.T) {
	g, _ := shown(t, viewtest.Sampled(), 500, 300)
	kindtest.AnyFrame(t, Kind(), g)
}

// TestHeights compares the field with the counts of the detail's lines by PE.
func TestHeights(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 500, 300)
	f.Detail = &view.Lines{File: "spin.f90", First: 10, Last: 13}
	d := g.field(f)
	if want := []int64{0, 0, 0, 6, 2, 0, 40, 20, 10, 0, 0, 0}; !slices.Equal(d.counts, want) || d.most != 40 || d.rows != 4 || d.columns != 3 {
		t.Errorf("%d rows of %d: %v, want %v", d.rows, d.columns, d.counts, want)
	}
	until := int64(120) // before the second instruction of line 12
	f.Until = &until
	if d := g.field(f); d.count(2, 0) != 15 || d.count(2, 2) != 10 || d.count(2, 1) != 0 {
		t.Errorf("until then %v", d.counts)
	}
}

// TestLevelOfDetail checks that the field of a million lines on a thousand PEs keeps the peak of each cell.
func TestLevelOfDetail(t *testing.T) {
	const lines = 100_000
	src := viewtest.Spike(lines, 1024, 2)
	for _, mode := range []string{"each", "groups"} {
		g, f := shown(t, src, 800, 500, "processors", mode)
		f.Detail = &view.Lines{File: "spike.f90", First: 1, Last: lines}
		d := g.field(f)
		if d.rows*d.columns > mostCells || d.columns > mostColumns || d.rows*d.columns < mostCells/2 {
			t.Fatalf("%d by %d", d.rows, d.columns)
		}
		table := g.All().Lines
		peaks := make([]int64, d.rows)
		for i := range table.Rows {
			k := int(table.Rows[i].Line.Line-1) / d.bin
			peaks[k] = max(peaks[k], table.Rows[i].Max)
		}
		for k, want := range peaks {
			if got := slices.Max(d.counts[k*d.columns : (k+1)*d.columns]); got != want {
				t.Fatalf("%s: the peak of row %d is %d, want %d", mode, k, got, want)
			}
		}
		if d.most != table.Most {
			t.Fatalf("the most is %d, want %d", d.most, table.Most)
		}
	}
}

// TestPeakIsHit hits the line of the highest peak and locates it there.
func TestPeakIsHit(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 600, 400)
	for _, c := range []view.Camera{f.Camera, {X: 20, Y: 60, Scale: 1, ScaleY: 1}, {X: 170, Y: 50, Scale: 1, ScaleY: 1}, {X: 0, Y: 90, Scale: 1, ScaleY: 1}} {
		f.Camera = c
		s := setStage(f, g)
		i, _ := s.rowOf(11) // line 12
		x, y, _ := s.see.Vertex(i, 0)
		if c.Y == 90 { // the edge of the map
			y -= 2
		}
		sel, ok := g.Hit(f, x, y+1)
		if !ok || len(sel.Lines) != 1 || sel.Lines[0].First != 12 {
			t.Errorf("%+v: at the peak is %+v", c, sel)
			continue
		}
		places := g.Locate(f, sel)
		if len(places) != 1 || !places[0].Grow(1).Contains(x, y) {
			t.Errorf("%+v: line 12 is at %v, want %g,%g", c, places, x, y)
		}
	}
}

// TestSelectedLines counts the yellow lines of selections: one for each selected line, or an outline around consecutive lines.
func TestSelectedLines(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 600, 400)
	f.Detail = &view.Lines{File: "spin.f90", First: 1, Last: 20}
	for _, c := range []struct {
		s           view.Selection
		want, lines int // rows, and yellow lines
	}{
		{view.Selection{}, 0, 0},
		{view.Selection{Codes: []uint32{viewtest.Step}}, 6, 1},
		{view.Selection{Codes: []uint32{viewtest.Step11}}, 1, 1},
		{view.Selection{Lines: []view.Lines{{File: "spin.f90", First: 18, Last: 30}}}, 3, 3},
		{view.Selection{Codes: []uint32{viewtest.Last}}, 0, 0},
		{view.Selection{PEs: []view.Span{{First: 2, Last: 2}}}, 3, 3},
	} {
		c.s.Trace = "t"
		f.State.Shared.Selection = c.s
		l := scene.New(700, 500)
		g.Overlay(f, l)
		n := 0
		for i := range l.Len() {
			if o := l.Op(i); o.Kind == scene.OpPolyline && o.Color == lineplot.Yellow {
				n++
			}
		}
		if n != c.lines || len(g.Locate(f, c.s)) != c.want {
			t.Errorf("%+v has %d lines, want %d", c.s, n, c.lines)
		}
	}
}

// TestTurning drags the surface to the right and downwards, zooms, and selects the plain sides with keys.
func TestTurning(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 600, 400)
	do := func(in view.Input) {
		for _, a := range g.Input(f, in) {
			if a.Do == view.SetCamera {
				f.Camera = *a.Camera
			}
		}
	}
	before := setStage(f, g).side
	do(view.Input{Kind: view.Drag, DX: 30, DY: 0})
	after := setStage(f, g).side
	if d := after.Azimuth - before.Azimuth; d < 5 || d > 30 || after.Elevation != before.Elevation {
		t.Errorf("turned from %+v to %+v", before, after)
	}
	for range 100 {
		do(view.Input{Kind: view.Drag, DX: -300, DY: 50})
	}
	if s := setStage(f, g).side; s.Elevation != 90 || math.Abs(s.Azimuth) > 180 {
		t.Errorf("turned far to %+v", s)
	}
	do(view.Input{Kind: view.Press, Key: "8"})
	s := setStage(f, g)
	_, y0, _ := s.see.Point(0, 0, 0)
	if _, y1, _ := s.see.Point(5, 2, 0); s.side.Elevation != 0 || math.Abs(y0-y1) > 1e-6 {
		t.Errorf("from the side: %+v", s.side)
	}
	do(view.Input{Kind: view.Wheel, DY: 3})
	if z := setStage(f, g).zoom; z <= 1 {
		t.Errorf("the wheel zooms to %g", z)
	}
	do(view.Input{Kind: view.Press, Key: "7"})
	if s := setStage(f, g); s.side.Elevation != 90 || s.zoom != 1 {
		t.Errorf("from above: %+v", s.side)
	}
}

// TestLastColumnIsNamed checks that the last PE has a label from any azimuth.
func TestLastColumnIsNamed(t *testing.T) {
	for _, pes := range []int{4, 7, 24} {
		g, f := shown(t, viewtest.Spike(2000, pes, 1), 900, 600)
		for _, azimuth := range []float64{-32, -70, 20, 120} {
			f.Camera = camera(terrain.Side{Azimuth: azimuth, Elevation: 34}, 1)
			l := scene.New(1000, 700)
			view.Draw(g, f, l)
			named := false
			for i := range l.Len() {
				if o := l.Op(i); o.Kind == scene.OpText {
					_, _, s, _ := o.Text()
					named = named || string(s) == strconv.Itoa(pes-1)
				}
			}
			if !named {
				t.Errorf("%d PEs at %g degrees: the last has no number", pes, azimuth)
			}
		}
	}
}

// TestFrontWall checks that a wall darker than the top hangs from the nearest edge, and none where counts are 0.
func TestFrontWall(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 900, 600)
	f.Detail = &view.Lines{File: "spin.f90", First: 10, Last: 14}
	f.Camera = camera(terrain.Side{Azimuth: 0, Elevation: 20}, 1) // the edge of PE 0 is in front
	s := setStage(f, g)
	l := scene.New(1000, 700)
	view.Draw(g, f, l)
	m := raster.New(kindtest.Glyphs).Picture(l, 1)
	at := func(row, height float64) color.RGBA { // colour of a point of the front edge, at a share of the height
		x, y := s.project(row, 0, height)
		return m.RGBAAt(int(x), int(y))
	}
	wall := at(2, 0.5) // line 12 on PE 0 is the highest peak
	heat := s.d.scale.Between(20)
	if int(wall.R) >= int(heat.R) || int(wall.G) >= int(heat.G) || wall.R == 0 && wall.G == 0 && wall.B == 0 {
		t.Errorf("half way down from the peak it is %v, of the heat %v", wall, heat)
	}
	if ground := at(3.5, 0.4); ground == wall {
		t.Errorf("beside the peak it is %v, too", ground)
	}
}

func BenchmarkSurface(b *testing.B) {
	const lines = 1_000_000
	g, f := shown(b, viewtest.Spike(lines, 1024, 1), 1900, 1000, "processors", "each")
	for _, c := range []struct {
		name string
		n    int32
	}{{"default", 0}, {"all", lines}} {
		f.Detail = nil
		if c.n > 0 {
			f.Detail = &view.Lines{File: "spike.f90", First: 1, Last: c.n}
		}
		kindtest.BenchFrame(b, "frame/"+c.name, f, g.Base, g.Overlay)
	}
}
