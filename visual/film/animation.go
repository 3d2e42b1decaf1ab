package film

import (
	"bufio"
	"compress/lzw"
	"encoding/binary"
	"image"
	"image/color"
	"io"
)

// An animation writes an animated GIF picture by picture, so that a long film takes no more memory than a short one. image/gif writes only whole
// animations. Each picture after the first is the rectangle that differs from the one before.
type animation struct {
	w    *bufio.Writer
	last *image.Paletted // the picture before, with the pixels that are shown
}

// Marks in a GIF.
const (
	gifExtension = 0x21
	gifImage     = 0x2c
	gifTrailer   = 0x3b
	bitsOfPixel  = 8
)

// newAnimation writes the beginning of an animation that plays again and again. It has up to 256 colours.
func newAnimation(w io.Writer, width, height int, colors color.Palette) *animation {
	a := &animation{w: bufio.NewWriter(w)}
	b := append([]byte("GIF89a"), byte(width), byte(width>>8), byte(height), byte(height>>8),
		0x80|(bitsOfPixel-1)<<4|bitsOfPixel-1, 0, 0) // a table of 256 colours
	for i := range 1 << bitsOfPixel {
		var c color.RGBA
		if i < len(colors) {
			c = color.RGBAModel.Convert(colors[i]).(color.RGBA)
		}
		b = append(b, c.R, c.G, c.B)
	}
	b = append(b, gifExtension, 0xff, 11)
	b = append(b, "NETSCAPE2.0"...)
	b = append(b, 3, 1, 0, 0, 0)
	_, _ = a.w.Write(b) // close returns the error
	return a
}

// add writes the next picture, which is shown for a time in hundredths of a second. p must not change afterwards.
func (a *animation) add(p *image.Paletted, delay int) error {
	r := p.Rect
	if a.last != nil {
		r = changed(a.last, p)
	}
	a.last = p
	b := []byte{gifExtension, 0xf9, 4, 1 << 2} // the picture stays under the next one
	b = binary.LittleEndian.AppendUint16(b, uint16(delay))
	b = append(b, 0, 0, gifImage)
	for _, v := range [...]int{r.Min.X, r.Min.Y, r.Dx(), r.Dy()} {
		b = binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	b = append(b, 0, bitsOfPixel)
	_, _ = a.w.Write(b)
	pieces := &subBlocks{w: a.w}
	pack := lzw.NewWriter(pieces, lzw.LSB, bitsOfPixel)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		if _, err := pack.Write(p.Pix[p.PixOffset(r.Min.X, y):][:r.Dx()]); err != nil {
			return err
		}
	}
	if err := pack.Close(); err != nil {
		return err
	}
	return pieces.close()
}

// close writes the end.
func (a *animation) close() error {
	_ = a.w.WriteByte(gifTrailer)
	return a.w.Flush()
}

// changed returns the smallest rectangle outside which two pictures of the same size are equal, a pixel at least.
func changed(one, other *image.Paletted) image.Rectangle {
	var out image.Rectangle
	width := other.Rect.Dx()
	for y := other.Rect.Min.Y; y < other.Rect.Max.Y; y++ {
		a, b := one.Pix[one.PixOffset(one.Rect.Min.X, y):][:width], other.Pix[other.PixOffset(other.Rect.Min.X, y):][:width]
		from, to := 0, width
		for from < width && a[from] == b[from] {
			from++
		}
		for to > from && a[to-1] == b[to-1] {
			to--
		}
		if from < to {
			out = out.Union(image.Rect(other.Rect.Min.X+from, y, other.Rect.Min.X+to, y+1))
		}
	}
	if out.Empty() {
		out = image.Rectangle{Min: other.Rect.Min, Max: other.Rect.Min.Add(image.Pt(1, 1))}
	}
	return out
}

// subBlocks divides data into the blocks of up to 255 bytes that GIF has.
type subBlocks struct {
	w *bufio.Writer
	b [256]byte // the length, and then the bytes
	n int
}

func (s *subBlocks) Write(p []byte) (int, error) {
	for i := range p {
		s.n++
		s.b[s.n] = p[i]
		if s.n == len(s.b)-1 {
			if err := s.flush(); err != nil {
				return i, err
			}
		}
	}
	return len(p), nil
}

func (s *subBlocks) flush() error {
	s.b[0] = byte(s.n)
	_, err := s.w.Write(s.b[:1+s.n])
	s.n = 0
	return err
}

// close writes the last block and the empty one that ends a picture.
func (s *subBlocks) close() error {
	if s.n > 0 {
		if err := s.flush(); err != nil {
			return err
		}
	}
	return s.w.WriteByte(0)
}
