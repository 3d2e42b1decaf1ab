package source

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

var glyphs = kindtest.Glyphs

const sums = `% sums /* no comment opens here
:- module sums.

sum([], S, R) :- R = S.
sum([X|Xs], S, R) :-
    S1 := S + X,
    sum(Xs, S1, R)@node(2).   /* a comment
over two lines. */ 'it''s'(0'., 16'ff, "a.b").
other(X) :- X > 3.14 | true.
`

// clauses lists the lines of each clause, counted from 1.
var clauses = [][2]int{{4, 4}, {5, 7}, {8, 8}, {9, 9}}

type reduction struct {
	task, parent uint64
	clause       int
	pe           int32
	time, cost   int64
}

var reductions = []reduction{
	{1, 0, 1, 0, 0, 100},
	{2, 1, 1, 0, 200, 100},
	{3, 2, 1, 1, 400, 300},
	{4, 3, 0, 1, 800, 50},
	{9, 1, 3, 0, 1000, 70},
}

func trace() *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "sums", Substrate: "fghc", PEs: 2, Source: []tracer.SourceFile{{Name: "lib/sums.fghc", Text: sums}}})
	var codes []uint32
	names := []string{"sum/3", "sum/3", "it's/3", "other/1"}
	for i, c := range clauses {
		p := m.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: names[i], File: "sums.fghc", Line: int32(clauses[slices.Index(names, names[i])][0])})
		codes = append(codes, m.Dict().Add(tracer.Code{Type: tracer.Clause, Name: names[i], File: "sums.fghc", Line: int32(c[0]), Parent: p}))
	}
	s := m.Stream(tracer.StreamInfo{})
	for _, r := range reductions {
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Task: r.task, Ref: r.parent, Code: codes[r.clause], PE: r.pe, Time: r.time, Value: r.cost}
	}
	s.Sync()
	return m
}

func shown(t testing.TB, src tracer.Source, w, h float64) (*Geometry, *view.Frame) {
	t.Helper()
	return kindtest.Shown[*Geometry](t, Kind(), src, w, h)
}

func TestClausesHaveTheirLines(t *testing.T) {
	g, _ := shown(t, trace(), 600, 400)
	if g.rows[0].text != "lib/sums.fghc" || len(g.rows) != 10 {
		t.Fatalf("%d rows, heading %q", len(g.rows), g.rows[0].text)
	}
	for k, p := range g.parts {
		if got := [2]int{int(g.rows[p.first].line), int(g.rows[p.last].line)}; got != clauses[k] {
			t.Errorf("clause %d has lines %d, want %d", k, got, clauses[k])
		}
	}
}

func TestColours(t *testing.T) {
	var got strings.Builder
	letters := "tcvnsopE"
	lines := strings.Split(strings.TrimSuffix(sums, "\n"), "\n")
	for i, spans := range colour(lines) {
		line := []byte(strings.Repeat(" ", len(lines[i])))
		for _, sp := range spans {
			for i := sp.from; i < sp.to; i++ {
				line[i] = letters[sp.class]
			}
		}
		got.Write(line)
		got.WriteByte('\n')
	}
	want := `ccccccccccccccccccccccccccccccc
oo tttttt ttttE

tttoooo vo vo oo v o vE
tttoovovvoo vo vo oo
    vv oo v o vo
    tttovvo vvo voppppponoE   cccccccccccc
cccccccccccccccccc sssssssonnno nnnnno sssssoE
tttttovo oo v o nnnn o ttttE
`
	if got.String() != want {
		g, w := strings.Split(got.String(), "\n"), strings.Split(want, "\n")
		for i := range g {
			if g[i] != w[i] {
				t.Errorf("line %d:\n%s\n%s\n%s, want", i+1, strings.Split(sums, "\n")[i], g[i], w[i])
			}
		}
	}
}

