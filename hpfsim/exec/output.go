package exec

import (
	"bufio"
	"io"
	"math"
	"strconv"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// units are what READ and WRITE reach: standard input and output.
type units struct {
	in   *bufio.Reader
	out  *bufio.Writer
	err  error
	held string // written without an advance
}

func newUnits(in io.Reader, out io.Writer) *units {
	if in == nil {
		in = strings.NewReader("")
	}
	if out == nil {
		out = io.Discard
	}
	return &units{in: bufio.NewReader(in), out: bufio.NewWriter(out)}
}

func (u *units) flush() error {
	if u.held != "" {
		u.line(u.held)
		u.held = ""
	}
	if err := u.out.Flush(); u.err == nil {
		u.err = err
	}
	return u.err
}

func (u *units) line(s string) {
	if _, err := u.out.WriteString(s + "\n"); err != nil && u.err == nil {
		u.err = err
	}
}

// stopText writes what STOP says.
func (u *units) stopText(v lower.Value, t lower.Type) {
	if t.Base == syntax.CharacterType {
		u.line("STOP " + v.S)
		return
	}
	u.line("STOP " + strconv.FormatInt(v.I, 10))
}

// A datum is one value of a list of input or output.
type datum struct {
	v      lower.Value
	t      lower.Type
	single bool // a part of a complex number
}

// data evaluates a list of output.
func (f *frame) data(items []lower.Expr) []datum {
	var out []datum
	var item func(x lower.Expr)
	item = func(x lower.Expr) {
		if d, ok := x.(*lower.Loop); ok {
			f.loop(d, func() {
				for _, y := range d.Items {
					item(y)
				}
			})
			return
		}
		if x.Rank() == 0 {
			out = append(out, datum{v: f.value(x), t: x.Type()})
			return
		}
		a := f.array(x)
		a.each(func(at int) { out = append(out, datum{v: a.get(at), t: a.t}) })
	}
	for _, x := range items {
		item(x)
	}
	return out
}

// write carries out PRINT and WRITE.
func (f *frame) write(s *lower.Output) signal {
	f.status(s.Status)
	values := f.data(s.Items)
	var lines []string
	if s.List {
		lines = listDirected(values)
	} else {
		format := f.format(s.Format, s.Dynamic, s.At)
		var err string
		if lines, err = formatted(format, values); err != "" {
			fail(s.At, "%s", err)
		}
	}
	if s.Unit != nil && s.Unit.Type().Base == syntax.CharacterType {
		f.store(s.Unit, lower.Value{S: strings.Join(lines, "")})
		return signal{}
	}
	if s.Unit != nil {
		if n := f.integer(s.Unit); n != 6 && n != 0 {
			fail(s.At, "unit %d is not connected: files are not in the subset, only units 5, 6 and *", n)
		}
	}
	lines[0] = f.io.held + lines[0]
	f.io.held = ""
	last := len(lines) - 1
	for i, line := range lines {
		if i == last && s.Advance != nil && strings.EqualFold(strings.TrimSpace(f.value(s.Advance).S), "no") {
			f.io.held = line
			break
		}
		f.io.line(line)
	}
	return signal{}
}

// format is the format of a statement, which may be computed.
func (f *frame) format(known *syntax.Format, dynamic lower.Expr, at syntax.Pos) *syntax.Format {
	if known != nil {
		return known
	}
	text := f.value(dynamic).S
	format, msg, want := syntax.ParseFormat(strings.TrimRight(text, " "))
	if msg != "" {
		fail(at, "%s in the format %q (expected %s)", msg, text, want)
	}
	return format
}

// listDirected writes values as a list, after the habit of gfortran: each in a field that depends on its type alone.
func listDirected(values []datum) []string {
	line := ""
	text := false // the last was characters
	for i, d := range values {
		var s string
		switch d.t.Base {
		case syntax.IntegerType:
			width := map[uint8]int{1: 5, 2: 7, 4: 12, 8: 21}[d.t.Size]
			s = right(strconv.FormatInt(d.v.I, 10), width)
		case syntax.LogicalType:
			s = " F"
			if d.v.I != 0 {
				s = " T"
			}
		case syntax.CharacterType:
			s = d.v.S
			if !text || i == 0 {
				s = " " + s
			}
		case syntax.ComplexType:
			t := lower.Real
			if d.t.Size == 8 {
				t = lower.Double
			}
			width := map[uint8]int{4: 36, 8: 54}[d.t.Size]
			s = right("("+strings.TrimSpace(listFloat(real(d.v.Z), t))+","+strings.TrimSpace(listFloat(imag(d.v.Z), t))+")", width)
		default:
			s = listFloat(d.v.F, d.t)
		}
		line += s
		text = d.t.Base == syntax.CharacterType
	}
	return []string{line}
}

func right(s string, n int) string { return blanks(n-len(s)) + s }

// listFloat writes a real with 9 or 17 digits: as a fixed number where its size allows that, else with an exponent.
func listFloat(x float64, t lower.Type) string {
	digits, width, tail := 17, 25, 5
	if t.Base == syntax.RealType {
		digits, width, tail = 9, 16, 4
	}
	switch {
	case math.IsNaN(x):
		return right("NaN"+blanks(tail), width+tail/5)
	case math.IsInf(x, 1):
		return right("Infinity"+blanks(tail), width+tail/5)
	case math.IsInf(x, -1):
		return right("-Infinity"+blanks(tail), width+tail/5)
	}
	full := width + 1
	if x == 0 || math.Abs(x) >= 0.1 && math.Abs(x) < math.Pow(10, float64(digits)) {
		exp := 0
		if x != 0 {
			text := strconv.FormatFloat(math.Abs(x), 'e', digits-1, 64)
			exp, _ = strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
			exp++
		} else {
			exp = 1
		}
		s := strconv.FormatFloat(x, 'f', max(digits-exp, 0), 64)
		if !strings.Contains(s, ".") {
			s += "."
		}
		return right(s+blanks(tail), full)
	}
	text := strconv.FormatFloat(x, 'E', digits-1, 64)
	mantissa, exponent, _ := strings.Cut(text, "E")
	n, _ := strconv.Atoi(exponent)
	sign := "+"
	if n < 0 {
		sign, n = "-", -n
	}
	places := 3
	if tail == 4 {
		places = 2
	}
	e := strconv.Itoa(n)
	for len(e) < places {
		e = "0" + e
	}
	return right(mantissa+"E"+sign+e, full)
}
