package threadgraph

import (
	"testing"
	"time"

	"whorl/dts"
	"whorl/tracer"
	"whorl/visual/testdata/kindtest"
)

// recorded returns the trace of a simulated run of a program.
func recorded(t testing.TB, pes int, main func(w *dts.Worker)) *tracer.Memory {
	t.Helper()
	m := tracer.NewMemory()
	opts := dts.Options{Mode: dts.Sim, PEs: pes, Machine: "modern", Policy: "steal", Recorder: m, Program: "test"}
	if _, err := dts.Run(t.Context(), opts, func(w *dts.Worker) int { main(w); return 0 }); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return m
}

// fibonacci is the program of the paper's Figure 3.
func fibonacci(w *dts.Worker) {
	for i := range 12 {
		fib(w, i)
	}
}

func fib(w *dts.Worker, n int) int {
	w.Compute(20 * time.Microsecond)
	if n <= 1 {
		return 1
	}
	a, b := dts.Fork(w, fib, n-1), dts.Fork(w, fib, n-2)
	return a.Join(w) + b.Join(w)
}

// rsa is the program of Figure 4: workers joined in the order of their forks, or in reverse.
func rsa(workers int, reverse bool) func(w *dts.Worker) {
	return func(w *dts.Worker) {
		var all []dts.Handle[int]
		for i := range workers {
			w.Compute(300 * time.Microsecond)
			all = append(all, dts.Fork(w, block, i))
		}
		for i := range all {
			if reverse {
				i = workers - 1 - i
			}
			all[i].Join(w)
			w.Compute(90 * time.Microsecond)
		}
	}
}

// chain returns a program in which each thread forks the next one and waits for it.
func chain(w *dts.Worker, n int) int {
	w.Compute(10 * time.Microsecond)
	if n == 0 {
		return 1
	}
	h := dts.Fork(w, chain, n-1)
	w.Compute(10 * time.Microsecond)
	return h.Join(w)
}

func block(w *dts.Worker, i int) int {
	w.Compute(time.Duration(50+i%5*7) * time.Millisecond)
	return i
}

// shown opens a trace in a frame of w by h pixels.
func shown(t testing.TB, src tracer.Source, w, h float64, params ...string) (*Geometry, *brush) {
	t.Helper()
	g, f := kindtest.Shown[*Geometry](t, Kind(), src, w, h, params...)
	return g, newBrush(f, g)
}

// flat returns a run of n threads that the main thread forks and joins in reverse order. Each takes ns, except that thread odd takes longer.
func flat(n int, ns int64, odd int, longer int64) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "flat", PEs: 4})
	main := m.Dict().Add(tracer.Code{Type: tracer.Function, Name: "main"})
	work := m.Dict().Add(tracer.Code{Type: tracer.Function, Name: "work"})
	s := m.Stream(tracer.StreamInfo{})
	put := func(e tracer.Event) { *s.Slot() = e }
	put(tracer.Event{Kind: tracer.Start, Task: 1, PE: 0, Peer: -1, Code: main, Value: 1})
	for i := range n {
		put(tracer.Event{Kind: tracer.Fork, Time: int64(i), Task: uint64(i) + 2, Ref: 1, PE: 0, Peer: int32(i % 4), Code: work})
	}
	begin := int64(n)
	for i := range n {
		put(tracer.Event{Kind: tracer.Start, Time: begin, Task: uint64(i) + 2, PE: int32(i % 4), Peer: -1, Code: work, Value: 1})
	}
	for i := range n {
		if i != odd {
			put(tracer.Event{Kind: tracer.End, Time: begin + ns, Task: uint64(i) + 2, PE: int32(i % 4), Peer: -1, Code: work})
		}
	}
	end := begin + longer
	put(tracer.Event{Kind: tracer.End, Time: end, Task: uint64(odd) + 2, PE: int32(odd % 4), Peer: -1, Code: work})
	for i := n - 1; i >= 0; i-- {
		put(tracer.Event{Kind: tracer.JoinBegin, Time: end, Task: 1, Ref: uint64(i) + 2, PE: 0, Peer: -1})
		put(tracer.Event{Kind: tracer.JoinEnd, Time: end, Task: 1, Ref: uint64(i) + 2, PE: 0, Peer: -1})
	}
	put(tracer.Event{Kind: tracer.End, Time: end, Task: 1, PE: 0, Peer: -1, Code: main})
	_ = m.Close() // of a trace in memory
	return m
}
