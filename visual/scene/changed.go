package scene

import (
	"bytes"
	"math"
	"slices"
)

// mostChanges limits the parts that Changed returns; more of them become one.
const mostChanges = 8

// resync is how many ops Changed looks ahead for the place at which two lists agree again.
const resync = 48

// agree is the number of equal ops at which two lists agree again.
const agree = 3

// Changed returns the parts of a picture outside which two lists draw the same, none for equal lists. It bounds the ops that only one of the lists has,
// or that the lists clip differently. Parts do not overlap. m measures text.
func Changed(a, b *List, m Measurer) []Rect {
	d := differ{a: walker{list: a}, b: walker{list: b}, text: m}
	d.a.reset()
	d.b.reset()
	if a.W != b.W || a.H != b.H {
		return []Rect{{X0: math.Inf(-1), Y0: math.Inf(-1), X1: math.Inf(1), Y1: math.Inf(1)}}
	}
	for d.a.first < a.Len() || d.b.first < b.Len() {
		switch {
		case d.a.first == a.Len():
			d.step(&d.b)
		case d.b.first == b.Len():
			d.step(&d.a)
		case sameOps(a, d.a.first, b, d.b.first, 1):
			if d.a.clip().id != d.b.clip().id && a.ops[d.a.first].kind < OpClip {
				d.step(&d.a)
				d.step(&d.b)
			} else {
				d.a.next()
				d.b.next()
			}
		default:
			skipA, skipB := d.next()
			for range skipA {
				d.step(&d.a)
			}
			for range skipB {
				d.step(&d.b)
			}
		}
	}
	return d.parts
}

// A differ compares two lists.
type differ struct {
	a, b  walker
	text  Measurer
	parts []Rect
}

// next returns how many ops of each list to skip so that the lists agree again. If they do not soon, it skips half of those that it has looked at: they
// agree nowhere there.
func (d *differ) next() (skipA, skipB int) {
	for n := 1; n <= resync; n++ {
		for i := 0; i <= n; i++ {
			if sameOps(d.a.list, d.a.first+i, d.b.list, d.b.first+n-i, agree) {
				return i, n - i
			}
		}
	}
	return min(resync/2, d.a.list.Len()-d.a.first), min(resync/2, d.b.list.Len()-d.b.first)
}

// step adds the place of the next op of a list to the parts.
func (d *differ) step(w *walker) {
	o := w.list.Op(w.first)
	const edge = 2 // pixels, more than all rounding
	r, draws := o.Bounds(func(s []byte, t TextStyle) float32 { return d.text.Width(string(s), t.Size, t.Face) })
	if draws {
		d.add(r.Grow(edge).Cut(w.clip().rect))
	}
	w.next()
}

// add adds a part, joined with those that it meets.
func (d *differ) add(r Rect) {
	if !(r.W() > 0 && r.H() > 0) {
		return
	}
	for i := 0; i < len(d.parts); {
		if d.parts[i].Meets(r) || len(d.parts) >= mostChanges {
			r = r.Join(d.parts[i])
			d.parts = slices.Delete(d.parts, i, i+1)
			i = 0
			continue
		}
		i++
	}
	d.parts = append(d.parts, r)
}

// A walker goes through a list with its clips.
type walker struct {
	list  *List
	first int
	clips []clipping
}

// A clipping is the clip of an op. Clippings with the same id have the same clips and groups around them.
type clipping struct {
	rect Rect
	id   uint64
}

func (w *walker) reset() {
	inf := math.Inf(1)
	w.clips = append(w.clips[:0], clipping{rect: Rect{-inf, -inf, inf, inf}})
}

func (w *walker) clip() clipping { return w.clips[len(w.clips)-1] }

