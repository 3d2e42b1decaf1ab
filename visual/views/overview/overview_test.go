package overview

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

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
	kindtest.Golden(t, "sampled.txt", Kind(), viewtest.Sampled(), 400, 300, map[string]string{"bin": "2", "strip": "6", "skip": "20"})
}

func TestTexts(t *testing.T) {
	nothing := tracer.NewMemory()
	s := nothing.Stream(tracer.StreamInfo{})
	*s.Slot() = tracer.Event{Kind: tracer.Sample, Value: 1}
	_ = nothing.Close()
	kindtest.Texts(t, Kind(), nil, viewtest.Sampled(), viewtest.Small(), viewtest.Spike(20_000, 4, 1), viewtest.Spike(9_000, 1024, 1), nothing)
	kindtest.Texts(t, Kind(), map[string]string{"processors": "ranks", "strip": "7"}, viewtest.Sampled(), viewtest.Spike(9_000, 1024, 1))
}

func TestAnyFrame(t *testing.T) {
	g, _ := shown(t, viewtest.Sampled(), 500, 300, "strip", "9")
	kindtest.AnyFrame(t, Kind(), g)
}

// A count holds ticks by line and PE, computed from the events.
type count map[int]map[int]int64

func counted(t testing.TB, src tracer.Source) count {
	c := count{}
	d := src.Dict()
	err := src.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
		for _, e := range es {
			code := d.Code(d.Context(uint32(e.Ref)).Code)
			if code.Type == tracer.Instruction {
				code = d.Code(code.Parent)
			}
			line := int(code.Line)
			if c[line] == nil {
				c[line] = map[int]int64{}
			}
			c[line][int(e.PE)] += e.Value
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// bins returns the lines of each bin, following the paper's description line by line.
func (c count) bins(lines, skip, bin int) (bins [][]int) {
	var kept []int
	for line := 1; line <= lines; line++ {
		end := line
		for end <= lines && c[end] == nil {
			end++
		}
		if n := end - line; n > 0 && (n <= skip || skip < 0) {
			for ; line < end; line++ {
				kept = append(kept, line)
			}
		}
		if line = end; line <= lines {
			kept = append(kept, line)
		}
	}
	for part := range slices.Chunk(kept, bin) {
		bins = append(bins, part)
	}
	return bins
}

// TestBins compares the ticks of each cell with a direct count, for any values of skip, bin and strip.
func TestBins(t *testing.T) {
	const lines = 5000
	src := viewtest.Spike(lines, 4, 3)
	c := counted(t, src)
	rapid.Check(t, func(r *rapid.T) {
		skip, bin, strip := rapid.IntRange(-1, 120).Draw(r, "skip"), rapid.IntRange(1, 50).Draw(r, "bin"), rapid.IntRange(1, 200).Draw(r, "strip")
		how := rapid.SampledFrom(reduce.Choices).Draw(r, "reduce")
		g, _ := shown(t, src, 800, 500, "skip", fmt.Sprint(skip), "bin", fmt.Sprint(bin), "strip", fmt.Sprint(strip), "reduce", how)
		want := c.bins(lines, skip, bin)
		if g.layout.Bins != len(want) || g.layout.Strips() != (len(want)+strip-1)/strip {
			r.Fatalf("%d bins in %d strips, want %d in strips of %d", g.layout.Bins, g.layout.Strips(), len(want), strip)
		}
		cells := g.cells(nil, g.across)
		most := int64(0)
		for b, part := range want {
			for pe := range 4 {
				n := int64(0)
				for _, line := range part {
					if how == bySum {
						n += c[line][pe]
					} else {
						n = max(n, c[line][pe])
					}
				}
				most = max(most, n)
				if got := cells.counts[4*b+pe]; got != n {
					r.Fatalf("bin %d on PE %d has %d, want %d", b, pe, got, n)
				}
			}
		}
		if cells.most != most {
			r.Fatalf("the most is %d, want %d", cells.most, most)
		}
	})
}

// TestFourteenStrips checks that bins of automatic size have the fewest lines that make at most 14 strips.
func TestFourteenStrips(t *testing.T) {
	for _, lines := range []int{2_000, 5_000, 94_824, 400_000} {
		g, _ := shown(t, viewtest.Spike(lines, 2, 5), 800, 500)
		n := g.layout.Strips()
		if n > 14 || g.layout.Bin > 1 && g.layout.With(g.layout.Bin-1, 80).Strips() <= 14 {
			t.Errorf("%d lines: %d strips with %d lines in a bin", lines, n, g.layout.Bin)
		}
	}
}

// TestHitsAndPlaces hits the hottest line in the middle of each bin and locates it there.
func TestHitsAndPlaces(t *testing.T) {
	src := viewtest.Spike(5000, 3, 3)
	c := counted(t, src)
	g, f := shown(t, src, 900, 600, "bin", "7", "strip", "33")
	s := layout(f, g)
	bins := c.bins(5000, 50, 7)
	for b, part := range bins {
		strip, row := g.layout.Cell(b)
		x, y := (s.x(strip)+s.end(strip))/2, (s.y(row)+s.y(row+1))/2
		sel, ok := g.Hit(f, x, y)
		best, most := part[0], int64(0)
		for _, line := range part {
			for _, n := range c[line] {
				if n > most {
					best, most = line, n
				}
			}
		}
		if !ok || len(sel.Lines) != 1 || sel.Lines[0] != (view.Lines{File: "spike.f90", First: int32(best), Last: int32(best)}) {
			t.Fatalf("bin %d is %+v, want line %d", b, sel.Lines, best)
		}
		places := g.Locate(f, sel)
		if len(places) != 1 || !places[0].Contains(x, y) || places[0].H() > s.Y.Scale+1 {
			t.Fatalf("line %d is at %v, want it around %g,%g", best, places, x, y)
		}
	}
	if _, ok := g.Hit(f, s.x(0), s.In.Y0-3); ok {
		t.Error("a heading is hit")
	}
}

// outlined returns the rectangles of a colour in the overlay.
func outlined(f *view.Frame, g *Geometry, c scene.Color) (out []scene.Rect) {
	l := scene.New(2000, 1500)
	g.Overlay(f, l)
	for i := range l.Len() {
		if o := l.Op(i); o.Kind == scene.OpPolyline && o.Color == c {
			p, _ := o.Polyline()
			out = append(out, scene.Rect{X0: float64(p[0]), Y0: float64(p[1]), X1: float64(p[4]), Y1: float64(p[5])})
		}
	}
	return out
}

// lines returns the lines of the bins inside rectangles.
func (s *sheet) lines(rects []scene.Rect) map[int]bool {
	lines := map[int]bool{}
	for b := range s.g.layout.Bins {
		strip, row := s.g.layout.Cell(b)
		x, y := (s.x(strip)+s.end(strip))/2, (s.y(row)+s.y(row+1))/2
		if slices.ContainsFunc(rects, func(r scene.Rect) bool { return r.Contains(x, y) }) {
			from, end := s.g.layout.Positions(b)
			for p := from; p < end; p++ {
				lines[s.g.layout.Line(p)+1] = true
			}
		}
	}
	return lines
}

func rangeOf(first, last int) map[int]bool {
	m := map[int]bool{}
	for i := first; i <= last; i++ {
		m[i] = true
	}
	return m
}

// TestRectangles checks the yellow rectangles of the busiest or selected procedures and the golden rectangle of the detail. Strips have five
// lines, so rectangles wrap; skipped lines have none.
func TestRectangles(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 900, 600, "bin", "1", "strip", "5")
	s := layout(f, g)
	main, step, last := rangeOf(1, 7), rangeOf(9, 12), rangeOf(82, 83) // lines 13 to 81 are left out
	both := maps.Clone(main)
	maps.Copy(both, step)
	for _, c := range []struct {
		name string
		sel  view.Selection
		want map[int]bool
	}{
		{"nothing: the busiest", view.Selection{}, step},
		{"a procedure", view.Selection{Codes: []uint32{viewtest.Last}}, last},
		{"two", view.Selection{Codes: []uint32{viewtest.Step, viewtest.Spin}}, both},
		{"a line of one", view.Selection{Codes: []uint32{viewtest.Spin5}}, main},
		{"an instruction", view.Selection{Codes: []uint32{viewtest.Step12b}}, step},
		{"a line at which nothing happened", view.Selection{Lines: []view.Lines{{File: "spin.f90", First: 2}}}, main},
		{"a line of none", view.Selection{Lines: []view.Lines{{File: "spin.f90", First: 17}}}, step},
		{"lines of two", view.Selection{Lines: []view.Lines{{File: "src/spin.f90", First: 5, Last: 11}}}, both},
		{"a PE on which one did nothing", view.Selection{PEs: []view.Span{{First: 2, Last: 2}}}, both},
		{"a time", view.Selection{Time: &view.Span{First: 0, Last: 30}}, main},
		{"another trace", view.Selection{Trace: "u", Codes: []uint32{viewtest.Last}}, step},
	} {
		if c.sel.Trace == "" {
			c.sel.Trace = "t"
		}
		f.State.Shared.Selection = c.sel
		if got := s.lines(outlined(f, g, lineplot.Yellow)); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(c.want)))
		}
	}
	f.Detail = &view.Lines{File: "spin.f90", First: 4, Last: 82}
	rects := outlined(f, g, lineplot.Gold)
	if got := s.lines(rects); !maps.Equal(got, map[int]bool{4: true, 5: true, 6: true, 7: true, 8: true, 9: true, 10: true, 11: true, 12: true, 82: true}) || len(rects) != 3 {
		t.Errorf("the detail is around %v in %d parts", slices.Sorted(maps.Keys(got)), len(rects))
	}
	f.Detail = &view.Lines{File: "spin.f90", First: 30, Last: 40}
	if rects := outlined(f, g, lineplot.Gold); len(rects) != 0 {
		t.Errorf("a detail of omitted lines is outlined at %v", rects)
	}
}

