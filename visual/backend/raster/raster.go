// Package raster draws a scene.List into an image on the CPU.
//
// Shapes are filled by the area they cover of each pixel (visual/glyph/cover), in coordinates rounded to 1/256 pixel,
// and blended over the picture. Blending works on sRGB values without linearising them, as browsers and SVG viewers
// do, so that all three show the same picture. Where two shapes share an edge inside a pixel, the background shines
// through by the product of the shares that they leave uncovered. Triangles of one mesh have no such seam: they are drawn into
// four samples a pixel, which are averaged at the end.
//
// The image's rectangle says which pixels of the picture it holds. A picture drawn as a whole equals the same picture
// drawn in tiles, and drawn on another processor, to the last bit: floating-point products are rounded before they are
// added, and the coverage of an edge does not depend on where a tile begins.
//
// Patterns repeat from the origin of the picture in tiles of whole pixels.
//
// A shape, mark or triangle with a number that is not finite is left out, except that rectangles and clips may extend
// to infinity. Shapes are cut off beyond 2^22 pixels from the origin.
package raster

import (
	"image"
	"runtime"

	"whorl/internal/parallel"
	"whorl/visual/glyph"
	"whorl/visual/scene"
)

// View maps the coordinates of a list to pixels: pixel = coordinate * Scale + (X, Y). Scale also enlarges widths and
// text. It must be positive; 0 stands for 1.
type View struct{ Scale, X, Y float64 }

// Renderer draws lists and keeps the memory for that. It must not be used by several goroutines at once; several
// Renderers may share one glyph.Set.
type Renderer struct {
	Glyphs *glyph.Set
	// Workers is the number of goroutines that draw a large list; 0 is one for each processor.
	Workers int

	painters []*painter
	extents  []extent
}

// New returns a Renderer.
func New(g *glyph.Set) *Renderer { return &Renderer{Glyphs: g} }

// smallList is the size in bytes up to which a list is drawn by one goroutine, since starting more costs more than it
// saves.
const smallList = 32 << 10

// Draw paints the list over the contents of dst.
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
	parallel.Range(cut.n, 1, workers, func(worker, i, _ int) {
		r.painters[worker].draw(r, dst, cut.rows(i), l, v, r.extents, i)
	})
}

// Picture draws a list into a new image of the list's size times scale. Each side is at least 1 and at most 1<<14
// pixels long.
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