// next passes an op.
func (w *walker) next() {
	o := w.list.Op(w.first)
	w.first++
	c := w.clip()
	switch o.Kind {
	case OpClip:
		x0, y0, x1, y1 := o.Rect()
		s := sum(c.id)
		for _, f := range o.f {
			s.add(uint64(math.Float32bits(f)) + 1)
		}
		c = clipping{c.rect.Cut(corners(x0, y0, x1, y1).Grow(1)), uint64(s)}
		w.clips = append(w.clips, c)
	case OpGroup:
		w.clips = append(w.clips, c)
	case OpPop:
		if len(w.clips) > 1 {
			w.clips = w.clips[:len(w.clips)-1]
		}
	}
}

// corners returns the rectangle of two corners.
func corners(x0, y0, x1, y1 float32) Rect {
	return Rect{float64(min(x0, x1)), float64(min(y0, y1)), float64(max(x0, x1)), float64(max(y0, y1))}
}

// sameOps reports whether n ops of two lists are equal, or all to the ends of both lists.
func sameOps(a *List, i int, b *List, j, n int) bool {
	for k := range n {
		if i+k >= a.Len() || j+k >= b.Len() {
			return i+k == a.Len() && j+k == b.Len()
		}
		g, h := &a.ops[i+k], &b.ops[j+k]
		if g.kind != h.kind || g.mode != h.mode || g.style != h.style || g.color != h.color || g.nf != h.nf || g.nb != h.nb {
			return false
		}
		if !slices.Equal(a.floats[g.f:g.f+g.nf], b.floats[h.f:h.f+h.nf]) || !bytes.Equal(a.bytes[g.b:g.b+g.nb], b.bytes[h.b:h.b+h.nb]) {
			return false
		}
	}
	return true
}

// Bounds returns a rectangle that holds all that an op can touch without clips, but for rounding. draws is false for ops that draw nothing. width returns
// that of a text, or more.
func (o *Op) Bounds(width func(s []byte, t TextStyle) float32) (r Rect, draws bool) {
	switch o.Kind {
	case OpRect:
		r = corners(o.Rect())
	case OpCircle:
		x, y, radius := o.Circle()
		r = around(x, y, radius)
	case OpArc:
		x, y, in, out, _, _ := o.Arc()
		r = around(x, y, max(in, out))
	case OpPolygon:
		points, _ := o.Polygon()
		r = spanned(points, 0)
	case OpPolyline:
		points, s := o.Polyline()
		r = spanned(points, 2*s.Width) // a mitre reaches four half widths
	case OpMarks:
		_, size, points := o.Marks()
		r = spanned(points, size)
	case OpMesh:
		r = spanned(o.Mesh(), 0)
	case OpText:
		x, y, s, t := o.Text()
		w, em := width(s, t), t.Size
		switch {
		case t.Rotation != 0:
			r = around(x, y, w+2*em)
		case t.Anchor == Start:
			r = corners(x-em, y-2*em, x+w+em, y+2*em)
		case t.Anchor == End:
			r = corners(x-w-em, y-2*em, x+em, y+2*em)
		default:
			r = corners(x-w/2-em, y-2*em, x+w/2+em, y+2*em)
		}
	default:
		return Rect{}, false
	}
	if !(r.X0 <= r.X1 && r.Y0 <= r.Y1) { // NaN
		inf := math.Inf(1)
		return Rect{-inf, -inf, inf, inf}, true
	}
	return r, true
}

// around returns the square around a circle.
func around(x, y, radius float32) Rect { return corners(x-radius, y-radius, x+radius, y+radius) }

// spanned returns the rectangle of points with a margin, one of NaN if a point is none.
func spanned(points []float32, margin float32) Rect {
	if len(points) < 2 {
		return Rect{}
	}
	x0, y0, x1, y1 := points[0], points[1], points[0], points[1]
	for i := 2; i+1 < len(points); i += 2 {
		x0, y0, x1, y1 = min(x0, points[i]), min(y0, points[i+1]), max(x1, points[i]), max(y1, points[i+1])
	}
	return corners(x0-margin, y0-margin, x1+margin, y1+margin)
}
