package dts_test

import (
	"runtime"
	"sync/atomic"
	"testing"

	"whorl/dts"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// Under the default policy a PE steals several threads of a long queue at a time: its stream has several moves without
// a start between them. Threads that are joined in the order of their forks, some of them stolen back, all end once.
func TestFlat(t *testing.T) {
	mem := tracer.NewMemory()
	elsewhere := new(atomic.Int64)
	count := func(w *dts.Worker, n int) int {
		if w.PE() != 0 {
			elsewhere.Add(1)
		}
		return n
	}
	forks := 0
	sum := result(t, dts.Options{PEs: 2, Recorder: mem}, func(w *dts.Worker) (sum int) {
		begun, queued := make(chan struct{}), make(chan struct{})
		hs := []dts.Handle[int]{dts.Fork(w, func(*dts.Worker, int) int { close(begun); <-queued; return 0 }, 0)}
		<-begun // on PE 1, which steals nothing else before the queue is long
		for ; forks < 1000 || elsewhere.Load() < 100; forks++ {
			hs = append(hs, dts.Fork(w, count, forks))
			if forks == 999 {
				close(queued)
			}
			if forks >= 999 {
				runtime.Gosched()
			}
		}
		for _, h := range hs {
			sum += h.Join(w)
		}
		return sum
	})
	if want := forks * (forks - 1) / 2; sum != want {
		t.Errorf("sum %d, want %d", sum, want)
	}
	batch, largest := 0, 0
	for _, e := range tracertest.Events(t, mem, tracer.Kinds(tracer.Move, tracer.Start)) {
		switch {
		case e.PE != 1:
		case e.Kind == tracer.Start:
			batch = 0
		default:
			batch++
			largest = max(largest, batch)
		}
	}
	if largest < 10 {
		t.Errorf("at most %d threads are stolen at a time", largest)
	}
}

// A loop forks as many threads as PEs need, not one for each index, and all halves that are forked are large.
func TestLoopForksLazily(t *testing.T) {
	for _, c := range []struct {
		name        string
		opts        dts.Options
		grain       int
		least, most int64
	}{
		{"live on one PE", dts.Options{PEs: 1}, 1, 10, 20},
		{"live on one PE, grain chosen", dts.Options{PEs: 1}, 0, 9, 11},
		{"live without thieves", dts.Options{PEs: 3, Policy: "depth-first"}, 1, 10, 20},
		{"simulated, grain chosen", dts.Options{PEs: 4, Mode: dts.Sim}, 0, 31, 31},
		{"simulated on many PEs", dts.Options{PEs: 1000, Mode: dts.Sim}, 0, 8191, 8191},
		{"simulated, with a grain", dts.Options{PEs: 4, Mode: dts.Sim}, 1 << 9, 127, 127},
		{"queued, grain chosen", dts.Options{PEs: 2, Policy: "breadth-first"}, 0, 15, 15},
	} {
		mem := tracer.NewMemory()
		c.opts.Recorder = mem
		var calls atomic.Int64
		result(t, c.opts, func(w *dts.Worker) int {
			dts.For(w, 0, 1<<16, c.grain, func(*dts.Worker, int) { calls.Add(1) })
			return 0
		})
		forks := int64(len(tracertest.Events(t, mem, tracer.Kinds(tracer.Fork))))
		if forks < c.least || forks > c.most || calls.Load() != 1<<16 {
			t.Errorf("%s: %d forks, want %d to %d; %d calls", c.name, forks, c.least, c.most, calls.Load())
		}
	}
}

// A reduction joins the same neighbours in every mode, so that sums of floats are equal to the bit.
func TestReduceIsTheSame(t *testing.T) {
	xs := make([]float64, 1234)
	if testenv.Soak() {
		xs = make([]float64, 12345)
	}
	for i := range xs {
		xs[i] = 1 / float64(i+1)
	}
	for _, grain := range []int{0, 1, 10} {
		var want float64
		each(t, func(t *testing.T, o dts.Options) {
			got := result(t, o, func(w *dts.Worker) float64 {
				return dts.Reduce(w, xs, grain, func(_ *dts.Worker, x float64) float64 { return x }, func(a, b float64) float64 { return a + b })
			})
			if want == 0 {
				want = got
			}
			if got != want {
				t.Errorf("grain %d, %+v: %v, before %v", grain, o, got, want)
			}
		})
	}
}
