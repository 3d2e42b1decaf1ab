package benchmarks

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"whorl/benchmarks/threads"
	"whorl/dts"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/tracer"
)

// small has sizes for tests that run the benchmarks of threads often.
var small = map[string][]int64{
	"dts/fibonacci": {7}, "dts/rsa": {5, 256, 1}, "dts/bubblesort": {200, 4}, "dts/pascal": {20}, "dts/semigroup": {2, 16, 3},
	"dts/mandelbrot": {16, 9, 50}, "dts/nqueens": {5, 2}, "dts/quicksort": {300, 10}, "dts/matmul": {3, 1}, "dts/stencil": {3, 5, 4},
}

// runThreads runs a benchmark of threads and returns its answer and its trace.
func runThreads(t testing.TB, b *Benchmark, p []int64, o dts.Options) (string, *tracer.Memory) {
	t.Helper()
	env := &threads.Env{Funcs: &dts.Registry{}}
	if o.Mode == dts.Sim {
		env.InstructionPs = 250_000
	}
	mem := tracer.NewMemory()
	o.Recorder, o.Funcs = mem, env.Funcs
	answer, err := threads.Make(b.Program.(DTS).File, env).Main.Run(context.Background(), o, p)
	if err != nil {
		t.Fatalf("%s %v: %v", b.Name, p, err)
	}
	return answer, mem
}

// countThreads returns the number of threads in a trace.
func countThreads(mem *tracer.Memory) int64 { return 1 + mem.Counts()[tracer.Fork] }

// TestThreads runs every benchmark of threads under every policy, live and simulated, and checks the answer and the number of threads.
func TestThreads(t *testing.T) {
	for _, b := range All {
		d, ok := b.Program.(DTS)
		if !ok {
			continue
		}
		p := small[b.Name]
		if len(p) != len(b.Params) {
			t.Fatalf("%s has no small sizes", b.Name)
		}
		for _, pol := range policy.All {
			for _, mode := range []string{dts.Live, dts.Sim} {
				answer, mem := runThreads(t, b, p, dts.Options{Mode: mode, PEs: 3, Policy: pol.Name})
				if err := b.Check(p, answer); err != nil {
					t.Errorf("%s, %s, %s: %v", b.Name, mode, pol.Name, err)
				}
				if n := countThreads(mem); n != d.Threads(p) {
					t.Errorf("%s, %s, %s: %d threads, %d by the formula", b.Name, mode, pol.Name, n, d.Threads(p))
				}
			}
		}
	}
}

// TestThreadCounts checks the formulas against runs with other sizes and against the numbers of the DTS paper.
func TestThreadCounts(t *testing.T) {
	for _, c := range []struct {
		name string
		p    []int64
		want int64 // 0: only the formula is checked
	}{
		{"dts/fibonacci", []int64{12}, 729},
		{"dts/fibonacci", []int64{0}, 1},
		{"dts/fibonacci", []int64{3}, 3},
		{"dts/fibonacci", []int64{9}, 0},
		{"dts/rsa", []int64{12, 128, 0}, 13},
		{"dts/rsa", []int64{0, 128, 0}, 1},
		{"dts/bubblesort", []int64{1000, 10}, 1024},
		{"dts/bubblesort", []int64{0, 1}, 2},
		{"dts/bubblesort", []int64{3, 5}, 32},
		{"dts/pascal", []int64{0}, 2},
		{"dts/pascal", []int64{21}, 0},
		{"dts/semigroup", []int64{3, 64, 4}, 0},
		{"dts/semigroup", []int64{3, 64, 1}, 155},
		{"dts/semigroup", []int64{0, 4, 1}, 1},
		{"dts/nqueens", []int64{8, 3}, 0},
		{"dts/nqueens", []int64{4, 12}, 0},
		{"dts/nqueens", []int64{0, 3}, 1},
		{"dts/nqueens", []int64{6, 1}, 7},
		{"dts/quicksort", []int64{1000, 1}, 0},
		{"dts/quicksort", []int64{1000, 100}, 0},
		{"dts/quicksort", []int64{0, 1}, 1},
		{"dts/matmul", []int64{2, 2}, 73},
		{"dts/matmul", []int64{4, 0}, 1},
		{"dts/stencil", []int64{1, 1, 3}, 4},
		{"dts/mandelbrot", []int64{1, 7, 3}, 8},
	} {
		b := must.Get(Lookup(c.name))(t)
		answer, mem := runThreads(t, b, c.p, dts.Options{Mode: dts.Sim, PEs: 2})
		if err := b.Check(c.p, answer); err != nil {
			t.Errorf("%s %v: %v", c.name, c.p, err)
		}
		n := b.Program.(DTS).Threads(c.p)
		if got := countThreads(mem); got != n || c.want != 0 && got != c.want {
			t.Errorf("%s %v: %d threads, %d by the formula, want %d", c.name, c.p, got, n, c.want)
		}
	}
}

