package threadgraph

import (
	"math"
	"sort"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// reachEms is the largest distance between the pointer and a thread that it hits, in ems.
const reachEms = 1.3

// Hit returns the thread nearest to a pixel, within reach. For logic programs it returns the goal that runs there, for a folded thread its
// whole subtree.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	b := newBrush(f, g)
	t, ok := b.nearest(x, y)
	if !ok {
		return view.Selection{}, false
	}
	if b.g.closed(t) {
		return view.Subtree(f.Trace, b.g.graph.Task[b.g.source(t)]), true
	}
	return view.Selection{Trace: f.Trace, Tasks: []view.Tasks{{First: b.task(t, y)}}}, true
}

// task returns the task of a thread of the layout, or of its goal that runs at y.
func (b *brush) task(t int32, y float64) uint64 {
	g := b.g
	if v := b.stepAt(t, y); v >= 0 {
		return g.graph.Goal[g.nodeOf(v)]
	}
	return g.graph.Task[g.source(t)]
}

// stepAt returns the node at which the goal begins that a thread runs at y, or -1 if threads have no goals.
func (b *brush) stepAt(t int32, y float64) int32 {
	g := b.g
	from, end := g.First[t], b.shown(t)
	if g.graph.Goal == nil || from >= end {
		return -1
	}
	row := b.row(y)
	v := from + int32(sort.Search(int(end-from), func(i int) bool { return g.rows.Y[from+int32(i)] > row })) - 1
	for v = max(v, from); v > from && g.graph.Goal[g.nodeOf(v)] == 0; v-- {
	}
	for ; v < end && g.graph.Goal[g.nodeOf(v)] == 0; v++ {
	}
	if v == end {
		return -1
	}
	return v
}

// nearest returns the thread of the layout nearest to a pixel.
func (b *brush) nearest(x, y float64) (best int32, ok bool) {
	g, c := b.g, b.g.cols
	reach := reachEms * b.em
	if !b.In.Grow(0.5*b.em).Contains(x, y) {
		return -1, false
	}
	left, right := b.column(x-reach)-1, b.column(x+reach)+1
	top, bottom := b.row(y-reach), b.row(y+reach)
	least := math.Inf(1)
	best = -1
	for t := int32(0); t < int32(g.Len()); {
		if float64(c.Right[t]) < left || float64(c.Left[t]) > right || c.Bottom[t] < top || c.Top[t] > bottom || !b.begun(t) {
			t += g.Size[t]
			continue
		}
		if from, end := g.First[t], b.shown(t); from < end {
			y0, y1 := b.nodeY(from), b.nodeY(end-1)
			dx := math.Abs(x - (b.threadX(t) + 0.5))
			if g.closed(t) {
				r := b.closedBox(t)
				dx, y1 = max(r.X0-x, x-r.X1, 0), r.Y1
			} else if g.bulk(t) != nil {
				r := b.box(t)
				dx = max(r.X0-x, x-r.X1, 0)
			}
			if d := math.Hypot(dx, max(y0-y, y-y1, 0)); d < least && d <= reach {
				best, least = t, d
			}
		}
		t++
	}
	return best, best >= 0
}

// Locate returns a rectangle for each visible selected thread or goal. Several selected threads of a subtree too thin for lines share a
// rectangle; a single one has its own.
func (g *Geometry) Locate(f *view.Frame, s view.Selection) []scene.Rect {
	l := g.litOf(f.Trace, s)
	if l == nil {
		return nil
	}
	return newBrush(f, g).places(l)
}

// mostPlaces limits the rectangles that Locate returns.
const mostPlaces = 100_000

func (b *brush) places(l *lit) []scene.Rect {
	g := b.g
	var places []scene.Rect
	add := func(r scene.Rect) {
		if r.X1-r.X0 < 2 {
			mid := (r.X0 + r.X1) / 2
			r.X0, r.X1 = mid-1, mid+1
		}
		if r.Y1-r.Y0 < 2 {
			mid := (r.Y0 + r.Y1) / 2
			r.Y0, r.Y1 = mid-1, mid+1
		}
		if !r.Meets(b.In) {
			return
		}
		r = scene.Rect{X0: max(r.X0, b.In.X0), Y0: max(r.Y0, b.In.Y0), X1: min(r.X1, b.In.X1), Y1: min(r.Y1, b.In.Y1)}
		if r.X1 > r.X0 && r.Y1 > r.Y0 && len(places) < mostPlaces {
			places = append(places, r)
		}
	}
	half := math.Round(min(max(0.16*b.X.Scale, 2), 0.5*b.em))
	column := func(t int32, y0, y1 float64) scene.Rect {
		x := b.threadX(t) + 0.5
		return scene.Rect{X0: x - half, Y0: y0, X1: x + half, Y1: y1}
	}
	for t := int32(0); t < int32(g.Len()); {
		end := t + g.Size[t]
		box := b.box(t)
		if !l.any(t, end) || !b.begun(t) || !box.Meets(b.In) {
			t = end
			continue
		}
		from, to := g.First[t], b.shown(t)
		switch {
		case b.isThin(box) && g.Size[t] > 1:
			if a, z := l.span(t, end); l.count(a, z) > 1 {
				k := len(places) - 1
				if k >= 0 && math.Floor(places[k].X0) == math.Floor(box.X0) && box.Y0 <= places[k].Y1+1 && box.Y1 >= places[k].Y0-1 {
					places[k].Y0, places[k].Y1 = min(places[k].Y0, max(box.Y0, b.In.Y0)), max(places[k].Y1, min(box.Y1, b.In.Y1))
				} else {
					add(box)
				}
				t = end
				continue
			}
			if from < to && l.thread(t) {
				add(column(t, b.nodeY(from), b.nodeY(to-1)))
			}
		case from >= to || !l.thread(t):
		case g.closed(t):
			add(b.closedBox(t))
		case g.bulk(t) != nil:
			add(box)
		case g.graph.Goal == nil:
			add(column(t, b.nodeY(from), b.nodeY(to-1)))
		default:
			b.steps(l, t, from, to, func(y0, y1 float64) { add(column(t, y0, y1)) })
		}
		t++
	}
	return places
}

