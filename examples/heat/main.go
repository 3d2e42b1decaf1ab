// Heat computes the temperature along a rod whose ends are held at 100 and 0 degrees: heat [STEPS].
//
// It shows owner-computes with dts.ForkOn: each PE owns a block of the rod and updates it in every step. dts.For fills the rod. Simulated, a
// cell takes a microsecond for each step.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"whorl/dts"
)

const cells = 4096

// A block is a range of cells and the temperatures before and after a step.
type block struct {
	lo, hi   int
	old, now []float64
}

// update sets each cell of a block to the mean of its neighbours. It returns the largest change.
func update(w *dts.Worker, b block) (change float64) {
	w.Compute(time.Duration(b.hi-b.lo) * time.Microsecond)
	for i := b.lo; i < b.hi; i++ {
		b.now[i] = (b.old[i-1] + b.old[i+1]) / 2
		change = max(change, b.now[i]-b.old[i], b.old[i]-b.now[i])
	}
	return change
}

// simulate makes the given number of steps and returns the temperatures and the largest change of the last step.
func simulate(w *dts.Worker, steps int) (rod []float64, change float64) {
	old, now := make([]float64, cells+2), make([]float64, cells+2)
	dts.For(w, 1, cells+1, 512, func(_ *dts.Worker, i int) { old[i] = 50 })
	old[0], now[0] = 100, 100
	for range steps {
		blocks := make([]dts.Handle[float64], w.PEs())
		for pe := range blocks {
			lo, hi := 1+pe*cells/len(blocks), 1+(pe+1)*cells/len(blocks)
			blocks[pe] = dts.ForkOn(w, pe, update, block{lo, hi, old, now})
		}
		change = 0
		for _, h := range blocks {
			change = max(change, h.Join(w))
		}
		old, now = now, old
	}
	return old, change
}

func main() {
	steps := 1000
	if len(os.Args) > 1 {
		var err error
		if steps, err = strconv.Atoi(os.Args[1]); err != nil {
			log.Fatal(err)
		}
	}
	_, err := dts.Run(context.Background(), dts.Options{Policy: "static"}, func(w *dts.Worker) struct{} {
		rod, change := simulate(w, steps)
		fmt.Printf("cell 1 %.2f, cell %d %.2f, last change %.4f\n", rod[1], cells, rod[cells], change)
		return struct{}{}
	})
	if err != nil {
		log.Fatal(err)
	}
}
