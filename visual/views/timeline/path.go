package timeline

import (
	"math"
	"sort"

	"whorl/tracer/derive/waits"
	"whorl/visual/scene"
)

// An extent is the part of a column of pixels that the path covers.
type extent struct{ y0, y1 float64 }

// drawPath strings the critical path across the rows: a line along the row of its PE, dashed where its task waits, and a hop at each change of the row.
// In a column of pixels with many hops it is as high as all of them.
func (b *brush) drawPath() {
	p := b.g.path
	if p == nil || len(p.Pieces) == 0 {
		return
	}
	until := min(int64(math.Ceil(b.To)), b.Last(b.g.Act.To))
	n := len(p.Pieces)
	first := sort.Search(n, func(i int) bool { return float64(p.Pieces[i].To) > b.From })
	y := b.pathRow(first)
	line := max(math.Round(b.Em/6), 2)
	halo, ink := b.Style.Ground.Alpha(200), b.Style.Ink
	columns := map[int]extent{}
	var order []int
	hop := func(x, from, to float64) {
		k := int(math.Floor(x))
		e, ok := columns[k]
		if !ok {
			e = extent{min(from, to), max(from, to)}
			order = append(order, k)
		}
		columns[k] = extent{min(e.y0, from, to), max(e.y1, from, to)}
	}
	type stretch struct {
		x0, x1, y float64
		waits     bool
	}
	var flat []stretch
	for i := first; i < n && p.Pieces[i].From < until; i++ {
		x := &p.Pieces[i]
		x0, x1 := max(b.X(x.From), b.In.X0), min(b.X(min(x.To, until)), b.In.X1)
		if to, ok := b.rowOfPiece(x); ok && to != y {
			hop(x0, y, to)
			y = to
		}
		if x1-x0 < 1 {
			hop(x0, y, y)
			continue
		}
		waiting := x.Activity >= waits.Queue
		if k := len(flat) - 1; k >= 0 && flat[k].y == y && flat[k].waits == waiting && x0-flat[k].x1 < 0.5 {
			flat[k].x1 = x1
			continue
		}
		flat = append(flat, stretch{x0, x1, y, waiting})
	}
	b.out.ClipTo(b.In)
	defer b.out.Pop()
	for pass, c := range []scene.Color{halo, ink} {
		grow := 1 - float64(pass)
		for _, s := range flat {
			y0, y1 := float32(math.Round(s.y-line/2)-grow), float32(math.Round(s.y-line/2)+line+grow)
			if !s.waits || pass == 0 {
				b.out.Rect(float32(s.x0), y0, float32(s.x1), y1, c)
				continue
			}
			for x, dash := s.x0, 0.5*b.Em; x < s.x1; x += 2 * dash {
				b.out.Rect(float32(x), y0, float32(min(x+dash, s.x1)), y1, c)
			}
		}
		for _, k := range order {
			e := columns[k]
			x0 := float32(float64(k) - grow)
			b.out.Rect(x0, float32(math.Round(e.y0-line/2)-grow), x0+float32(max(line/2, 1)+2*grow), float32(math.Round(e.y1-line/2)+line+grow), c)
		}
	}
}

// trackOf returns where the path lies in the row of a PE, in pixels: below the names of steps, which are in the middle.
func (r *rows) trackOf(pe int32) float64 {
	row := r.rowOf(pe)
	return math.Round(0.2*r.y(float64(row*r.size)) + 0.8*r.y(float64(min((row+1)*r.size, r.g.Act.PEs))))
}

// rowOfPiece returns where a piece of the path lies: in the row of its PE or task, false if it has none.
func (r *rows) rowOfPiece(x *waits.Piece) (y float64, ok bool) {
	if r.g.Rows == nil {
		return r.trackOf(x.PE), x.PE >= 0
	}
	row, ok := r.g.Rows.Row(x.Task)
	return r.trackOf(int32(row)), ok
}

// pathRow returns the row of the path before piece i: that of the last piece with a row, or of the next one.
func (r *rows) pathRow(i int) float64 {
	ps := r.g.path.Pieces
	for k := min(i, len(ps)) - 1; k >= 0; k-- {
		if y, ok := r.rowOfPiece(&ps[k]); ok {
			return y
		}
	}
	for ; i < len(ps); i++ {
		if y, ok := r.rowOfPiece(&ps[i]); ok {
			return y
		}
	}
	return r.trackOf(0)
}
