package raster

import (
	"image"

	"whorl/internal/parallel"
	"whorl/visual/scene"
)

// bandRows is the approximate number of rows in a band. It is small enough that the band's pixels and coverage stay in
// a processor's cache while the whole list is drawn.
const bandRows = 128

// extent is the first and the last band that an op may touch. It is computed once so that bands skip ops quickly.
type extent struct{ first, last uint8 }

// bands is a picture cut into horizontal bands.
type bands struct {
	box image.Rectangle
	n   int
}

// newBands divides a picture into bands for the given number of workers.
func newBands(box image.Rectangle, workers int) bands {
	n := 1
	if workers > 1 {
		n = max(2*workers, box.Dy()/bandRows) // at least two for each worker, since bands differ in cost
	}
	return bands{box, max(min(n, box.Dy()/32, 255), 1)}
}

// rows returns the rectangle of band i.
func (b bands) rows(i int) image.Rectangle {
	r := b.box
	r.Min.Y = b.box.Min.Y + b.box.Dy()*i/b.n
	r.Max.Y = b.box.Min.Y + b.box.Dy()*(i+1)/b.n
	return r
}

// extents computes the bands of every op, in parallel.
func (b bands) extents(out []extent, l *scene.List, v View, workers int) []extent {
	n := l.Len()
	if cap(out) < n {
		out = make([]extent, n)
	}
	out = out[:n]
	parallel.Range(n, (n+workers-1)/workers, workers, func(_, first, end int) {
		for i := first; i < end; i++ {
			o := l.Op(i)
			out[i] = b.extent(&o, v)
		}
	})
	return out
}

func (b bands) extent(o *scene.Op, v View) extent {
	all := extent{0, uint8(b.n - 1)}
	y0, y1, ok := reach(o)
	if !ok {
		return all
	}
	const margin = 2 // pixels, more than all rounding errors
	f := float64(b.n) / float64(b.box.Dy())
	a := (float64(y0*v.Scale) + v.Y - margin - float64(b.box.Min.Y)) * f
	z := (float64(y1*v.Scale) + v.Y + margin - float64(b.box.Min.Y)) * f
	if !(a <= z) { // NaN
		return all
	}
	if z < 0 || a >= float64(b.n) {
		return extent{1, 0}
	}
	return extent{uint8(max(a, 0)), uint8(min(z, float64(b.n-1)))}
}

// reach returns the rows that an op can touch, in list coordinates. ok is false if they are unknown or not worth
// computing.
func reach(o *scene.Op) (y0, y1 float64, ok bool) {
	switch o.Kind {
	case scene.OpMarks, scene.OpMesh:
		return 0, 0, false
	}
	r, ok := o.Bounds(func(s []byte, t scene.TextStyle) float32 { return 2 * t.Size * float32(len(s)) })
	return r.Y0, r.Y1, ok
}
