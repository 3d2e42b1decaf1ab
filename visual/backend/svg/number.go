package svg

import (
	"math"
	"strconv"

	"whorl/visual/scene"
)

// Coordinates are integers in hundredths of a pixel, so that relative ones add up without drift.

// limit bounds hundredths so that sums and differences do not overflow.
const limit = 1 << 40

// coord rounds a number to hundredths.
func coord(v float32) int { return round(float64(v) * 100) }

// pixel rounds a number to whole pixels and returns hundredths.
func pixel(v float32) int { return round(float64(v)) * 100 }

// round returns the nearest integer within the limit, 0 for NaN.
func round(v float64) int {
	if v != v {
		return 0
	}
	return int(math.Floor(min(max(v, -limit), limit) + 0.5))
}

// appendNumber appends hundredths in the shortest form, without trailing zeros or a zero before the point.
func appendNumber(b []byte, v int) []byte {
	if v < 0 {
		b = append(b, '-')
		v = -v
	}
	if whole := v / 100; whole > 0 || v == 0 {
		b = strconv.AppendInt(b, int64(whole), 10)
	}
	if f := v % 100; f > 0 {
		b = append(b, '.', byte('0'+f/10))
		if f%10 > 0 {
			b = append(b, byte('0'+f%10))
		}
	}
	return b
}

func appendUint(b []byte, v uint64) []byte { return strconv.AppendUint(b, v, 10) }

func (d *document) num(v int) { d.b = appendNumber(d.b, v) }

// attr writes an attribute with a number.
func (d *document) attr(name string, v int) {
	d.text(" " + name + `="`)
	d.num(v)
	d.text(`"`)
}

// paint writes the attribute fill or stroke, and its opacity. The pattern of a colour must have been defined before.
func (d *document) paint(name string, c scene.Color) {
	a := c.A
	d.text(" " + name + `="`)
	if c.Pattern != scene.Plain {
		d.text("url(#" + patternID(c) + ")")
	} else {
		d.text(hex(c))
	}
	d.text(`"`)
	if a != 255 {
		d.attr(name+"-opacity", (int(a)*100+127)/255)
	}
}

// hex returns an opaque colour as #rrggbb, or as #rgb if that is the same colour.
func hex(c scene.Color) string {
	c.A, c.Pattern = 255, scene.Plain
	s := c.String()
	if s[1] == s[2] && s[3] == s[4] && s[5] == s[6] {
		return string([]byte{'#', s[1], s[3], s[5]})
	}
	return s
}
