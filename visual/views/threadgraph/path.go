package threadgraph

import (
	"math"
	"sort"

	"whorl/internal/figures"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/derive/waits"
	"whorl/visual/layout/columns"
	"whorl/visual/palette"
	"whorl/visual/scene"
)

// pathColour returns the colour of the critical path.
func pathColour(dark bool) scene.Color {
	if dark {
		return scene.NRGBA(palette.LCh{L: 0.52, C: 0.12, H: 80}.RGB())
	}
	return scene.NRGBA(palette.LCh{L: 0.90, C: 0.15, H: 95}.RGB())
}

// woken returns the nodes of the layout on a path through wake-ups: those of each task from the instant at which the path comes to it until it leaves
// it.
func (f *fold) woken(g *threadgraph.Graph, rows *columns.Rows, p *waits.Path) (path []int32) {
	places := map[int32]int32{} // nodes of the layout by node of the trace; nil if they are the same
	for v, node := range f.node {
		places[node] = int32(v)
	}
	for i := 0; i < len(p.Pieces); {
		from := i
		for i++; i < len(p.Pieces) && p.Pieces[i].Task == p.Pieces[from].Task; i++ {
		}
		t := g.Numbered(p.Pieces[from].Task)
		if t < 0 {
			continue
		}
		first, end := g.Chain(t)
		v := first + int32(sort.Search(int(end-first), func(k int) bool { return g.Time[first+int32(k)] >= p.Pieces[from].From }))
		for ; v < end && g.Time[v] <= p.Pieces[i-1].To; v++ {
			u, shown := v, true
			if f.node != nil {
				u, shown = places[v]
			}
			if !shown {
				continue
			}
			// The path left the last task when it came to this one: tasks drawn further down are not on it.
			for n := len(path); n > 0 && rows.Y[path[n-1]] > rows.Y[u] && g.Time[f.nodeOf(path[n-1])] >= p.Pieces[from].From; n-- {
				path = path[:n-1]
			}
			if n := len(path); n == 0 || rows.Y[u] >= rows.Y[path[n-1]] {
				path = append(path, u)
			}
		}
	}
	return path
}

// critical draws the critical path as a broad line under the others. Where the path changes direction many times within the width of the line,
// only some of the horizontal edges are drawn, so that the vertical ones stay distinguishable. Steps in one direction form a slope and are all
// drawn.
func (b *brush) critical(out *scene.List) {
	g := b.g
	if !g.withPath || len(g.path) == 0 {
		return
	}
	c := pathColour(b.Style.Dark)
	broad := max(odd(min(b.width+0.62*b.em, 0.6*b.X.Scale)), odd(0.4*b.em))
	half := (broad - 1) / 2
	apart := 3 * broad
	y := func(i int) float64 { return b.nodeY(g.path[i]) }
	x := func(i int) float64 { return b.threadX(g.threadAt(g.path[i])) }
	down := func(x, y0, y1 float64) {
		if y1 > y0 {
			out.Rect(float32(x-half), float32(y0), float32(x-half+broad), float32(y1), c)
		}
	}
	last := map[bool]float64{true: math.Inf(-1), false: math.Inf(-1)} // y of the last edge to the right (true) and to the left
	right := true                                                     // direction of the last horizontal edge
	across := func(x0, x1, y float64) {
		if math.Abs(x1-x0) < 0.5 {
			return
		}
		back := right != (x1 > x0)
		if right = x1 > x0; back && y-last[right] < apart {
			return
		}
		last[right] = y
		top := math.Floor(y) - half
		out.Rect(float32(min(x0, x1)-half), float32(top), float32(max(x0, x1)+half+1), float32(top+broad), c)
	}
	n := len(g.path)
	first := max(sort.Search(n, func(i int) bool { return y(i) >= b.In.Y0 })-1, 0)
	for i := first; i < n; {
		top := y(i)
		if top > b.In.Y1 || !b.all && g.graph.Time[g.nodeOf(g.path[i])] > b.until {
			return
		}
		same := i + sort.Search(n-i, func(k int) bool { return y(i+k) >= top+1 }) - 1 // the last in this row of pixels
		same = max(same, i)
		across(x(i), x(same), top)
		if same+1 == n {
			return
		}
		x0, y0, x1, y1 := x(same), y(same), x(same+1), y(same+1)
		down(x0, top, y0)
		if g.graph.Kind[g.nodeOf(g.path[same])] == threadgraph.Fork && x0 != x1 {
			across(x0, x1, y0)
			down(x1, y0, y1)
		} else {
			down(x0, y0, y1)
			across(x0, x1, y1)
		}
		i = same + 1
	}
}

// threadAt returns the thread of the layout that a node of the layout belongs to.
func (g *Geometry) threadAt(v int32) int32 { return g.shownBy(g.graph.Thread[g.nodeOf(v)]) }

// mostFree limits the free edges that are drawn: those other than forks and joins of a parent.
const mostFree = 1500

