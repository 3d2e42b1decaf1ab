package threadgraph

import (
	"math"
	"sort"

	"whorl/internal/figures"
	"whorl/visual/layout/columns"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A brush draws one frame.
type brush struct {
	*sheet
	lit   *lit  // the threads to draw, nil for all
	until int64 // no later nodes are drawn
	all   bool  // until is no limit

	width   float64 // of the lines of threads, in pixels
	sign    float64 // size of the signs of nodes; 0 if they have no room
	labels  bool    // columns have room for labels
	dense   *density
	edges   []bar // horizontal
	lines   []bar
	waits   []bar
	marks   [numSigns]marks
	texts   []label
	boxes   []int32 // threads with folded subtrees
	thinned int64   // threads drawn as density
	few     int     // in graphs with more threads, small subtrees are drawn as one
}

// A bar is a rectangle of one colour.
type bar struct {
	x0, y0, x1, y1 float32
	c              scene.Color
}

type label struct {
	x, y float32
	text string
}

// Waiting threads are dashed. In narrow columns dashes would form patterns, so the lines are paler instead.
const (
	dashes = 2   // least width of a column with dashes, in pixels
	pale   = 0.5 // share of the background in paler lines
)

func newBrush(f *view.Frame, g *Geometry) *brush {
	b := &brush{sheet: newSheet(f, g), until: math.MaxInt64, all: true, few: fewThreads}
	if f.Until != nil {
		b.until, b.all = *f.Until, false
	}
	em := b.em
	b.width = odd(min(max(0.1*b.X.Scale, 1), 0.26*em))
	if b.X.Scale >= 0.9*em {
		b.sign = min(0.42*b.X.Scale, 0.85*em)
		if short := g.rows.Least * b.Y.Scale; short > 0 {
			b.sign = min(b.sign, max(0.85*short, 0.5*em))
		}
	}
	b.labels = b.X.Scale >= labelled*em*0.8
	return b
}

// odd returns the largest odd number up to x, at least 1. Lines of odd width are centred on a pixel, as signs are.
func odd(x float64) float64 { return 2*math.Floor((max(x, 1)-1)/2) + 1 }

// Base draws, from bottom to top, the density, the critical path, edges, threads, signs and labels.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	b := newBrush(f, g)
	out.ClipTo(b.In)
	b.collect()
	b.draw(out)
	out.Pop()
	b.axis(out)
}

// draw draws the collected shapes.
func (b *brush) draw(out *scene.List) {
	b.dense.draw(out, b.Style.Ground)
	if b.lit == nil {
		b.critical(out)
	}
	for _, list := range [][]bar{b.edges, b.lines} {
		for _, r := range list {
			out.Rect(r.x0, r.y0, r.x1, r.y1, r.c)
		}
	}
	dash := float32(max(math.Round(0.28*b.em), 2))
	for _, r := range b.waits {
		x := (r.x0 + r.x1) / 2
		if b.X.Scale < dashes {
			out.Rect(r.x0, r.y0, r.x1, r.y1, r.c.Mix(b.Style.Ground, pale))
			continue
		}
		out.Polyline([]float32{x, r.y0, x, r.y1}, scene.Stroke{Width: r.x1 - r.x0, Color: r.c, Dash: []float32{dash, dash}})
	}
	if b.g.withFree && b.lit == nil {
		b.drawFree(out)
	}
	for _, t := range b.boxes {
		b.closed(out, t)
	}
	for k, m := range b.marks {
		if len(m.xy) == 0 {
			continue
		}
		size := float32(b.sign * signSizes[k])
		under := make([]scene.Color, len(m.color))
		for i := range under {
			under[i] = b.Style.Ground
		}
		if k != endSign {
			out.Marks(signShapes[k], size+float32(max(0.22*b.em, 2)), m.xy, under)
		}
		out.Marks(signShapes[k], size, m.xy, m.color)
	}
	style := scene.TextStyle{Size: 0.85 * b.Style.Font, Color: b.Style.Ink, VAlign: scene.Center}
	for _, l := range b.texts {
		out.Text(l.x, l.y, l.text, style)
	}
}

