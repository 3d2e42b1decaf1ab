package raster

import (
	"encoding/binary"
	"math"

	"whorl/visual/scene"
)

// tones is the number of steps from a colour to the tone of its pattern.
const tones = 8

// A hatch paints the pattern of a colour. The tile repeats from the origin of the picture, so that bands and shapes
// continue one pattern.
type hatch struct {
	tile  *tile
	x, y  int // of the corner of a tile, in pixels
	inks  [tones + 1]ink
	light bool // whether the tone is lighter than the colour
}

// tile holds the share of the tone in each pixel of a pattern's tile, in steps up to tones.
type tile struct {
	side int
	tone []uint8
}

// tileKey identifies a tile: its pattern and the side of the tile in pixels.
type tileKey struct {
	pattern scene.Pattern
	side    int
}

// setInk prepares painting with a colour.
func (p *painter) setInk(c scene.Color) {
	p.ink = newInk(c)
	if p.hatched = c.Pattern != scene.Plain; p.hatched {
		p.setHatch(c)
	}
}

// setHatch prepares the pattern of a colour.
func (p *painter) setHatch(c scene.Color) {
	h := &p.hatch
	side := max(int(float64(c.Pattern.Tile().Side)*p.v.Scale+0.5), 1)
	key := tileKey{c.Pattern, min(side, 256)}
	h.tile = p.tiles[key]
	if h.tile == nil {
		h.tile = newTile(key)
		p.tiles[key] = h.tile
	}
	h.x, h.y = int(math.Floor(p.v.X+0.5)), int(math.Floor(p.v.Y+0.5))
	tone := c.Tone()
	h.light = c.Dark()
	for i := range h.inks {
		h.inks[i] = newInk(c.Mix(tone, float32(i)/tones))
	}
}

// newTile draws a tile by sampling each pixel at 4 x 4 points.
func newTile(key tileKey) *tile {
	t := key.pattern.Tile()
	out := &tile{side: key.side, tone: make([]uint8, key.side*key.side)}
	const across = 4
	unit := float64(t.Side) / float64(key.side)
	for i := range out.tone {
		hits := 0
		for k := range across * across {
			x := (float64(i%key.side) + (float64(k%across)+0.5)/across) * unit
			y := (float64(i/key.side) + (float64(k/across)+0.5)/across) * unit
			if inside(&t, x, y) {
				hits++
			}
		}
		out.tone[i] = uint8((hits*tones + across*across/2) / (across * across))
	}
	return out
}

// inside reports whether a point lies on a line or a dot of a tile.
func inside(t *scene.Tile, x, y float64) bool {
	for _, l := range t.Lines {
		dx, dy := float64(l[2]-l[0]), float64(l[3]-l[1])
		u, v := x-float64(l[0]), y-float64(l[1])
		if math.Abs(float64(u*dy)-float64(v*dx)) <= float64(t.Width)/2*math.Hypot(dx, dy) {
			return true
		}
	}
	for _, d := range t.Dots {
		if math.Hypot(x-float64(d[0]), y-float64(d[1])) <= float64(t.Radius) {
			return true
		}
	}
	return false
}

// row returns the row of the tile for row y of the picture, and the index of column x in it.
func (h *hatch) row(x, y int) (tone []uint8, i int) {
	n := h.tile.side
	y = mod(y-h.y, n)
	return h.tile.tone[y*n : (y+1)*n], mod(x-h.x, n)
}

// mod returns v modulo n, from 0 to n-1.
func mod(v, n int) int { return (v%n + n) % n }

// shade returns a premultiplied pixel of a mesh with the pattern on it, given its step on the way to the tone.
func (h *hatch) shade(px uint32, tone uint8) uint32 {
	const most = 256 * scene.ToneShare
	part := uint32(float64(tone)*(most/tones) + 0.5) // of 256
	under := uint32(0)
	if h.light {
		under = px >> 24
	}
	out := px & 0xff000000
	for shift := 0; shift < 24; shift += 8 {
		c := px >> shift & 255
		out |= (c*(256-part) + under*part + 128) >> 8 << shift
	}
	return out
}

// paint blends the pattern over n pixels from (x, y) on, with the coverage c, or with a coverage for each pixel unless
// cov is nil.
func (h *hatch) paint(px []byte, x, y, n int, cov []uint8, c uint8) {
	tone, at := h.row(x, y)
	for i := range n {
		if cov != nil {
			c = cov[i]
		}
		k := &h.inks[tone[at]]
		if at++; at == len(tone) {
			at = 0
		}
		q := px[4*i : 4*i+4 : 4*i+4]
		switch a := k.alpha(c); a {
		case 0:
		case 255:
			binary.LittleEndian.PutUint32(q, k.word)
		default:
			k.over(q, a)
		}
	}
}
