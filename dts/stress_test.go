package dts_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"whorl/dts"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

// A plan describes a thread of a random program: it forks kids, passes some handles to later kids, and joins the
// others in some order.
type plan struct {
	value, total int
	kids         []*plan
	to           []int // for each kid, the later kid that joins it, or itself if the parent does
	order        []int // of the parent's joins
	between      int   // number of forks between early joins, 0 for none
}

// A call is the argument of a thread.
type call struct {
	p     *plan
	given []dts.Handle[int]
}

func carryOut(w *dts.Worker, c call) int {
	sum := c.p.value
	var hs []dts.Handle[int]
	given := make([][]dts.Handle[int], len(c.p.kids))
	joined := make([]bool, len(c.p.kids))
	join := func(k int) {
		if c.p.to[k] == k && !joined[k] {
			joined[k] = true
			sum += hs[k].Join(w)
		}
	}
	for k, kid := range c.p.kids {
		hs = append(hs, dts.Fork(w, carryOut, call{kid, given[k]}))
		if to := c.p.to[k]; to != k {
			given[to] = append(given[to], hs[k])
		}
		if c.p.between > 0 && k%c.p.between == c.p.between-1 {
			join(k / 2)
		}
	}
	for _, k := range c.p.order {
		join(k)
	}
	for _, h := range c.given {
		sum += h.Join(w)
	}
	return sum
}

func drawPlan(t *rapid.T, depth int) *plan {
	p := &plan{value: rapid.IntRange(0, 1000).Draw(t, "value")}
	p.total = p.value
	n := 0
	if depth > 0 {
		n = rapid.IntRange(0, 5).Draw(t, "kids")
	}
	for k := range n {
		kid := drawPlan(t, depth-1)
		p.kids = append(p.kids, kid)
		p.total += kid.total
		p.to = append(p.to, k)
		if k+1 < n && rapid.IntRange(0, 3).Draw(t, "given") == 0 {
			p.to[k] = rapid.IntRange(k+1, n-1).Draw(t, "to")
		}
		p.order = append(p.order, k)
	}
	p.order = rapid.Permutation(p.order).Draw(t, "order")
	p.between = rapid.IntRange(0, 3).Draw(t, "between")
	return p
}

// Random programs have the same result under every policy, live and simulated, on any number of PEs. The trace
// contains all their threads once.
func TestRandomPrograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t, rapid.IntRange(1, 5).Draw(t, "depth"))
		o := dts.Options{
			PEs:    rapid.SampledFrom([]int{1, 2, 3, 8}).Draw(t, "PEs"),
			Policy: rapid.SampledFrom(policy.All).Draw(t, "policy").Name,
			Mode:   rapid.SampledFrom([]string{dts.Live, dts.Live, dts.Sim}).Draw(t, "mode"),
			Seed:   rapid.Uint64Range(1, 9).Draw(t, "seed"),
		}
		rec := tracer.NewMemory()
		if rapid.Bool().Draw(t, "recorded") {
			o.Recorder = rec
		}
		got, err := dts.Run(t.Context(), o, func(w *dts.Worker) int { return carryOut(w, call{p: p}) })
		if got != p.total || err != nil {
			t.Fatalf("%d, %v; want %d", got, err, p.total)
		}
		if c := rec.Counts(); c[tracer.Start] != c[tracer.End] || o.Recorder != nil && c[tracer.Start] != c[tracer.Fork]+1 {
			t.Fatalf("%d forks, %d starts, %d ends", c[tracer.Fork], c[tracer.Start], c[tracer.End])
		}
	})
}

// tree forks threads of two types, which fork each other, and calls some of them.
func tree(w *dts.Worker, n int) int {
	if n == 0 {
		return 1
	}
	a := dts.Fork(w, leaves, [2]int{n - 1, n})
	b := dts.Fork(w, tree, n-1)
	return b.Join(w) + a.Join(w)
}

func leaves(w *dts.Worker, n [2]int) int {
	if n[0] == 0 {
		return 1
	}
	a := dts.Fork(w, tree, n[0]-1)
	return tree(w, n[0]-1) + a.Join(w)
}

func treeSize(n int) int {
	if n == 0 {
		return 1
	}
	l := 1
	if n > 1 {
		l = 2 * treeSize(n-2)
	}
	return treeSize(n-1) + l
}

