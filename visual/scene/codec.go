package scene

import (
	"encoding/binary"
	"errors"
	"math"
	"unicode/utf8"
)

// An encoded list has a mark, its size, the number of ops, of numbers and of bytes, and then these, in little-endian order. An op has 16 bytes: kind, mode,
// style, pattern, colour, and its numbers of numbers and of bytes.
const (
	codecMark = "scn\x01"
	codecHead = 4 + 5*4
	codecOp   = 16
)

// Encode returns a list as bytes, for another program of the same version.
func (l *List) Encode() []byte {
	b := make([]byte, 0, codecHead+codecOp*len(l.ops)+4*len(l.floats)+len(l.bytes))
	b = append(b, codecMark...)
	for _, n := range []uint32{math.Float32bits(l.W), math.Float32bits(l.H), uint32(len(l.ops)), uint32(len(l.floats)), uint32(len(l.bytes))} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	for _, h := range l.ops {
		b = append(b, uint8(h.kind), h.mode, h.style, uint8(h.color.Pattern), h.color.R, h.color.G, h.color.B, h.color.A)
		b = binary.LittleEndian.AppendUint32(b, h.nf)
		b = binary.LittleEndian.AppendUint32(b, h.nb)
	}
	for _, x := range l.floats {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return append(b, l.bytes...)
}

var errEncoded = errors.New("these bytes are no list of a picture")

// Decode returns the list of encoded bytes, whoever has written them. All its numbers are finite.
func Decode(b []byte) (*List, error) {
	if len(b) < codecHead || string(b[:4]) != codecMark {
		return nil, errEncoded
	}
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	ops, floats, bytes := uint64(word(12)), uint64(word(16)), uint64(word(20))
	if codecHead+codecOp*ops+4*floats+bytes != uint64(len(b)) {
		return nil, errEncoded
	}
	l := &List{
		W: math.Float32frombits(word(4)), H: math.Float32frombits(word(8)), ops: make([]header, ops), floats: make([]float32, floats),
		bytes: append([]byte(nil), b[uint64(len(b))-bytes:]...),
	}
	at := codecHead + codecOp*int(ops)
	for i := range l.floats {
		l.floats[i] = math.Float32frombits(word(at + 4*i))
		if x := l.floats[i]; x-x != 0 {
			return nil, errEncoded
		}
	}
	f, n := uint64(0), uint64(0)
	for i := range l.ops {
		at := codecHead + codecOp*i
		h := header{
			kind: OpKind(b[at]), mode: b[at+1], style: b[at+2], color: Color{R: b[at+4], G: b[at+5], B: b[at+6], A: b[at+7], Pattern: Pattern(b[at+3])},
			f: uint32(f), nf: word(at + 8), b: uint32(n), nb: word(at + 12),
		}
		f += uint64(h.nf)
		n += uint64(h.nb)
		if f > floats || n > bytes || h.color.Pattern >= NumPatterns || !l.legal(h) {
			return nil, errEncoded
		}
		l.ops[i] = h
	}
	if f != floats || n != bytes || l.open != 0 || l.W-l.W != 0 || l.H-l.H != 0 {
		return nil, errEncoded
	}
	return l, nil
}

// legal reports whether an op has the numbers and bytes that its accessor reads, and counts the scopes that it opens.
func (l *List) legal(h header) bool {
	pairs := func(rest uint32) bool { return h.nf >= rest && (h.nf-rest)%2 == 0 }
	b := l.bytes[h.b : h.b+h.nb]
	switch h.kind {
	case OpRect:
		return h.nf == 4 && h.nb == 0
	case OpPolyline:
		if h.mode > MaxDash {
			return false
		}
		if h.mode > 0 {
			return pairs(2+uint32(h.mode)) && h.nb == 0
		}
		return pairs(1) && h.nb == 0
	case OpPolygon:
		left := h.nf / 2
		for ; len(b) >= 4; b = b[4:] {
			n := binary.LittleEndian.Uint32(b)
			if n > left {
				return false
			}
			left -= n
		}
		return h.mode <= uint8(EvenOdd) && pairs(0) && len(b) == 0
	case OpArc:
		return h.nf == 6 && h.nb == 0
	case OpCircle:
		return h.nf == 3 && h.nb == 0
	case OpText:
		return h.nf == 4 && h.mode < NumFaces && utf8.Valid(b)
	case OpMarks:
		return h.mode <= uint8(Cross) && pairs(1) && h.nb == (h.nf-1)/2*4
	case OpMesh:
		return pairs(1) && (h.nf-1)%6 == 0 && h.nb == (h.nf-1)/2*4
	case OpClip:
		l.open++
		return h.nf == 4 && h.nb == 0
	case OpGroup:
		l.open++
		return h.nf == 0 && h.nb >= 8 && utf8.Valid(b)
	case OpPop:
		l.open--
		return l.open >= 0 && h.nf == 0 && h.nb == 0
	}
	return false
}

// AppendFitted adds all ops of another list like Append. What was in one rectangle is then in the middle of another one, as large as it fits.
func (l *List) AppendFitted(src *List, from, to Rect) {
	if from.W() <= 0 || from.H() <= 0 {
		return
	}
	s := float32(min(to.W()/from.W(), to.H()/from.H()))
	x := float32(to.X0+to.X1)/2 - s*float32(from.X0+from.X1)/2
	y := float32(to.Y0+to.Y1)/2 - s*float32(from.Y0+from.Y1)/2
	first := len(l.ops)
	l.Append(src)
	for _, h := range l.ops[first:] {
		f := l.floats[h.f : h.f+h.nf]
		points, sizes := f, f[:0]
		switch h.kind {
		case OpPolyline:
			skip := 1
			if h.mode > 0 {
				skip = 2 + int(h.mode)
			}
			points, sizes = f[skip:], f[:skip]
		case OpMarks, OpMesh:
			points, sizes = f[1:], f[:1]
		case OpArc:
			points, sizes = f[:2], f[2:4]
		case OpCircle, OpText:
			points, sizes = f[:2], f[2:3]
		}
		for i := range sizes {
			sizes[i] *= s
		}
		for i := 0; i+1 < len(points); i += 2 {
			points[i], points[i+1] = s*points[i]+x, s*points[i+1]+y
		}
	}
}