// TestLitLines compares the highlighted lines with reductions counted by hand, for selections of all kinds.
func TestLitLines(t *testing.T) {
	g, f := shown(t, trace(), 600, 400)
	all := view.Selection{Trace: "t"}
	for _, c := range []struct {
		name string
		s    view.Selection
		want []int // clauses
	}{
		{"nothing", view.Selection{}, nil},
		{"a subtree", view.Subtree("t", 3), []int{0, 1}},
		{"the whole tree", view.Subtree("t", 1), []int{0, 1, 3}},
		{"a task", view.Selection{Tasks: []view.Tasks{{First: 9}}}, []int{3}},
		{"tasks in a row", view.Selection{Tasks: []view.Tasks{{First: 4, Last: 9}}}, []int{0, 3}},
		{"a PE", view.Selection{PEs: []view.Span{{First: 1, Last: 1}}}, []int{0, 1}},
		{"a time", view.Selection{Time: &view.Span{First: 900, Last: 1000}}, []int{3}},
		{"a clause", view.Selection{Codes: []uint32{g.parts[1].code}}, []int{1}},
		{"a clause that never ran", view.Selection{Codes: []uint32{g.parts[2].code}}, []int{2}},
		{"a procedure", view.Selection{Codes: []uint32{g.run.Codes[g.parts[1].code].Parent}}, []int{0, 1}},
		{"a procedure on a PE", view.Selection{Codes: []uint32{g.run.Codes[g.parts[1].code].Parent}, PEs: []view.Span{{First: 0, Last: 0}}}, []int{1}},
		{"no such task", view.Selection{Tasks: []view.Tasks{{First: 77}}}, nil},
	} {
		c.s.Trace = all.Trace
		var got []int
		for _, r := range g.Locate(f, c.s) {
			row := g.row(g.layout(f), r.Y0+1)
			got = append(got, int(g.rows[row].part))
			if p := g.parts[g.rows[row].part]; r.H() != float64(p.last-p.first+1)*g.layout(f).line {
				t.Errorf("%s: %v is no clause's height", c.name, r)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s lights %d, want %d", c.name, got, c.want)
		}
		f.State.Shared.Selection = c.s
		out := scene.New(700, 500)
		g.Overlay(f, out)
		if bars := rects(out, f.Style.Accent); len(bars) != 2*len(c.want) { // one at the lines, one in the overview
			t.Errorf("%s: %d bars, want %d", c.name, len(bars), len(c.want))
		}
	}
	if n := len(g.Locate(f, view.Subtree("another", 1))); n != 0 {
		t.Errorf("%d places in another trace", n)
	}
}

func rects(l *scene.List, c scene.Color) (out []scene.Rect) {
	for i := range l.Len() {
		if o := l.Op(i); o.Kind == scene.OpRect && o.Color == c {
			x0, y0, x1, y1 := o.Rect()
			out = append(out, scene.Rect{X0: float64(x0), Y0: float64(y0), X1: float64(x1), Y1: float64(y1)})
		}
	}
	return out
}

func TestCountsAndTip(t *testing.T) {
	g, f := shown(t, trace(), 600, 400)
	want := []total{{1, 50}, {3, 500}, {0, 0}, {1, 70}}
	if got := g.counts(nil); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	until := int64(399)
	f.Until = &until
	if got := g.counts(f.Counted()); !reflect.DeepEqual(got, []total{{}, {2, 200}, {}, {}}) {
		t.Errorf("until 399: %v", got)
	}
	f.Until = nil
	l := g.layout(f)
	y := l.y(g.parts[1].first) + 5
	tip, ok := g.Tip(f, l.text+20, y+l.line) // its second line
	if want := []string{"sum/3", "clause 2 of 2, sums.fghc:5", "3 reductions", "500 ns, 80.6 % of the time", "166 ns each"}; !ok || !reflect.DeepEqual(tip.Lines, want) {
		t.Errorf("%q, want %q", tip.Lines, want)
	}
	if s, ok := g.Hit(f, l.text, y); !ok || !slices.Equal(s.Codes, []uint32{g.parts[1].code}) {
		t.Errorf("hit %+v", s)
	}
	if s, ok := g.Hit(f, l.text, l.y(1)+2); ok {
		t.Errorf("a comment is %+v", s)
	}
	out := scene.New(700, 500)
	view.Draw(g, f, out)
	texts := viewtest.Strings(out)
	for _, s := range []string{"lib/sums.fghc", "7", "3", "500 ns", "–", "@node", "sum", "reductions"} {
		if !slices.Contains(texts, s) {
			t.Errorf("%q is missing in %q", s, texts)
		}
	}
}

// TestCostError checks that tip and legend give the error of times that reductions share.
func TestCostError(t *testing.T) {
	src := trace()
	g, _ := shown(t, src, 600, 400)
	if note := g.costError(); note != "" {
		t.Errorf("simulated times are %s", note)
	}
	meta := src.Meta()
	meta.SetCostError(0.123)
	src.SetMeta(meta)
	g, f := shown(t, src, 600, 400)
	l := g.layout(f)
	tip, _ := g.Tip(f, l.text+20, l.y(g.parts[1].first)+5)
	if n := len(tip.Lines); n == 0 || tip.Lines[n-1] != "± 12 %, by calibrated costs" {
		t.Errorf("tip %q", tip.Lines)
	}
	want := "Times are ± 12 %: reductions share measured times by calibrated costs."
	if !slices.ContainsFunc(g.Legend(f).Blocks, func(b view.Block) bool { return slices.Contains(b.Notes, want) }) {
		t.Errorf("%q is not in the legend", want)
	}
}

// TestWithoutDurations checks that reductions without durations are counted and have shares instead of times.
func TestWithoutDurations(t *testing.T) {
	m := tracer.NewMemory()
	src := trace()
	m.SetMeta(src.Meta())
	for _, c := range src.Dict().Codes()[1:] {
		m.Dict().Add(c)
	}
	s := m.Stream(tracer.StreamInfo{})
	must.Do(t, src.Scan(tracer.AllKinds, func(es []tracer.Event) error {
		for _, e := range es {
			e.Value = 0
			*s.Slot() = e
		}
		return nil
	}))
	s.Sync()
	g, f := shown(t, m, 600, 400)
	if got, want := g.counts(nil), []total{{1, 1}, {3, 3}, {0, 0}, {1, 1}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	l := g.layout(f)
	tip, _ := g.Tip(f, l.text+20, l.y(g.parts[1].first)+5)
	if want := []string{"sum/3", "clause 2 of 2, sums.fghc:5", "3 reductions"}; !slices.Equal(tip.Lines, want) {
		t.Errorf("tip %q, want %q", tip.Lines, want)
	}
	legend := g.Legend(f)
	hot := legend.Blocks[0]
	if legend.Subtitle != "Source with the reductions of each clause" || hot.Title != "Most reductions" || !slices.Equal(hot.Swatches[0].Values, []string{"60.0 %", "3"}) {
		t.Errorf("%s, %s: %q", legend.Subtitle, hot.Title, hot.Swatches[0].Values)
	}
}

// TestTimesOfReductions checks that tip and legend say that times leave out tries that ended in suspension.
func TestTimesOfReductions(t *testing.T) {
	src := trace()
	s := src.Stream(tracer.StreamInfo{})
	*s.Slot() = tracer.Event{Kind: tracer.Suspend, Task: 3, Code: 1, Value: 40, Time: 2000}
	s.Sync()
	g, f := shown(t, src, 600, 400)
	l := g.layout(f)
	tip, _ := g.Tip(f, l.text+20, l.y(g.parts[1].first)+5)
	if n := len(tip.Lines); n == 0 || tip.Lines[n-1] != "166 ns each, without tries that suspended" {
		t.Errorf("tip %q", tip.Lines)
	}
	const want = "Tries that ended in suspension or failure are left out"
	if !slices.ContainsFunc(g.Legend(f).Blocks, func(b view.Block) bool { return strings.Contains(strings.Join(b.Notes, " "), want) }) {
		t.Errorf("%q is not in the legend", want)
	}
}

// TestEveryPictureIsLegible draws traces of all kinds at all sizes.
func TestEveryPictureIsLegible(t *testing.T) {
	sources := []tracer.Source{trace(), long(200), bare()}
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.SampledFrom(sources).Draw(t, "trace")
		w, h := rapid.IntRange(100, 2000).Draw(t, "w"), rapid.IntRange(100, 1500).Draw(t, "h")
		params := map[string]string{"line": fmt.Sprint(rapid.IntRange(1, 500).Draw(t, "line"))}
		l, err := drawtest.Render(context.Background(), Kind(), src, params, w, h, glyphs)
		if err != nil {
			t.Fatal(err)
		}
		if l.Open() != 0 {
			t.Fatal("a group is open")
		}
		if wrong := viewtest.Texts(l, glyphs); wrong != nil {
			for _, s := range wrong {
				if !strings.Contains(s, "leaves the picture") { // lines are clipped
					t.Fatal(strings.Join(wrong, "\n"))
				}
			}
		}
	})
}

