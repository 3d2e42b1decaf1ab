package threadgraph

import (
	"image/color"
	"math"

	"whorl/visual/palette"
	"whorl/visual/scene"
)

// A density holds the coverage and light of each pixel for threads too small for lines. A bar changes only the cells at its two ends, and
// prefix sums give the pixels, so that the cost of a bar does not depend on its length.
type density struct {
	x0, y0, w, h int
	down         []cell // by column and row: differences along columns; nil before the first bar
	across       []cell // by column and row: differences along rows; nil before the first bar
	flat         []bool // by row: across has a bar there; nil if across is nil
	rows         []span // by column: the rows with bars in down
}

type span struct{ from, to int32 }

// A cell is linear light weighted by coverage, and the covered share of the pixel.
type cell struct{ r, g, b, cover float32 }

func (c *cell) add(d cell) { c.r, c.g, c.b, c.cover = c.r+d.r, c.g+d.g, c.b+d.b, c.cover+d.cover }

func (c *cell) less(d cell) { c.r, c.g, c.b, c.cover = c.r-d.r, c.g-d.g, c.b-d.b, c.cover-d.cover }

// newDensity returns an empty density for the pixels of a rectangle.
func newDensity(r scene.Rect) *density {
	d := &density{x0: int(math.Floor(r.X0)), y0: int(math.Floor(r.Y0))}
	d.w, d.h = max(int(math.Ceil(r.X1))-d.x0, 0), max(int(math.Ceil(r.Y1))-d.y0, 0)
	return d
}

// clamp returns the pixel of x relative to from, limited to 0..n.
func clamp(x float64, from, n int) int {
	return int(min(max(math.Floor(x)-float64(from), 0), float64(n)))
}

// add adds a bar that covers the given share of each pixel of a rectangle. Bars higher than wide are stored in down, the others in across.
func (d *density) add(r scene.Rect, light [3]float32, cover float64) {
	if !(r.X1 >= float64(d.x0)) || !(r.X0 <= float64(d.x0+d.w)) || !(r.Y1 >= float64(d.y0)) || !(r.Y0 <= float64(d.y0+d.h)) || d.w == 0 || d.h == 0 {
		return
	}
	c := float32(cover)
	what := cell{light[0] * c, light[1] * c, light[2] * c, c}
	xa, ya := min(clamp(r.X0, d.x0, d.w), d.w-1), min(clamp(r.Y0, d.y0, d.h), d.h-1)
	xb, yb := max(clamp(r.X1, d.x0, d.w), xa+1), max(clamp(r.Y1, d.y0, d.h), ya+1)
	if xb-xa <= yb-ya {
		for x := xa; x < xb; x++ {
			d.bar(x, ya, yb, what)
		}
		return
	}
	if d.across == nil {
		d.across, d.flat = make([]cell, (d.w+1)*d.h), make([]bool, d.h)
	}
	for y := ya; y < yb; y++ {
		d.flat[y] = true
		d.across[xa*d.h+y].add(what)
		d.across[xb*d.h+y].less(what)
	}
}

// bar adds a cell to the rows ya to yb-1 of column x. The column must lie in the density.
func (d *density) bar(x, ya, yb int, what cell) {
	if d.down == nil {
		d.down, d.rows = make([]cell, d.w*(d.h+1)), make([]span, d.w)
		for i := range d.rows {
			d.rows[i].from = int32(d.h)
		}
	}
	r := &d.rows[x]
	r.from, r.to = min(r.from, int32(ya)), max(r.to, int32(yb))
	col := d.down[x*(d.h+1) : (x+1)*(d.h+1)]
	col[ya].add(what)
	col[yb].less(what)
}

// draw draws the pixels; similar neighbours in a column become one rectangle.
func (d *density) draw(out *scene.List, ground scene.Color) {
	if d.down == nil && d.across == nil {
		return
	}
	under := [3]float32{float32(palette.Linear(ground.R)), float32(palette.Linear(ground.G)), float32(palette.Linear(ground.B))}
	across := make([]cell, d.h) // prefix sums by row
	for x := range d.w {
		top, bottom := 0, d.h
		if d.across == nil {
			top, bottom = int(d.rows[x].from), int(d.rows[x].to)
		}
		var sum, run cell
		from := -1
		flush := func(to int) {
			if from >= 0 {
				n := float32(to - from)
				mean := cell{run.r / n, run.g / n, run.b / n, run.cover / n}
				out.Rect(float32(d.x0+x), float32(d.y0+from), float32(d.x0+x+1), float32(d.y0+to), mean.color(under))
			}
			from, run = -1, cell{}
		}
		same := false // the cell equals the one above unless a bar begins or ends
		for y := top; y < bottom; y++ {
			if d.down != nil {
				if c := &d.down[x*(d.h+1)+y]; *c != (cell{}) {
					sum.add(*c)
					same = false
				}
			}
			pixel := sum
			flat := d.flat != nil && d.flat[y]
			switch {
			case flat:
				across[y].add(d.across[x*d.h+y])
				pixel.add(across[y])
			case same:
				if from >= 0 {
					run.add(pixel)
				}
				continue
			}
			same = !flat
			if pixel.cover < 1e-4 {
				flush(y)
				continue
			}
			if from >= 0 && !pixel.like(run, float32(y-from)) {
				flush(y)
			}
			if from < 0 {
				from = y
			}
			run.add(pixel)
		}
		flush(bottom)
	}
}

// like reports whether a cell looks like the mean of n cells with the given sum.
func (c cell) like(sum cell, n float32) bool {
	const near = 0.1
	limit := near * max(c.cover, 0.15) * n
	off := func(a, b float32) bool { return a*n-b > limit || b-a*n > limit }
	return !off(c.cover, sum.cover) && !off(c.r, sum.r) && !off(c.g, sum.g) && !off(c.b, sum.b)
}

// color returns the colour of a cell on a background. Even a small coverage stays visible.
func (c cell) color(under [3]float32) scene.Color {
	const least = 0.3
	a := float64(min(c.cover, 1))
	t := float32(least + (1-least)*math.Sqrt(a))
	mix := func(sum, u float32) uint8 { return palette.Encode(float64(u + (sum/c.cover-u)*t)) }
	return scene.NRGBA(color.NRGBA{mix(c.r, under[0]), mix(c.g, under[1]), mix(c.b, under[2]), 255})
}
