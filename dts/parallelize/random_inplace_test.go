package parallelize

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

// The functions of random programs that work in place: on a slice, on parts given by indices, on several slices, beyond
// their length, recursively, and with results.
const inPlacePrologue = `package main

import "fmt"

//dts:fork
func fill(xs []int, v int) {
	for i := range xs {
		xs[i] = (xs[i]*3 + v) % 1009
	}
}

//dts:fork
func between(xs []int, lo, hi, v int) {
	for i := lo; i < hi; i++ {
		xs[i] = (xs[i] + i*v) % 1009
	}
}

//dts:fork
func add(out, in []int) {
	for i := range min(len(out), len(in)) {
		out[i] = (out[i] + 7*in[i]) % 1009
	}
}

//dts:fork
func halves(xs []int, lo, hi int) int {
	if hi-lo < 2 {
		return 0
	}
	mid := lo + (hi-lo)/2
	a := halves(xs, lo, mid)
	b := halves(xs, mid, hi)
	for i := lo; i < mid; i++ {
		xs[i], xs[hi-1-(i-lo)] = xs[hi-1-(i-lo)], xs[i]
	}
	return (a + 2*b + xs[lo]) % 1009
}

//dts:fork
func extend(xs []int, v int) int {
	xs = append(xs, v)
	return len(xs)
}

//dts:fork
func sum(xs []int) (s int) {
	for i, x := range xs {
		s = (s*5 + i + x) % 10007
	}
	return s
}

func split(n, seed int) (int, int) {
	i := seed % (n + 1)
	return i, n - (n-i)/2
}

`

// slice returns a random slice of a variable of length 12, or a row of one with 12 rows.
func (w *writer) slice() string {
	v := string("abc"[w.r.IntN(3)])
	i, j := w.r.IntN(13), w.r.IntN(13)
	switch w.r.IntN(9) {
	case 0:
		return v
	case 1:
		return fmt.Sprintf("%s[:k]", v)
	case 2:
		return fmt.Sprintf("%s[k:]", v)
	case 3:
		return fmt.Sprintf("%s[:min(k+1, 12)]", v)
	case 4:
		return fmt.Sprintf("%s[m:]", v)
	case 5:
		return fmt.Sprintf("%s[%d:%d]", v, min(i, j), max(i, j))
	case 6:
		return fmt.Sprintf("rows[%d]", i%12)
	case 7:
		return fmt.Sprintf("rows[k%%12][%d:]", i)
	}
	return fmt.Sprintf("%s[k:m]", v)
}

func (w *writer) inPlace() {
	x, v := w.slice(), w.r.IntN(100)
	w.depth++
	defer func() { w.depth-- }()
	kind := w.r.IntN(14)
	if w.depth > 2 {
		kind = w.r.IntN(7)
	}
	switch kind {
	case 0, 1:
		fmt.Fprintf(w, "fill(%s, %d)\n", x, v)
	case 2:
		fmt.Fprintf(w, "between(%c, %s, %d)\n", "abc"[w.r.IntN(3)], [...]string{"0, k", "k, 12", "k, m", "m, 12", "2, 7", "7, 12", "0, m"}[w.r.IntN(7)], v)
	case 3:
		fmt.Fprintf(w, "add(%s, %s)\n", x, w.slice())
	case 4:
		w.names++
		n := w.names
		fmt.Fprintf(w, "n%d := halves(%c, %s)\n", n, "abc"[w.r.IntN(3)], [...]string{"0, k", "k, 12", "0, 12", "m, 12"}[w.r.IntN(4)])
		w.inPlace()
		fmt.Fprintf(w, "s += n%d\n", n)
	case 5:
		fmt.Fprintf(w, "s += sum(%s) + sum(%s)\n", x, w.slice())
	case 6:
		fmt.Fprintf(w, "extend(%s, %d)\n", x, v)
	case 7:
		fmt.Fprintf(w, "a[%d] += s %% 5\n", v%12)
	case 8, 9:
		fmt.Fprintf(w, "for i := range rows {\nfill(%s, i)\n", [...]string{"rows[i]", "rows[i][k/3:]", "rows[11-i]", "flat[i*w:(i+1)*w]", "flat[i*w:i*w+w]", "flat[i*w:i*w+w+1]"}[w.r.IntN(6)])
		w.more()
	case 10:
		w.WriteString("for i, row := range rows {\nadd(row, " + [...]string{"others[i]", "others[0]", "rows[i]", "b", "rows[0]", "flat"}[w.r.IntN(6)] + ")\nd[i] += row[0]\n")
		w.more()
	case 11:
		fmt.Fprintf(w, "for i := 0; i < %s; i++ {\nfill(a[i:%s], 2)\n", [...]string{"12", "k", "len(rows)"}[w.r.IntN(3)], [...]string{"i+1", "12", "i"}[w.r.IntN(3)])
		w.more()
	case 12:
		w.WriteString("if s%3 == 1 {\n")
		w.inPlace()
		w.inPlace()
		w.WriteString("}\n")
	case 13:
		w.WriteString("k, m = split(12, s)\n")
	}
}

