package peers

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"whorl/dts"
	"whorl/testdata/must"
)

// BenchmarkForkJoin runs fib with a thread for every call but the last, on one core and on two, and compares it with tasks of oneTBB and of gcc's
// OpenMP, in ns for each fork and join, including the additions. The peers are built by g++ and report their time without startup.
func BenchmarkForkJoin(b *testing.B) {
	gcc := peer(b, "g++")
	for _, p := range []struct {
		name  string
		n     int // of fib; smaller for OpenMP, whose tasks are slow on several threads
		flags []string
	}{{"tbb", 30, []string{"-ltbb"}}, {"openmp", 27, []string{"-fopenmp"}}} {
		program := filepath.Join(b.TempDir(), p.name)
		args := append([]string{"-O2", "-std=c++17", "-o", program, filepath.Join("testdata", "fib_"+p.name+".cpp")}, p.flags...)
		if out, err := exec.Command(gcc, args...).CombinedOutput(); err != nil {
			b.Logf("%s is left out: %s", p.name, firstLine(out))
			continue
		}
		want, forks := fibForks(p.n)
		for _, cores := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/cores=%d", p.name, cores), func(b *testing.B) {
				compare(b, float64(forks), "fork", p.name, func() time.Duration {
					begin := time.Now()
					got, err := dts.Run(b.Context(), dts.Options{PEs: cores}, func(w *dts.Worker) int { return fib(w, p.n) })
					if err != nil || got != want {
						b.Fatal(got, err)
					}
					return time.Since(begin)
				}, func() time.Duration {
					out := must.Get(exec.Command(program, strconv.Itoa(cores), strconv.Itoa(p.n)).Output())(b)
					answer, took, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
					seconds, err := strconv.ParseFloat(took, 64)
					if err != nil || answer != strconv.Itoa(want) {
						b.Fatalf("%q: %v", out, err)
					}
					return time.Duration(seconds * 1e9)
				})
			})
		}
	}
}

func fib(w *dts.Worker, n int) int {
	if n < 2 {
		return n
	}
	a := dts.Fork(w, fib, n-1)
	b := fib(w, n-2)
	return a.Join(w) + b
}

// fibForks returns fib(n) and the number of threads that it forks.
func fibForks(n int) (value, forks int) {
	a, b, f, g := 0, 1, 0, 0 // fib and forks of i and of i+1
	for range n {
		a, b, f, g = b, a+b, g, f+g+1
	}
	return a, f
}

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}
