package threadgraph

import (
	"math"
	"slices"
	"testing"
	"time"

	"whorl/dts"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// TestDeepChains draws chains in ever narrower columns: with dashed lines, then pale lines, then density. The density covers as much as the
// threads do and begins at the first thread of each column of pixels.
func TestDeepChains(t *testing.T) {
	for _, c := range []struct {
		long           int
		crowd, dashed  bool
		least, longest float64 // pixels of a column
	}{{20, false, true, 2, 1e3}, {400, false, false, 1, 2}, {2000, true, false, 0, 0.5}, {20_000, true, false, 0, 0.1}} {
		g, b := shown(t, recorded(t, 8, func(w *dts.Worker) { chain(w, c.long) }), 700, 500)
		if b.X.Scale < c.least || b.X.Scale > c.longest {
			t.Fatalf("%d threads: columns of %g pixels", c.long, b.X.Scale)
		}
		b.collect()
		n := int64(0)
		if c.crowd {
			n = int64(c.long) + 1
		}
		tip := int64(math.Ceil(3 / b.X.Scale)) // threads at the tip are too small or may have lines
		if b.thinned > n+tip || b.thinned < n-tip || b.count() != b.thinned {
			t.Errorf("%d threads: %d of them are density, %d in the legend", c.long, b.thinned, b.count())
		}
		l := scene.New(800, 600)
		view.Draw(g, b.Frame, l)
		dashed := false
		for i := range l.Len() {
			dashed = dashed || l.Op(i).Kind == scene.OpPolyline
		}
		waits := b.signs().Swatches[slices.IndexFunc(b.signs().Swatches, func(s view.Swatch) bool { return s.Label == "waits" })]
		if dashed != c.dashed || waits.Sign.Dash != c.dashed {
			t.Errorf("%d threads: dashes %v, in the legend %v", c.long, dashed, waits.Sign.Dash)
		}
		if !c.crowd {
			continue
		}
		var sum, least, most float64
		for k := range int32(g.Len()) {
			from, to := g.First[k], g.First[k+1]-1
			whole, ran := b.nodeY(to)-b.nodeY(from), float64(g.work.own[k])*b.Y.Scale
			least += b.X.Scale * (paleWait*(whole-ran) + ran - 3)
			most += b.X.Scale * (paleWait*whole + 3*ran + 6) // short runs are enlarged to a pixel
		}
		for x := range b.dense.w {
			at, top := float32(0), -1
			for y := range b.dense.h {
				at += b.dense.down[x*(b.dense.h+1)+y].cover
				sum += float64(at)
				if top < 0 && at > 0 {
					top = y
				}
			}
			first := int32(math.Ceil((float64(g.cols.N) - float64(x+b.dense.x0-int(b.In.X0)+1)/b.X.Scale))) // the first thread in this column of pixels
			if first = max(first, 0); top >= 0 && first < int32(g.Len()) && math.Abs(float64(top+b.dense.y0)-b.nodeY(g.First[first])) > 3 {
				t.Fatalf("%d threads: column %d begins at %d, its first thread at %g", c.long, x, top+b.dense.y0, b.nodeY(g.First[first]))
			}
		}
		if sum < least || sum > most {
			t.Errorf("%d threads: %g pixels are covered, want %g to %g", c.long, sum, least, most)
		}
	}
}

// TestStacksAreAsMuch checks that threads in stacks have the same coverage and colours as threads drawn one by one, and that a thread that
// runs for more than a pixel has a stack of its own.
func TestStacksAreAsMuch(t *testing.T) {
	const n, odd = 15_000, 9_345
	_, one := shown(t, recorded(t, 8, func(w *dts.Worker) { deep(w, n, odd) }), 700, 500)
	all := newBrush(one.Frame, one.g)
	all.few = 1
	one.collect()
	all.collect()
	if all.thinned < one.thinned || all.thinned > one.thinned+8 || all.count() != all.thinned { // some threads at the tip have lines
		t.Errorf("%d threads are density, %d in stacks, %d in the legend", one.thinned, all.thinned, all.count())
	}
	sums := func(d *density) (s cell, columns []float32) {
		for x := range d.w {
			at, column := cell{}, cell{}
			for y := range d.h {
				at.add(d.down[x*(d.h+1)+y])
				column.add(at)
			}
			s.add(column)
			columns = append(columns, column.cover)
		}
		return s, columns
	}
	a, x := sums(one.dense)
	b, y := sums(all.dense)
	for i, v := range [4][2]float32{{a.cover, b.cover}, {a.r, b.r}, {a.g, b.g}, {a.b, b.b}} {
		if math.Abs(float64(v[0]-v[1])) > 0.02*float64(v[0]) {
			t.Errorf("%d: %g one by one, %g in stacks", i, v[0], v[1])
		}
	}
	if k := int32(n - odd); float64(all.g.work.own[k])*all.Y.Scale < 1 {
		t.Fatalf("thread %d runs %d ns, which is too short to be visible", k, all.g.work.own[k])
	}
	stacks := 0
	var list []stack
	for k := range int32(all.g.Len()) {
		if all.g.Size[k] > 1 {
			list = all.appendStack(list, k)
		}
	}
	for _, s := range list {
		if s.n > 1 {
			stacks++
		}
		if runs := float64(all.g.work.own[s.thread]) * all.Y.Scale; (runs < 1) != s.short || runs >= 1 && s.n > 1 {
			t.Errorf("thread %d runs %g pixels and is one of a stack of %d", s.thread, runs, s.n)
		}
	}
	if stacks < 100 || len(list) > 5000 {
		t.Errorf("%d threads in %d stacks and alone", stacks, len(list))
	}
	if at := int(all.threadX(n-odd)) - all.dense.x0; math.Abs(float64(x[at]-y[at])) > 0.05*float64(x[at]) {
		t.Errorf("%g pixels are covered at the longer thread, %g in stacks", x[at], y[at])
	}
}

// deep returns a chain in which one thread runs longer than the others, while the next one runs.
func deep(w *dts.Worker, n, odd int) int {
	w.Compute(10 * time.Microsecond)
	if n == 0 {
		return 1
	}
	h := dts.Fork(w, func(w *dts.Worker, n int) int { return deep(w, n, odd) }, n-1)
	if w.Compute(10 * time.Microsecond); n == odd {
		w.Compute(20 * time.Millisecond)
	}
	return h.Join(w)
}

// TestCrowdsKeepTheStructure checks that the threads with the widest subtrees keep their lines among many.
func TestCrowdsKeepTheStructure(t *testing.T) {
	g, b := shown(t, recorded(t, 8, func(w *dts.Worker) {
		h := dts.Fork(w, chain, 2000)
		fib(w, 17)
		h.Join(w)
	}), 700, 500)
	var all []stack
	for k := range int32(g.Len()) {
		if g.Size[k] > 1 && !b.isThin(b.box(k)) {
			all = b.appendStack(all, k)
		}
	}
	lines, crowd := b.separate(all)
	if len(lines)+len(crowd) != len(all) || !slices.Contains(lines, 0) || len(crowd) < 1900 {
		t.Fatalf("%d of %d threads have lines, %d have none", len(lines), len(all), len(crowd))
	}
	deep := 0 // of fib
	for _, k := range lines {
		if g.run.Name(g.graph.Code[g.source(k)]) == g.run.Name(g.graph.Code[g.source(int32(g.Len()-1))]) {
			deep++
		}
	}
	if deep < 50 {
		t.Errorf("%d threads beside the chain have lines", deep)
	}
}

// TestCriticalPathHoldsTogether checks that the path has no gaps along a slope of many short steps and along a thread with many nodes in each
// pixel.
func TestCriticalPathHoldsTogether(t *testing.T) {
	for _, c := range []struct {
		name string
		main func(w *dts.Worker)
	}{
		{"chain", func(w *dts.Worker) { chain(w, 3000) }},
		{"loop", func(w *dts.Worker) {
			for range 5000 {
				dts.Fork(w, fib, 0).Join(w)
			}
		}},
		{"main", func(w *dts.Worker) {
			var hs []dts.Handle[int]
			for range 5000 {
				hs = append(hs, dts.Fork(w, fib, 0))
			}
			for _, h := range hs {
				h.Join(w)
			}
		}},
	} {
		g, b := shown(t, recorded(t, 8, c.main), 700, 500)
		l := scene.New(800, 600)
		b.critical(l)
		rows := make([]bool, 600)
		for i := range l.Len() {
			o := l.Op(i)
			_, y0, _, y1 := o.Rect()
			for y := int(y0); y < int(math.Ceil(float64(y1))); y++ {
				rows[y] = true
			}
		}
		for y := int(b.nodeY(g.path[0])) + 1; y < int(b.nodeY(g.path[len(g.path)-1])); y++ {
			if !rows[y] {
				t.Errorf("%s: the path is not drawn at %d", c.name, y)
				break
			}
		}
	}
	// A slope of some ten pixels a row, to one side and back.
	_, b := shown(t, recorded(t, 8, func(w *dts.Worker) { chain(w, 3000) }), 900, 120)
	l := scene.New(1000, 200)
	b.critical(l)
	times := make([]int, 1000) // by row: how often the path is drawn there
	for i := range l.Len() {
		o := l.Op(i)
		x0, _, x1, _ := o.Rect()
		for x := int(x0); x < int(x1); x++ {
			times[x]++
		}
	}
	for x := int(b.In.X0) + 12; x < int(b.In.X1)-12; x++ {
		if times[x] < 2 {
			t.Fatalf("%d slopes are drawn at %d", times[x], x)
		}
	}
}