// stealers are the policies whose idle PEs steal from others.
var stealers = []string{"on-demand", "steal", "steal-half", "steal-near", "steal-lifeline"}

// Many PEs steal from each other. Stolen threads are joined, and deques become empty, full and all stolen.
func TestStealing(t *testing.T) { stealing(t, 2) }

func TestStealingSoak(t *testing.T) {
	testenv.OnlySoak(t)
	stealing(t, 20)
}

func stealing(t *testing.T, rounds int) {
	for _, name := range stealers {
		for _, pes := range []int{2, 3, 4, 8, 64} {
			for range rounds {
				if got := result(t, dts.Options{PEs: pes, Policy: name}, func(w *dts.Worker) int { return tree(w, 14) }); got != treeSize(14) {
					t.Fatalf("%s on %d: %d, want %d", name, pes, got, treeSize(14))
				}
			}
		}
	}
}

// A thread is stolen and joined while its PE has no other threads, again and again. The PE offers the next thread
// each time.
func TestAllStolenAgain(t *testing.T) {
	const rounds = 60
	wait := func(_ *dts.Worker, c chan struct{}) int { c <- struct{}{}; return 1 }
	for _, name := range stealers {
		var s dts.Stats
		n := result(t, dts.Options{PEs: 2, Policy: name, Stats: &s}, func(w *dts.Worker) (n int) {
			for range rounds {
				c := make(chan struct{})
				h := dts.Fork(w, wait, c)
				<-c // the other PE has begun it: it was stolen
				n += h.Join(w)
			}
			return n
		})
		if n != rounds || s.Steals < rounds {
			t.Errorf("%s: %d threads were joined, %d stolen", name, n, s.Steals)
		}
	}
}

// The memory of a thread that joins its oldest forks, some forks behind, does not grow with the number of forks.
func TestWindow(t *testing.T) {
	for _, pes := range []int{1, 3} {
		allocated := testing.AllocsPerRun(1, func() {
			result(t, dts.Options{PEs: pes}, func(w *dts.Worker) int {
				window := make([]dts.Handle[int], 10)
				for i := range 50_000 {
					if i >= len(window) {
						window[i%len(window)].Join(w)
					}
					window[i%len(window)] = dts.Fork(w, fib, 1)
				}
				for _, h := range window {
					h.Join(w)
				}
				return 0
			})
		})
		if allocated > 20_000 {
			t.Errorf("on %d PEs: %.0f allocations for 50,000 threads", pes, allocated)
		}
	}
}

// A fork and its join do not allocate.
func TestNoAllocation(t *testing.T) {
	result(t, dts.Options{PEs: 1}, func(w *dts.Worker) int {
		fib(w, 20)
		if n := testing.AllocsPerRun(10, func() { fib(w, 15) }); n > 0 {
			t.Errorf("fib(15) allocates %v times", n)
		}
		return 0
	})
}

// chain forks a thread that forks the next, n deep, and joins it.
func chain(w *dts.Worker, n int) int {
	if n == 0 {
		return 0
	}
	return dts.Fork(w, chain, n-1).Join(w) + 1
}

func TestDeep(t *testing.T) { deep(t, 1000) }

func TestDeepSoak(t *testing.T) {
	testenv.OnlySoak(t)
	deep(t, 20_000)
}

func deep(t *testing.T, n int) {
	each(t, func(t *testing.T, o dts.Options) {
		if got := result(t, o, func(w *dts.Worker) int { return chain(w, n) }); got != n {
			t.Error(got)
		}
	})
}

// A simulated program may nest deeper than one stack holds. There it may end, be refused, panic or be stopped.
func TestDeepSimulated(t *testing.T) {
	const deep = 10_200
	o := dts.Options{Mode: dts.Sim, PEs: 2}
	if got := result(t, o, func(w *dts.Worker) int { return chain(w, deep) }); got != deep {
		t.Error(got)
	}
	for _, c := range []struct {
		name string
		end  func(w *dts.Worker) int
	}{
		{"asks on which PE", func(w *dts.Worker) int { return w.PE() }},
		{"ends its gorout", func(*dts.Worker) int { runtime.Goexit(); return 0 }},
		{"panicked: so deep", func(*dts.Worker) int { panic("so deep") }},
		{"stopped after", func(w *dts.Worker) int { return fib(w, 10) }},
	} {
		o.Limits.Threads = deep + 10
		_, err := dts.Run(t.Context(), o, func(w *dts.Worker) int {
			var down func(w *dts.Worker, n int) int
			down = func(w *dts.Worker, n int) int {
				if n == 0 {
					return c.end(w)
				}
				return dts.Fork(w, down, n-1).Join(w)
			}
			return down(w, deep)
		})
		if err == nil || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%s: %.200v", c.name, err)
		}
	}
}

