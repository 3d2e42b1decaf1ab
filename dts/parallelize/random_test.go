package parallelize

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

// A writer writes random programs: functions with loops, branches, assignments, output, and calls of marked functions
// and of functions that only read or that write.
type writer struct {
	strings.Builder
	r     *rand.Rand
	depth int
	names int
}

const prologue = `package main

import "fmt"

var global = 3

//dts:fork
func pure(n int) int { return n*n%1009 + 1 }

//dts:fork
func both(a, b int) (int, int) { return a - b, a*b%31 + 1 }

//dts:fork
func reads(xs []int) int {
	sum := global
	for _, x := range xs {
		sum = (sum*3 + x) % 10007
	}
	return sum
}

//dts:fork
func divides(a, b int) int {
	if b == 0 {
		return 1
	}
	return a / b
}

func writes(xs []int, n int) int {
	xs[n&3] += n % 17
	global = (global + n) % 101
	return global
}

`

// expression returns a random integer expression of the variables a, b and c.
func (w *writer) expression(depth int) string {
	v := func() string { return string("abc"[w.r.IntN(3)]) }
	if depth == 0 {
		return [...]string{v(), fmt.Sprint(w.r.IntN(9)), "len(xs)"}[w.r.IntN(3)]
	}
	e := func() string { return w.expression(depth - 1) }
	switch w.r.IntN(12) {
	case 0, 1, 2:
		return "pure(" + e() + ")"
	case 3:
		return "reads(xs)"
	case 4:
		return "divides(" + e() + ", " + e() + ")"
	case 5:
		return "writes(xs, " + e() + "&7)"
	case 6:
		return "xs[" + e() + "&3]"
	case 7:
		return "max(" + e() + ", " + e() + ")"
	case 8:
		return "global"
	default:
		return "(" + e() + [...]string{" + ", " - ", " % 13 + "}[w.r.IntN(3)] + e() + ")"
	}
}

func (w *writer) statements(n int) {
	for range n {
		w.statement()
	}
}

func (w *writer) statement() {
	v := func() string { return string("abc"[w.r.IntN(3)]) }
	e := func() string { return w.expression(1 + w.r.IntN(2)) }
	w.depth++
	defer func() { w.depth-- }()
	kind := w.r.IntN(16)
	if w.depth > 3 {
		kind = w.r.IntN(10)
	}
	switch kind {
	case 0, 1, 2, 3:
		fmt.Fprintf(w, "%s = %s\n", v(), e())
	case 4:
		fmt.Fprintf(w, "%s %s= pure(%s)\n", v(), [...]string{"+", "-", "^"}[w.r.IntN(3)], e())
	case 5:
		x := "abc"
		i := w.r.IntN(3)
		fmt.Fprintf(w, "%c, %c = both(%s, %s)\n", x[i], x[(i+1)%3], e(), e())
	case 6:
		fmt.Fprintf(w, "fmt.Println(%s)\n", e())
	case 7:
		fmt.Fprintf(w, "xs[%s&3] = %s %% 100\n", v(), e())
	case 8:
		fmt.Fprintf(w, "xs = append(xs, %s %% 100)\n", e())
	case 9:
		w.names++
		n := w.names
		fmt.Fprintf(w, "n%d := %s\n", n, e())
		w.statement()
		fmt.Fprintf(w, "%s += n%d\n", v(), n)
	case 10, 11:
		fmt.Fprintf(w, "if %s > %s {\n", e(), e())
		w.statements(1 + w.r.IntN(3))
		if w.r.IntN(2) == 0 {
			w.WriteString("} else {\n")
			w.statements(1 + w.r.IntN(2))
		}
		w.WriteString("}\n")
	case 12:
		w.names++
		fmt.Fprintf(w, "for i%d := range 3 {\n%s += pure(i%d)\n", w.names, v(), w.names)
		if w.r.IntN(2) == 0 {
			w.statements(1 + w.r.IntN(2))
		}
		w.WriteString("}\n")
	case 13:
		w.names++
		fmt.Fprintf(w, "for range 2 {\n")
		w.statements(1 + w.r.IntN(3))
		if w.r.IntN(3) == 0 {
			fmt.Fprintf(w, "if %s > 50 {\n%s\n}\n", v(), [...]string{"break", "continue"}[w.r.IntN(2)])
			w.statement()
		}
		w.WriteString("}\n")
	case 14: // shadows outer names
		fmt.Fprintf(w, "{\na := %s\nb, c := both(a, 2)\n", e())
		w.statements(2)
		w.WriteString("fmt.Println(a, b, c)\n}\n")
	case 15:
		fmt.Fprintf(w, "if %s == 77 {\nreturn %s\n}\n", v(), e())
	}
}

// randomProgram returns a program with the given number of functions and a main that prints their results.
func randomProgram(seed uint64, functions int) string {
	w := &writer{r: rand.New(rand.NewPCG(seed, 0))}
	w.WriteString(prologue)
	for i := range functions {
		fmt.Fprintf(w, "func f%d(a, b, c int) int {\nxs := []int{a, 2, 3, b}\n", i)
		w.statements(5)
		w.WriteString("fmt.Println(xs)\nreturn a ^ b ^ c\n}\n\n")
	}
	w.WriteString("func main() {\n")
	for i := range functions {
		fmt.Fprintf(w, "for k := range 4 {\nfmt.Println(%d, f%d(k, 5-k, 2*k), global)\n}\n", i, i)
	}
	w.WriteString("}\n")
	return w.String()
}

// Random programs print the same after the rewriting, on real cores and simulated.
func TestRandom(t *testing.T) { compareRandom(t, 1, callProgram) }

func TestRandomSoak(t *testing.T) {
	testenv.OnlySoak(t)
	compareRandom(t, 20, callProgram)
}

func callProgram(seed uint64) string { return randomProgram(seed, 60) }

func compareRandom(t *testing.T, seeds uint64, program func(seed uint64) string) {
	for seed := range seeds {
		// The directory is in this module, so that the rewritten program finds dts.
		folder := must.Get(os.MkdirTemp("testdata", "random"))(t)
		t.Cleanup(func() { os.RemoveAll(folder) })
		dir := t.TempDir()
		source := filepath.Join(folder, "main.go")
		must.Do(t, os.WriteFile(source, []byte(program(seed)), 0o644))
		before, after := filepath.Join(dir, "before"), filepath.Join(dir, "after")
		build(t, []string{"-o", before}, "./"+folder)
		r, err := File(source, Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		forked := 0
		for _, n := range r.Notes {
			if n.Forked {
				forked++
			}
		}
		if forked < 40 {
			t.Errorf("seed %d: only %d calls are forked", seed, forked)
		}
		must.Do(t, os.WriteFile(source, r.Text, 0o644))
		build(t, []string{"-o", after}, "./"+folder)
		want := execute(t, before)
		for _, env := range [][]string{{"WHORL_PES=4"}, {"WHORL_PES=3", "WHORL_POLICY=random"}, {"WHORL_MODE=sim", "WHORL_PES=2"}} {
			if got := execute(t, after, env...); got != want {
				at := 0
				a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
				for at < min(len(a), len(b))-1 && a[at] == b[at] {
					at++
				}
				t.Fatalf("seed %d, %v: line %d is %q, sequentially %q", seed, env, at+1, a[at], b[at])
			}
		}
		t.Logf("seed %d: %d calls forked, %d left", seed, forked, len(r.Notes)-forked)
	}
}
