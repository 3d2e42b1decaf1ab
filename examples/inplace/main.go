// This program was sequential; whorl dts has rewritten it. It sorts numbers with scratch and smooths the rows of a field, both in place.
// The comments that begin with //dts: are the report, which the view source shows as marks.
package main

import (
	"context"
	"fmt"

	"whorl/dts"
)

// mergeSort sorts xs. It uses scratch, which is as long.
//
//dts:fork
func mergeSort(xs, scratch []int) {
	if len(xs) < 2 {
		return
	}
	m := len(xs) / 2
	mergeSort(xs[:m], scratch[:m])
	mergeSort(xs[m:], scratch[m:])
	merge(scratch, xs[:m], xs[m:])
	copy(xs, scratch)
}

// mergeSortOn is mergeSort on threads of dts, with the worker w.
func mergeSortOn(w *dts.Worker, xs, scratch []int) {
	if len(xs) < 1000 || !(len(xs) <= len(scratch) && len(scratch) <= len(xs)) { // too little for threads, or calls may use the same memory
		mergeSort(xs, scratch)
		return
	}
	if len(xs) < 2 {
		return
	}
	m := len(xs) / 2
	//dts:parallel mergeSort(xs[:m], scratch[:m]) is forked, and joined before "merge(scratch, xs[:m], xs[m:])", if the slices share no memory
	var h dts.Handle[struct{}]
	apart := dts.Disjoint(xs[:m], scratch[m:]) && dts.Disjoint(scratch[:m], xs[m:])
	if apart {
		h = forkMergeSort(w, xs[:m], scratch[:m])
	} else {
		mergeSortOn(w, xs[:m], scratch[:m])
	}
	//dts:serial mergeSort(xs[m:], scratch[m:]) stays a call: nothing is computed between it and "merge(scratch, xs[:m], xs[m:])", before which it has to end: mergeSort works in place, and what runs beside it calls merge, which writes to an element of out in "merge(scratch, xs[:m], xs[m:])"
	mergeSortOn(w, xs[m:], scratch[m:])
	if apart {
		joinMergeSort(w, h)
	}
	merge(scratch, xs[:m], xs[m:])
	copy(xs, scratch)
}

// mergeSortArgs are the arguments of mergeSort.
type mergeSortArgs struct {
	xs      []int
	scratch []int
}

// forkMergeSort forks a thread that calls mergeSort.
func forkMergeSort(w *dts.Worker, xs []int, scratch []int) dts.Handle[struct{}] {
	return dts.Fork(w, func(w *dts.Worker, a mergeSortArgs) struct{} {
		mergeSortOn(w, a.xs, a.scratch)
		return struct{}{}
	}, mergeSortArgs{xs, scratch})
}

// joinMergeSort waits for a thread of forkMergeSort and returns its results.
func joinMergeSort(w *dts.Worker, h dts.Handle[struct{}]) {
	h.Join(w)
}

func merge(out, a, b []int) {
	i, j := 0, 0
	for k := range out {
		if j == len(b) || i < len(a) && a[i] <= b[j] {
			out[k] = a[i]
			i++
		} else {
			out[k] = b[j]
			j++
		}
	}
}

// smooth makes neighbours more alike.
//
//dts:fork
func smooth(row []float64) {
	for i := 1; i < len(row); i++ {
		row[i] = (row[i-1] + row[i]) / 2
	}
}

// forkSmooth forks a thread that calls smooth.
func forkSmooth(w *dts.Worker, row []float64) dts.Handle[struct{}] {
	return dts.Fork(w, func(_ *dts.Worker, a []float64) struct{} {
		smooth(a)
		return struct{}{}
	}, row)
}

// joinSmooth waits for a thread of forkSmooth and returns its results.
func joinSmooth(w *dts.Worker, h dts.Handle[struct{}]) {
	h.Join(w)
}

func smoothAll(field [][]float64) {
	for _, row := range field {
		smooth(row)
	}
}

// smoothAllOn is smoothAll on threads of dts, with the worker w.
func smoothAllOn(w *dts.Worker, field [][]float64) {
	//dts:parallel smooth(row) runs in the rounds of a dts.For, if the slices share no memory
	if dts.DisjointRows(field) {
		dts.For(w, 0, len(field), 0, func(w *dts.Worker, i int) {
			row := field[i]
			smooth(row)
		})
	} else {
		for _, row := range field {
			smooth(row)
		}
	}
}

func main() {
	_, err := dts.Run(context.Background(), dts.Options{}, func(w *dts.Worker) struct{} {
		mainOn(w)
		return struct{}{}
	})
	if err != nil {
		panic(err)
	}
}

// mainOn is main on threads of dts, with the worker w.
func mainOn(w *dts.Worker) {
	xs := make([]int, 1_000_000)
	seed := 1
	for i := range xs {
		seed = (seed*1103515245 + 12345) & (1<<31 - 1)
		xs[i] = seed
	}
	//dts:serial mergeSort(xs, make([]int, len(xs))) stays a call: nothing is computed between it and "for i := range field {", before which it has to end: mergeSort works in place, and what runs beside it writes to an element of a shared slice in "field[i] = make([]float64, 1000)"
	mergeSortOn(w, xs, make([]int, len(xs)))
	field := make([][]float64, 100)
	for i := range field {
		field[i] = make([]float64, 1000)
		field[i][i] = 1
	}
	smoothAllOn(w, field)
	fmt.Println(xs[0], xs[len(xs)/2], xs[len(xs)-1], field[5][9])
}
