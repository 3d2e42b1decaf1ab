package peers

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// fortran lists the programs of testdata/hpf, with the units in which their time is reported.
var fortran = []struct {
	name  string
	units float64
	unit  string
}{
	{"jacobi", 200 * 998 * 998, "point"}, // array syntax, 1000 x 1000
	{"jacobi_loops", 200 * 998 * 998, "point"},
	{"redblack", 100 * 998 * 998, "point"},
	{"shallow", 200 * 256 * 256, "point"},
	{"life", 40 * 500 * 500, "point"},
	{"cg", 150 * 512 * 512, "element"},
	{"lu", 500 * 500 * 500 / 3, "element"},
	{"matmul", 300 * 300 * 300, "element"},         // the innermost loop goes along a row
	{"matmul_columns", 300 * 300 * 300, "element"}, // and along a column
	{"nbody", 10 * 400 * 400, "pair"},
	{"sieve", 5e6, "number"},
	{"collatz", 10_753_840, "step"},
	{"fib", 78_176_337, "call"},
}

// BenchmarkFortran runs HPF programs on four simulated processors, the workstations of PerfVisS, recorded and sampled as by whorl run, and compares them with
// the same sources compiled by gfortran -O2. Both times are the processor time of the whole process.
func BenchmarkFortran(b *testing.B) {
	gfortran := peer(b, "gfortran")
	dir := b.TempDir()
	whorl := filepath.Join(dir, "whorl")
	if out, err := exec.Command("go", "build", "-o", whorl, "whorl/cmd/whorl").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, p := range fortran {
		source, program := filepath.Join("testdata", "hpf", p.name+".f90"), filepath.Join(dir, p.name)
		if out, err := exec.Command(gfortran, "-O2", "-o", program, source).CombinedOutput(); err != nil {
			b.Fatalf("%s: %v\n%s", p.name, err, out)
		}
		b.Run(p.name, func(b *testing.B) {
			var ours, theirs string
			compare(b, p.units, p.unit, "gfortran", func() (took time.Duration) {
				ours, took = spent(b, whorl, "run", source, "--pes", "4", "--machine", "alpha-farm", "-o", filepath.Join(dir, "t.whorl"))
				return took
			}, func() (took time.Duration) {
				theirs, took = spent(b, program)
				return took
			})
			if !sameNumbers(ours, theirs) {
				b.Errorf("%s\nand gfortran's\n%s", ours, theirs)
			}
		})
	}
}

// spent runs a command and returns its output and its processor time.
func spent(b *testing.B, name string, args ...string) (string, time.Duration) {
	cmd := exec.Command(name, args...)
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%s: %v", name, err)
	}
	return string(out), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// sameNumbers reports whether two texts have the same fields, with numbers equal to six digits.
func sameNumbers(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		v, err1 := strconv.ParseFloat(x[i], 64)
		w, err2 := strconv.ParseFloat(y[i], 64)
		if x[i] != y[i] && (err1 != nil || err2 != nil || max(v-w, w-v) > 1e-6*max(v, -v)) {
			return false
		}
	}
	return true
}
