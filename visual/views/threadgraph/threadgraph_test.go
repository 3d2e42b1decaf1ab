package threadgraph

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/dts"
	"whorl/tracer"
	"whorl/tracer/derive/threadgraph"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

func TestGolden(t *testing.T) {
	kindtest.Golden(t, "rsa.txt", Kind(), recorded(t, 2, rsa(3, false)), 420, 300, nil)
	kindtest.Golden(t, "small.txt", Kind(), viewtest.Small(), 420, 300, map[string]string{"time": "wait", "truescale": "true", "color": "procedure"})
}

func TestTexts(t *testing.T) {
	kindtest.Texts(t, Kind(), nil, recorded(t, 4, fibonacci), recorded(t, 4, rsa(5, false)), viewtest.Small(), flat(3000, 100, 7, 9000))
	kindtest.Texts(t, Kind(), map[string]string{"truescale": "true", "time": "wait", "folded": "3,4", "find": "fib"}, recorded(t, 4, rsa(12, true)), recorded(t, 4, fibonacci))
}

func TestAnyFrame(t *testing.T) {
	for _, params := range [][]string{nil, {"folded", "2", "truescale", "true"}, {"time", "wait", "color", "load", "find", "fib"}} {
		g, _ := shown(t, recorded(t, 3, func(w *dts.Worker) { fib(w, 6) }), 400, 300, params...)
		kindtest.AnyFrame(t, Kind(), g)
	}
	g, _ := shown(t, viewtest.Small(), 400, 300)
	kindtest.AnyFrame(t, Kind(), g)
}

// TestFigures checks the numbers of the paper's Figures 3 and 4.
func TestFigures(t *testing.T) {
	fact := func(g *Geometry, label string) string {
		for _, f := range g.facts() {
			if f.Label == label {
				return f.Value
			}
		}
		return ""
	}
	for _, c := range []struct {
		name                          string
		main                          func(w *dts.Worker)
		threads, crossings, serieally string
	}{
		{"fibonacci", fibonacci, "729", "0", "no"},
		{"rsa", rsa(12, false), "13", "30", "no"},
		{"rsa in reverse", rsa(12, true), "13", "0", "yes"},
		{"rsa of 13", rsa(13, false), "14", "36", "no"},
	} {
		g, _ := shown(t, recorded(t, 4, c.main), 900, 700)
		if a, b, s := fact(g, "Threads"), fact(g, "Crossings"), fact(g, "Series-parallel"); a != c.threads || b != c.crossings || s != c.serieally {
			t.Errorf("%s: %s threads, %s crossings, series-parallel %s; want %s, %s, %s", c.name, a, b, s, c.threads, c.crossings, c.serieally)
		}
	}
}

// TestScales checks that with waiting and at the true scale the row of a node is its time, and that without waiting no node is later than
// with it.
func TestScales(t *testing.T) {
	src := recorded(t, 2, fibonacci)
	all, _ := shown(t, src, 900, 700, "time", "wait", "truescale", "true")
	alone, _ := shown(t, src, 900, 700, "truescale", "true")
	drawn, _ := shown(t, src, 900, 700)
	for v := range all.graph.Kind {
		want := float64(all.graph.Time[v] - all.run.From)
		if got := all.rows.Y[v]; math.Abs(got-want) > 1 {
			t.Fatalf("node %d (%v) is at %g, want its time, %g", v, all.graph.Kind[v], got, want)
		}
		if alone.rows.Y[v] > all.rows.Y[v]+1 {
			t.Fatalf("node %d is at %g without waiting, %g with", v, alone.rows.Y[v], all.rows.Y[v])
		}
	}
	if alone.rows.Height >= all.rows.Height || math.Abs(alone.rows.Height-alone.work.whole) > 1 {
		t.Errorf("heights %g without and %g with waiting, span %g", alone.rows.Height, all.rows.Height, alone.work.whole)
	}
	if drawn.rows.Least <= 0 || drawn.rows.Height <= alone.rows.Height {
		t.Errorf("no edge is enlarged: least length %g", drawn.rows.Least)
	}
	given, _ := shown(t, src, 900, 700, "edge", "30")
	if given.rows.Least != 30_000 {
		t.Errorf("a least length of %g ns, want 30,000", given.rows.Least)
	}
}

