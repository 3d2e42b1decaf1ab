// Package threads holds the benchmarks that are programs of threads, in Go on package dts: a file each. What they teach, their sizes and the
// check of their answers stand in package benchmarks.
//
// A program registers the functions that it forks, so that they may run on any host, and declares what they take: it counts what it does in
// instructions, as a compiler without any cleverness would need them, and spends them on the simulated machine. docs/cost-model.md has the
// weights. Live nothing is spent but real time.
package threads

import (
	"math/rand/v2"
	"time"

	"whorl/dts"
)

// An Env is what a program gets from whoever runs it.
type Env struct {
	Funcs         *dts.Registry // takes in the functions that are forked
	InstructionPs int64         // what an instruction of the simulated machine takes, in picoseconds; 0 for a live run
}

// Main returns the main thread of a run with sizes p; it returns the answer.
type Main func(p []int64) func(*dts.Worker) string

// spend declares so many instructions.
func (e *Env) spend(w *dts.Worker, instructions int64) {
	if e.InstructionPs > 0 {
		w.Compute(time.Duration(instructions * e.InstructionPs / 1000))
	}
}

// Random is the source of the inputs of that size: the same everywhere.
func Random(size int64) *rand.Rand { return rand.New(rand.NewPCG(uint64(size), 0x9e3779b97f4a7c15)) }
