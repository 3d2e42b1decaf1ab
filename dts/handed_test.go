package dts_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"whorl/dts"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

// A passer is the argument of a thread that forks others and passes each some of its handles.
type passer struct {
	seed, size uint64
	bag        []dts.Handle[uint64]
}

// pass returns the number of threads that ended in it: itself and those of the threads that it joins.
func pass(w *dts.Worker, p passer) uint64 {
	r := rand.New(rand.NewPCG(p.seed, p.size))
	sum, bag := uint64(1), p.bag
	for left := p.size - 1; left > 0; {
		size := 1 + r.Uint64N(left)
		left -= size
		r.Shuffle(len(bag), func(i, j int) { bag[i], bag[j] = bag[j], bag[i] })
		give := r.IntN(len(bag) + 1)
		given := append([]dts.Handle[uint64](nil), bag[:give]...)
		bag = append(bag[give:len(bag):len(bag)], dts.Fork(w, pass, passer{r.Uint64(), size, given}))
		if r.IntN(4) == 0 {
			runtime.Gosched()
		}
		if k := len(bag) - 1; r.IntN(4) == 0 {
			sum += bag[k].Join(w)
			bag = bag[:k]
		}
	}
	for _, h := range bag {
		sum += h.Join(w)
	}
	return sum
}

// Handles are passed at random to threads forked later. A thread may join any thread that began before it, even one that itself waits for a third.
// No thread waits for a later one, so the run ends.
func TestHandedOnAnywhere(t *testing.T) { handOnAnywhere(t, 10) }

func TestHandedOnAnywhereSoak(t *testing.T) {
	testenv.OnlySoak(t)
	handOnAnywhere(t, 100)
}

func handOnAnywhere(t *testing.T, rounds uint64) {
	for _, name := range stealers {
		for seed := range rounds {
			o := dts.Options{PEs: 2 + int(seed%4), Policy: name}
			if seed%8 == 0 {
				o.Recorder = tracer.NewMemory()
			}
			if got := result(t, o, func(w *dts.Worker) uint64 { return pass(w, passer{seed: seed, size: 300}) }); got != 300 {
				t.Fatalf("%s, seed %d: %d threads, want 300", name, seed, got)
			}
		}
	}
}
