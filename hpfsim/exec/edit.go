package exec

import (
	"math"
	"strconv"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A formatter writes values by a format.
type formatter struct {
	values []datum
	next   int
	lines  []string
	line   []byte
	at     int // where the next character goes
	scale  int
	plus   bool
	err    string
	used   bool // a value was written since the format began
}

// formatted writes values by a format, from its last group on again where there are more values than edit descriptors.
func formatted(format *syntax.Format, values []datum) ([]string, string) {
	w := &formatter{}
	for _, d := range values { // a complex number is two reals
		if d.t.Base == syntax.ComplexType {
			t := lower.Real
			if d.t.Size == 8 {
				t = lower.Double
			}
			w.values = append(w.values, datum{lower.Value{F: real(d.v.Z)}, t, true}, datum{lower.Value{F: imag(d.v.Z)}, t, true})
		} else {
			w.values = append(w.values, d)
		}
	}
	items := format.Items
	for {
		w.used = false
		more := w.items(items)
		if w.err != "" {
			return nil, w.err
		}
		if !more || w.next >= len(w.values) {
			break
		}
		if !w.used {
			return nil, "the format has no edit descriptor for the values that are left"
		}
		w.newline()
		for i := len(format.Items) - 1; i >= 0; i-- {
			if format.Items[i].Edit == '(' {
				items = format.Items[i:]
				break
			}
		}
	}
	w.newline()
	return w.lines, ""
}

func (w *formatter) newline() {
	w.lines = append(w.lines, string(w.line))
	w.line, w.at = nil, 0
}

// put writes characters at the place.
func (w *formatter) put(s string) {
	for len(w.line) < w.at {
		w.line = append(w.line, ' ')
	}
	w.line = append(w.line[:w.at], append([]byte(s), w.line[min(len(w.line), w.at+len(s)):]...)...)
	w.at += len(s)
}

// items writes by some items, and answers false where the values ended before an edit descriptor.
func (w *formatter) items(items []syntax.FormatItem) bool {
	for _, it := range items {
		for range max(it.Repeat, 1) {
			switch it.Edit {
			case '(':
				if !w.items(it.Group) {
					return false
				}
			case '\'':
				w.put(it.Text)
			case '/':
				w.newline()
			case ':':
				if w.next >= len(w.values) {
					return false
				}
			case 'X':
				w.at += it.W
			case 'T':
				switch it.Sub {
				case 'L':
					w.at = max(w.at-it.W, 0)
				case 'R':
					w.at += it.W
				default:
					w.at = max(it.W-1, 0)
				}
			case 'P':
				w.scale = it.W
			case 'S':
				w.plus = it.Sub == 'P'
			case 'B':
			default:
				if w.next >= len(w.values) {
					return false
				}
				w.datum(it)
				if w.err != "" {
					return false
				}
			}
		}
	}
	return true
}

// datum writes a value by an edit descriptor.
func (w *formatter) datum(it syntax.FormatItem) {
	d := w.values[w.next]
	w.next++
	w.used = true
	base := d.t.Base
	wrong := func() { w.err = "a value that is " + d.t.String() + " meets the edit descriptor " + string(it.Edit) }
	switch it.Edit {
	case 'I', 'Z':
		if base != syntax.IntegerType && base != syntax.LogicalType {
			wrong()
			return
		}
		s := ""
		switch {
		case it.Edit == 'Z':
			radix := map[byte]int{'Z': 16, 'O': 8, 'B': 2}[it.Sub]
			u := uint64(d.v.I)
			if d.t.Size < 8 {
				u &= 1<<(8*uint(d.t.Size)) - 1
			}
			s = strings.ToUpper(strconv.FormatUint(u, radix))
		default:
			s = strconv.FormatInt(max(d.v.I, -d.v.I), 10)
			if d.v.I == 0 && it.D == 0 {
				s = ""
			}
			for len(s) < it.D {
				s = "0" + s
			}
			if d.v.I < 0 {
				s = "-" + s
			} else if w.plus {
				s = "+" + s
			}
		}
		w.field(s, it.W)
	case 'L':
		s := "F"
		if d.v.I != 0 {
			s = "T"
		}
		w.field(s, max(it.W, 1))
	case 'A':
		s := d.v.S
		if base != syntax.CharacterType {
			wrong()
			return
		}
		if it.W >= 0 {
			if len(s) > it.W {
				s = s[:it.W]
			}
			s = right(s, it.W)
		}
		w.put(s)
	case 'F', 'E', 'D', 'G':
		switch {
		case it.Edit == 'G' && (base == syntax.IntegerType || base == syntax.LogicalType || base == syntax.CharacterType):
			it.Edit = map[syntax.BaseType]byte{syntax.IntegerType: 'I', syntax.LogicalType: 'L', syntax.CharacterType: 'A'}[base]
			it.D = -1
			w.next--
			w.datum(it)
			return
		case !d.t.Floating():
			wrong()
			return
		}
		w.float(it, d.v.F)
	}
}

// field writes a text in a field: stars where it does not fit, as wide as it is where the field has no width.
func (w *formatter) field(s string, width int) {
	switch {
	case width <= 0:
		w.put(s)
	case len(s) > width:
		w.put(strings.Repeat("*", width))
	default:
		w.put(right(s, width))
	}
}

func (w *formatter) float(it syntax.FormatItem, x float64) {
	switch {
	case math.IsNaN(x):
		w.field("NaN", it.W)
		return
	case math.IsInf(x, 0):
		s := "Infinity"
		if it.W > 0 && it.W < 8 {
			s = "Inf"
		}
		if x < 0 {
			s = "-" + s
		}
		w.field(s, it.W)
		return
	}
	if it.Edit == 'G' && it.W >= 0 {
		w.general(it, x)
		return
	}
	if it.Edit == 'F' || it.Edit == 'G' && it.W < 0 {
		s := strconv.FormatFloat(x*math.Pow(10, float64(w.scale)), 'f', max(it.D, 0), 64)
		if it.D <= 0 {
			s += "."
		}
		w.sign(&s, x)
		if it.W > 0 && len(s) > it.W || it.W == 0 {
			s = strings.Replace(s, "0.", ".", min(1, leading(s)))
		}
		w.field(s, it.W)
		return
	}
	w.field(w.exponent(it, x), it.W)
}

// leading tells whether a number begins with 0. and digits behind.
func leading(s string) int {
	t := strings.TrimLeft(s, "+-")
	if strings.HasPrefix(t, "0.") && len(t) > 2 {
		return 1
	}
	return 0
}

func (w *formatter) sign(s *string, x float64) {
	if w.plus && !math.Signbit(x) {
		*s = "+" + *s
	}
}

// exponent writes a number with an exponent: 0.ddd with E and D, d.ddd with ES, a multiple of three with EN.
func (w *formatter) exponent(it syntax.FormatItem, x float64) string {
	before := w.scale // digits before the point
	after := it.D - max(w.scale-1, 0)
	if w.scale <= 0 {
		after = it.D
	}
	switch it.Sub {
	case 'S':
		before, after = 1, it.D
	case 'N':
		before, after = 1, it.D
		if x != 0 {
			e := int(math.Floor(math.Log10(math.Abs(x))))
			before = (e%3+3)%3 + 1
		}
	}
	digits := before + after
	if before <= 0 {
		digits = after + before
	}
	digits = max(digits, 1)
	text := strconv.FormatFloat(math.Abs(x), 'e', digits-1, 64)
	mantissa, exp, _ := strings.Cut(text, "e")
	n, _ := strconv.Atoi(exp)
	all := strings.Replace(mantissa, ".", "", 1)
	if x == 0 {
		n = before - 1
	}
	n -= before - 1
	s := ""
	if before > 0 {
		s = all[:min(before, len(all))] + "." + all[min(before, len(all)):]
	} else {
		s = "0." + strings.Repeat("0", -before) + all
	}
	if math.Signbit(x) {
		s = "-" + s
	}
	w.sign(&s, x)
	letter := "E"
	if it.Edit == 'D' {
		letter = "D"
	}
	e := strconv.Itoa(max(n, -n))
	places := 2
	if it.E > 0 {
		places = it.E
	}
	for len(e) < places {
		e = "0" + e
	}
	sign := "+"
	if n < 0 {
		sign = "-"
	}
	if it.E < 0 && len(e) > 2 {
		letter = ""
	}
	s += letter + sign + e
	if len(s) > it.W && it.W > 0 {
		s = strings.Replace(s, "0.", ".", leading(s))
	}
	return s
}

// general writes by G: a fixed number where its size allows it, with blanks in place of the exponent.
func (w *formatter) general(it syntax.FormatItem, x float64) {
	tail := 4
	if it.E > 0 {
		tail = it.E + 2
	}
	d := max(it.D, 1)
	m := math.Abs(x)
	if x == 0 || m >= 0.1-0.5*math.Pow(10, float64(-d-1)) && m < math.Pow(10, float64(d))-0.5 {
		exp := 1
		if x != 0 {
			text := strconv.FormatFloat(m, 'e', d-1, 64)
			exp, _ = strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
			exp++
		}
		s := strconv.FormatFloat(x, 'f', max(d-exp, 0), 64)
		if !strings.Contains(s, ".") {
			s += "."
		}
		w.sign(&s, x)
		if it.W == 0 {
			w.put(s)
			return
		}
		w.field(s, it.W-tail)
		w.put(blanks(tail))
		return
	}
	it.Edit = 'E'
	w.field(w.exponent(it, x), it.W)
}
