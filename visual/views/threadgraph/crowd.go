package threadgraph

import (
	"math"
	"slices"
	"sort"
)

// Where columns are narrower than a pixel, threads with much below them have lines all the same, so that the structure is seen. In a deep
// chain that is all threads, hundreds in each column of pixels, and lines over each other would show the last one. So a thread is density,
// too, pale where it waits, where its line would stand in one place with several whose subtrees are as wide.
const (
	crowded  = 1.5  // lines in a column of pixels, on average over the length of one
	coarse   = 16   // pixels of a row in which lines are counted
	paleWait = 0.25 // how much of a line that waits is there

	lone = 1 << 14 // up to how many threads a graph has each is drawn by itself
)

// A stack is a thread, and in a large graph those next to it that would be drawn in the same pixels.
type stack struct {
	thread int32 // the first
	n      int32
	short  bool // it runs less than a pixel
	light  [3]float32
}

// pile adds a thread to a list of those that may have lines.
func (b *brush) pile(list []stack, t int32) []stack {
	g := b.g
	s := stack{thread: t, n: 1, light: g.colours.light[g.colours.class[g.of(t)]]}
	if g.Len() <= min(b.few, lone) || b.lit != nil || !b.all || b.X.Scale >= 1 || g.First[t] == g.First[t+1] {
		return append(list, s)
	}
	s.short = float64(g.work.own[g.of(t)])*b.Y.Scale < 1
	if k := len(list) - 1; k >= 0 && s.short && list[k].short {
		a := &list[k]
		at := func(v, u int32) bool { return math.Abs(b.nodeY(v)-b.nodeY(u)) < 1 }
		if b.threadX(t) == b.threadX(a.thread) && at(g.First[t], g.First[a.thread]) && at(g.First[t+1]-1, g.First[a.thread+1]-1) {
			a.n++
			for i, x := range s.light {
				a.light[i] += x
			}
			return list
		}
	}
	return append(list, s)
}

// sift tells threads that have lines from those that stand in a crowd.
func (b *brush) sift(list []stack) (lines []int32, crowd []stack) {
	if b.X.Scale >= 1 {
		for _, s := range list {
			lines = append(lines, s.thread)
		}
		return lines, nil
	}
	var byWidth [64][]stack // of their boxes, by the power of two
	for _, s := range list {
		_, k := math.Frexp(b.box(s.thread).W())
		k = min(max(k, 0), len(byWidth)-1)
		byWidth[k] = append(byWidth[k], s)
	}
	x0, y0 := math.Floor(b.In.X0), math.Floor(b.In.Y0)
	w, h := int(b.In.X1-x0)+1, int((b.In.Y1-y0)/coarse)+1
	change := make([]int32, w*(h+1)) // by column of pixels and row: lines that begin, less those that have ended, as wide or wider
	above := make([]int32, w*(h+1))  // lines in all rows above
	at := func(t int32) (column, from, to int) {
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
			if x, from, to := at(s.thread); to > 0 {
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
			if x, from, to := at(s.thread); s.n > 1 || float64(above[x+to]-above[x+from]) > crowded*float64(to-from) {
				crowd = append(crowd, s)
			} else {
				lines = append(lines, s.thread)
			}
		}
	}
	return lines, crowd
}

// ghost adds a stack to the density, as the line of a thread would be: where it runs a pixel high at least.
func (b *brush) ghost(s stack) {
	g, d, t := b.g, b.dense, s.thread
	from, end := g.First[t], b.shown(t)
	x := int(b.threadX(t)) - d.x0
	if from >= end || x < 0 || x >= d.w || d.h == 0 {
		return
	}
	class := g.colours.class[g.of(t)]
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
	last := math.Inf(-1) // row of pixels in which it was seen to run
	for v := from; v < end; {
		y := b.nodeY(v)
		class = g.colours.at(g.graph, g.nodeOf(v), class)
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