// freeSeen lists the free edges that are long enough to be visible. Every stride-th of them is drawn.
func (b *brush) freeSeen() (seen []int32, stride int) {
	g := b.g
	for i, l := range g.Free {
		if !b.all && g.graph.Time[g.nodeOf(l.To)] > b.until {
			continue
		}
		y0, y1 := b.nodeY(l.From), b.nodeY(l.To)
		if max(y0, y1) < b.In.Y0 || min(y0, y1) > b.In.Y1 {
			continue
		}
		x0, x1 := b.threadX(g.threadAt(l.From)), b.threadX(g.threadAt(l.To))
		if max(x0, x1) < b.In.X0 || min(x0, x1) > b.In.X1 || math.Hypot(x1-x0, y1-y0) < 3 {
			continue
		}
		seen = append(seen, int32(i))
	}
	return seen, max((len(seen)+mostFree-1)/mostFree, 1)
}

// freeColour returns the colour of free edges.
func freeColour(dark bool) scene.Color {
	if dark {
		return scene.NRGBA(palette.LCh{L: 0.72, C: 0.12, H: 320}.RGB())
	}
	return scene.NRGBA(palette.LCh{L: 0.50, C: 0.16, H: 320}.RGB())
}

// drawFree draws the free edges as thin straight lines from node to node.
func (b *brush) drawFree(out *scene.List) {
	seen, stride := b.freeSeen()
	if len(seen) == 0 {
		return
	}
	alpha := min(max(60*b.In.W()/float64(len(seen)/stride+1), 40), 200)
	c := freeColour(b.Style.Dark).Alpha(uint8(alpha))
	line := float32(max(b.em/12, 1))
	head := len(seen) <= 300 && b.sign > 0
	for k := 0; k < len(seen); k += stride {
		l := b.g.Free[seen[k]]
		x0, y0 := b.threadX(b.g.threadAt(l.From))+0.5, b.nodeY(l.From)
		x1, y1 := b.threadX(b.g.threadAt(l.To))+0.5, b.nodeY(l.To)
		out.Line(float32(x0), float32(y0), float32(x1), float32(y1), line, c)
		long := math.Hypot(x1-x0, y1-y0)
		if !head || long < b.em {
			continue
		}
		dx, dy := (x1-x0)/long, (y1-y0)/long
		x1, y1 = x1-dx*0.5*b.sign, y1-dy*0.5*b.sign // end at the sign
		size := 0.5 * b.em
		bx, by := x1-dx*size, y1-dy*size
		out.Polygon([]float32{
			float32(x1), float32(y1), float32(bx - 0.38*dy*size), float32(by + 0.38*dx*size), float32(bx + 0.38*dy*size), float32(by - 0.38*dx*size),
		}, scene.NonZero, c)
	}
}

// closedBox returns the box of a folded thread.
func (b *brush) closedBox(t int32) scene.Rect {
	g := b.g
	x := b.threadX(t) + 0.5
	half := math.Round(max(min(0.44*b.X.Scale, 5*b.em), 0.3*b.em)) // also visible when zoomed out
	y0, y1 := b.nodeY(g.First[t]), b.nodeY(g.First[t+1]-1)
	return scene.Rect{X0: x - half, Y0: y0, X1: x + half, Y1: max(y1, y0+3)}
}

// closed draws a folded thread: a box with the number of threads in its subtree, their work and their longest path.
func (b *brush) closed(out *scene.List, t int32) {
	g := b.g
	r := b.closedBox(t)
	c := g.colours.color[g.colours.class[g.source(t)]]
	line := float32(max(math.Round(b.em/9), 1))
	x0, y0, x1, y1 := float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y1)
	out.Rect(x0, y0, x1, y1, c.Mix(b.Style.Ground, 0.72))
	if r.W() > 3*float64(line) && r.H() > 3*float64(line) {
		out.Frame(x0+line/2, y0+line/2, x1-line/2, y1-line/2, line, c)
	}
	size := 0.85 * b.Style.Font
	lines := g.summary(g.source(t))
	pitch := float32(1.25 * b.em)
	for len(lines) > 0 && float32(len(lines))*pitch > y1-y0-0.4*b.Style.Font {
		lines = lines[:len(lines)-1]
	}
	y := (y0+y1)/2 - float32(len(lines)-1)*pitch/2
	for _, s := range lines {
		if b.Text.Width(s, size, scene.Regular) <= x1-x0-0.5*b.Style.Font {
			out.Text((x0+x1)/2, y, s, scene.TextStyle{Size: size, Color: b.Style.Ink, Anchor: scene.Middle, VAlign: scene.Center})
		}
		y += pitch
	}
}

// summary returns the number of threads, the work and the longest path of a subtree of the trace.
func (g *Geometry) summary(t int32) []string {
	n := g.work.count(g.graph, t)
	return []string{
		figures.Counted(n, "thread"), "work " + figures.Duration(g.work.total(g.graph, t)), g.pathNoun() + " " + figures.Duration(int64(g.work.span[t])),
	}
}
