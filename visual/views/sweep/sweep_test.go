package sweep

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/table"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/view"
)

// source returns a table as a trace.
func source(t testing.TB, text string) tracer.Source {
	t.Helper()
	m := tracer.NewMemory()
	must.Do(t, table.Read(strings.NewReader(text), m, "sample/table.csv"))
	must.Do(t, m.Close())
	return m
}

// sample returns a small sweep: two programs, two latencies, two policies, three numbers of PEs, two seeds.
func sample(t testing.TB) tracer.Source {
	return source(t, string(must.Get(os.ReadFile("../../../testdata/traces/sweep.csv"))(t)))
}

// tables are texts of tables: with one row, one column, failed runs and unknown numbers.
var tables = []string{
	"program,pes,time_ns\na,1,5\n",
	"pes\n1\n2\n3\n",
	"program,policy,pes,seed,outcome,time_ns,speedup,work_ns,span_ns\n" +
		"a,x,1,1,done,100,1,100,10\na,x,2,1,done,60,1.6,100,10\na,x,2,2,done,70,1.4,100,10\na,y,2,1,failed,,,,\na,y,1,1,done,110,0.9,100,10\n",
}

func shown(t testing.TB, src tracer.Source, params ...string) (*Geometry, *view.Frame) {
	t.Helper()
	return kindtest.Shown[*Geometry](t, Kind(), src, 800, 600, params...)
}

func TestGolden(t *testing.T) {
	for _, c := range charts {
		kindtest.Golden(t, c+".txt", Kind(), sample(t), 640, 420, map[string]string{"chart": c})
	}
}

func TestTexts(t *testing.T) {
	sources := []tracer.Source{sample(t)}
	for _, text := range tables {
		sources = append(sources, source(t, text))
	}
	for _, c := range charts {
		kindtest.Texts(t, Kind(), map[string]string{"chart": c}, sources...)
	}
}

func TestAnyFrame(t *testing.T) {
	for _, c := range charts {
		g, _ := shown(t, sample(t), "chart", c)
		kindtest.AnyFrame(t, Kind(), g)
	}
}

// TestScaling checks means, intervals and bounds against the numbers of a table.
func TestScaling(t *testing.T) {
	g, _ := shown(t, source(t, tables[2]), "chart", scaling)
	if len(g.panels) != 2 {
		t.Fatalf("%d panels", len(g.panels))
	}
	speedups, times := g.panels[0], g.panels[1]
	i := slices.IndexFunc(speedups.marks, func(m mark) bool { return m.x == 2 })
	if m := speedups.marks[i]; math.Abs(m.y-1.5) > 1e-9 || m.low != 1.4 || m.high != 1.6 || len(m.rows) != 2 {
		t.Errorf("the speedup on 2 PEs is %+v", m)
	}
	if n := len(times.marks); n != 3 { // the failed run is left out
		t.Errorf("%d times", n)
	}
	ideal, bound := speedups.curves[0], speedups.curves[1]
	if last := len(ideal.xs) - 1; math.Abs(ideal.ys[last]-2) > 1e-9 || math.Abs(bound.ys[last]-2) > 0.03 {
		t.Errorf("on 2 PEs the ideal is %v and the bound %v", ideal.ys[last], bound.ys[last])
	}
	wide := "program,pes,time_ns,speedup,work_ns,span_ns\na,1,100,1,100,40\na,16,50,2,100,40\n"
	g, _ = shown(t, source(t, wide), "chart", scaling)
	if bound := g.panels[0].curves[1]; math.Abs(slices.Max(bound.ys)-2.5) > 1e-9 { // work / span
		t.Errorf("the bound of the speedup is %v, want 2.5", slices.Max(bound.ys))
	}
	if bound := g.panels[1].curves[1]; slices.Min(bound.ys) != 40 {
		t.Errorf("the bound of the time is %v, want the span", slices.Min(bound.ys))
	}
}

// TestHeat checks a mean over seeds and programs.
func TestHeat(t *testing.T) {
	g, _ := shown(t, source(t, "policy,pes,time_ns\nx,1,4\nx,1,6\ny,1,9\ny,2,16\n"), "chart", heat, "x", "pes", "y", "policy", "value", "time_ns")
	var got []string
	for _, c := range g.panels[0].cells {
		got = append(got, fmt.Sprintf("%d %d %s %.3f", c.x, c.y, c.label, c.t))
	}
	want := []string{"0 0 5 0.000", "0 1 9 0.364", "1 1 16 1.000"}
	if !slices.Equal(got, want) || g.ramp == nil || g.rampOf != "Time (ns)" {
		t.Errorf("the cells are %q, want %q; %s", got, want, g.rampOf)
	}
}

