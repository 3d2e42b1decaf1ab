// Package threads contains the benchmarks that are programs of threads, written in Go with package dts, one in each file. Package benchmarks has
// their sizes, descriptions and checks.
//
// A program registers the functions that it forks, so that they can run on any host, and declares their cost: it counts instructions as a
// simple compiler would generate them, and spends them on the simulated machine. docs/cost-model.md lists the weights. A live run spends
// real time only.
package threads

import (
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"whorl/dts"
)

// An Env is the environment of a program.
type Env struct {
	Funcs         *dts.Registry // receives the functions that are forked
	InstructionPs int64         // duration of an instruction of the simulated machine in picoseconds; 0 for a live run
}

// A Program is a program made for an Env.
type Program struct {
	// Main is the main thread, which computes the answer for the sizes. It is registered too, so that a run can be a job of several hosts.
	Main dts.Func[[]int64, string]
	// Prepare makes the input for the sizes before the main thread starts. It is nil if there is no input.
	Prepare func(p []int64)
}

// Make returns the program in a file of this package. Package benchmarks names the files alone, so that the page, which runs no programs itself, links
// none of them.
func Make(file string, e *Env) Program {
	switch file {
	case "bubblesort.go":
		return BubbleMergeSort(e)
	case "fibonacci.go":
		return Fibonacci(e)
	case "mandelbrot.go":
		return Mandelbrot(e)
	case "matmul.go":
		return MatMul(e)
	case "nqueens.go":
		return NQueens(e)
	case "pascal.go":
		return Pascal(e)
	case "quicksort.go":
		return Quicksort(e)
	case "rsa.go":
		return RSA(e)
	case "semigroup.go":
		return Semigroup(e)
	case "stencil.go":
		return Stencil(e)
	}
	panic("threads: no program in " + file)
}

// An input caches the input for the most recent sizes.
type input[T any] struct {
	mu    sync.Mutex
	sizes []int64
	value T
	from  func(p []int64) T
}

func (in *input[T]) get(p []int64) T {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.sizes == nil || !slices.Equal(in.sizes, p) {
		in.sizes, in.value = slices.Clone(p), in.from(p)
	}
	return in.value
}

func (in *input[T]) prepare(p []int64) { in.get(p) }

// program registers the main thread.
func (e *Env) program(main func(w *dts.Worker, p []int64) string, prepare func(p []int64)) Program {
	return Program{dts.Register(e.Funcs, "main", main), prepare}
}

// spend declares a number of instructions. In a live run they take no time, but the run can be stopped here.
func (e *Env) spend(w *dts.Worker, instructions int64) {
	w.Compute(time.Duration(instructions * e.InstructionPs / 1000))
}

// Random returns the source of random numbers for inputs of the given size. It is the same everywhere.
func Random(size int64) *rand.Rand { return rand.New(rand.NewPCG(uint64(size), 0x9e3779b97f4a7c15)) }
