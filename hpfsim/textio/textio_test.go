package textio

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/testdata/must"
)

func integer(v int64) Datum { return Datum{lower.Value{I: v}, lower.Integer} }
func single(v float64) Datum {
	return Datum{lower.Value{F: float64(float32(v))}, lower.Real}
}
func double(v float64) Datum { return Datum{lower.Value{F: v}, lower.Double} }
func truth(v int64) Datum    { return Datum{lower.Value{I: v}, lower.Logical} }
func chars(v string) Datum   { return Datum{lower.Value{S: v}, lower.Character} }

func parsed(t *testing.T, text string) *syntax.Format {
	t.Helper()
	f, msg, want := syntax.ParseFormat(text)
	if msg != "" {
		t.Fatalf("%s: %s (expected %s)", text, msg, want)
	}
	return f
}

// lines is a sink that keeps the text.
type lines struct{ strings.Builder }

func (l *lines) Text(p []byte) error {
	l.Write(p)
	return nil
}

func (l *lines) EndRecord() error { return l.WriteByte('\n') }

// formatted writes values by a format.
func formatted(format *syntax.Format, values []Datum) (string, error) {
	var out lines
	w := NewWriter(format, &out)
	for _, d := range values {
		if err := w.Put(d); err != nil {
			return "", err
		}
	}
	err := w.Close(true)
	return strings.TrimSuffix(out.String(), "\n"), err
}

// listed writes values as a list.
func listed(t *testing.T, values ...Datum) string {
	t.Helper()
	var out lines
	l := NewLister(&out)
	for _, d := range values {
		must.Do(t, l.Put(d))
	}
	must.Do(t, l.Close())
	return strings.TrimSuffix(out.String(), "\n")
}

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		format string
		values []Datum
		want   string // lines, or the error
	}{
		{"(I5,I5.3,I2)", []Datum{integer(-42), integer(7), integer(123)}, "  -42  007**"},
		{"(I0,1X,I3.0,'|')", []Datum{integer(0), integer(0)}, "0    |"},
		{"(SP,I4,F6.1,S,I4)", []Datum{integer(5), single(2), integer(5)}, "  +5  +2.0   5"},
		{"(Z4,O4,B6)", []Datum{integer(-1), integer(8), integer(5)}, "****  10   101"},
		{"(F8.3,F4.2,F3.2,F5.0)", []Datum{single(2.5), single(0.25), single(0.25), single(7)}, "   2.5000.25.25   7."},
		{"(2PF8.2)", []Datum{single(1.5)}, "  150.00"},
		{"(E10.3,1PE10.3,0PD10.3,-1PE10.3)", []Datum{single(1234.5), single(1234.5), double(0.5), single(1234.5)}, " 0.123E+04 1.234E+03 0.500D+00 0.012E+05"},
		{"(ES10.2,EN10.2,E12.2E4,E9.2)", []Datum{double(12345), double(12345), double(1e-7), double(1e200)}, "  1.23E+04 12.34E+03  0.10E-0006 0.10+201"},
		{"(E0.3,',',E0.3,',',ES0.2,',',D0.2,',',E0.2E3)", []Datum{double(1), double(0), double(1e200), double(-12), double(5)}, "0.100E+1,0.000,1.00E+200,-0.12D+2,0.50E+001"},
		{"(EN0.1,',',EN9.1,EN12.3,',',E0.1)", []Datum{double(999.96), double(999.96), double(-9.9999e20), double(math.Inf(1))}, "1.0E+3,  1.0E+03-999.990E+18,Inf"},
		{"(G10.3,G10.3,G10.3)", []Datum{single(0.5), single(1e9), single(0)}, " 0.500     0.100E+10  0.00    "},
		{"(G4.0,G4.0,G5.0,G0.3)", []Datum{integer(12), truth(1), chars("abc"), single(2.5)}, "  12   T  abc2.50"},
		{"(L3,L1)", []Datum{truth(1), truth(0)}, "  TF"},
		{"(A,A6,A2)", []Datum{chars("ab"), chars("ab"), chars("abcd")}, "ab    abab"},
		{"(T5,'right',T1,'left',TR1,'x',TL2,'y')", nil, "leftyxght"},
		{"('a',2X,'b',/,'c')", nil, "a  b\nc"},
		{"(A,:,'more')", []Datum{chars("only")}, "only"},
		{"(I1,2(I2,','))", []Datum{integer(1), integer(2), integer(3), integer(4), integer(5), integer(6)}, "1 2, 3,\n 4, 5,\n 6,"},
		{"(2F5.1)", []Datum{{lower.Value{Z: complex(1, -2)}, lower.Complex}}, "  1.0 -2.0"},
		{"(F8.1,F4.1,F9.1)", []Datum{double(math.NaN()), double(math.Inf(-1)), double(math.Inf(1))}, "     NaN-Inf Infinity"},
		{"(F5.1)", []Datum{integer(1)}, "a value of type integer does not fit the edit descriptor F"},
		{"(I5)", []Datum{chars("a")}, "a value of type character does not fit the edit descriptor I"},
		{"('x')", []Datum{integer(1)}, "the format has no edit descriptor for the remaining values"},
		{"(1048576(1048576('')))", nil, "the format repeats too much"},
		{"(2(1048576X),'x')", nil, "the format writes a line of more than 1048576 characters"},
	} {
		got, err := formatted(parsed(t, c.format), c.values)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.format, got, c.want)
		}
	}
}