// TestThreadChecks checks that Check detects changes of right answers: of each character, and the answers for other sizes.
func TestThreadChecks(t *testing.T) {
	for _, b := range All {
		if _, ok := b.Program.(DTS); !ok {
			continue
		}
		p := small[b.Name]
		right, _ := runThreads(t, b, p, dts.Options{Mode: dts.Sim, PEs: 1})
		detects(t, b, p, right, right[:len(right)-1], right+"1")
		for i, q := range b.Params {
			switch q.Name { // these sizes change the computation, not the answer
			case "reverse", "levels", "grain", "depth":
				if b.Name != "dts/matmul" {
					continue
				}
			case "bits":
				continue // the length of a key must be a multiple of 16
			case "generators", "width": // more generators or coordinates give the same small semigroup
				continue
			}
			other := slices.Clone(p)
			other[i]++
			if b.Check(other, right) == nil {
				t.Errorf("%s: Check accepts the answer for %v for %v", b.Name, p, other)
			}
		}
	}
}

// TestThreadTraces checks that the trace contains the program's text, and that functions and joins refer to lines of it.
func TestThreadTraces(t *testing.T) {
	for _, b := range All {
		d, ok := b.Program.(DTS)
		if !ok {
			continue
		}
		text := strings.Split(d.Text(), "\n")
		if !strings.HasPrefix(d.Text(), "package threads\n") {
			t.Errorf("%s begins with %.30q", b.Name, d.Text())
		}
		_, mem := runThreads(t, b, small[b.Name], dts.Options{
			Mode: dts.Sim, PEs: 2, Sources: []tracer.SourceFile{{Name: d.File, Text: d.Text()}},
		})
		if m := mem.Meta(); len(m.Source) != 1 || m.Source[0].Name != d.File {
			t.Errorf("%s: %d source files", b.Name, len(m.Source))
		}
		for _, c := range mem.Dict().Codes() {
			switch c.Type {
			case tracer.Function:
				if c.File != d.File || !strings.Contains(text[c.Line-1], "func(") || strings.Contains(c.Name, ".") {
					t.Errorf("%s: the function %q is in %s:%d", b.Name, c.Name, c.File, c.Line)
				}
			case tracer.Line:
				if c.File != d.File || !strings.Contains(text[c.Line-1], "Join(w)") {
					t.Errorf("%s: a join is in %s:%d", b.Name, c.File, c.Line)
				}
			}
		}
	}
}

// TestSameSchedule checks that simulated runs with the same seed are identical, and that another seed gives another schedule.
func TestSameSchedule(t *testing.T) {
	schedule := func(seed uint64) string {
		_, mem := runThreads(t, dtsNQueens, []int64{6, 3}, dts.Options{Mode: dts.Sim, PEs: 5, Policy: "steal", Seed: seed})
		var b strings.Builder
		must.Do(t, tracer.WriteText(&b, mem))
		return b.String()
	}
	first, again := schedule(1), schedule(1)
	if first != again {
		t.Error("the same seed gives two schedules")
	}
	if first == schedule(2) {
		t.Error("another seed gives the same schedule")
	}
}

// TestDocumented checks the table of docs/dts.md against the formulas.
func TestDocumented(t *testing.T) {
	text := must.Get(os.ReadFile("../docs/dts.md"))(t)
	for _, b := range All {
		d, ok := b.Program.(DTS)
		if !ok {
			continue
		}
		title := b.Name
		for _, p := range b.Params {
			title += " " + p.Name
		}
		n := fmt.Sprint(d.Threads(b.Defaults()))
		if len(n) > 3 {
			n = n[:len(n)-3] + "," + n[len(n)-3:]
		}
		found := false
		for line := range strings.Lines(string(text)) {
			found = found || strings.HasPrefix(line, "| `"+title+"` |") && strings.HasSuffix(line, " | "+n+" |\n")
		}
		if !found {
			t.Errorf("docs/dts.md has no line for %s with %s threads", title, n)
		}
	}
}
