package parallelize

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"whorl/testdata/must"
)

var update = flag.Bool("update", false, "write the golden files")

// An expectation is a comment in a test file about its line.
type expectation struct {
	line   int
	forked bool
	reason string // part of the reason
}

// expected reads the comments "// forked" and "// left: part of the reason" at the ends of lines.
func expected(t *testing.T, path string) (out []expectation) {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	line := 0
	for l := range strings.Lines(string(text)) {
		line++
		for _, part := range strings.Split(l, "//")[1:] {
			part = strings.TrimSpace(part)
			if reason, ok := strings.CutPrefix(part, "left: "); ok {
				out = append(out, expectation{line, false, reason})
			} else if part == "forked" {
				out = append(out, expectation{line: line, forked: true})
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s has no expectations", path)
	}
	return out
}

// rewritings are the rewritten programs of testdata, which several tests share.
var rewritings = map[string]func() (*Result, error){
	"functions": sync.OnceValues(func() (*Result, error) { return File("testdata/functions/main.go", Options{Grain: 4}) }),
	"hazards":   sync.OnceValues(func() (*Result, error) { return File("testdata/hazards/main.go", Options{}) }),
	"golden":    sync.OnceValues(func() (*Result, error) { return File("testdata/golden/main.go", Options{Grain: 16}) }),
	"inplace":   sync.OnceValues(func() (*Result, error) { return File("testdata/inplace/main.go", Options{Grain: 4}) }),
	"refused":   sync.OnceValues(func() (*Result, error) { return File("testdata/refused/main.go", Options{Grain: 4}) }),
}

func rewritten(t *testing.T, name string) *Result {
	t.Helper()
	return must.Get(rewritings[name]())(t)
}

// Each expected note is reported at its line. No other notes are reported, except for the file functions.
func TestNotes(t *testing.T) {
	for _, name := range []string{"functions", "hazards", "inplace", "refused"} {
		path := filepath.Join("testdata", name, "main.go")
		notes := rewritten(t, name).Notes
		for _, e := range expected(t, path) {
			found := false
			for i, n := range notes {
				if n.Pos.Line == e.line && n.Forked == e.forked && (e.forked || strings.Contains(n.Text, e.reason)) {
					notes, found = append(notes[:i:i], notes[i+1:]...), true
					break
				}
			}
			if !found {
				t.Errorf("%s:%d: expected %+v", path, e.line, e)
			}
		}
		for _, n := range notes {
			if name != "functions" {
				t.Errorf("unexpected note: %v", n)
			}
		}
	}
}

// The whole text of a small file shows the treatment of comments, main and imports.
func TestGolden(t *testing.T) {
	r := rewritten(t, "golden")
	golden := filepath.Join("testdata", "golden", "rewritten.txt")
	if *update {
		must.Do(t, os.WriteFile(golden, r.Text, 0o644))
	}
	want := must.Get(os.ReadFile(golden))(t)
	if string(want) != string(r.Text) {
		t.Errorf("%s differs (-update writes it):\n%s", golden, diff.Diff("golden", want, "now", r.Text))
	}
}

// Files with faults are not rewritten.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing marked", "package p\n", ":1:1: no function is marked"},
		{"another word", "package p\n\n//dts:frok\nfunc f() int { return 1 }\n", ":3:1: unknown directive //dts:frok"},
		{"no function", "package p\n\n//dts:fork\nvar x int\n", ":3:1: //dts:fork belongs in the doc comment of a function"},
		{"main", "package main\n\n//dts:fork\nfunc main() {}\n", ":3:1: main cannot be forked"},
		{"twice", "package p\n\n//dts:fork\n//dts:fork\nfunc f() int { return 1 }\n", ":4:1: f is marked twice"},
		{"no if", "package p\n\n//dts:fork n > 3\nfunc f(n int) int { return 1 }\n", ":3:12: expected nothing or \"if CONDITION\" after //dts:fork"},
		{"no expression", "package p\n\n//dts:fork if n >\nfunc f(n int) int { return 1 }\n", ":3:15: the condition n > is not a Go expression"},
		{"unknown name", "package p\n\n//dts:fork if m > 3\nfunc f(n int) int { return 1 }\n", ":3:15: the condition m > 3: undefined: m"},
		{"no condition", "package p\n\n//dts:fork if n+3\nfunc f(n int) int { return 1 }\n", ":3:15: the condition n+3 has type int, not bool"},
		{"syntax", "package p\n\nfunc f( {\n", ":3:9: expected"},
		{"type", "package p\n\n//dts:fork\nfunc f() int { return \"a\" }\n", ":4:23: cannot use \"a\""},
		{"name taken", "package p\n\nfunc forkF() {}\n\n//dts:fork\nfunc f() int { return 1 }\n", ":6:6: f needs the name forkF, which is declared in line 3"},
		{"rewritten", "package p\n\ntype t int\n\nfunc (t) fOn() {}\n\n//dts:fork\nfunc (x t) f() int {\n\treturn (x-1).f() + (x-2).f()\n}\n", ":8:12: t.f needs the name fOn, which is declared in line 5: was the file rewritten before?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(inModule(t), "p.go")
			must.Do(t, os.WriteFile(path, []byte(c.text), 0o644))
			_, err := File(path, Options{})
			var faults *Error
			if !errors.As(err, &faults) || !strings.Contains(err.Error(), path+c.want) {
				t.Errorf("got %v, want %s", err, path+c.want)
			}
		})
	}
	if _, err := File("testdata/nowhere.go", Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

// Functions written in one line are rewritten.
func TestOneLine(t *testing.T) {
	path := filepath.Join(inModule(t), "p.go")
	text := `package main

//dts:fork
func fib(n int) int { if n < 2 { return n }; a := fib(n-1); b := fib(n-2); return a+b }

//dts:fork
func pair(n int) (int, int) { if n < 2 { return n, 1 }; a, x := pair(n-1); b, y := pair(n-2); return a + b, x + y }

//dts:fork
func sum(xs []int) int { if len(xs) < 2 { return len(xs) }; return sum(xs[1:]) + sum(xs[:1]) }

func all(n int) int { s := 0; for i := 0; i < n; i++ { s += fib(i) }; return s }

func main() { a := fib(9); b, c := pair(9); println(a, b, c, all(9), sum(make([]int, 9))) }
`
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	r := must.Get(File(path, Options{Grain: 3}))(t)
	for _, want := range []string{"forkFib(w, n-1)", "a := joinFib(w, aHandle)", "a, x := joinPair(w, aHandle)", "forkSum(w, xs[1:])", "forkFib(w, i)"} {
		if !strings.Contains(string(r.Text), want) {
			t.Errorf("no %s in\n%s", want, r.Text)
		}
	}
}

// No call works in place beside other code where a deferred call may read the memory: after a panic it would see less
// work than sequentially. Deferred calls that read nothing change nothing.
func TestDeferred(t *testing.T) {
	for _, c := range []struct {
		name, deferred, want string
	}{
		{"print", "defer fmt.Println(xs)", "fill stays sequential: it works in place, and after a panic the call deferred in line 13 could see work that is not complete"},
		{"literal", "defer func() { println(xs[0]) }()", "the call deferred in line 13"},
		{"nothing", "defer lock.Unlock()\ndefer fill(nil, 3)\ndefer println(len(xs))", "fill(xs, 1) is forked"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(inModule(t), "p.go")
			text := `package p

import (
	"fmt"
	"sync"
)

var lock sync.Mutex

func none() { fmt.Print() }

func both(xs, ys []int) {
	` + c.deferred + `
	fill(xs, 1)
	fill(ys, 2)
}

//dts:fork
func fill(xs []int, v int) {
	for i := range xs {
		xs[i] = v
	}
}
`
			must.Do(t, os.WriteFile(path, []byte(text), 0o644))
			notes := ""
			for _, n := range must.Get(File(path, Options{}))(t).Notes {
				notes += n.Text + "\n"
			}
			if !strings.Contains(notes, c.want) {
				t.Errorf("no %q in\n%s", c.want, notes)
			}
		})
	}
}

// A loop that only stores results of its rounds in their elements becomes a dts.For; others keep their order.
func TestRoundsInAnyOrder(t *testing.T) {
	text := string(rewritten(t, "functions").Text)
	for _, c := range []struct {
		part string
		want bool
	}{
		{"dts.For(w, 0, len(starts), 0, func(w *dts.Worker, i int) {\n\t\tout[i] = steps(starts[i]) // forked\n\t})", true},
		{"dts.For(w, 0, len(out), 0", false},
	} {
		if strings.Contains(text, c.part) != c.want {
			t.Errorf("%q in the new text: %v, want %v", c.part, !c.want, c.want)
		}
	}
}

// inModule returns a directory with a module of its own.
func inModule(t *testing.T) string {
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module other\n\ngo 1.26\n"), 0o644))
	return dir
}
