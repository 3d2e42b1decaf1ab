package threadgraph

import (
	"math"
	"slices"
	"sort"
)

// In columns narrower than a pixel, threads with wide subtrees still have lines, so that the structure shows. In a deep chain all threads have
// wide subtrees: hundreds of lines fall into one column of pixels and the last one hides the others. A thread is therefore drawn as density,
// pale where it waits, if its line would overlap several others with subtrees at least as wide.
const (
	crowded  = 1.5  // mean number of overlapping lines above which a thread is drawn as density
	coarse   = 16   // height in pixels of the rows for counting overlapping lines
	paleWait = 0.25 // coverage of a waiting thread

	lone = 1 << 14 // graphs with at most so many threads have no stacks of several threads
)

// A stack is a thread and, in a large graph, the threads that follow it and would cover the same pixels.
type stack struct {
	thread int32 // the first
	n      int32
	short  bool       // the first thread runs for less than a pixel
	light  [3]float32 // sum over the threads
}

// appendStack appends thread t to a list of candidates for lines, or adds it to the last stack of the list.
func (b *brush) appendStack(list []stack, t int32) []stack {
	g := b.g
	s := stack{thread: t, n: 1, light: g.colours.light[g.colours.class[g.source(t)]]}
	if g.Len() <= min(b.few, lone) || b.lit != nil || !b.all || b.X.Scale >= 1 || g.First[t] == g.First[t+1] {
		return append(list, s)
	}
	s.short = float64(g.work.own[g.source(t)])*b.Y.Scale < 1
	if k := len(list) - 1; k >= 0 && s.short && list[k].short {
		a := &list[k]
		near := func(v, u int32) bool { return math.Abs(b.nodeY(v)-b.nodeY(u)) < 1 }
		if b.threadX(t) == b.threadX(a.thread) && near(g.First[t], g.First[a.thread]) && near(g.First[t+1]-1, g.First[a.thread+1]-1) {
			a.n++
			for i, x := range s.light {
				a.light[i] += x
			}
			return list
		}
	}
	return append(list, s)
}

// separate divides the candidates into threads that are drawn as lines and stacks that are drawn as density.
func (b *brush) separate(list []stack) (lines []int32, crowd []stack) {
	if b.X.Scale >= 1 {
		for _, s := range list {
			lines = append(lines, s.thread)
		}
		return lines, nil
	}
	var byWidth [64][]stack // by the binary logarithm of the width of their boxes
	for _, s := range list {
		_, k := math.Frexp(b.box(s.thread).W())
		k = min(max(k, 0), len(byWidth)-1)
		byWidth[k] = append(byWidth[k], s)
	}
	x0, y0 := math.Floor(b.In.X0), math.Floor(b.In.Y0)
	w, h := int(b.In.X1-x0)+1, int((b.In.Y1-y0)/coarse)+1
	change := make([]int32, w*(h+1)) // by column and row: lines that begin less lines that end, of this width or wider
	above := make([]int32, w*(h+1))  // by column and row: lines in all rows above
	place := func(t int32) (column, from, to int) {
		f, l := b.g.First[t], b.shown(t)
		x := int(b.threadX(t) - x0)
		if f >= l || x < 0 || x >= w {
			return 0, 0, 0
		}
		row := func(v int32) int { return int(min(max((b.nodeY(v)-y0)/coarse, 0), float64(h-1))) }
		return x * (h + 1), row(f), row(l-1) + 1
	}
	for _, list := range slices.Backward(byWidth[:]) {
		if len(list) == 0 {
			continue
		}
		for _, s := range list {
			if x, from, to := place(s.thread); to > 0 {
				change[x+from] += s.n
				change[x+to] -= s.n
			}
		}
		for x := range w {
			here, sum := int32(0), int32(0)
			for i := x * (h + 1); i < (x+1)*(h+1); i++ {
				above[i] = sum
				here += change[i]
				sum += here
			}
		}
		for _, s := range list {
			if x, from, to := place(s.thread); s.n > 1 || float64(above[x+to]-above[x+from]) > crowded*float64(to-from) {
				crowd = append(crowd, s)
			} else {
				lines = append(lines, s.thread)
			}
		}
	}
	return lines, crowd
}

// addStack adds a stack to the density, in the shape of a thread's line. Each run covers at least a pixel.
func (b *brush) addStack(s stack) {
	g, d, t := b.g, b.dense, s.thread
	from, end := g.First[t], b.shown(t)
	x := int(b.threadX(t)) - d.x0
	if from >= end || x < 0 || x >= d.w || d.h == 0 {
		return
	}
	class := g.colours.class[g.source(t)]
	bar := func(y0, y1, cover float64) {
		if y1 < float64(d.y0) || y0 > float64(d.y0+d.h) {
			return
		}
		ya := min(clamp(y0, d.y0, d.h), d.h-1)
		l, c := s.light, float32(cover*b.X.Scale)
		if s.n == 1 {
			l = g.colours.light[class]
		}
		d.bar(x, ya, max(clamp(y1, d.y0, d.h), ya+1), cell{l[0] * c, l[1] * c, l[2] * c, float32(s.n) * c})
	}
	chain := g.rows.Y[from:end]
	last := math.Inf(-1) // last row of pixels with a run
	for v := from; v < end; {
		y := b.nodeY(v)
		class = g.colours.classAfter(g.graph, g.nodeOf(v), class)
		next := v + 1
		if next < end && b.nodeY(next)-y < 1 {
			next = max(v+int32(sort.SearchFloat64s(chain[v-from:], b.row(y+1)))-1, next)
		}
		y0, wait, y1 := y, y, y
		if next < end {
			y0, wait, y1 = b.flow(v, next)
		}
		if row := math.Floor(y0); wait-y0 >= 1 || row > last {
			bar(y0, wait, 1)
			last = max(row, math.Floor(wait))
		}
		if y1-wait >= 1 {
			bar(wait, y1, paleWait)
		}
		v = next
	}
}
