package raster

import (
	"encoding/binary"

	"whorl/visual/scene"
)

// ink is a colour prepared for blending. Two channels share a 32-bit word in lanes of 16 bits; a 64-bit word holds two
// pixels.
type ink struct {
	rb, ga uint64 // R and B, G and 255, each twice
	word   uint32 // the resulting pixel where the ink is opaque
	a      uint32
}

const (
	low    = 0x00ff00ff00ff00ff // the low byte of each lane
	halves = 0x0080008000800080
	double = 1<<32 + 1
)

func newInk(c scene.Color) ink {
	return ink{
		rb: (uint64(c.R) | uint64(c.B)<<16) * double, ga: (uint64(c.G) | 255<<16) * double,
		word: uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | 255<<24, a: uint32(c.A),
	}
}

// div255 returns v/255 rounded, for 0 <= v <= 255*255.
func div255(v uint32) uint32 {
	v += 128
	return (v + v>>8) >> 8
}

// round divides the lanes of two words, which hold v*255 + 128, by 255 and combines them into pixels.
func round(rb, ga uint64) uint64 {
	rb += rb >> 8 & low
	ga += ga >> 8 & low
	return rb>>8&low | ga&^low
}

// over blends the ink with alpha a over a pixel.
func (k *ink) over(px []byte, a uint32) {
	d, inv := uint64(binary.LittleEndian.Uint32(px)), uint64(255-a)
	rb := (d&low)*inv + uint64(uint32(k.rb))*uint64(a) + halves
	ga := (d>>8&low)*inv + uint64(uint32(k.ga))*uint64(a) + halves
	binary.LittleEndian.PutUint32(px, uint32(round(rb, ga)))
}

// overWord blends the premultiplied pixel s over d.
func overWord(d, s uint32) uint32 {
	inv := uint64(255 - s>>24)
	rb := uint64(d)&low*inv + uint64(s)&low*255 + halves
	ga := uint64(d)>>8&low*inv + uint64(s)>>8&low*255 + halves
	return uint32(round(rb, ga))
}

// alpha returns the ink's alpha for a pixel with coverage c.
func (k *ink) alpha(c uint8) uint32 {
	if k.a == 255 {
		return uint32(c)
	}
	return div255(k.a * uint32(c))
}

// fill blends the ink with coverage c over consecutive pixels.
func (k *ink) fill(px []byte, c uint8) {
	a := k.alpha(c)
	if a == 255 {
		fillWord(px, k.word)
		return
	}
	if a == 0 {
		return
	}
	rb, ga, inv := k.rb*uint64(a)+halves, k.ga*uint64(a)+halves, uint64(255-a)
	for ; len(px) >= 8; px = px[8:] {
		d := binary.LittleEndian.Uint64(px)
		binary.LittleEndian.PutUint64(px, round((d&low)*inv+rb, (d>>8&low)*inv+ga))
	}
	if len(px) >= 4 {
		d := uint64(binary.LittleEndian.Uint32(px))
		binary.LittleEndian.PutUint32(px, uint32(round((d&low)*inv+rb, (d>>8&low)*inv+ga)))
	}
}

func fillWord(px []byte, w uint32) {
	two := uint64(w) * double
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

// row returns n pixels of row y from x on.
func (p *painter) row(x, y, n int) []byte {
	i := (y-p.dst.Rect.Min.Y)*p.dst.Stride + (x-p.dst.Rect.Min.X)*4
	return p.dst.Pix[i : i+4*n : i+4*n]
}

// paintSpan paints a piece of a sweep; painter.span holds it.
func (p *painter) paintSpan(x, y, n int, cov []uint8, c uint8) {
	px := p.row(x, y, n)
	switch {
	case p.hatched:
		p.hatch.paint(px, x, y, n, cov, c)
	case cov != nil:
		p.ink.cover(px, cov)
	default:
		p.ink.fill(px, c)
	}
}

// sweep paints the outline collected in p.buf.
func (p *painter) sweep(rule scene.Rule) { p.buf.Sweep(coverRule(rule), p.span) }