// bare has no text, and impossible codes.
func bare() *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "bare"})
	m.Dict().Add(tracer.Code{Type: tracer.Clause, File: "x", Line: 1 << 30})
	s := m.Stream(tracer.StreamInfo{})
	for i := range uint64(5) {
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Task: i + 1, Ref: i, Code: uint32(i * 1e8), PE: int32(rand.Uint32N(3))}
	}
	s.Sync()
	return m
}

func FuzzLay(f *testing.F) {
	f.Add(sums, int32(4), int32(9))
	f.Add("a :- b.\r\n\tc\x00\xff. /*", int32(-1), int32(1<<30))
	f.Fuzz(func(t *testing.T, text string, line1, line2 int32) {
		run := &view.Run{Meta: tracer.Meta{Substrate: "fghc", Source: []tracer.SourceFile{{Name: "a", Text: text}, {Name: "b", Text: text}}}}
		run.Codes = []tracer.Code{{}, {Type: tracer.Clause, File: "a", Line: line1}, {Type: tracer.Clause, File: "b", Line: line2}, {Type: tracer.Function, File: "a", Line: line2}}
		p := lay(run, nil)
		for _, r := range p.rows {
			end := int32(0)
			for _, s := range r.spans {
				if s.from < end || s.to <= s.from && len(r.text) > 0 || int(s.to) > len(r.text) {
					t.Fatalf("%q: spans %+v", r.text, r.spans)
				}
				end = s.to
			}
		}
		for _, q := range p.parts {
			if q.first < 0 || q.last < q.first || int(q.last) >= len(p.rows) {
				t.Fatalf("part %+v of %d rows", q, len(p.rows))
			}
		}
	})
}