// TestFold folds a subtree: its threads disappear, the box shows their number, work and span, and all others stay.
func TestFold(t *testing.T) {
	src := recorded(t, 3, func(w *dts.Worker) { fib(w, 7) })
	open, _ := shown(t, src, 900, 700)
	n := int32(1) // fib(6)
	task := open.graph.Task[n]
	if open.graph.Size[n] != 25 {
		t.Fatalf("thread %d has %d below and with it", n, open.graph.Size[n])
	}
	act := open.toggle(0, n)
	if len(act) != 1 || act[0].Do != view.SetParam || act[0].Name != "folded" {
		t.Fatalf("folding is %+v", act)
	}
	g, b := shown(t, src, 900, 700, "folded", act[0].Value)
	if g.Len() != open.Len()-24 || g.graph.Len() != open.Len() {
		t.Errorf("%d threads are left of %d", g.Len(), open.Len())
	}
	k := g.shownBy(n + 5)
	if !g.closed(k) || g.source(k) != n {
		t.Fatalf("thread %d is shown by %d", n+5, k)
	}
	// The work of fib(6): 25 threads of 20 µs.
	if s := g.summary(n); s[0] != "25 threads" || s[1] != "work 500 µs" || s[2] != "span 120 µs" {
		t.Errorf("the box shows %v", s)
	}
	// Later nodes stay in place.
	end := len(open.rows.Exact) - 1
	if a, z := slices.Max(open.rows.Exact), slices.Max(g.rows.Exact); math.Abs(a-z) > 1 {
		t.Errorf("the end moves from %g to %g (%d)", a, z, end)
	}
	r := b.closedBox(k)
	s, ok := g.Hit(b.Frame, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
	if !ok || len(s.Tasks) != 1 || s.Tasks[0] != (view.Tasks{First: task, Subtree: true}) {
		t.Errorf("at the box: hit %+v", s)
	}
	// A folded thread, and the whole subtree, are located at the box.
	inside := view.Selection{Trace: "t", Tasks: []view.Tasks{{First: g.graph.Task[n+5]}}}
	if places := g.Locate(b.Frame, inside); len(places) != 1 || places[0].Y0 > r.Y0+1 {
		t.Errorf("a folded thread is at %v, the box at %v", places, r)
	}
	if again := g.toggle(0, n); again[0].Value != "" {
		t.Errorf("unfolding leaves %q", again[0].Value)
	}
	if leaf := g.toggle(0, int32(g.graph.Len()-1)); leaf[0].Do != view.Nothing {
		t.Errorf("folding a leaf is %+v", leaf)
	}
}

// TestDensityKeepsWhatThereIs checks that the coverage of threads too thin for lines is their length times their width.
func TestDensityKeepsWhatThereIs(t *testing.T) {
	for _, n := range []int{3000, 20_000} {
		g, b := shown(t, flat(n, 500_000, n/3, 2_000_000), 900, 700, "truescale", "true")
		b.collect()
		if b.thinned != int64(n) || len(b.lines) == 0 {
			t.Fatalf("%d threads are density, want %d", b.thinned, n)
		}
		var sum, want float64
		d := b.dense
		for x := range d.w {
			at := float32(0)
			for y := range d.h {
				at += d.down[x*(d.h+1)+y].cover
				sum += float64(at)
			}
		}
		for k := int32(1); k < int32(g.Len()); k++ {
			want += b.X.Scale * math.Max(b.nodeY(g.First[k+1]-1)-b.nodeY(g.First[k]), 1)
		}
		if math.Abs(sum-want) > 0.02*want {
			t.Errorf("%d threads: %g pixels are covered, want %g", n, sum, want)
		}
	}
	// Spread over their boxes, the threads have the same coverage.
	src := recorded(t, 4, func(w *dts.Worker) { fib(w, 13) })
	g, b := shown(t, src, 120, 700)
	cover := func(b *brush) (sum float64) {
		b.collect()
		for x := range b.dense.w {
			at := float32(0)
			for y := range b.dense.h {
				at += b.dense.down[x*(b.dense.h+1)+y].cover
				sum += float64(at)
			}
		}
		return sum
	}
	one := cover(b)
	few := newBrush(b.Frame, g)
	few.few = 1
	if spread := cover(few); math.Abs(spread-one) > 0.1*one || spread == one {
		t.Errorf("one by one %g pixels, spread %g", one, spread)
	}
}

// TestCriticalPathStaysALine checks that a path that changes direction many times within a few pixels does not fill them.
func TestCriticalPathStaysALine(t *testing.T) {
	zigzag := func(turns int) *Geometry {
		g, _ := shown(t, recorded(t, 2, func(w *dts.Worker) {
			for range turns {
				w.Compute(time.Microsecond)
				h := dts.Fork(w, block, 0)
				for range 3 {
					dts.Fork(w, block, 0).Join(w)
				}
				h.Join(w)
			}
		}), 900, 700)
		return g
	}
	for _, turns := range []int{3, 300} {
		g := zigzag(turns)
		_, f := kindtest.Shown[*Geometry](t, Kind(), recorded(t, 1, rsa(1, false)), 900, 700)
		b := newBrush(f, g)
		l := scene.New(1000, 800)
		b.critical(l)
		left, right := b.x(0), b.x(float64(g.cols.N-1))
		rows := map[int]bool{}
		for i := range l.Len() {
			o := l.Op(i)
			if x0, y0, x1, y1 := o.Rect(); float64(x0) < left+3 || float64(x1) > right-3 || float64(x1-x0) > 0.4*(right-left) {
				for y := int(y0); y < int(y1) && x1-x0 > 0.4*float32(right-left); y++ {
					rows[y] = true
				}
			}
		}
		broad := len(rows)
		if turns == 3 && broad == 0 || broad > 350 {
			t.Errorf("%d turns: %d rows of pixels are full", turns, broad)
		}
	}
}

// TestUntil checks that a frame with a time limit shows no later nodes and no threads forked later.
func TestUntil(t *testing.T) {
	g, b := shown(t, recorded(t, 2, fibonacci), 900, 700)
	last := int64(math.MinInt64)
	for _, part := range []float64{0, 0.3, 0.7, 1} {
		until := g.run.From + int64(part*float64(g.run.To-g.run.From))
		f := *b.Frame
		f.Until = &until
		c := newBrush(&f, g)
		shown := int64(0)
		for n := range int32(g.Len()) {
			end := c.shown(n)
			if c.begun(n) {
				shown += int64(end - g.First[n])
			}
			for v := g.First[n]; v < end; v++ {
				if g.graph.Time[v] > until {
					t.Fatalf("node %d of time %d is shown at %d", v, g.graph.Time[v], until)
				}
			}
		}
		if shown <= last {
			t.Errorf("%d nodes at %g, %d before", shown, part, last)
		}
		last = shown
	}
	if last != int64(g.graph.Nodes()) {
		t.Errorf("%d nodes at the end, want %d", last, g.graph.Nodes())
	}
}

// TestFreeEdges counts joins by other threads and threads that are never joined, and checks the edges drawn for the former.
func TestFreeEdges(t *testing.T) {
	foreign := func(w *dts.Worker) {
		h := dts.Fork(w, block, 0)
		dts.Fork(w, func(w *dts.Worker, h dts.Handle[int]) int { return h.Join(w) }, h).Join(w)
	}
	g, b := shown(t, recorded(t, 2, foreign), 900, 700)
	if g.graph.Foreign != 1 || len(g.Free) != 1 {
		t.Fatalf("%d foreign joins, %d free edges", g.graph.Foreign, len(g.Free))
	}
	lines := func(g *Geometry) (n int) {
		l := scene.New(1000, 800)
		view.Draw(g, b.Frame, l)
		for i := range l.Len() {
			if o := l.Op(i); o.Kind == scene.OpPolyline && o.Color == freeColour(false).Alpha(o.Color.A) {
				n++
			}
		}
		return n
	}
	if n := lines(g); n != 1 {
		t.Errorf("%d edges are drawn, want 1", n)
	}
	if g, _ = shown(t, recorded(t, 2, foreign), 900, 700, "free", "false"); lines(g) != 0 {
		t.Error("free edges are drawn although they are off")
	}
	for _, want := range []string{"Never joined", "Joined by others"} {
		if !slices.ContainsFunc(g.facts(), func(f view.Fact) bool { return f.Label == want && f.Value == "1" }) && want == "Joined by others" {
			t.Errorf("the legend does not count %s: %v", want, g.facts())
		}
	}
}

// TestSigns checks that a b-join whose a-join follows at once is merged with it.
func TestSigns(t *testing.T) {
	g, _ := shown(t, recorded(t, 1, func(w *dts.Worker) {
		h := dts.Fork(w, fib, 0)
		w.Compute(time.Second)
		h.Join(w)
	}), 900, 700, "truescale", "true")
	for v, k := range g.graph.Kind {
		if k == threadgraph.BJoin && (signOf(g, int32(v)) != joinSign || !g.rows.Merged[v+1]) {
			t.Errorf("a join without waiting has sign %d", signOf(g, int32(v)))
		}
	}
	g, _ = shown(t, recorded(t, 2, rsa(1, false)), 900, 700, "truescale", "true")
	waits := 0
	for v, k := range g.graph.Kind {
		if k == threadgraph.BJoin && signOf(g, int32(v)) == beginSign {
			waits++
		}
	}
	if waits != 1 {
		t.Errorf("%d joins wait, want 1", waits)
	}
}

// TestNodes checks that the nodes of a cluster on one host have a colour each, and that tips name the node of a thread.
func TestNodes(t *testing.T) {
	src := recorded(t, 2, fibonacci)
	meta := src.Meta()
	meta.PEInfo = []tracer.PE{{Host: "vm", Process: "node1"}, {Host: "vm", Process: "node2"}}
	src.SetMeta(meta)
	g, b := shown(t, src, 900, 700, "color", "host")
	var names []string
	for _, item := range g.colours.legend.Swatches {
		names = append(names, item.Label)
	}
	if !slices.Contains(names, "vm node1") || !slices.Contains(names, "vm node2") {
		t.Errorf("the legend has %q", names)
	}
	if lines := b.describe(0, 0); !slices.ContainsFunc(lines, func(s string) bool { return strings.HasSuffix(s, "on PE 0 (node1)") }) {
		t.Errorf("the tip of the main thread is %q", lines)
	}
}
