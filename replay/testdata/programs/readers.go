package main

func readers(k *kit) (sum uint64, err error) {
	rounds, reading, writing := k.times(1600), k.work("read", 12), k.work("write", 40)
	mu, g := k.rwMutex(), k.group()
	var table uint64
	for range 8 {
		g.Go(func() {
			mine := uint64(0)
			for i := range rounds {
				if i%16 == 15 {
					mu.Lock()
					table += write(writing)
					mu.Unlock()
					continue
				}
				mu.RLock()
				mine += read(reading)
				mu.RUnlock()
			}
			mu.Lock()
			sum += mine
			mu.Unlock()
		})
	}
	g.Wait()
	return sum + table, nil
}

//go:noinline
func read(w work) uint64 { return w.do() }

//go:noinline
func write(w work) uint64 { return w.do() }
