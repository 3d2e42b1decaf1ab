package textio

import (
	"math"
	"strconv"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A Lister writes values as one record of list-directed output. The width of a field depends only on the type of its value,
// as in gfortran.
type Lister struct {
	Delim byte // around characters; 0 for none

	sink Sink
	line []byte
	text bool // the previous value is characters
}

// NewLister returns a writer of a list.
func NewLister(sink Sink) *Lister { return &Lister{sink: sink} }

// Put writes a value.
func (l *Lister) Put(d Datum) error {
	l.line = l.line[:0]
	base := d.Type.Base
	switch {
	case base != syntax.CharacterType:
		l.line = append(l.line, field(d)...)
	case l.Delim != 0:
		l.line = append(append(l.line, ' '), delimited(d.Value.S, l.Delim)...)
	default:
		if !l.text {
			l.line = append(l.line, ' ')
		}
		l.line = append(l.line, d.Value.S...)
	}
	l.text = base == syntax.CharacterType
	return l.sink.Text(l.line)
}

// Close ends the record.
func (l *Lister) Close() error { return l.sink.EndRecord() }

// delimited writes characters in quotes.
func delimited(s string, quote byte) string {
	q := string(quote)
	return q + strings.ReplaceAll(s, q, q+q) + q
}

// field writes a value that is not characters, in a field of the width of its type.
func field(d Datum) string {
	switch d.Type.Base {
	case syntax.IntegerType:
		width := map[uint8]int{1: 5, 2: 7, 4: 12, 8: 21}[d.Type.Size]
		return right(strconv.FormatInt(d.Value.I, 10), width)
	case syntax.LogicalType:
		return " " + logical(d.Value.I)
	case syntax.ComplexType:
		re, im := parts(d)
		width := map[uint8]int{4: 36, 8: 54}[d.Type.Size]
		part := func(d Datum) string { return strings.Replace(strings.TrimSpace(listReal(d)), "Infinity", "Inf", 1) }
		return right("("+part(re)+","+part(im)+")", width)
	}
	return listReal(d)
}

// listReal writes a real with 9 digits, or 17 in double precision, without an exponent if its magnitude allows that.
func listReal(d Datum) string {
	digits, width, tail, places := 17, 26, 5, 3 // tail is the room for an exponent, places the number of its digits
	if d.Type.Base == syntax.RealType {
		digits, width, tail, places = 9, 17, 4, 2
	}
	x := d.Value.F
	switch {
	case math.IsNaN(x):
		return right("NaN", width)
	case math.IsInf(x, 1):
		return right("Infinity", width)
	case math.IsInf(x, -1):
		return right("-Infinity", width)
	}
	if x == 0 || math.Abs(x) >= 0.1 && math.Abs(x) < math.Pow(10, float64(digits)) {
		return right(withPoint(strconv.FormatFloat(x, 'f', max(digits-magnitude(x, digits), 0), 64))+blanks(tail), width)
	}
	mantissa, e, _ := strings.Cut(strconv.FormatFloat(x, 'E', digits-1, 64), "E")
	n, _ := strconv.Atoi(e)
	return right(mantissa+"E"+exponentText(n, places), width)
}

// parts splits a complex number into its real and its imaginary part.
func parts(d Datum) (re, im Datum) {
	t := lower.Real
	if d.Type.Size == 8 {
		t = lower.Double
	}
	return Datum{lower.Value{F: real(d.Value.Z)}, t}, Datum{lower.Value{F: imag(d.Value.Z)}, t}
}

// magnitude returns the number of digits of x before its decimal point when x is rounded to a total number of digits: 1 for
// 0, negative for numbers that begin with zeros.
func magnitude(x float64, digits int) int {
	if x == 0 {
		return 1
	}
	text := strconv.FormatFloat(math.Abs(x), 'e', digits-1, 64)
	n, _ := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	return n + 1
}

// exponentText writes an exponent with its sign and at least places digits.
func exponentText(n, places int) string {
	sign := "+"
	if n < 0 {
		sign, n = "-", -n
	}
	e := strconv.Itoa(n)
	return sign + strings.Repeat("0", max(places-len(e), 0)) + e
}

// withPoint ends a whole number with a decimal point.
func withPoint(s string) string {
	if !strings.Contains(s, ".") {
		s += "."
	}
	return s
}

func logical(v int64) string {
	if v != 0 {
		return "T"
	}
	return "F"
}

func blanks(n int) string { return strings.Repeat(" ", max(n, 0)) }

// right aligns a text at the right of a field.
func right(s string, width int) string { return blanks(width-len(s)) + s }