// steps calls f for each selected goal of a thread, once for goals that share a pixel.
func (b *brush) steps(l *lit, t, from, to int32, f func(y0, y1 float64)) {
	g := b.g
	n := g.source(t)
	y0, y1 := 0.0, math.Inf(-1)
	flush := func() {
		if y1 >= y0 {
			f(y0, y1)
		}
		y1 = math.Inf(-1)
	}
	for v := from; v < to; {
		next := v + 1
		for next < to && !begins(g.graph, g.nodeOf(next)) {
			next++
		}
		if node := g.nodeOf(v); begins(g.graph, node) && l.holds(n, node) {
			a, z := b.nodeY(v), b.nodeY(min(next, to-1))
			if y1 >= y0 && z-y0 < 1 {
				y1 = z
			} else {
				flush()
				y0, y1 = a, z
			}
		}
		v = next
	}
	flush()
}

// Reveal returns a camera that shows a selected thread if none is visible.
func (g *Geometry) Reveal(f *view.Frame, s view.Selection) (view.Camera, bool) {
	l := g.litOf(f.Trace, s)
	if l == nil || len(g.Locate(f, s)) > 0 {
		return view.Camera{}, false
	}
	for t := range int32(g.Len()) {
		if l.thread(t) && g.First[t] < g.First[t+1] {
			return newSheet(f, g).cameraOn(t), true
		}
	}
	return view.Camera{}, false
}

// cameraOn returns a camera centred on a thread of the layout, near enough to distinguish it from others.
func (s *sheet) cameraOn(t int32) view.Camera {
	g := s.g
	c := s.Shown()
	c.Scale = max(c.Scale, min(1.5*s.em, closest*s.em))
	y0, y1 := g.rows.Y[g.First[t]], g.rows.Y[g.First[t+1]-1]
	if high := (y1 - y0) * c.ScaleY; high < 3*s.em && y1 > y0 {
		c.ScaleY *= min(3*s.em/max(high, 1e-9), 1e6)
	}
	c.X, c.Y = float64(g.cols.X[t])+0.5, (y0+y1)/2
	return c
}

// Tip describes the thread nearest to a pixel.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	b := newBrush(f, g)
	t, ok := b.nearest(x, y)
	if !ok {
		return view.Tip{}, false
	}
	return view.Tip{X: b.threadX(t), Y: y, Lines: b.describe(t, y)}, true
}

func (b *brush) describe(t int32, y float64) []string {
	g := b.g
	n := g.source(t)
	tg := g.graph
	code, task, pe := tg.Code[n], tg.Task[n], tg.PE[n]
	step := b.stepAt(t, y)
	if step >= 0 {
		v := g.nodeOf(step)
		code, task, pe = tg.Line[v], tg.Goal[v], tg.NodePE[v]
	}
	where := "an unknown PE"
	if pe >= 0 {
		where = g.run.PEName(int(pe), int(pe))
	}
	lines := append(g.run.Described(code), "task "+strconv.FormatUint(task, 10)+" on "+where)
	from, to := tg.Chain(n)
	if step >= 0 {
		steps, number := 0, 0
		for v := from; v < to; v++ {
			if tg.Goal[v] != 0 {
				steps++
				if v <= g.nodeOf(step) {
					number = steps
				}
			}
		}
		if steps > 1 {
			lines = append(lines, "goal "+figures.Count(int64(number))+" of "+figures.Count(int64(steps))+" of this thread")
		}
	}
	if from < to {
		alive := tg.Time[to-1] - tg.Time[from]
		line := "ran " + figures.Duration(g.work.own[n])
		if wait := alive - g.work.own[n]; wait > 0 {
			line += ", waited " + figures.Duration(wait)
		}
		lines = append(lines, "started at "+figures.Duration(tg.Time[from]-g.run.From), line)
		if f := tg.From(from); f >= 0 && tg.Time[from] > tg.Time[f] {
			lines = append(lines, "waited "+figures.Duration(tg.Time[from]-tg.Time[f])+" to start")
		}
	}
	if below := g.work.count(tg, n) - 1; below > 0 {
		s := g.summary(n)
		s[0] = figures.Count(below) + " below it"
		lines = append(lines, s[0]+"; "+s[1]+", "+s[2])
	}
	if many := b.overlapping(t); many > 1 {
		lines = append(lines, "one of "+figures.Count(many)+" threads too thin to distinguish here")
	} else if columns := int64(1 / b.X.Scale); columns > 1 {
		lines = append(lines, figures.Count(columns)+" columns of threads share this column of pixels")
	}
	return lines
}

// overlapping returns the number of threads in the largest subtree around t that is drawn as density, 0 for none.
func (b *brush) overlapping(t int32) int64 {
	g := b.g
	many := int64(0)
	for ; t >= 0; t = g.Parent[t] {
		if b.isThin(b.box(t)) {
			a, z := (&lit{g: g}).span(t, t+g.Size[t])
			many = int64(z - a)
		}
	}
	return many
}
