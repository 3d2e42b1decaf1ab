//go:build window || js || browser

package paint

import (
	"image"
	"math"
	"runtime"
	"slices"
	"time"

	"whorl/internal/parallel"
	"whorl/visual/app"
	"whorl/visual/app/painter"
	"whorl/visual/backend/raster"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A drawing holds the pixels of an opaque layer.
type drawing struct {
	revision uint64
	mapping  view.Mapping
	area     scene.Rect // the part that moves
	pixels   *image.RGBA
	took     time.Duration
}

// A job draws a layer a slice at a time, while an older drawing of its subject stands for it.
type job struct {
	drawing
	list *scene.List
	next int     // first row to be drawn
	pace float64 // rows in a nanosecond, 0 before the first slice
}

const (
	slow   = 20 * time.Millisecond // a drawing that takes longer is made by a job
	moving = 8 * time.Millisecond  // for the slice of a job while the camera moves
	still  = 30 * time.Millisecond // for the slice of a job otherwise

	leastRows = 16 // of a slice
)

// next returns the layers of a new picture, with pixels for those that are opaque.
func (p *Painter) next(layers []app.Layer, box image.Rectangle) []layer {
	next := make([]layer, len(layers))
	var lacking []int // opaque layers without pixels
	for i := range layers {
		m, l := &layers[i], &next[i]
		*l = layer{rect: m.Rect, revision: m.Revision, place: place(m.Rect), plane: m.Plane, opaque: m.Opaque && m.List != nil}
		p.keep(l, m)
		if !m.Opaque || m.List == nil {
			continue
		}
		if old := p.kept(m, l.place.Intersect(box)); old != nil {
			l.drawing, l.moved, l.job = old.drawing, old.moved, old.job
		}
		if l.drawing == nil || l.drawing.revision != m.Revision {
			lacking = append(lacking, i)
		} else {
			l.job = nil
		}
	}
	for i := range next {
		if l := &next[i]; !l.opaque && !slices.ContainsFunc(p.shown, func(s layer) bool { return s.same(l) }) {
			p.follow(l, next)
		}
	}
	lacking = slices.DeleteFunc(lacking, func(i int) bool { return next[i].drawing == nil && p.patch(&next[i], &layers[i], next, box) })
	free := p.free(next)
	for _, i := range lacking {
		p.supply(&next[i], &layers[i], box, &free)
	}
	for i := range next {
		p.move(&next[i], &free)
	}
	return next
}

// kept returns the layer of the last picture whose pixels a layer can show: its own or, if the drawing took long, older ones of its subject.
func (p *Painter) kept(m *app.Layer, box image.Rectangle) *layer {
	usable := func(l *layer) bool {
		return l.rect == m.Rect && l.drawing != nil && box.In(l.drawing.pixels.Rect) // not so when the window has grown
	}
	for i := range p.shown {
		if l := &p.shown[i]; usable(l) && l.drawing.revision == m.Revision {
			return l
		}
	}
	for i := range p.shown {
		l := &p.shown[i]
		if usable(l) && m.Plane.Subject != 0 && l.plane.Subject == m.Plane.Subject && l.drawing.area == m.Plane.Area && l.drawing.took > slow {
			return l
		}
	}
	return nil
}

// free lists the images of the last picture that no layer of the next one uses.
func (p *Painter) free(next []layer) (free []*image.RGBA) {
	add := func(m *image.RGBA, used func(*layer) bool) {
		if !slices.ContainsFunc(next, func(l layer) bool { return used(&l) }) {
			free = append(free, m)
		}
	}
	for i := range p.shown {
		l := &p.shown[i]
		if l.drawing != nil {
			add(l.drawing.pixels, func(n *layer) bool { return n.drawing == l.drawing })
		}
		if l.moved != nil {
			add(l.moved, func(n *layer) bool { return n.moved == l.moved })
		}
		if l.job != nil {
			add(l.job.pixels, func(n *layer) bool { return n.job == l.job })
		}
	}
	return free
}

// supply draws a layer: at once, or a slice of it if an older drawing stands for it.
func (p *Painter) supply(l *layer, m *app.Layer, box image.Rectangle, free *[]*image.RGBA) {
	begin := p.clock()
	if l.drawing == nil {
		l.drawing = &drawing{revision: m.Revision, mapping: m.Plane.Drawn, area: m.Plane.Area, pixels: reuse(free, l.place.Intersect(box))}
		p.raster.Draw(l.drawing.pixels, m.List, raster.View{Scale: 1})
		l.drawing.took = p.clock().Sub(begin)
		return
	}
	if l.job == nil || l.job.revision != m.Revision {
		pixels := (*image.RGBA)(nil)
		if l.job != nil {
			pixels = l.job.pixels
		} else {
			pixels = reuse(free, l.drawing.pixels.Rect)
		}
		l.job = &job{drawing: drawing{revision: m.Revision, mapping: m.Plane.Drawn, area: m.Plane.Area, pixels: pixels}, list: m.List, next: pixels.Rect.Min.Y}
	}
	j, budget := l.job, still
	if slices.ContainsFunc(p.shown, func(s layer) bool { return s.drawing == l.drawing && s.plane.Shown != m.Plane.Shown }) {
		budget = moving
	}
	r := j.pixels.Rect
	if j.pace == 0 { // a slice costs more than its share of the whole, since it goes through the whole list
		j.pace = float64(r.Dy()) / float64(2*l.drawing.took)
	}
	r.Min.Y, r.Max.Y = j.next, min(j.next+max(int(j.pace*float64(budget)), leastRows), r.Max.Y)
	p.raster.Draw(j.pixels.SubImage(r).(*image.RGBA), j.list, raster.View{Scale: 1})
	spent := max(p.clock().Sub(begin), 1)
	j.took, j.pace = j.took+spent, float64(r.Dy())/float64(spent)
	if j.next = r.Max.Y; j.next == j.pixels.Rect.Max.Y {
		*free = append(*free, l.drawing.pixels)
		l.drawing, l.job = &j.drawing, nil
	}
}

// move makes the pixels of a layer whose drawing has another camera.
func (p *Painter) move(l *layer, free *[]*image.RGBA) {
	if l.drawing == nil || l.drawing.mapping == l.plane.Shown {
		if l.moved != nil {
			*free = append(*free, l.moved)
			l.moved = nil
		}
		return
	}
	if l.moved != nil && slices.ContainsFunc(p.shown, func(s layer) bool { return s.same(l) }) {
		return
	}
	d := l.drawing
	if l.moved == nil {
		l.moved = reuse(free, d.pixels.Rect)
	}
	copyPixels(l.moved, d.pixels, d.pixels.Rect)
	stretch(l.moved, d, &l.plane)
}

// stretch draws the moving part of a drawing as another camera shows it.
func stretch(out *image.RGBA, d *drawing, to *painter.Plane) {
	area := place(to.Area).Intersect(d.pixels.Rect)
	old, now := &d.mapping, &to.Shown
	columns := sources(area.Min.X, area.Max.X, old.X, old.ScaleX, now.X, now.ScaleX)
	rows := sources(area.Min.Y, area.Max.Y, old.Y, old.ScaleY, now.Y, now.ScaleY)
	ground := [4]byte{to.Ground.R, to.Ground.G, to.Ground.B, 255}
	parallel.Range(len(rows), 64, runtime.GOMAXPROCS(0), func(_, first, end int) {
		for i := first; i < end; i++ {
			line := out.Pix[out.PixOffset(area.Min.X, area.Min.Y+i):][:4*len(columns)]
			if rows[i] < 0 {
				for k := 0; k < len(line); k += 4 {
					copy(line[k:k+4], ground[:])
				}
				continue
			}
			from := d.pixels.Pix[d.pixels.PixOffset(area.Min.X, rows[i]):][:4*len(columns)]
			for k := 0; k < len(columns); {
				c, n := columns[k], 1
				for k+n < len(columns) && columns[k+n] == c+n { // neighbours stay neighbours, as in a pan
					n++
				}
				if c < 0 {
					n = 1
					copy(line[4*k:4*k+4], ground[:])
				} else {
					at := 4 * (c - area.Min.X)
					copy(line[4*k:4*(k+n)], from[at:at+4*n])
				}
				k += n
			}
		}
	})
}

// sources returns the pixels of an old camera that are nearest to those from first to end-1 of a new one, or -1 where there is none among these.
func sources(first, end int, old, oldScale, now, nowScale float64) []int {
	of := make([]int, end-first)
	for i := range of {
		x := old + (float64(first+i)+0.5-now)/nowScale*oldScale
		if of[i] = -1; x >= float64(first) && x < float64(end) {
			of[i] = int(math.Floor(x))
		}
	}
	return of
}

// reuse returns an image for a rectangle, one of the same size if there is any.
func reuse(free *[]*image.RGBA, r image.Rectangle) *image.RGBA {
	k := slices.IndexFunc(*free, func(m *image.RGBA) bool { return m.Rect.Size() == r.Size() })
	if k < 0 {
		return image.NewRGBA(r)
	}
	m := (*free)[k]
	*free = slices.Delete(*free, k, k+1)
	m.Rect = r
	return m
}

// copyPixels copies the part r of an image.
func copyPixels(to, from *image.RGBA, r image.Rectangle) {
	r = r.Intersect(from.Rect).Intersect(to.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		at := from.PixOffset(r.Min.X, y)
		copy(to.Pix[to.PixOffset(r.Min.X, y):][:4*r.Dx()], from.Pix[at:])
	}
}