// TestHighlight highlights the lines of the selections of other views.
func TestHighlight(t *testing.T) {
	g, f := shown(t, viewtest.Small(), 600, 400)
	s := layout(f, g)
	for _, c := range []struct {
		name string
		s    view.Selection
		want []int
	}{
		{"nothing", view.Selection{}, nil},
		{"a task", view.Selection{Tasks: []view.Tasks{{First: 1}}}, []int{1}},
		{"a subtree", view.Subtree("t", 3), []int{2, 3}},
		{"a subtree on a PE", view.Selection{Tasks: []view.Tasks{{First: 1, Subtree: true}}, PEs: []view.Span{{First: 1, Last: 1}}}, []int{3}},
		{"a PE", view.Selection{PEs: []view.Span{{First: 0, Last: 0}}}, []int{1, 2}},
		{"a PE that did nothing", view.Selection{PEs: []view.Span{{First: 2, Last: 2}}}, nil},
		{"a time", view.Selection{Time: &view.Span{First: 21, Last: 30}}, []int{3}},
		{"a clause", view.Selection{Codes: []uint32{viewtest.WorkB}}, []int{3}},
		{"a procedure", view.Selection{Codes: []uint32{viewtest.Work}}, []int{2, 3}},
		{"a line of a procedure", view.Selection{Codes: []uint32{viewtest.Work}, Lines: []view.Lines{{File: "small.fghc", First: 3, Last: 9}}}, []int{3}},
		{"a code that is none", view.Selection{Codes: []uint32{99}}, nil},
		{"no such task", view.Subtree("t", 77), nil},
	} {
		c.s.Trace = "t"
		var want []int
		want = append(want, c.want...)
		if got := slices.Sorted(maps.Keys(s.lines(g.Locate(f, c.s)))); !slices.Equal(got, want) {
			t.Errorf("%s lights %v, want %v", c.name, got, want)
		}
	}
}

