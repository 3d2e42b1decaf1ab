package raster

import (
	"encoding/binary"
	"image"

	"whorl/visual/glyph/cover"
	"whorl/visual/scene"
)

// pictureScratch is memory for the columns of an image.
type pictureScratch struct {
	cols []piece
}

// piece is the run of source cells under one pixel along one axis: the first and the last cell, and how much of the
// first, the last, and each cell between lies in the pixel. The unit is 1/256 pixel divided by the number of cells.
type piece struct {
	from, to           int
	first, inner, last int
	total              int
}

// pieceOf maps pixel px to the n cells that fill lo to hi (in 1/256 pixel).
func pieceOf(px, lo, hi, n int) piece {
	a, b := max(px<<cover.Shift, lo), min((px+1)<<cover.Shift, hi)
	size := hi - lo // size of a cell
	u, v := (a-lo)*n, (b-lo)*n
	p := piece{from: u / size, to: (v - 1) / size, inner: size, total: v - u}
	if p.from == p.to {
		p.first = p.total
		return p
	}
	p.first = (p.from+1)*size - u
	p.last = v - p.to*size
	return p
}

// weight returns how much of cell i lies in the pixel.
func (p *piece) weight(i int) int {
	switch i {
	case p.from:
		return p.first
	case p.to:
		return p.last
	}
	return p.inner
}

// image draws a picture so that every pixel is the mean of the source over the pixel's area: enlarged cells are sharp,
// reduction is a box filter, and equal size is a copy.
func (p *painter) image(o *scene.Op) {
	if p.r.Images == nil {
		return
	}
	x0, y0, x1, y1, ok := p.corners(o)
	if !ok || x0 == x1 || y0 == y1 {
		return
	}
	const s, up = cover.Shift, cover.Unit - 1
	box := image.Rect(x0>>s, y0>>s, (x1+up)>>s, (y1+up)>>s).Intersect(p.clip)
	if box.Empty() {
		return
	}
	src := p.r.Images(o.Image())
	if src == nil || src.Rect.Empty() {
		return
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	cols := p.pict.cols[:0]
	for x := box.Min.X; x < box.Max.X; x++ {
		cols = append(cols, pieceOf(x, x0, x1, w))
	}
	p.pict.cols = cols
	for y := box.Min.Y; y < box.Max.Y; y++ {
		row := pieceOf(y, y0, y1, h)
		px := p.row(box.Min.X, y, box.Dx())
		whole := row.total == h<<s
		for i := range cols {
			c := &cols[i]
			var word uint32
			if whole && c.total == w<<s && row.from == row.to && c.from == c.to {
				word = pixelAt(src, c.from, row.from)
			} else {
				word = mean(src, c, &row, uint64(w<<s)*uint64(h<<s))
			}
			if word>>24 != 255 {
				word = overWord(binary.LittleEndian.Uint32(px[4*i:]), word)
			}
			binary.LittleEndian.PutUint32(px[4*i:], word)
		}
	}
}

func pixelAt(src *image.RGBA, x, y int) uint32 {
	return binary.LittleEndian.Uint32(src.Pix[y*src.Stride+4*x:])
}

// mean returns the source averaged over a pixel; full is the weight of its whole area.
func mean(src *image.RGBA, c, r *piece, full uint64) uint32 {
	var sum [4]uint64
	for y := r.from; y <= r.to; y++ {
		wy := uint64(r.weight(y))
		for x := c.from; x <= c.to; x++ {
			k := wy * uint64(c.weight(x))
			v := pixelAt(src, x, y)
			sum[0] += k * uint64(v&255)
			sum[1] += k * uint64(v>>8&255)
			sum[2] += k * uint64(v>>16&255)
			sum[3] += k * uint64(v>>24)
		}
	}
	var out uint32
	for i := range sum {
		out |= uint32((sum[i]+full/2)/full) << (8 * i)
	}
	return out
}
