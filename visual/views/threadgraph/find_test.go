package threadgraph

import (
	"math"
	"strings"
	"testing"

	"whorl/dts"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// TestOutlier looks for the one thread of twenty thousand that took longer: it is drawn down to its end, a key goes to it, and Locate
// returns its place.
func TestOutlier(t *testing.T) {
	const n, odd = 20_000, 12_345
	g, b := shown(t, flat(n, 1000, odd, 1_000_000), 900, 700, "truescale", "true")
	l := scene.New(1000, 800)
	view.Draw(g, b.Frame, l)
	at := b.x(float64(g.cols.X[odd+1]))
	deep := 0.0
	for i := range l.Len() {
		if o := l.Op(i); o.Kind == scene.OpRect {
			if x0, _, x1, y1 := o.Rect(); x1-x0 < 3 && math.Abs(float64(x0+x1)/2-at) < 2 {
				deep = max(deep, float64(y1))
			}
		}
	}
	if want := b.y(900_000); deep < want {
		t.Errorf("the graph is drawn down to %g, want %g", deep, want)
	}
	acts := g.Input(b.Frame, view.Input{Kind: view.Press, Key: "u"})
	for acts[0].Selection.Tasks[0].First == 1 { // the main thread
		b.State.Shared.Selection = *acts[0].Selection
		acts = g.Input(b.Frame, view.Input{Kind: view.Press, Key: "u"})
	}
	if len(acts) != 2 || acts[0].Selection.Tasks[0].First != odd+2 || acts[1].Do != view.SetCamera {
		t.Fatalf("l does %+v", acts)
	}
	b.Frame.Camera = *acts[1].Camera
	near := newSheet(b.Frame, g)
	if x := near.threadX(odd + 1); !near.In.Contains(x, near.nodeY(g.First[odd+1]+1)) && near.X.Scale > 10 {
		t.Errorf("the thread is at %g, columns have %g pixels", x, near.X.Scale)
	}
	places := g.Locate(b.Frame, *acts[0].Selection)
	if len(places) != 1 {
		t.Fatalf("%d places", len(places))
	}
	s, _ := g.Hit(b.Frame, (places[0].X0+places[0].X1)/2, (places[0].Y0+places[0].Y1)/2)
	if !s.Equal(*acts[0].Selection) {
		t.Errorf("at its place is %+v", s)
	}
}

// TestFind finds threads by task and by name, and goes from one to the next.
func TestFind(t *testing.T) {
	src := recorded(t, 2, func(w *dts.Worker) { fib(w, 4); dts.Fork(w, block, 1).Join(w) })
	g, b := shown(t, src, 900, 700, "find", "^[^.]*.?bl.ck")
	if len(g.found) != 1 || !strings.Contains(g.run.Name(g.graph.Code[g.found[0]]), "block") {
		t.Fatalf("found %v", g.found)
	}
	if acts := g.Input(b.Frame, view.Input{Kind: view.Press, Key: "n"}); acts[0].Selection.Tasks[0].First != g.graph.Task[g.found[0]] {
		t.Errorf("n does %+v", acts)
	}
	if g, b = shown(t, src, 900, 700, "find", "fib"); len(g.found) != 8 {
		t.Errorf("%d threads called fib, want 8", len(g.found))
	}
	for _, c := range []struct {
		key  string
		want int
	}{{"n", 0}, {"n", 1}, {"n", 2}, {"N", 1}, {"N", 0}, {"N", 7}, {"n", 0}} {
		acts := g.Input(b.Frame, view.Input{Kind: view.Press, Key: c.key})
		if b.State.Shared.Selection = *acts[0].Selection; b.State.Shared.Selection.Tasks[0].First != g.graph.Task[g.found[c.want]] {
			t.Errorf("%s does %+v, want found thread %d", c.key, acts, c.want)
		}
	}
	if g, _ = shown(t, src, 900, 700, "find", "3"); len(g.found) != 1 || g.graph.Task[g.found[0]] != 3 {
		t.Errorf("task 3 is found at %v", g.found)
	}
	if g, b = shown(t, src, 900, 700, "find", "nowhere"); len(g.found) != 0 {
		t.Errorf("found %v", g.found)
	}
	if g, _ = shown(t, src, 900, 700, "find", "fib("); len(g.found) != 0 || g.Wrong() == nil || !strings.HasSuffix(g.Wrong().Error(), "at character 4") {
		t.Errorf("a search that is no regular expression finds %v, %v", g.found, g.Wrong())
	}
	if acts := g.Input(b.Frame, view.Input{Kind: view.Press, Key: "n"}); acts[0].Do != view.Nothing {
		t.Errorf("n does %+v", acts)
	}
}

// TestFoundThreadsAreMarked checks that a few found threads have rings and many have dots, which hide less of the picture.
func TestFoundThreadsAreMarked(t *testing.T) {
	for _, c := range []struct {
		n    int
		want [2]int
	}{{6, [2]int{24, 0}}, {12, [2]int{0, 464}}} { // fib(6) forks 24 threads, fib(12) 464
		_, b := shown(t, recorded(t, 2, func(w *dts.Worker) { fib(w, c.n) }), 400, 300, "find", "fib")
		l := scene.New(500, 400)
		b.marked(l)
		rings, dots := 0, 0
		for i := range l.Len() {
			switch o := l.Op(i); o.Kind {
			case scene.OpMarks:
				_, _, points := o.Marks()
				dots += len(points) / 2
			default:
				rings++
			}
		}
		if rings/2 != c.want[0] || dots != c.want[1] {
			t.Errorf("fib(%d): %d rings and %d dots, want %v", c.n, rings/2, dots, c.want)
		}
	}
}