// TestBoxes checks quartiles, whiskers and a run far away.
func TestBoxes(t *testing.T) {
	text := "policy,seed,time_ns\n"
	for i, ns := range []int{10, 11, 12, 13, 14, 15, 16, 17, 90} {
		text += fmt.Sprintf("x,%d,%d\n", i, ns)
	}
	g, _ := shown(t, source(t, text+"y,0,5\n"), "chart", boxes)
	p := g.panels[0]
	if b := p.boxes[0]; b.q1 != 12 || b.mid != 14 || b.q3 != 16 || b.low != 10 || b.high != 17 || len(p.marks) != 1 || p.marks[0].y != 90 {
		t.Errorf("the box is %+v, the marks are %+v", b, p.marks)
	}
}

// TestKeep checks conditions of all forms, their text and their errors.
func TestKeep(t *testing.T) {
	src := sample(t)
	for _, c := range []struct {
		keep string
		runs int
	}{
		{"", 48},
		{"pes=2..4", 32},
		{"pes=..1;policy=steal", 8},
		{"policy=steal|on-demand;latency_ns=10000..", 24},
		{"pes=1|4", 32},
	} {
		g, _ := shown(t, src, "keep", c.keep)
		if len(g.runs) != c.runs || g.Wrong() != nil || g.keep.text(g.data) != c.keep {
			t.Errorf("%q keeps %d runs as %q (%v), want %d", c.keep, len(g.runs), g.keep.text(g.data), g.Wrong(), c.runs)
		}
	}
	for _, c := range []struct{ keep, want string }{
		{"polcy=steal", "did you mean policy?"},
		{"pes", "expected a column and its values"},
		{"pes=a..4", `"a" is not a number`},
	} {
		if g, _ := shown(t, src, "keep", c.keep); g.Wrong() == nil || !strings.Contains(g.Wrong().Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.keep, g.Wrong(), c.want)
		}
	}
	if g, _ := shown(t, src, "chart", scatter, "x", "mesages"); g.Wrong() == nil || !strings.Contains(g.Wrong().Error(), "did you mean messages?") {
		t.Errorf("an unknown column: %v", g.Wrong())
	}
}

// TestStyles checks that a policy keeps its colour when another one is hidden, and that the legend lists what is shown.
func TestStyles(t *testing.T) {
	g, f := shown(t, sample(t), "chart", multiples, "color", "policy", "keep", "policy=steal")
	if m := g.panels[0].marks[0]; m.color != 1 {
		t.Errorf("the colour of the second policy is %d", m.color)
	}
	if b := g.Legend(f).Blocks[0]; b.Title != "Policy" || len(b.Swatches) != 1 || b.Swatches[0].Label != "steal" {
		t.Errorf("the legend lists %+v", b)
	}
}

// TestBrush checks that a drag along an axis keeps its runs, and that a click on the axis keeps all.
func TestBrush(t *testing.T) {
	g, f := shown(t, sample(t))
	s := newSheet(f, g)
	drag := func(name string, from, to float64) string {
		for _, u := range s.uprights() {
			if g.data.name(u.column) != name {
				continue
			}
			at := func(share float64) float64 { return u.y1 - share*(u.y1-u.y0) }
			actions := g.Input(f, view.Input{Kind: view.Drag, FromX: u.x, FromY: at(from), X: u.x, Y: at(to), Pane: 3})
			if len(actions) == 1 && actions[0].Do == view.SetParam && actions[0].Name == "keep" && actions[0].Pane == 3 {
				return actions[0].Value
			}
			t.Errorf("a drag on %s does %v", name, actions)
		}
		return ""
	}
	if got := drag("policy", 0, 0.4); got != "policy=on-demand" {
		t.Errorf("the lower half of the policies keeps %q", got)
	}
	if got := drag("pes", 0, 1); got != "pes=1..4" {
		t.Errorf("the whole axis keeps %q", got)
	}
	kept, f := shown(t, sample(t), "keep", "pes=1..2;policy=steal")
	us := newSheet(f, kept).uprights()
	i := slices.IndexFunc(us, func(u upright) bool { return kept.data.name(u.column) == "pes" })
	y := us[i].y0 + 0.2*(us[i].y1-us[i].y0) // above all runs that are kept
	actions := kept.Input(f, view.Input{Kind: view.Click, X: us[i].x, Y: y})
	if len(actions) != 1 || actions[0].Value != "policy=steal" {
		t.Errorf("a click on the axis does %v", actions)
	}
}