// TestUntil counts the events up to a moment.
func TestUntil(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 600, 400, "bin", "1")
	until := int64(60) // the samples of line 5
	f.Until = &until
	c := g.cells(f.Counted(), g.across)
	if c.most != 4 {
		t.Errorf("the most is %d, want 4", c.most)
	}
	if b := g.busiest(f); g.Profile.Functions[b].Name != "main" {
		t.Errorf("the busiest is %s", g.Profile.Functions[b].Name)
	}
}

func TestTip(t *testing.T) {
	g, f := shown(t, viewtest.Sampled(), 600, 400, "bin", "2", "skip", "20")
	s := layout(f, g)
	for _, c := range []struct {
		bin  int
		want []string
	}{
		{5, []string{"step", "spin.f90:11–12", "line 12 has the most:", "70 ticks, 80 %", "from 10 on PE 2 to 40 on PE 0"}},
		{1, []string{"main", "spin.f90:3–4", "line 3 has the most:", "3 ticks, 3.4 %", "from 1 on PE 0 to 1 on PE 0"}},
		{3, []string{"main", "spin.f90:7–8", "no ticks"}},
	} {
		strip, row := g.layout.Cell(c.bin)
		tip, ok := g.Tip(f, s.x(strip)+3, s.y(row)+3)
		if !ok || !slices.Equal(tip.Lines, c.want) {
			t.Errorf("bin %d: %q, want %q", c.bin, tip.Lines, c.want)
		}
	}
}

func BenchmarkOverview(b *testing.B) {
	for _, c := range []struct {
		lines, pes int
	}{{94_824, 4}, {1_000_000, 1024}} {
		src := viewtest.Spike(c.lines, c.pes, 1)
		name := fmt.Sprintf("%d/%d", c.lines, c.pes)
		b.Run("open/"+name, func(b *testing.B) {
			for b.Loop() {
				shown(b, src, 1900, 1000)
			}
		})
		g, f := shown(b, src, 1900, 1000)
		kindtest.BenchFrame(b, "frame/"+name, f, g.Base, g.Overlay)
	}
}

// TestLabelsClearOfFrames checks that the headings and the labels of columns keep clear of the golden rectangle, in small and large fonts.
func TestLabelsClearOfFrames(t *testing.T) {
	for _, font := range []float32{9, 12, 13, 30} {
		g, f := shown(t, viewtest.Sampled(), 900, 700)
		f.Style = view.NewStyle(false, font)
		first, end := g.Outlined(f)
		s := layout(f, g)
		out := scene.New(1000, 800)
		g.Base(f, out)
		texts := 0
		for i := range out.Len() {
			o := out.Op(i)
			if o.Kind != scene.OpText {
				continue
			}
			texts++
			x, y, text, st := o.Text()
			w := float64(f.Text.Width(string(text), st.Size, st.Face))
			box := scene.Rect{X0: float64(x), Y0: float64(y - 0.75*st.Size), X1: float64(x) + w, Y1: float64(y + 0.25*st.Size)}
			if st.Anchor == scene.Middle {
				box.X0, box.X1 = box.X0-w/2, box.X1-w/2
			}
			for _, p := range g.layout.Wrap(first, end) {
				if r := s.rect(p).Grow(s.reach + 1); r.Meets(box) {
					t.Errorf("font %v: %q at %v meets the frame %v", font, text, box, r)
				}
			}
		}
		if texts == 0 {
			t.Errorf("font %v: no labels", font)
		}
	}
}