// more writes the rest of the body of a loop.
func (w *writer) more() {
	if w.r.IntN(2) == 0 {
		w.inPlace()
	}
	w.WriteString("}\n")
}

func inPlaceProgram(seed uint64) string {
	w := &writer{r: rand.New(rand.NewPCG(seed, 1))}
	w.WriteString(inPlacePrologue)
	const functions = 60
	for i := range functions {
		fmt.Fprintf(w, "func f%d(a, b, c, d, flat []int, rows, others [][]int, k, m, w int) int {\ns := k\n", i)
		if w.r.IntN(2) == 0 {
			w.WriteString("k, m = split(12, k)\n")
		}
		if w.r.IntN(3) == 0 {
			w.WriteString("c = make([]int, 12)\n")
		}
		for range 6 {
			w.inPlace()
		}
		w.WriteString("return (s + sum(a) + sum(b) + sum(c) + sum(flat) + w) % 10007\n}\n\n")
	}
	w.WriteString(`func make2(n int) [][]int {
	rows := make([][]int, n)
	for i := range rows {
		rows[i] = []int{i, 2, 3, 4, i, 6, 7, 8, 9, 10, 11, 12}
	}
	return rows
}

func main() {
`)
	for i := range functions {
		fmt.Fprintf(w, `	for k := range 12 {
		a, b, c, flat := make([]int, 12, 20), make([]int, 12), make([]int, 12), make([]int, 61)
		rows, others := make2(12), make2(12)
		switch k %% 4 { // slices that share memory
		case 1:
			b = a
		case 2:
			c = a[:8:20][:12]
			rows[3] = rows[4]
		case 3:
			others = rows
			rows[5] = a
			b = flat[6:18]
		}
		fmt.Println(%d, k, f%d(a, b, c, make([]int, 12), flat, rows, others, k, max(k, 12-k/2), 5), a[:20], b, c, flat, rows, others)
	}
`, i, i)
	}
	w.WriteString("}\n")
	return w.String()
}

// Random programs whose functions work in place print the same after the rewriting, whatever slices share memory.
func TestRandomInPlace(t *testing.T) { compareRandom(t, 1, inPlaceProgram) }

func TestRandomInPlaceSoak(t *testing.T) {
	testenv.OnlySoak(t)
	compareRandom(t, 20, inPlaceProgram)
}

// The race detector finds no races in programs that work in place.
func TestRaces(t *testing.T) {
	testenv.OnlySoak(t)
	if out := must.Get(exec.Command("go", "env", "CGO_ENABLED").Output())(t); strings.TrimSpace(string(out)) != "1" {
		t.Skip("the race detector needs cgo")
	}
	for seed := range uint64(3) {
		folder := must.Get(os.MkdirTemp("testdata", "random"))(t)
		t.Cleanup(func() { os.RemoveAll(folder) })
		source := filepath.Join(folder, "main.go")
		must.Do(t, os.WriteFile(source, []byte(inPlaceProgram(seed)), 0o644))
		r := must.Get(File(source, Options{}))(t)
		must.Do(t, os.WriteFile(source, r.Text, 0o644))
		program := filepath.Join(t.TempDir(), "program")
		build(t, []string{"-race", "-o", program}, "./"+folder)
		for range 5 {
			execute(t, program, "WHORL_PES=4")
		}
	}
}
