package measures

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"whorl/dts"
	"whorl/internal/figures"
	"whorl/tracer"
)

// halves runs two parallel chains of threads of 10 ms each, joined in the reverse order of their forks.
func halves(t *testing.T, pes, long int) *tracer.Memory {
	t.Helper()
	m := tracer.NewMemory()
	var chain func(w *dts.Worker, n int) int
	chain = func(w *dts.Worker, n int) int {
		w.Compute(10 * time.Millisecond)
		if n == 1 {
			return 1
		}
		return dts.Fork(w, chain, n-1).Join(w)
	}
	opts := dts.Options{Mode: dts.Sim, PEs: pes, Machine: "modern", Policy: "steal", Recorder: m, Program: "halves"}
	if _, err := dts.Run(t.Context(), opts, func(w *dts.Worker) int {
		a, b := dts.Fork(w, chain, long), dts.Fork(w, chain, long)
		return b.Join(w) + a.Join(w)
	}); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestThreadsHaveAWorkAndASpan checks the measures of threads, which depend on the program alone or on the number of PEs, too.
func TestThreadsHaveAWorkAndASpan(t *testing.T) {
	for _, c := range []struct{ pes, long int }{{1, 3}, {2, 3}, {8, 3}, {2, 7}} {
		g, _ := shown(t, halves(t, c.pes, c.long), 600, 400)
		rows := map[string]string{}
		for line := range strings.Lines(g.tables[0].text(99)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "|")
			rows[name] = value
		}
		work, span := figures.Duration(int64(2*c.long)*10e6), figures.Duration(int64(c.long)*10e6) // forks and joins take some 100 ns
		if rows["work"] != work || rows["span"] != span || rows["parallelism"] != "2.00" {
			t.Errorf("%+v: work %s, span %s, parallelism %s; want %s, %s, 2.00", c, rows["work"], rows["span"], rows["parallelism"], work, span)
		}
		if want := strconv.Itoa(min(c.pes, 2)) + ".00"; rows["PEs at work"] != want || !strings.HasSuffix(rows["speedup bounds"], " to "+want) {
			t.Errorf("%+v: %s PEs at work, bounds %s; want %s", c, rows["PEs at work"], rows["speedup bounds"], want)
		}
		if g.tables[1].title != "Function" {
			t.Errorf("%+v: %s", c, g.tables[1].text(9))
		}
	}
}
