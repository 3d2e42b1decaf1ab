// Figure1 is the program of Figure 1 of the paper on TreVis: a master thread that forks a slave thread and joins it.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"whorl/dts"
)

func slave(w *dts.Worker, d time.Duration) int {
	w.Compute(d)
	return 0
}

func main() {
	_, err := dts.Run(context.Background(), dts.Options{}, func(w *dts.Worker) int {
		w.Compute(300 * time.Millisecond)
		h := dts.Fork(w, slave, time.Second)
		w.Compute(500 * time.Millisecond)
		h.Join(w)
		w.Compute(300 * time.Millisecond)
		return 0
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