// collect visits the threads in preorder and skips subtrees outside the clip. Subtrees too thin for lines become density.
func (b *brush) collect() {
	g := b.g
	seen := b.Clip.Grow(b.em)
	seen = scene.Rect{X0: max(seen.X0, b.In.X0-b.em), Y0: max(seen.Y0, b.In.Y0-b.em), X1: min(seen.X1, b.In.X1+b.em), Y1: min(seen.Y1, b.In.Y1+b.em)}
	b.dense = newDensity(scene.Rect{
		X0: max(b.Clip.X0, b.In.X0), Y0: max(b.Clip.Y0, b.In.Y0), X1: min(b.Clip.X1, b.In.X1), Y1: min(b.Clip.Y1, b.In.Y1),
	})
	leaves := b.lit == nil && b.all && b.X.Scale < 1
	var list []stack // candidates for lines
	for t := int32(0); t < int32(g.Len()); {
		if leaves && g.Size[t] == 1 && g.bulk(t) == nil {
			b.addLeaf(t)
			t++
			continue
		}
		if b.lit != nil && !b.lit.any(t, t+g.Size[t]) || !b.all && !b.begun(t) {
			t += g.Size[t]
			continue
		}
		box := b.box(t)
		switch {
		case !box.Meets(seen):
			t += g.Size[t]
		case g.bulk(t) != nil:
			b.addBulk(t, box)
			t++
		case b.isThin(box):
			b.thinned += int64(g.Size[t])
			b.addSubtree(t, box)
			t += g.Size[t]
		default:
			list = b.appendStack(list, t)
			t++
		}
	}
	lines, crowd := b.separate(list)
	for _, t := range lines {
		b.thread(t, seen)
	}
	for _, s := range crowd {
		b.thinned += int64(s.n)
		if b.lit == nil || b.lit.thread(s.thread) {
			b.addStack(s)
		}
	}
}

// begun reports whether a thread was forked or started by the time limit of the frame.
func (b *brush) begun(t int32) bool {
	if b.all {
		return true
	}
	g := b.g
	if f := g.Fork[t]; f >= 0 {
		return g.graph.Time[g.nodeOf(f)] <= b.until
	}
	return g.First[t] < g.First[t+1] && g.graph.Time[g.nodeOf(g.First[t])] <= b.until
}

// shown returns the end of a thread's nodes within the time limit: the index after the last one.
func (b *brush) shown(t int32) int32 {
	g := b.g
	from, to := g.First[t], g.First[t+1]
	if b.all || from == to || g.graph.Time[g.nodeOf(to-1)] <= b.until {
		return to
	}
	return from + int32(sort.Search(int(to-from), func(i int) bool { return g.graph.Time[g.nodeOf(from+int32(i))] > b.until }))
}

// thread collects the line, signs and edges of a thread.
func (b *brush) thread(t int32, seen scene.Rect) {
	g := b.g
	from, end := g.First[t], b.shown(t)
	x := b.threadX(t)
	lit := b.lit == nil || b.lit.thread(t)
	if lit {
		b.links(t, x, from, end, seen)
	}
	if !lit || from >= end || x < seen.X0 || x > seen.X1 {
		return
	}
	if g.closed(t) {
		b.boxes = append(b.boxes, t)
		return
	}
	chain := g.rows.Y[from:end]
	class := g.colours.class[g.source(t)]
	lastSign := math.Inf(-1)
	skip := int32(sort.SearchFloat64s(chain, b.row(seen.Y0)))
	v := from + max(skip-1, 0)
	if b.lit != nil {
		v = from // a selected part has to be traced from its first node
	}
	for k := from; k <= v && g.graph.Goal != nil; k++ { // find the class at v
		class = g.colours.classAfter(g.graph, g.nodeOf(k), class)
	}
	for v < end {
		y := b.nodeY(v)
		if y > seen.Y1 {
			break
		}
		class = g.colours.classAfter(g.graph, g.nodeOf(v), class)
		if b.sign > 0 && y-lastSign >= 0.62*b.sign && (b.lit == nil || b.lit.node(t, v)) && b.mark(v, end, x, y, g.colours.color[class]) {
			lastSign = y
		}
		if v+1 == end {
			break
		}
		next := v + 1
		if b.nodeY(next)-y < 1 && b.lit == nil { // skip to the last node in the same pixel
			next = max(v+int32(sort.SearchFloat64s(chain[v-from:], b.row(y+1)))-1, next)
		}
		if b.lit == nil || b.lit.node(t, v) {
			b.lineTo(v, next, x, class)
		}
		v = next
	}
}

