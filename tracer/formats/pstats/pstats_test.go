package pstats

import (
	"os"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
)

func read(texts ...string) (*tracer.Memory, error) {
	return profiletest.Read(Read, "rank%d.pstats", profile.Options{}, texts...)
}

// TestPython reads the profile of testdata/calls.py by Python 3.11. The module pstats tells 3,591,058 ns in 14,172 calls of 49 functions, and the times
// and calls below: times with inner calls differ by rounding, or where functions of the profiler have no time.
func TestPython(t *testing.T) {
	m := must.Get(read(string(must.Get(os.ReadFile("../../../testdata/profiles/calls.pstats"))(t))))(t)
	const want = `3591058 ns
1501880 1501880 <genexpr>
1084635 2586515 <built-in method builtins.sum>
573568 573568 fib
53692 53692 <method 'sub' of 're.Pattern' objects>
`
	if got := profiletest.Functions(t, m, "time", 4); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	const calls = "14172 calls\n12021 12021 <genexpr>\n1973 1973 fib\n21 12063 leaf\n"
	if got := profiletest.Functions(t, m, "calls", 3); got != calls {
		t.Errorf("got\n%s\nwant\n%s", got, calls)
	}
	if text := profiletest.Text(t, m); !strings.Contains(text, `name="fib" file="calls.py" line=4`) {
		t.Error(text)
	}
}

// Parts of files in the form of marshal, which Python 2 and Python 3 write: the function main of a.py, called by nobody, calls f twice. The module
// profile gives the number of calls in place of the times of callers.
const (
	name2 = "(\x03\x00\x00\x00s\x04\x00\x00\x00a.pyi\x01\x00\x00\x00t\x04\x00\x00\x00main"
	old   = "{" + name2 + "(\x05\x00\x00\x00i\x01\x00\x00\x00i\x01\x00\x00\x00f\x030.5f\x011{0" +
		"(\x03\x00\x00\x00s\x04\x00\x00\x00a.pyi\x07\x00\x00\x00s\x01\x00\x00\x00f" + "(\x05\x00\x00\x00i\x02\x00\x00\x00l\x01\x00\x00\x00\x02\x00f\x030.5f\x030.5{" +
		"(\x03\x00\x00\x00s\x04\x00\x00\x00a.pyi\x01\x00\x00\x00R\x00\x00\x00\x00" + "i\x02\x00\x00\x0000"
)

func TestOld(t *testing.T) {
	m := must.Get(read(old))(t)
	if got := profiletest.Functions(t, m, "time", 9); got != "1000000000 ns\n500000000 1000000000 main\n500000000 500000000 f\n" {
		t.Error(got)
	}
	if got := profiletest.Functions(t, m, "calls", 9); got != "3 calls\n2 2 f\n1 3 main\n" {
		t.Error(got)
	}
}

func TestDamaged(t *testing.T) {
	m := must.Get(read(old[:len(old)-30]))(t)
	meta := m.Meta()
	if got := meta.Missing(); got != "the rest of rank0.pstats from byte 108 on: the file is cut" {
		t.Errorf("missing %q", got)
	}
	m = must.Get(read("{i\x01\x00\x00\x00N0"))(t)
	if meta = m.Meta(); meta.Missing() != "1 entry of unknown form; rank0.pstats has no functions" {
		t.Errorf("missing %q", meta.Missing())
	}
	for _, c := range []struct{ text, want string }{
		{"hello", "rank0.pstats: offset 0: expected a dictionary of Python's module marshal"},
		{"{(\x03\x00\x00\x00", "rank0.pstats: the file is cut"},
		{"{c", `rank0.pstats: offset 1: a value of type 'c'; expected numbers, strings, tuples and dictionaries`},
		{"{r\x07\x00\x00\x00", "rank0.pstats: offset 1: a reference to value 7 of 0"},
		{"{" + strings.Repeat(")\x01", 20), "rank0.pstats: offset 31: more than 16 values within each other"},
		{"{(\xff\xff\xff\x7f", "rank0.pstats: the file is cut"},
	} {
		if _, err := read(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	profiletest.Fuzz(f, Read, Detect, old, "\xfb\xa9\x03\xda\x01ai\x01\x00\x00\x00\xda\x01b\xa9\x05\xe9\x01\x00\x00\x00r\x04\x00\x00\x00g\x00\x00\x00\x00\x00\x00\xe0\x3fr\x00\x00\x00\x00{00")
}
