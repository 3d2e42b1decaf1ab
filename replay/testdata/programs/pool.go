package main

func pool(k *kit) (sum uint64, err error) {
	long, short := k.work("longJob", 120), k.work("shortJob", 20)
	jobs, results := makeChannel[int](k, 0), makeChannel[uint64](k, 64)
	workers := k.group()
	for range 8 {
		workers.Go(func() {
			for j := range jobs.All() {
				if j%8 == 0 {
					results.Send(longJob(long))
				} else {
					results.Send(shortJob(short))
				}
			}
		})
	}
	go func() {
		for j := range k.times(6000) {
			jobs.Send(j)
		}
		jobs.Close()
		workers.Wait()
		results.Close()
	}()
	for x := range results.All() {
		sum += x
	}
	return sum, nil
}

//go:noinline
func longJob(w work) uint64 { return w.do() }

//go:noinline
func shortJob(w work) uint64 { return w.do() }
