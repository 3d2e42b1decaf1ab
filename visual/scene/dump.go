package scene

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
)

// Dump writes the list as text for golden files: one op a line, indented by groups and clips. Numbers are rounded to
// three decimals.
func (l *List) Dump(w io.Writer) error {
	b := bufio.NewWriter(w)
	var line []byte
	line = number(append(line, "scene"...), l.W)
	_, _ = b.Write(append(number(line, l.H), '\n')) // Flush returns the error
	depth := 0
	for i := range l.ops {
		o := l.Op(i)
		if o.Kind == OpPop {
			depth--
		}
		line = line[:0]
		for range depth {
			line = append(line, ' ', ' ')
		}
		_, _ = b.Write(append(o.dump(line), '\n'))
		if o.Kind == OpClip || o.Kind == OpGroup {
			depth++
		}
	}
	return b.Flush()
}

// String returns the op's line of Dump, without indentation.
func (o Op) String() string { return string(o.dump(nil)) }

func (o *Op) dump(b []byte) []byte {
	b = append(b, o.Kind.String()...)
	word := func(s fmt.Stringer) { b = append(append(b, ' '), s.String()...) }
	switch o.Kind {
	case OpRect, OpArc, OpCircle:
		b = numbers(b, o.f)
		word(o.Color)
	case OpClip:
		b = numbers(b, o.f)
	case OpPolyline:
		p, s := o.Polyline()
		b = number(append(b, " width"...), s.Width)
		word(s.Color)
		word(s.Join)
		word(s.Cap)
		if s.Closed {
			b = append(b, " closed"...)
		}
		if len(s.Dash) > 0 {
			b = numbers(append(b, " dash"...), s.Dash)
			b = number(append(b, " phase"...), s.Phase)
		}
		b = numbers(append(b, " :"...), p)
	case OpPolygon:
		word(Rule(o.mode))
		word(o.Color)
		o.Contours(func(p []float32) { b = numbers(append(b, " :"...), p) })
	case OpText:
		x, y, s, t := o.Text()
		b = numbers(b, []float32{x, y})
		b = number(append(b, " size"...), t.Size)
		word(t.Color)
		word(t.Face)
		word(t.Anchor)
		word(t.VAlign)
		if t.Rotation != 0 {
			b = number(append(b, " rotation"...), t.Rotation)
		}
		b = strconv.AppendQuote(append(b, ' '), string(s))
	case OpMarks, OpMesh:
		p := o.f[1:]
		if o.Kind == OpMarks {
			word(Shape(o.mode))
			b = number(b, o.f[0])
		}
		for i := range len(p) / 2 {
			b = numbers(append(b, " :"...), p[2*i:2*i+2])
			word(o.ColorAt(i))
		}
	case OpGroup:
		id, title := o.Group()
		b = strconv.AppendQuote(fmt.Appendf(b, " %d ", id), string(title))
	}
	return b
}

func numbers(b []byte, f []float32) []byte {
	for _, v := range f {
		b = number(b, v)
	}
	return b
}

// number appends a blank and v with at most three decimals, never "-0".
func number(b []byte, v float32) []byte {
	b = append(b, ' ')
	start := len(b)
	b = strconv.AppendFloat(b, float64(v), 'f', 3, 64)
	if v == v && bytes.IndexByte(b[start:], '.') >= 0 {
		b = bytes.TrimRight(b, "0")
		b = bytes.TrimSuffix(b, []byte("."))
	}
	if string(b[start:]) == "-0" {
		b = append(b[:start], '0')
	}
	return b
}
