package main

import "sync"

func stencil(k *kit) (sum uint64, err error) {
	const workers = 4
	steps, heavy, light := k.times(500), k.work("heavyBlock", 160), k.work("lightBlock", 80)
	b := barrier{cond: sync.NewCond(k.mutex()), missing: workers, workers: workers}
	sums := make([]uint64, workers)
	g := k.group()
	for i := range workers {
		g.Go(func() {
			for range steps {
				if i == 2 {
					sums[i] += heavyBlock(heavy)
				} else {
					sums[i] += lightBlock(light)
				}
				b.wait()
			}
		})
	}
	g.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3], nil
}

// A barrier lets workers go on when all have arrived.
type barrier struct {
	cond                   *sync.Cond
	workers, missing, step int
}

func (b *barrier) wait() {
	b.cond.L.Lock()
	defer b.cond.L.Unlock()
	step := b.step
	if b.missing--; b.missing == 0 {
		b.missing = b.workers
		b.step++
		b.cond.Broadcast()
		return
	}
	for b.step == step {
		b.cond.Wait()
	}
}

//go:noinline
func heavyBlock(w work) uint64 { return w.do() }

//go:noinline
func lightBlock(w work) uint64 { return w.do() }