// TestLinks checks that a mark under the pointer names its run, that its selection lies around it, and that the tip has its settings.
func TestLinks(t *testing.T) {
	for _, c := range []string{scatter, multiples, heat, boxes, parallel} {
		g, f := shown(t, sample(t), "chart", c)
		all := g.Locate(f, view.Selection{Trace: f.Trace, Tasks: []view.Tasks{{First: 1, Last: 48}}})
		if len(all) == 0 {
			t.Errorf("%s shows no runs", c)
			continue
		}
		x, y := (all[0].X0+all[0].X1)/2, (all[0].Y0+all[0].Y1)/2
		sel, ok := g.Hit(f, x, y)
		tip, described := g.Tip(f, x, y)
		if !ok || !described || len(sel.Tasks) == 0 || len(tip.Lines) < 4 {
			t.Errorf("%s: hit %v, tip %v", c, sel, tip)
			continue
		}
		if !slices.ContainsFunc(g.Locate(f, sel), func(r scene.Rect) bool { return r.Contains(x, y) }) {
			t.Errorf("%s: the selected run is not at the pointer", c)
		}
	}
}

// TestOpenRun checks that a click on a run opens it, and that Enter opens the selected one.
func TestOpenRun(t *testing.T) {
	g, f := shown(t, sample(t), "chart", scatter)
	r := g.Locate(f, view.Selection{Trace: f.Trace, Tasks: []view.Tasks{{First: 20, Last: 20}}})[0]
	actions := g.Input(f, view.Input{Kind: view.Click, X: (r.X0 + r.X1) / 2, Y: (r.Y0 + r.Y1) / 2, Pane: 2})
	if len(actions) != 2 || actions[0].Do != view.Select || actions[1].Do != view.OpenRun || actions[1].Pane != 2 || !strings.HasPrefix(actions[1].Value, "whorl run fghc/") {
		t.Fatalf("a click does %v", actions)
	}
	if _, err := experiment.ParseCommand(actions[1].Value); err != nil {
		t.Error(err)
	}
	f.State = &view.State{}
	press := view.Input{Kind: view.Press, Key: "Enter"}
	if actions := g.Input(f, press); len(actions) != 1 || actions[0].Do != view.Nothing {
		t.Errorf("Enter without a selection does %v", actions)
	}
	f.State.Shared.Selection = view.Selection{Trace: f.Trace, Tasks: []view.Tasks{{First: 48, Last: 48}}}
	if actions := g.Input(f, press); len(actions) != 1 || actions[0].Value != g.data.table.Column("command").Texts[47] {
		t.Errorf("Enter does %v", actions)
	}
	g, f = shown(t, source(t, tables[2]), "chart", scatter) // without commands
	r = g.Locate(f, view.Selection{Trace: f.Trace, Tasks: []view.Tasks{{First: 1, Last: 1}}})[0]
	if actions := g.Input(f, view.Input{Kind: view.Click, X: (r.X0 + r.X1) / 2, Y: (r.Y0 + r.Y1) / 2}); len(actions) != 1 {
		t.Errorf("a click on a run without a command does %v", actions)
	}
}

// TestChoices checks that columns can be chosen by name, and that charts say which they have chosen.
func TestChoices(t *testing.T) {
	g, _ := shown(t, sample(t), "chart", heat)
	values, now := g.Choices("x")
	if !slices.Contains(values, "latency_ns") || slices.Contains(values, "machine") || values[now] != "pes" {
		t.Errorf("x is %d of %v", now, values)
	}
	if values, _ := g.Choices("chart"); values != nil {
		t.Errorf("the chart is one of %v", values)
	}
}

// TestTicks: a scale over any range has ticks at places that are not too close to each other, in ascending order, and a short logarithmic one too.
func TestTicks(t *testing.T) {
	for _, ratio := range []float64{1.3, 1.9, 2.6, 5, 8.9, 30, 600, 1e5} {
		for _, lo := range []float64{1, 1.7, 3.4, 0.0061, 940} {
			for _, most := range []int{4, 6, 10} {
				s := scale{log: true, lo: lo, hi: lo * ratio, factor: 1}
				ticks := s.ticks(most)
				if len(ticks) < 3 || len(ticks) > 2*most+1 || dense(ticks, most) {
					t.Errorf("from %v to %v, about %d ticks: %v", s.lo, s.hi, most, ticks)
				}
				for _, k := range ticks {
					if want := s.share(must.Get(strconv.ParseFloat(strings.ReplaceAll(k.text, ",", ""), 64))(t)); math.Abs(want-k.share) > 1e-3 {
						t.Errorf("the tick %s lies at %v, want %v", k.text, k.share, want)
					}
				}
			}
		}
	}
}
