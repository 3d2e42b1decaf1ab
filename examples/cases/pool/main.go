// Pool sorts blocks of numbers by several workers. One of them is slow, because it sorts by insertion. The others wait for it at the end of each
// round.
//
//	go run ./examples/cases/pool -trace pool.trace
//	whorl view pool.trace
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"whorl/examples/cases/tracing"
)

const blockSize = 3000

// sorted sorts a block.
func sorted(block []int) { slices.Sort(block) }

// inserted sorts a block, slowly.
func inserted(block []int) {
	for i := range block {
		for k := i; k > 0 && block[k] < block[k-1]; k-- {
			block[k], block[k-1] = block[k-1], block[k]
		}
	}
}

// work sorts its part of the blocks of a round.
func work(blocks [][]int, sort func([]int)) {
	for _, b := range blocks {
		sort(b)
	}
}

// round shares blocks among the workers and waits for all of them.
func round(workers, each int) {
	var all sync.WaitGroup
	for w := range workers {
		blocks := make([][]int, each)
		for i := range blocks {
			blocks[i] = make([]int, blockSize)
			for k := range blocks[i] {
				blocks[i][k] = rand.IntN(1 << 20)
			}
		}
		sort := sorted
		if w == workers-1 {
			sort = inserted
		}
		all.Go(func() { work(blocks, sort) })
	}
	all.Wait()
}

func main() {
	file := tracing.Flag()
	workers := flag.Int("workers", 4, "workers")
	rounds := flag.Int("rounds", 10, "rounds")
	flag.Parse()
	defer tracing.Start(*file)()
	begin := time.Now()
	for range *rounds {
		round(*workers, 4)
	}
	fmt.Printf("%d rounds in %v\n", *rounds, time.Since(begin).Round(time.Millisecond))
}
