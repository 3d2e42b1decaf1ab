package exec

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/sim"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

var update = flag.Bool("update", false, "rewrite the outputs in testdata")

func prepared(t testing.TB, name, text string, processors int) *lower.Program {
	t.Helper()
	f, errs := syntax.Parse(name, text, syntax.Options{})
	if errs.Failed() {
		t.Fatal(errs.Error())
	}
	p, errs := lower.Lower(f, processors, Constant)
	if errs.Failed() {
		t.Fatal(f.Locate(errs).Error())
	}
	return p
}

var model = sim.Model{InstructionPs: 2000, Latency: 1000, Overhead: 500, BytePs: 300}

func machine(t testing.TB, p *lower.Program, o Options) *Machine {
	t.Helper()
	net := must.Get(sim.NetworkNamed("ring", p.Processors))(t)
	o.Network = net
	if o.Model == (sim.Model{}) {
		o.Model = model
	}
	return New(p, o)
}

// run runs a program to its end and returns its output.
func run(t testing.TB, name, text, input string, processors int, o Options) (string, *Machine, error) {
	t.Helper()
	var out bytes.Buffer
	o.Input, o.Output = strings.NewReader(input), &out
	m := machine(t, prepared(t, name, text, processors), o)
	for {
		more, err := m.Advance(1000)
		if !more {
			return out.String(), m, err
		}
	}
}