func TestList(t *testing.T) {
	long := Datum{lower.Value{I: 7}, lower.Type{Base: syntax.IntegerType, Size: 8}}
	for _, c := range []struct {
		values []Datum
		want   string
	}{
		{[]Datum{integer(7), long}, "           7                    7"},
		{[]Datum{chars("a"), chars("b"), truth(1), chars("c")}, " ab T c"},
		{[]Datum{single(0.1), single(1e20), single(0)}, "  0.100000001       1.00000002E+20   0.00000000    "},
		{[]Datum{double(1e-300), double(2)}, "   1.0000000000000000E-300   2.0000000000000000     "},
		{[]Datum{single(math.NaN()), double(math.Inf(-1))}, "              NaN                 -Infinity"},
		{[]Datum{{lower.Value{Z: complex(math.Inf(1), 1)}, lower.Complex}}, "                    (Inf,1.00000000)"},
		{[]Datum{{lower.Value{Z: complex(1, 2)}, lower.Complex}}, "             (1.00000000,2.00000000)"},
	} {
		if got := listed(t, c.values...); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// records returns a function that returns lines one after the other.
func records(lines ...string) func() (string, error) {
	return func() (string, error) {
		if len(lines) == 0 {
			return "", io.EOF
		}
		line := lines[0]
		lines = lines[1:]
		return line, nil
	}
}

// TestRead reads values one after the other, with the old value 9, and writes them as a list.
func TestRead(t *testing.T) {
	i, r, l, c, z := lower.Integer, lower.Real, lower.Logical, lower.Character, lower.Complex
	for _, x := range []struct {
		format  string // empty for a list
		records []string
		types   []lower.Type
		want    string // values without blanks, or the error
	}{
		{"", []string{"1, 2", " 3"}, []lower.Type{i, i, i}, "1,2,3"},
		{"", []string{"2*5 , ,7"}, []lower.Type{i, i, i, i}, "5,5,9,7"},
		{"", []string{"1 / 5"}, []lower.Type{i, i}, "1,9"},
		{"", []string{"1.5d2 (1,-2) .true. 'a b'"}, []lower.Type{r, z, l, c}, "150.000000,(1.00000000,-2.00000000),T,ab"},
		{"", []string{"x"}, []lower.Type{i}, `"x" is not an integer`},
		{"", []string{"300"}, []lower.Type{{Base: syntax.IntegerType, Size: 1}}, `"300" is not an integer(1)`},
		{"", []string{"."}, []lower.Type{l}, `"." is not a logical value`},
		{"", []string{"1.2.3"}, []lower.Type{r}, `"1.2.3" is not a number`},
		{"", []string{"(1;2)"}, []lower.Type{z}, `"(1;2)" is not a complex number`},
		{"", []string{"'a"}, []lower.Type{c}, "a text is not terminated (expected ')"},
		{"", []string{"(1,"}, []lower.Type{z}, "a complex number is not terminated (expected a closing parenthesis)"},
		{"", []string{"1"}, []lower.Type{i, i}, "EOF"},
		{"(I3,F5.2,A2)", []string{" 12  325ab"}, []lower.Type{i, r, c}, "12,3.25000000,ab"},
		{"(F5.2)", []string{" 2.5 "}, []lower.Type{r}, "2.50000000"},
		{"(T4,I2,TL5,I3)", []string{"12345"}, []lower.Type{i, i}, "45,123"},
		{"(I2,/,1X,I1)", []string{"1", "23", "4"}, []lower.Type{i, i, i}, "1,3,4"},
		{"(I2)", []string{"1", "2"}, []lower.Type{i, i}, "1,2"},
		{"()", []string{"1"}, []lower.Type{i}, "the format has no edit descriptor for a value"},
		{"", []string{"2*'a b' 'it''s' \"x", "y\""}, []lower.Type{c, c, c, c}, "ab,ab,it's,xy"},
		{"", []string{"2* 3*", "4"}, []lower.Type{i, i, i, i, i, i}, "9,9,9,9,9,4"},
		{"", []string{"1.5+2 2d-1 1.5q1"}, []lower.Type{r, r, r}, "150.000000,0.200000003,15.0000000"},
		{"", []string{"0x10"}, []lower.Type{r}, `"0x10" is not a number`},
		{"", []string{"'1'"}, []lower.Type{i}, `"1" is characters, not integer`},
		{"", []string{"0*1"}, []lower.Type{i}, `"0" is not a number of repetitions (expected 1 to 1073741824)`},
		{"(I1,(I2))", []string{"1 2", " 3", " 4"}, []lower.Type{i, i, i, i}, "1,2,3,4"},
		{"(Z4,O3,B3)", []string{"00ff017101"}, []lower.Type{i, i, i}, "255,15,5"},
		{"(2PF5.0,F5.1)", []string{"1500.  25"}, []lower.Type{r, r}, "15.0000000,2.50000004E-02"},
		{"('x')", []string{"1", "2", "3"}, []lower.Type{i}, "the format has no edit descriptor for a value"},
	} {
		in := NewListReader(records(x.records...))
		if x.format != "" {
			in = NewFormatReader(parsed(t, x.format), records(x.records...))
		}
		var out []string
		got := ""
		for _, typ := range x.types {
			v, err := in.Next(typ, lower.Value{I: 9, S: "        "})
			if err != nil {
				got = err.Error()
				break
			}
			out = append(out, strings.ReplaceAll(listed(t, Datum{v, typ}), " ", ""))
		}
		if got == "" {
			got = strings.Join(out, ",")
		}
		if got != x.want {
			t.Errorf("%s %q: %s, want %s", x.format, x.records, got, x.want)
		}
	}
}

// TestReadSkipsRecord checks that a READ without values skips a record.
func TestReadSkipsRecord(t *testing.T) {
	next := records("1", "2")
	must.Do(t, NewListReader(next).Close())
	r := NewListReader(next)
	v, _ := r.Next(lower.Integer, lower.Value{})
	if err := r.Close(); v.I != 2 || err != nil {
		t.Errorf("read %d, %v", v.I, err)
	}
	if _, err := NewListReader(records("")).Next(lower.Integer, lower.Value{}); !errors.Is(err, io.EOF) {
		t.Errorf("an internal file of one empty record: %v", err)
	}
}

// TestGroupErrors reads groups that are wrong.
func TestGroupErrors(t *testing.T) {
	values := make([]lower.Value, 4)
	group := func() []Object {
		get, set := func(i int) lower.Value { return values[i] }, func(i int, v lower.Value) { values[i] = v }
		return []Object{
			{Name: "A", Type: lower.Integer, Lo: []int{1, 0}, N: []int{2, 2}, Get: get, Set: set},
			{Name: "C", Type: lower.Character, Length: 4, Get: func(int) lower.Value { return lower.Value{S: "abcd"} }, Set: set},
		}
	}
	for _, c := range []struct{ text, want string }{
		{"&g a(1,3) = 1 /", "subscript 2 of A is outside of the dimension, which runs from 0 to 1"},
		{"&g a(1) = 1 /", "1 subscripts of A, which has 2 dimensions"},
		{"&g a(1:2:0,1) = 1 /", "a step of 0 in a subscript of A"},
		{"&g a(x,1) = 1 /", `"x" is not a subscript (expected a number)`},
		{"&g a(1:2:3:4,1) = 1 /", `"1:2:3:4" is not a subscript (expected lo:hi:step)`},
		{"&g a(1:2,1)(1:2) = 1 /", "A has no such part"},
		{"&g a(:,0) = 1 2 3 /", "too many values for a"},
		{"&g a = 'x' /", `A: "x" is characters, not integer`},
		{"&g c(3:5) = 'x' /", "characters 3 to 5 of C, which has 4"},
		{"&g b = 1 /", `"b" is not in the group (expected one of a c)`},
		{"&g cc = 1 /", `"cc" is not in the group (expected one of a c; did you mean c?)`},
		{"&g a 1 /", `"a" in a group (expected NAME=value)`},
		{"&g a = 1 &ned", `"&ned" within a group (expected &end or /)`},
		{"&g a(1 = 1 /", `"a(1" in a group (expected NAME=value)`},
		{"&g (", `"(" in a group (expected NAME=value)`},
		{"&g a = 2*", "EOF"},
		{"&h /", "EOF"},
	} {
		if err := ReadGroup("g", group(), records(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}

// FuzzReadGroup checks that no text of a group panics.
func FuzzReadGroup(f *testing.F) {
	for _, s := range []string{"&g a(1,1)=1 2*3 c(2:3)='x' /", "&g a(:,1:0:-1) = 1* , &end", "&g c=\"a\nb\" ! x"} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, text string) {
		values := make([]lower.Value, 5)
		get, set := func(i int) lower.Value { return values[i] }, func(i int, v lower.Value) { values[i] = v }
		_ = ReadGroup("g", []Object{
			{Name: "A", Type: lower.Integer, Lo: []int{1, 0}, N: []int{2, 2}, Get: get, Set: set},
			{Name: "C", Type: lower.Character, Length: 4, Get: func(int) lower.Value { return lower.Value{S: "abcd"} }, Set: set},
			{Name: "Z", Type: lower.Complex, Get: get, Set: set},
			{Name: "E", Type: lower.Real, Lo: []int{1}, N: []int{0}, Get: get, Set: set},
		}, records(strings.Split(text, "\n")...))
	})
}
