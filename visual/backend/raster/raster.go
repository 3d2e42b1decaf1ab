// Package raster draws a scene.List into an image on the CPU.
//
// Every shape is filled by the area it covers of each pixel (visual/glyph/cover), in coordinates
// rounded to 1/256 pixel, and blended over what is there. Blending works on the sRGB values as they
// are, without linearising them: that is what browsers and SVG viewers do, and the three show the
// same picture. Where two shapes share an edge inside a pixel the ground shines through by the
// product of what both leave open; triangles of one mesh do not have that seam, being drawn into
// four samples a pixel that are averaged at the end.
//
// The image's rectangle says which pixels of the picture it holds. A picture drawn as a whole and
// one drawn as tiles are equal to the last bit, and so are those drawn on different processors:
// floating-point products are rounded before they are added, and what an edge covers does not
// depend on where the tile begins.
//
// Numbers that are not finite leave out the shape, mark or triangle that has them, except that
// rectangles and clips may reach to infinity. Beyond 2^22 pixels from the origin shapes are cut off.
package raster

import (
	"image"
	"runtime"
	"sync"
	"sync/atomic"

	"whorl/visual/glyph"
	"whorl/visual/scene"
)

// View maps the coordinates of a list to pixels: pixel = coordinate * Scale + (X, Y). Scale enlarges
// widths and text too; it is positive, and 0 stands for 1.
type View struct{ Scale, X, Y float64 }

// Renderer draws lists and keeps the memory that it needs for that. It must not be used by several
// goroutines at once; several Renderers may share one glyph.Set.
type Renderer struct {
	Glyphs *glyph.Set
	// Images has the pictures that Image ops name, premultiplied as image.RGBA is; nil, or nil for
	// an id, draws nothing. It is called by several goroutines.
	Images func(id uint64, revision uint32) *image.RGBA
	// Workers is how many goroutines draw a large list; 0 is one for each processor.
	Workers int

	painters []*painter
	extents  []extent
}

// New returns a Renderer without images.
func New(g *glyph.Set) *Renderer { return &Renderer{Glyphs: g} }

// smallList is the size in bytes of a list for which starting goroutines costs more than it saves.
const smallList = 32 << 10

// Draw paints the list over what dst holds.
func (r *Renderer) Draw(dst *image.RGBA, l *scene.List, v View) {
	b := dst.Rect
	if b.Empty() || l.Len() == 0 {
		return
	}
	if v.Scale == 0 {
		v.Scale = 1
	}
	workers := r.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if l.Bytes() < smallList {
		workers = 1
	}
	cut := newBands(b, workers)
	workers = min(workers, cut.n)
	for len(r.painters) < workers {
		r.painters = append(r.painters, newPainter())
	}
	if cut.n == 1 {
		r.painters[0].draw(r, dst, b, l, v, nil, 0)
		return
	}
	r.extents = cut.extents(r.extents, l, v, workers)
	var next atomic.Int32
	var wg sync.WaitGroup
	for _, p := range r.painters[:workers] {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= cut.n {
					return
				}
				p.draw(r, dst, cut.rows(i), l, v, r.extents, i)
			}
		})
	}
	wg.Wait()
}

// Picture draws a list into a new image of the list's size times scale, at least one pixel wide
// and high and at most 1<<14.
func (r *Renderer) Picture(l *scene.List, scale float64) *image.RGBA {
	side := func(v float32) int {
		n := float64(v) * scale
		if !(n > 1) {
			return 1
		}
		return int(min(n+0.5, 1<<14))
	}
	dst := image.NewRGBA(image.Rect(0, 0, side(l.W), side(l.H)))
	r.Draw(dst, l, View{Scale: scale})
	return dst
}
