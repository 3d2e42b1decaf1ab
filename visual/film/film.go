// Package film makes animated GIFs of pictures that follow each other.
package film

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"maps"
	"slices"
	"time"
)

// Ending is the ending of animated pictures.
const Ending = ".gif"

// Bounds of films.
const (
	mostRate     = 60
	mostPictures = 10_000
)

// CheckRate returns an error for a number of pictures in a second that no film has.
func CheckRate(rate int) error {
	if rate < 1 || rate > mostRate {
		return fmt.Errorf("expected 1 to %d pictures in a second", mostRate)
	}
	return nil
}

// CheckTime returns an error for a film that has no pictures or too many.
func CheckTime(lasts time.Duration, rate int) error {
	if lasts <= 0 || lasts > mostPictures*time.Second || Pictures(lasts, rate) > mostPictures {
		return fmt.Errorf("expected 1 to %d pictures", mostPictures)
	}
	return nil
}

// Pictures returns the number of pictures of a film.
func Pictures(lasts time.Duration, rate int) int {
	return max(int(lasts.Seconds()*float64(rate)+0.5), 1)
}

// Time returns the time of the run from first to last that picture i of n shows.
func Time(first, last int64, i, n int) int64 {
	return first + int64(float64(last-first)*float64(i)/float64(max(n-1, 1)))
}

// Samples returns the pictures, of n, by whose colours NewGIF chooses those of the film.
func Samples(n int) []int { return []int{0, n / 2, n - 1} }

// A GIF is a film as an animated GIF that plays again and again. It has the 256 colours that its samples need most.
type GIF struct {
	to      *animation
	colors  color.Palette
	indexOf map[uint16]uint8 // of the colours of coarse
	rate    int              // pictures in a second
	n       int              // pictures that were added
}

// NewGIF writes the beginning of a film whose pictures have the given width and height.
func NewGIF(w io.Writer, width, height, rate int, samples []*image.RGBA) *GIF {
	counts := map[uint16]int{}
	for _, m := range samples {
		for p := 0; p < len(m.Pix); p += 4 {
			counts[coarse(m.Pix[p:])]++
		}
	}
	colors := commonest(counts)
	return &GIF{to: newAnimation(w, width, height, colors), colors: colors, indexOf: map[uint16]uint8{}, rate: rate}
}

// Add writes the next picture.
func (g *GIF) Add(m *image.RGBA) error {
	p := image.NewPaletted(m.Rect, g.colors)
	for k := range p.Pix {
		key := coarse(m.Pix[4*k:])
		index, ok := g.indexOf[key]
		if !ok {
			index = uint8(g.colors.Index(fine(key)))
			g.indexOf[key] = index
		}
		p.Pix[k] = index
	}
	hundredths := func(i int) int { return i * 100 / g.rate } // GIF counts hundredths of a second
	g.n++
	return g.to.add(p, hundredths(g.n)-hundredths(g.n-1))
}

// Close writes the end of the film.
func (g *GIF) Close() error { return g.to.close() }

// coarse returns the first five bits of each part of an opaque colour, the green one with six.
func coarse(pix []uint8) uint16 {
	return uint16(pix[0]>>3)<<11 | uint16(pix[1]>>2)<<5 | uint16(pix[2]>>3)
}

// fine returns the colour of a key of coarse. White and black do not change.
func fine(key uint16) color.RGBA {
	r, g, b := uint8(key>>11), uint8(key>>5&63), uint8(key&31)
	return color.RGBA{R: r<<3 | r>>2, G: g<<2 | g>>4, B: b<<3 | b>>2, A: 255}
}

// commonest returns the 256 colours that are counted most often.
func commonest(counts map[uint16]int) color.Palette {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b uint16) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return int(a) - int(b)
	})
	var out color.Palette
	for _, k := range keys[:min(len(keys), 256)] {
		out = append(out, fine(k))
	}
	return out
}
