package textio

import (
	"math"
	"strconv"
	"strings"

	"whorl/hpfsim/syntax"
)

// real writes a real by F, E, D or G.
func (w *Writer) real(it syntax.FormatItem, x float64) {
	switch {
	case math.IsNaN(x):
		w.field("NaN", it.Width)
	case math.IsInf(x, 0):
		s := "Infinity"
		if it.Width > 0 && it.Width < len(s) || it.Width == 0 && it.Edit != 'F' {
			s = "Inf"
		}
		if x < 0 {
			s = "-" + s
		}
		w.field(s, it.Width)
	case it.Edit == 'G' && it.Width >= 0:
		w.general(it, x)
	case it.Edit == 'F', it.Edit == 'G':
		w.fixed(it, x)
	default:
		w.field(w.exponent(it, x), it.Width)
	}
}

// fixed writes a number without an exponent.
func (w *Writer) fixed(it syntax.FormatItem, x float64) {
	s := strconv.FormatFloat(x*math.Pow(10, float64(w.scale)), 'f', max(it.Digits, 0), 64)
	if it.Digits <= 0 {
		s += "."
	}
	s = w.signed(s, x)
	if it.Width > 0 && len(s) > it.Width || it.Width == 0 {
		s = withoutZero(s)
	}
	w.field(s, it.Width)
}

// withoutZero removes the zero before the decimal point of a number below 1, which a narrow field omits.
func withoutZero(s string) string {
	if t := strings.TrimLeft(s, "+-"); strings.HasPrefix(t, "0.") && len(t) > 2 {
		return s[:len(s)-len(t)] + t[1:]
	}
	return s
}

// signed adds a plus sign to a number after SP.
func (w *Writer) signed(s string, x float64) string {
	if w.Plus && !math.Signbit(x) {
		return "+" + s
	}
	return s
}

// exponent writes a number with an exponent: 0.ddd by E and D, d.ddd by ES, and with an exponent divisible by three by EN. A
// scale factor moves the point.
func (w *Writer) exponent(it syntax.FormatItem, x float64) string {
	before, after := w.scale, it.Digits // digits before and after the point
	switch {
	case it.Sub == 'S':
		before = 1
	case it.Sub == 'N':
		before = 1
		for _, digits := range []int{-1, 0} { // the digits after the first; rounding may make a number of one more
			if digits == 0 {
				digits = before + after - 1
			}
			_, e, _ := strings.Cut(strconv.FormatFloat(math.Abs(x), 'e', digits, 64), "e")
			n, _ := strconv.Atoi(e)
			before = (n%3+3)%3 + 1
		}
	case w.scale > 0:
		after -= w.scale - 1
	}
	text := strconv.FormatFloat(math.Abs(x), 'e', max(before+after, 1)-1, 64)
	mantissa, e, _ := strings.Cut(text, "e")
	digits := strings.Replace(mantissa, ".", "", 1)
	n, _ := strconv.Atoi(e)
	n -= before - 1
	if x == 0 {
		n = 0
	}
	s := "0." + strings.Repeat("0", max(-before, 0)) + digits
	if before > 0 {
		point := min(before, len(digits))
		s = digits[:point] + "." + digits[point:]
	}
	if math.Signbit(x) {
		s = "-" + s
	}
	s = w.signed(s, x)
	if n == 0 && it.Width == 0 {
		return s
	}
	places, letter := 2, "E"
	if it.Width == 0 {
		places = 1
	}
	if it.Exponent > 0 {
		places = it.Exponent
	}
	if it.Edit == 'D' {
		letter = "D"
	}
	power := exponentText(n, places)
	if it.Exponent < 0 && len(power) > 3 && it.Width != 0 { // a third digit replaces the letter
		letter = ""
	}
	s += letter + power
	if it.Width > 0 && len(s) > it.Width {
		s = withoutZero(s)
	}
	return s
}

// compact writes a real by G0 or G0.d, without blanks: with d digits, or all digits of its type.
func (w *Writer) compact(it syntax.FormatItem, d Datum) string {
	x, digits := d.Value.F, max(it.Digits, 1)
	if it.Digits < 0 {
		if digits = 17; d.Type.Base == syntax.RealType {
			digits = 9
		}
	}
	switch m := math.Abs(x); {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return strings.TrimSpace(listReal(d))
	case x == 0 || m >= 0.1-0.5*math.Pow(10, float64(-digits-1)) && m < math.Pow(10, float64(digits))-0.5:
		return w.signed(withPoint(strconv.FormatFloat(x, 'f', max(digits-magnitude(x, digits), 0), 64)), x)
	}
	mantissa, e, _ := strings.Cut(strconv.FormatFloat(x, 'E', digits-1, 64), "E")
	n, _ := strconv.Atoi(e)
	sign := ""
	if mantissa[0] == '-' {
		sign, mantissa = "-", mantissa[1:]
	}
	return w.signed(sign+"0."+strings.Replace(mantissa, ".", "", 1)+"E"+exponentText(n+1, 1), x)
}

// general writes by G: as a fixed number with blanks for the exponent if the number's magnitude allows it, else by E.
func (w *Writer) general(it syntax.FormatItem, x float64) {
	tail := 4
	if it.Exponent > 0 {
		tail = it.Exponent + 2
	}
	d := max(it.Digits, 1)
	m := math.Abs(x)
	if x != 0 && (m < 0.1-0.5*math.Pow(10, float64(-d-1)) || m >= math.Pow(10, float64(d))-0.5) {
		it.Edit = 'E'
		w.field(w.exponent(it, x), it.Width)
		return
	}
	s := w.signed(withPoint(strconv.FormatFloat(x, 'f', max(d-magnitude(x, d), 0), 64)), x)
	if it.Width == 0 {
		w.put(s)
		return
	}
	w.field(s, it.Width-tail)
	w.put(blanks(tail))
}
