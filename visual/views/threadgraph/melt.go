package threadgraph

import (
	"math"

	"whorl/tracer/derive/threadgraph"
	"whorl/visual/scene"
)

// fewThreads is the largest graph whose threads are all drawn one by one. In larger graphs, small subtrees too thin for lines are drawn as one.
const fewThreads = 1 << 18

// smallSubtree returns the largest number of threads that are drawn as one. A graph has about ten thousand subtrees of this size.
func (g *Geometry) smallSubtree() int32 { return max(32, int32(g.Len()>>13)) }

// addSubtree adds a subtree to the density: its threads one by one or, for small subtrees of a large graph, their total length spread over
// the box.
func (b *brush) addSubtree(t int32, box scene.Rect) {
	g := b.g
	spread := int32(1) // the largest subtree that is drawn as one
	if b.lit == nil && b.all && g.Len() > b.few {
		spread = g.smallSubtree()
	}
	for end := t + g.Size[t]; t < end; {
		if b.lit != nil && !b.lit.any(t, t+g.Size[t]) {
			t += g.Size[t]
			continue
		}
		if g.Size[t] > 1 && g.Size[t] <= spread {
			r := b.box(t)
			high := g.cols.Bottom[t] - g.cols.Top[t]
			wide := float64(g.cols.Right[t] - g.cols.Left[t] + 1)
			cover := 1.0
			if high > 0 {
				sums := g.lengths()
				cover = min(sums[t+g.Size[t]]-sums[t], high*wide) / (high * wide)
			}
			b.bar(r, g.colours.class[g.source(t)], cover*wide)
			t += g.Size[t]
			continue
		}
		if g.bulk(t) != nil {
			b.thinned-- // counted twice
			b.addBulk(t, b.box(t))
		} else if b.lit == nil || b.lit.thread(t) {
			b.addThread(t, box)
		}
		t++
	}
}

// bulk returns what a thread of the layout stands for, nil for one that stands for itself or is folded.
func (g *Geometry) bulk(t int32) *threadgraph.Bulk {
	if g.graph.Bulk == nil || g.closed(t) {
		return nil
	}
	if b := &g.graph.Bulk[g.source(t)]; b.Threads > 0 {
		return b
	}
	return nil
}

// addBulk adds a thread that stands for several: their total length spread over the box.
func (b *brush) addBulk(t int32, box scene.Rect) {
	k := b.g.bulk(t)
	b.thinned += k.Threads
	if b.lit != nil && !b.lit.thread(t) {
		return
	}
	parts := threadgraph.Parts
	for parts > 1 && box.H() < float64(thin*parts) {
		parts /= 2
	}
	each := threadgraph.Parts / parts // of the bulk for a part that is drawn
	for i := range parts {
		fill := 0.0
		for _, f := range k.Fill[i*each : (i+1)*each] {
			fill += float64(f) / float64(each)
		}
		r := box
		r.Y0, r.Y1 = box.Y0+box.H()*float64(i)/float64(parts), box.Y0+box.H()*float64(i+1)/float64(parts)
		b.bar(r, b.g.colours.class[b.g.source(t)], fill*float64(k.Columns))
	}
}

// addLeaf adds a thread without forks, in a column narrower than a pixel. It is the fast path for most threads of a graph of a million.
func (b *brush) addLeaf(t int32) {
	g, d := b.g, b.dense
	x := int(math.Floor(b.x(float64(g.cols.X[t])-0.5))) - d.x0
	from, to := g.First[t], g.First[t+1]
	if from == to || x < 0 || x >= d.w || d.h == 0 {
		return
	}
	y0, y1 := int(b.nodeY(from))-d.y0, int(b.nodeY(to-1))-d.y0
	if y1 < 0 || y0 >= d.h {
		return
	}
	b.thinned++
	y0 = max(y0, 0)
	l := &g.colours.light[g.colours.class[g.source(t)]]
	c := float32(b.X.Scale)
	d.bar(x, y0, max(min(y1, d.h), y0+1), cell{l[0] * c, l[1] * c, l[2] * c, c})
}

// addThread adds a thread to the density. In a wide and low box the thread reaches from its parent's column to its own, as its edges do.
func (b *brush) addThread(t int32, box scene.Rect) {
	g := b.g
	from, to := g.First[t], b.shown(t)
	if from >= to {
		return
	}
	x := b.x(float64(g.cols.X[t]))
	r := scene.Rect{X0: x - b.X.Scale/2, Y0: b.nodeY(from), X1: x + b.X.Scale/2, Y1: b.nodeY(to - 1)}
	if box.W() >= thin {
		if p := g.Parent[t]; p >= 0 {
			px := b.x(float64(g.cols.X[p]))
			r.X0, r.X1 = min(x, px), max(x, px)
		}
	}
	b.bar(r, g.colours.class[g.source(t)], 1)
}

// bar adds a rectangle to the density, rounded outwards to pixels across. columns is the number of covered columns.
func (b *brush) bar(r scene.Rect, class uint8, columns float64) {
	r.X0 = math.Floor(r.X0)
	r.X1 = max(math.Floor(r.X1), r.X0+1)
	cover := min(columns*b.X.Scale/r.W(), 1)
	if r.H() < 1 && r.W() > thin {
		cover = max(r.H(), 0.25)
	}
	b.dense.add(r, b.g.colours.light[class], cover)
}

// lengths returns the prefix sums of the lengths of the threads of the layout, in rows.
func (g *Geometry) lengths() []float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.sums == nil {
		g.sums = make([]float64, g.Len()+1)
		for t := range g.Len() {
			g.sums[t+1] = g.sums[t]
			if from, to := g.First[t], g.First[t+1]; from < to {
				g.sums[t+1] += g.rows.Y[to-1] - g.rows.Y[from]
			}
		}
	}
	return g.sums
}
