package parallel

import (
	"fmt"
	"slices"
	"testing"
)

// TestRange checks that every index is in exactly one piece, and that each piece is of the right size and of an existing worker.
func TestRange(t *testing.T) {
	for _, c := range []struct{ n, piece, workers int }{
		{0, 4, 2}, {1, 4, 2}, {4, 4, 2}, {5, 4, 2}, {1000, 7, 1}, {1000, 7, 3}, {1000, 1, 8}, {10, 0, 0}, {10, 100, 4},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			visits, workers := make([]int, c.n), make([]int, c.n)
			size := max(c.piece, 1)
			Range(c.n, c.piece, c.workers, func(worker, first, end int) {
				if first%size != 0 || end != min(first+size, c.n) {
					t.Errorf("a piece from %d to %d", first, end)
				}
				for i := first; i < end; i++ {
					visits[i]++
					workers[i] = worker
				}
			})
			if c.n > 0 && (slices.Min(visits) != 1 || slices.Max(visits) != 1) {
				t.Errorf("numbers of visits %v", visits)
			}
			if c.n > 0 && (slices.Min(workers) < 0 || slices.Max(workers) >= max(c.workers, 1)) {
				t.Errorf("workers %v", workers)
			}
		})
	}
}

// TestRangeConcurrent checks that all workers run at the same time: each waits for the others.
func TestRangeConcurrent(t *testing.T) {
	const workers = 4
	var arrived [workers]chan struct{}
	for i := range arrived {
		arrived[i] = make(chan struct{})
	}
	Range(workers, 1, workers, func(worker, _, _ int) {
		close(arrived[worker])
		for _, c := range arrived {
			<-c
		}
	})
}

// TestBoth checks that the two functions run at the same time and that Both waits for both.
func TestBoth(t *testing.T) {
	question, answer, got := make(chan int), make(chan int), 0
	Both(func() { answer <- 2 * <-question }, func() { question <- 21; got = <-answer })
	if got != 42 {
		t.Errorf("got %d, want 42", got)
	}
}
