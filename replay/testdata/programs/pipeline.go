package main

func pipeline(k *kit) (sum uint64, err error) {
	items, quick, slow := k.times(8000), k.work("quickStage", 5), k.work("slowStage", 15)
	a, b := makeChannel[uint64](k, 8), makeChannel[uint64](k, 8)
	go func() {
		for range items {
			a.Send(quickStage(quick))
		}
		a.Close()
	}()
	go func() {
		for x := range a.All() {
			b.Send(x + slowStage(slow))
		}
		b.Close()
	}()
	for x := range b.All() {
		sum += x + quickStage(quick)
	}
	return sum, nil
}

//go:noinline
func slowStage(w work) uint64 { return w.do() }

//go:noinline
func quickStage(w work) uint64 { return w.do() }