func programs(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/*.f*")
	if err != nil || len(names) < 4 {
		t.Fatalf("programs: %v, %v", names, err)
	}
	return names
}

func texts(t testing.TB, name string) (text, input string) {
	t.Helper()
	b := must.Get(os.ReadFile(name))(t)
	in, _ := os.ReadFile(strings.TrimSuffix(name, filepath.Ext(name)) + ".in")
	return string(b), string(in)
}

// TestPrograms compares the output of programs, on any number of processors, with that of gfortran, which ignores the
// directives.
func TestPrograms(t *testing.T) {
	testenv.Sequential(t)
	for _, name := range programs(t) {
		text, input := texts(t, name)
		golden := strings.TrimSuffix(name, filepath.Ext(name)) + ".out"
		if *update {
			out, _, err := run(t, name, text, input, 1, Options{})
			if err != nil {
				t.Fatal(err)
			}
			must.Do(t, os.WriteFile(golden, []byte(out), 0o666))
		}
		want := must.Get(os.ReadFile(golden))(t)
		for _, processors := range []int{1, 2, 4, 7, 16, 64} {
			out, _, err := run(t, name, text, input, processors, Options{})
			if err != nil || out != string(want) {
				t.Errorf("%s on %d processors: %v\n%s", name, processors, err, out)
			}
		}
	}
}

// TestLocal checks that an HPF_LOCAL subroutine runs on each processor separately, with the processor's part of the arrays.
func TestLocal(t *testing.T) {
	const source = "program p\nreal a(10), b(10)\ninteger sizes(10)\n!HPF$ DISTRIBUTE a(BLOCK)\n!HPF$ DISTRIBUTE (CYCLIC) :: b, sizes\n" +
		"a = (/ (real(i), i = 1, 10) /)\nb = 100 * a\nsizes = 0\ncall mine(a, b, sizes, 7)\nprint '(10f6.0)', a\nprint '(10i3)', sizes\nend\n" +
		"extrinsic(hpf_local) subroutine mine(x, y, s, more)\nreal, intent(inout) :: x(:)\nreal, intent(in) :: y(:)\ninteger, intent(out) :: s(:)\n" +
		"integer, intent(in) :: more\n!HPF$ DISTRIBUTE x(BLOCK)\n!HPF$ DISTRIBUTE (CYCLIC) :: y, s\n" +
		"s = size(x)\nif (size(x) > 0) x(1) = -x(1)\ndo i = 1, min(size(x), size(y))\nx(i) = x(i) + y(i) + more\nend do\nend subroutine\n"
	for _, c := range []struct {
		processors int
		want       string
	}{
		{1, "106 209 310 411 512 613 714 815 916 1017 10 10 10 10 10 10 10 10 10 10"},
		{3, "106 409 710 1011 202 513 814 8 298 617 4 4 2 4 4 2 4 4 2 4"}, // 1-4, 5-8, 9-10 meet 1 4 7 10, 2 5 8, 3 6 9
		{16, "106 205 304 403 502 601 700 799 898 997 1 1 1 1 1 1 1 1 1 1"},
	} {
		out, _, err := run(t, "p.f90", source, "", c.processors, Options{})
		if got := strings.ReplaceAll(strings.Join(strings.Fields(out), " "), ".", ""); err != nil || got != c.want {
			t.Errorf("%d processors: %v\n%s\n%s", c.processors, err, got, c.want)
		}
	}
}

// TestLocalAligned checks that an argument of an HPF_LOCAL subroutine may be aligned with another, or with a template.
func TestLocalAligned(t *testing.T) {
	for _, directives := range []string{"!HPF$ ALIGN x(i) WITH y(i)\n!HPF$ DISTRIBUTE y(CYCLIC)\n", "!HPF$ TEMPLATE t(10)\n!HPF$ ALIGN (i) WITH t(i) :: x, y\n!HPF$ DISTRIBUTE t(CYCLIC)\n"} {
		out, _, err := run(t, "b.f90", "program p\nreal a(10), b(10)\n!HPF$ DISTRIBUTE (BLOCK) :: a, b\na = (/ (i, i = 1, 10) /); b = 2 * a\ncall mine(a, b)\nprint '(10f4.0)', a\nend\n"+
			"extrinsic(hpf_local) subroutine mine(x, y)\nreal x(:), y(:)\n"+directives+"x = x + y + 100 * size(x)\nend subroutine\n", "", 3, Options{})
		if err != nil || out != "403.306.309.412.315.318.421.324.327.430.\n" {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

// TestGfortran compares outputs with those of the same source compiled by gfortran, if it is installed: numbers to nine
// digits.
func TestGfortran(t *testing.T) {
	testenv.Sequential(t)
	compiler, err := osexec.LookPath("gfortran")
	if err != nil {
		t.Skip("gfortran is not installed")
	}
	for _, name := range programs(t) {
		text, input := texts(t, name)
		binary := filepath.Join(t.TempDir(), "a.out")
		if out, err := osexec.Command(compiler, "-O0", "-std=legacy", "-ffree-line-length-none", "-J", t.TempDir(), "-o", binary, name).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		cmd := osexec.Command(binary)
		cmd.Stdin, cmd.Dir = strings.NewReader(input), filepath.Dir(binary)
		want, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, _, err := run(t, name, text, input, 4, Options{})
		if err != nil {
			t.Fatal(err)
		}
		a, b := strings.Fields(got), strings.Fields(string(want))
		if len(a) != len(b) {
			t.Errorf("%s: %d fields, want the %d of gfortran\n%s\n%s", name, len(a), len(b), got, want)
			continue
		}
		for i := range a {
			if a[i] != b[i] && !near(a[i], b[i]) {
				t.Errorf("%s: field %d is %s, want gfortran's %s", name, i, a[i], b[i])
			}
		}
	}
}

func near(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err1 == nil && err2 == nil && math.Abs(x-y) <= 1e-6*max(math.Abs(x), math.Abs(y), 1e-3)
}

// TestErrors checks that errors of programs name the position and the cause.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"a(k) = 1", "e.f90:5:1: index 11 is outside of dimension 1 of A, which runs from 1 to 10, on processor 1"},                             // the owner of the nearest element
		{"do i = 1, 10; a(i) = a(i+1); end do", "e.f90:5:22: index 11 is outside of dimension 1 of A, which runs from 1 to 10, on processor 1"}, // the owner of a(10)
		{"forall (i=1:8) a(i) = a(i+k*(i/6))", "index 17 is outside of dimension 1 of A, which runs from 1 to 10, on processor 1"},
		{"b(2:k) = 1", "e.f90:5:1: section 2:11 is outside of dimension 1 of B, which runs from 1 to 10, on processor 0"},
		{"a(2:k) = 1", "e.f90:5:1: section 2:11 is outside of dimension 1 of A, which runs from 1 to 10, on processor 1"},
		{"a(k:2:-3) = 1", "section 11:2 is outside of dimension 1 of A, which runs from 1 to 10, on processor 1"},
		{"a(4:-2:-2) = 1", "section 4:-2 is outside of dimension 1 of A, which runs from 1 to 10, on processor 0"},
		{"a = b(2:k)", "section 2:11 is outside of dimension 1 of B, which runs from 1 to 10, on processor 1"},
		{"a(1:4) = -b(8:k) * 2", "section 8:11 is outside of dimension 1 of B, which runs from 1 to 10, on processor 0"},
		{"a(4:7) = sqrt(b(8:k))", "section 8:11 is outside of dimension 1 of B, which runs from 1 to 10, on processor 1"}, // a(7)
		{"a = sum(b(2:k))", "section 2:11 is outside of dimension 1 of B, which runs from 1 to 10, on processor 0"},       // all processors compute the sum
		{"a((/ 3, 11 /)) = 1", "index 11 is outside of dimension 1 of A, which runs from 1 to 10, on processor 1"},
		{"a((/ 3, 9 /)) = b((/ 1, k /))", "index 11 is outside of dimension 1 of B, which runs from 1 to 10, on processor 1"}, // a(9)
		{"a((/ 9, 3 /)) = b((/ 1, k /))", "index 11 is outside of dimension 1 of B, which runs from 1 to 10, on processor 0"},
		{"where (b > -1) a = b(2:k)", "section 2:11 is outside of dimension 1 of B, which runs from 1 to 10, on processor 1"},
		{"d(2, :) = b(2:k)", "section 2:11 is outside of dimension 1 of B, which runs from 1 to 10, on processor 1"},
		{"d(:, 2) = b(2:k)", "section 2:11 is outside of dimension 1 of B, which runs from 1 to 10, on processor 0"},
		{"d = d(:, 2:k)", "section 2:11 is outside of dimension 2 of D, which runs from 1 to 10, on processor 1"},
		{"d = d(2:k, :)", "section 2:11 is outside of dimension 1 of D, which runs from 1 to 10, on processor 0"},
		{"forall (i=1:2) d(:, i*4) = b(2:9+i)", "section 2:11 is outside of dimension 1 of B, which runs from 1 to 10, on processor 1"},
		{"print *, a(2:k)", "section 2:11 is outside of dimension 1 of A, which runs from 1 to 10, on processor 0"},
		{"k = k / (k - 11)", "e.f90:5:5: division of an integer by zero"},
		{"k = mod(k, k - 11)", "e.f90:5:5: MOD by zero"},
		{"a(1:3) = b(1:k-7)", "e.f90:5:10: the shapes [3] and [4] do not conform"},
		{"read *, k", "e.f90:5:1: READ at the end of the input"},
		{"stop 3", "e.f90:5:1: the program stopped with 3"},
		{"w(1) = 1", "e.f90:5:1: W is not allocated"},
		{"allocate(w(3)); allocate(w(3))", "e.f90:5:17: W is allocated already"},
		{"print '(f8.2)', k", "e.f90:5:1: a value of type integer does not fit the edit descriptor F"},
		{"c = repeat(c, 4611686018427387904_8)", "e.f90:5:5: REPEAT makes 4611686018427387904 copies of 4 characters"},
		{"call deep(k)", "calls nest more than 5000 deep"},
		{"k = ichar(c(3:9))", "e.f90:5:11: characters 3 to 9 of a text of 4"},
	} {
		text := "program e\ninteger :: k = 11; real a(10), b(10), d(10, 10); real, allocatable :: w(:); character(4) :: c = 'abcd'\n!HPF$ DISTRIBUTE a(BLOCK)\n!HPF$ DISTRIBUTE d(*, BLOCK)\n" +
			c.body + "\ncontains\nrecursive subroutine deep(n)\ninteger n\ncall deep(n)\nend subroutine\nend\n"
		_, _, err := run(t, "e.f90", text, "", 2, Options{})
		var e *RunError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
}

func TestLimits(t *testing.T) {
	_, _, err := run(t, "m.f90", "real a(100000)\na = 1\nend\n", "", 1, Options{Limits: Limits{Bytes: 1000}})
	var limit *LimitError
	if !errors.As(err, &limit) || limit.What != "memory" {
		t.Errorf("a large array: %v", err)
	}
	for _, body := range []string{"write (9, *) (i, i = 1, 100000000)", "character(9) a(90000); read (5, *) a", "print *, sum((/ (i, i = 1, 100000000) /))"} {
		if _, _, err := run(t, "o.f90", body+"\nend\n", strings.Repeat("x", 1<<20), 1, Options{Limits: Limits{Bytes: 1 << 16}}); !errors.As(err, &limit) {
			t.Errorf("%s: %v", body, err)
		}
	}
	long := machine(t, prepared(t, "o.f90", "print *, (i, i = 1, 100000)\nend\n", 1), Options{})
	if more, err := long.Advance(10); !more || err != nil {
		t.Errorf("a long list of output does not pause: %v, %v", more, err)
	}
	long.Close(2)
	m := machine(t, prepared(t, "l.f90", "do\nk = k + 1\nend do\nend\n", 2), Options{})
	if more, err := m.Advance(1000); !more || err != nil {
		t.Errorf("an endless loop: %v, %v", more, err)
	}
	m.Close(2)
	if more, err := m.Advance(1000); more || err != nil {
		t.Errorf("a closed run: %v, %v", more, err)
	}
}

// TestDeterministic checks that a program gives the same events for any length of the slices of Advance.
func TestDeterministic(t *testing.T) {
	text, input := texts(t, "testdata/shapes.f90")
	dump := func(slice int) string {
		mem := tracer.NewMemory()
		m := machine(t, prepared(t, "shapes.f90", text, 4), Options{Recorder: mem, Sample: 1000, Input: strings.NewReader(input)})
		for {
			if more, err := m.Advance(slice); !more {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
		}
		must.Do(t, mem.Close())
		var b bytes.Buffer
		must.Do(t, tracer.WriteText(&b, mem))
		return b.String()
	}
	one := dump(1 << 30)
	if one != dump(7) {
		t.Error("slices of 7 statements give a different trace")
	}
	if !strings.Contains(one, "Sample") || !strings.Contains(one, "Send") {
		t.Error("no samples, or no messages")
	}
}

// TestSamplesAreExact compares samples with those of a machine that executes instructions one by one.
func TestSamplesAreExact(t *testing.T) {
	for _, name := range []string{"testdata/shapes.f90", "testdata/language.f90", "../../testdata/programs/jacobi.f"} {
		text, input := texts(t, name)
		dump := func(step bool, period int64) (string, int64) {
			mem := tracer.NewMemory()
			m := machine(t, prepared(t, name, text, 4), Options{Recorder: mem, Sample: period, apart: true, stepwise: step, Input: strings.NewReader(input)})
			must.Get(m.Advance(1 << 40))(t)
			must.Do(t, mem.Close())
			var b bytes.Buffer
			must.Do(t, tracer.WriteText(&b, mem))
			return b.String(), mem.Counts()[tracer.Sample]
		}
		exact, n := dump(false, 1009)
		if stepped, _ := dump(true, 1009); exact != stepped {
			t.Errorf("%s: the samples differ from those of a stepping machine", name)
		}
		if other, m := dump(false, 2017); other == exact || m >= n {
			t.Errorf("%s: %d samples, and %d at half the rate", name, n, m)
		}
	}
}

// TestImbalance checks that a processor that owns more computes longer: in a loop over a triangle BLOCK leaves the last
// processors without work, CYCLIC does not.
func TestImbalance(t *testing.T) {
	const source = "program tri\ninteger, parameter :: n = 64\nreal a(n, n)\n!HPF$ DISTRIBUTE a(*, FORMAT)\n" +
		"do j = 1, n\ndo i = j, n\na(i, j) = sqrt(real(i * j))\nend do\nend do\nend\n"
	spread := func(format string) float64 {
		_, m, err := run(t, "tri.f90", strings.Replace(source, "FORMAT", format, 1), "", 4, Options{})
		if err != nil {
			t.Fatal(err)
		}
		least, most := int64(math.MaxInt64), int64(0)
		for _, p := range m.ranks {
			busy, _ := m.clocks.Busy(p)
			least, most = min(least, busy), max(most, busy)
		}
		return float64(most) / float64(least)
	}
	if b, c := spread("BLOCK"), spread("CYCLIC"); b < 3 || c > 1.2 {
		t.Errorf("imbalance of BLOCK %.2f, of CYCLIC %.2f", b, c)
	}
}

// TestLines checks that assignments line by line give the same values as assignments of whole arrays, also if an array is
// assigned to itself.
func TestLines(t *testing.T) {
	const head = "program p\nreal*8 a(6, 5), b(6, 5)\nreal c(6, 5)\n!HPF$ DISTRIBUTE (BLOCK, *) :: a, b\nforall (i=1:6, j=1:5) a(i, j) = i + 10 * j\nb = 2 * a\nc = a / 3\n"
	const tail = "\nprint '(6f12.5)', a\nend\n"
	for _, assign := range []string{
		"a = a + b * 2 - c", "a(2:6, :) = a(1:5, :)", "a(1:5, :) = a(2:6, :) + b(1:5, :)", "a(:, 5:1:-1) = a", "a(6:1:-1, :) = -a + 1",
		"a(1:6:2, 1:5:2) = b(2:6:2, 1:5:2) * c(1:3, 2:4)", "a = a(3, 2)", "a(:, 1) = a(1, 5) / a(:, 1)", "a(2, :) = a(3, :) * b(1, :)",
	} {
		once, _, err := run(t, "p.f90", head+assign+tail, "", 3, Options{})
		if err != nil {
			t.Errorf("%s: %v", assign, err)
			continue
		}
		left, right, _ := strings.Cut(assign, " = ")
		whole := left + " = merge(" + right + ", 0d0, .true.)" // not computed line by line
		if right == "a(3, 2)" {
			whole = left + " = 0 * a + " + right
		}
		other, _, err := run(t, "p.f90", head+whole+tail, "", 3, Options{})
		if err != nil || once != other {
			t.Errorf("%s: %v\n%sas a whole\n%s", assign, err, once, other)
		}
	}
}
