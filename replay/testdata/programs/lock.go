package main

func lock(k *kit) (sum uint64, err error) {
	rounds, inner, outer := k.times(2000), k.work("critical", 8), k.work("outside", 4)
	mu, g := k.mutex(), k.group()
	for range 8 {
		g.Go(func() {
			mine := uint64(0)
			for range rounds {
				mu.Lock()
				sum += critical(inner) + mine
				mu.Unlock()
				mine = outside(outer)
			}
		})
	}
	g.Wait()
	return sum, nil
}

//go:noinline
func critical(w work) uint64 { return w.do() }

//go:noinline
func outside(w work) uint64 { return w.do() }
