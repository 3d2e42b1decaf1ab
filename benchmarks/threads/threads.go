// Package threads holds the benchmarks that are programs of threads, in Go on package dts: a file each. What they teach, their sizes and the
// check of their answers stand in package benchmarks.
//
// A program registers the functions that it forks, so that they may run on any host, and declares what they take: it counts what it does in
// instructions, as a compiler without any cleverness would need them, and spends them on the simulated machine. docs/cost-model.md has the
// weights. Live nothing is spent but real time.
package threads

import (
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"whorl/dts"
)

// An Env is what a program gets from whoever runs it.
type Env struct {
	Funcs         *dts.Registry // takes in the functions that are forked
	InstructionPs int64         // what an instruction of the simulated machine takes, in picoseconds; 0 for a live run
}

// A Program is what was made for an Env.
type Program struct {
	// Main is the main thread: of the sizes it makes the answer. It is registered too, so that a run can be a job of several hosts.
	Main dts.Func[[]int64, string]
	// Prepare makes the input for these sizes, so that the main thread does not have to; nil where there is none.
	Prepare func(p []int64)
}

// An input is made once for each sizes.
type input[T any] struct {
	mu    sync.Mutex
	sizes []int64
	value T
	from  func(p []int64) T
}

func (in *input[T]) of(p []int64) T {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.sizes == nil || !slices.Equal(in.sizes, p) {
		in.sizes, in.value = slices.Clone(p), in.from(p)
	}
	return in.value
}

func (in *input[T]) prepare(p []int64) { in.of(p) }

// program registers the main thread.
func (e *Env) program(main func(w *dts.Worker, p []int64) string, prepare func(p []int64)) Program {
	return Program{dts.Register(e.Funcs, "main", main), prepare}
}

// spend declares so many instructions. Live they take no time of their own, and it is only a place where a run can be stopped.
func (e *Env) spend(w *dts.Worker, instructions int64) {
	w.Compute(time.Duration(instructions * e.InstructionPs / 1000))
}

// Random is the source of the inputs of that size: the same everywhere.
func Random(size int64) *rand.Rand { return rand.New(rand.NewPCG(uint64(size), 0x9e3779b97f4a7c15)) }