// flow returns where the edge from node v to a later node begins, where its waiting part begins, and where it ends.
func (b *brush) flow(v, next int32) (y0, wait, y1 float64) {
	g := b.g
	y0, y1 = b.nodeY(v), b.nodeY(next)
	switch {
	case next > v+1:
		return y0, y1, y1
	case g.Edge[next] == columns.Waits && !g.rows.Merged[next]:
		return y0, y0, y1
	case g.Delay != nil && g.Delay[next] > 0 && g.Edge[next] != columns.Waits:
		return y0, max(b.y(g.rows.Y[next]-g.Delay[next]), y0), y1
	}
	return y0, y1, y1
}

// lineTo collects the line from node v to a later node of the thread.
func (b *brush) lineTo(v, next int32, x float64, class uint8) {
	c := b.g.colours.color[class]
	y0, wait, y1 := b.flow(v, next)
	if y1-y0 < 0.25 && next == v+1 {
		return
	}
	left := float32(x - (b.width-1)/2)
	right := left + float32(b.width)
	if wait > y0 {
		b.lines = append(b.lines, bar{left, float32(y0), right, float32(wait), c})
		if next == v+1 {
			b.label(next, x, y0, wait)
		}
	}
	if y1 > wait {
		b.waits = append(b.waits, bar{left, float32(wait), right, float32(y1), c.Mix(b.Style.Ground, 0.25)})
	}
}

// label collects the run time of an edge if it has room.
func (b *brush) label(v int32, x, y0, y1 float64) {
	ran := b.g.Length[v]
	if !b.labels || ran <= 0 || b.g.timeless || y1-y0 < 1.15*b.em || b.lit != nil {
		return
	}
	text := figures.Duration(int64(ran))
	size := 0.85 * b.Style.Font
	left := x + b.width + 0.5*b.em
	mid := (y0 + y1) / 2
	if lo, hi := max(y0, b.In.Y0), min(y1, b.In.Y1); hi-lo > 2*b.em { // centre it in the visible part
		mid = (lo + hi) / 2
	}
	w := float64(b.Text.Width(text, size, scene.Regular))
	if w > b.X.Scale-b.width-0.9*b.em || left+w > b.In.X1 || mid-0.6*b.em < b.In.Y0 || mid+0.6*b.em > b.In.Y1 {
		return
	}
	b.texts = append(b.texts, label{float32(math.Round(left)), float32(math.Round(mid)), text})
}

// links collects the edges from a thread's fork and to its join.
func (b *brush) links(t int32, x float64, from, end int32, seen scene.Rect) {
	g := b.g
	p := g.Parent[t]
	if p < 0 {
		return
	}
	px := b.threadX(p)
	if max(x, px) < seen.X0 || min(x, px) > seen.X1 {
		return
	}
	c := b.Style.Muted
	if h := b.box(t).H(); h < 8 { // keep dense edges distinguishable
		c = c.Alpha(uint8(60 + 20*h))
	}
	line := float32(odd(b.em / 13))
	across := func(y float64) {
		if y < b.In.Y0-2 || y > b.In.Y1+2 {
			return
		}
		top := float32(math.Floor(y)) - (line-1)/2
		b.edges = append(b.edges, bar{float32(min(x, px)), top, float32(max(x, px)), top + line, c})
	}
	down := func(y0, y1 float64) {
		if y1-y0 >= 1 && y1 > seen.Y0 && y0 < seen.Y1 && x >= seen.X0 && x <= seen.X1 {
			left := float32(x) - (line-1)/2
			b.waits = append(b.waits, bar{left, float32(y0), left + line, float32(y1), c})
		}
	}
	f := g.Fork[t]
	if f >= 0 {
		across(b.nodeY(f))
		if from < end {
			down(b.nodeY(f), b.nodeY(from))
		}
	}
	if j := g.Join[t]; j >= 0 && from < end && end == g.First[t+1] && (b.all || g.graph.Time[g.nodeOf(j)] <= b.until) {
		across(b.nodeY(j))
		down(b.nodeY(end-1), b.nodeY(j))
	}
}
