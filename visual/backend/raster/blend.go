package raster

import (
	"encoding/binary"

	"whorl/visual/scene"
)

// ink is a colour prepared for blending: four lanes of 16 bits hold R, G, B and 255.
type ink struct {
	lanes uint64
	word  uint32 // the pixel that it leaves where it is opaque
	a     uint32
}

const lanes = 0x00ff00ff00ff00ff

func newInk(c scene.Color) ink {
	w := uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | 255<<24
	return ink{spread(w), w, uint32(c.A)}
}

// spread moves the four bytes of a pixel into lanes of 16 bits.
func spread(w uint32) uint64 {
	x := uint64(w)
	x = (x | x<<16) & 0x0000ffff0000ffff
	return (x | x<<8) & lanes
}

// pack rounds four lanes of v*255 + 128 to bytes.
func pack(t uint64) uint32 {
	t = (t + t>>8&lanes) >> 8 & lanes
	t = (t | t>>8) & 0x0000ffff0000ffff
	return uint32(t | t>>16)
}

const halves = 0x0080008000800080

// div255 is v/255 rounded, for 0 <= v <= 255*255.
func div255(v uint32) uint32 {
	v += 128
	return (v + v>>8) >> 8
}

// over blends the ink with alpha a over one pixel.
func (k *ink) over(px []byte, a uint32) {
	d := spread(binary.LittleEndian.Uint32(px))
	binary.LittleEndian.PutUint32(px, pack(d*uint64(255-a)+k.lanes*uint64(a)+halves))
}

// alpha is the ink's alpha where it covers c of a pixel.
func (k *ink) alpha(c uint8) uint32 {
	if k.a == 255 {
		return uint32(c)
	}
	return div255(k.a * uint32(c))
}

// fill blends the ink, covering c, over consecutive pixels.
func (k *ink) fill(px []byte, c uint8) {
	a := k.alpha(c)
	if a == 255 {
		fillWord(px, k.word)
		return
	}
	if a == 0 {
		return
	}
	add, inv := k.lanes*uint64(a)+halves, uint64(255-a)
	for ; len(px) >= 4; px = px[4:] {
		d := spread(binary.LittleEndian.Uint32(px))
		binary.LittleEndian.PutUint32(px, pack(d*inv+add))
	}
}

func fillWord(px []byte, w uint32) {
	two := uint64(w) | uint64(w)<<32
	for ; len(px) >= 8; px = px[8:] {
		binary.LittleEndian.PutUint64(px, two)
	}
	if len(px) >= 4 {
		binary.LittleEndian.PutUint32(px, w)
	}
}

// cover blends the ink over consecutive pixels, each with its own coverage.
func (k *ink) cover(px []byte, cov []uint8) {
	for i, c := range cov {
		if c == 0 {
			continue
		}
		q := px[4*i : 4*i+4 : 4*i+4]
		if a := k.alpha(c); a == 255 {
			binary.LittleEndian.PutUint32(q, k.word)
		} else {
			k.over(q, a)
		}
	}
}

// row is the pixels x to x+n of row y.
func (p *painter) row(x, y, n int) []byte {
	i := (y-p.dst.Rect.Min.Y)*p.dst.Stride + (x-p.dst.Rect.Min.X)*4
	return p.dst.Pix[i : i+4*n : i+4*n]
}

// paintSpan is what painter.span calls for every piece of a sweep.
func (p *painter) paintSpan(x, y, n int, cov []uint8, c uint8) {
	px := p.row(x, y, n)
	if cov != nil {
		p.ink.cover(px, cov)
	} else {
		p.ink.fill(px, c)
	}
}

// sweep paints the outline gathered in p.buf.
func (p *painter) sweep(rule scene.Rule) { p.buf.Sweep(coverRule(rule), p.span) }