// Several runs, also inside threads of other runs, are independent.
func TestManyRuns(t *testing.T) {
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			got := result(t, dts.Options{PEs: 1 + i%4, Policy: policy.All[i%len(policy.All)].Name}, func(w *dts.Worker) int {
				return dts.Fork(w, func(w *dts.Worker, n int) int {
					return result(t, dts.Options{PEs: 2}, func(w *dts.Worker) int { return fib(w, n) })
				}, 15).Join(w) + fib(w, 10)
			})
			if got != 610+55 {
				t.Error(got)
			}
		})
	}
	wait.Wait()
}

// PEs without work sleep, and wake for the end of the run. In a soak they have used hardly any processor time.
func TestIdleSleeps(t *testing.T) {
	for _, name := range []string{"on-demand", "steal", "ring"} {
		result(t, dts.Options{PEs: 8, Policy: name}, func(*dts.Worker) int {
			time.Sleep(20 * time.Millisecond) // until they sleep
			var seen []float64                // parts of the real time, which a loaded machine makes smaller
			for range 5 {
				begin, before := time.Now(), testenv.CPUTime()
				time.Sleep(20 * time.Millisecond)
				used := testenv.CPUTime() - before
				seen = append(seen, float64(used)/float64(time.Since(begin)))
			}
			if least := slices.Min(seen); testenv.Soak() && least > 0.5 {
				t.Errorf("%s: without work the process used %.2f processors", name, least)
			}
			return 0
		})
	}
}

// The same seed yields the same bytes of a simulated trace; another number of PEs yields others.
func TestSimulatedBytes(t *testing.T) {
	trace := func(pes int) string {
		rec := tracer.NewMemory()
		result(t, dts.Options{Mode: dts.Sim, PEs: pes, Recorder: rec, Program: "fib", Args: []string{}}, func(w *dts.Worker) int { return fib(w, 10) })
		var text string
		must.Do(t, rec.Scan(tracer.AllKinds, func(es []tracer.Event) error {
			text += fmt.Sprint(es)
			return nil
		}))
		return text
	}
	one, again := trace(4), trace(4)
	if one != again || one == trace(5) {
		t.Error("traces of the same run differ, or traces of different runs are equal")
	}
}

// handedOn forks threads that join threads forked by others, while PEs steal.
func handedOn(w *dts.Worker, n int) int {
	if n == 0 {
		return 1
	}
	type both struct {
		n int
		h dts.Handle[int]
	}
	a := dts.Fork(w, handedOn, n-1)
	b := dts.Fork(w, func(w *dts.Worker, x both) int { return handedOn(w, x.n) + x.h.Join(w) }, both{n - 1, a})
	c := dts.Fork(w, handedOn, n-1)
	return c.Join(w) + b.Join(w)
}

// The memory of a thread that was joined by another belongs to the joiner. No two threads share memory.
func TestHandedOn(t *testing.T) {
	for _, pes := range []int{2, 3, 8} {
		for range 5 {
			if got := result(t, dts.Options{PEs: pes}, func(w *dts.Worker) int { return handedOn(w, 8) }); got != 6561 {
				t.Fatalf("on %d PEs: %d, want %d", pes, got, 6561)
			}
		}
	}
}

// The memory of stolen threads is used again.
func TestStolenMemory(t *testing.T) {
	wait := func(_ *dts.Worker, c chan struct{}) int { c <- struct{}{}; return 1 }
	result(t, dts.Options{PEs: 2}, func(w *dts.Worker) int {
		c := make(chan struct{})
		steal := func() {
			h := dts.Fork(w, wait, c)
			<-c
			h.Join(w)
		}
		steal()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 2000 {
			steal()
		}
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 2000*150 {
			t.Errorf("2,000 stolen threads allocate %d bytes", after.TotalAlloc-before.TotalAlloc)
		}
		return 0
	})
}
