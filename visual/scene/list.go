// Package scene is the display list: views, legends and widgets produce it, and the backends (raster, SVG) draw it.
//
// A picture is data, not calls on a device. A List holds a slice of op headers of fixed size and two pools, one of
// float32 numbers and one of bytes, so that a million shapes cost three appends each and no garbage. Reset keeps the
// memory for the next frame. Coordinates are pixels with y downwards, so angles (in radians) grow clockwise from east.
// Colours are straight (not premultiplied) sRGB, and may carry a pattern. Ops are painted in the order they were
// appended.
//
// The package does not draw or measure text: a view that needs the width of a label takes a Measurer. A list may contain
// NaN and infinities; backends omit ops that cannot be drawn.
package scene

// List is a display list. The zero value is an empty list, ready to use. A list is safe for concurrent reading, but not
// while a goroutine appends. The pools hold at most 2^32 numbers and bytes.
type List struct {
	W, H float32 // size of the picture in pixels, from (0,0)

	ops    []header
	floats []float32
	bytes  []byte
	open   int
}

// header is an op; its numbers and bytes are runs of the pools.
type header struct {
	kind  OpKind
	mode  uint8 // fill rule, shape, or number of dashes
	style uint8 // anchor and face, or join and cap
	color Color
	f, nf uint32
	b, nb uint32
}

// New returns an empty list for a picture of w by h pixels.
func New(w, h float32) *List { return &List{W: w, H: h} }

// Reset empties the list, sets its size and keeps its memory.
func (l *List) Reset(w, h float32) {
	*l = List{W: w, H: h, ops: l.ops[:0], floats: l.floats[:0], bytes: l.bytes[:0]}
}

// Len returns the number of ops.
func (l *List) Len() int { return len(l.ops) }

// Open returns the number of clips and groups not yet closed by Pop.
func (l *List) Open() int { return l.open }

// Bytes returns the memory in use by ops and pools.
func (l *List) Bytes() int { return 28*len(l.ops) + 4*len(l.floats) + len(l.bytes) }

// start appends an op. Numbers and bytes appended to the pools until done belong to it.
func (l *List) start(k OpKind, mode, style uint8, c Color) {
	l.ops = append(l.ops, header{
		kind: k, mode: mode, style: style, color: c,
		f: uint32(len(l.floats)), b: uint32(len(l.bytes)),
	})
}

func (l *List) done() {
	h := &l.ops[len(l.ops)-1]
	h.nf = uint32(len(l.floats)) - h.f
	h.nb = uint32(len(l.bytes)) - h.b
}
