package main

func mapreduce(k *kit) (sum uint64, err error) {
	const reducers, keys = 4, 16
	mapping, reducing := k.work("mapChunk", 2000), k.work("reduceKey", 40)
	chunks := makeChannel[int](k, 0)
	byKey := make([]channel[uint64], reducers)
	sums := make([]uint64, reducers)
	mappers, reduced := k.group(), k.group()
	for i := range byKey {
		byKey[i] = makeChannel[uint64](k, 32)
		reduced.Go(func() {
			for x := range byKey[i].All() {
				sums[i] += x + reduceKey(reducing)
			}
		})
	}
	for range 8 {
		mappers.Go(func() {
			for range chunks.All() {
				x := mapChunk(mapping)
				for key := range keys {
					byKey[key%reducers].Send(x)
				}
			}
		})
	}
	for i := range k.times(72) {
		chunks.Send(i)
	}
	chunks.Close()
	mappers.Wait()
	for _, c := range byKey {
		c.Close()
	}
	reduced.Wait()
	for _, s := range sums {
		sum += s + reduceKey(reducing)
	}
	return sum, nil
}

//go:noinline
func mapChunk(w work) uint64 { return w.do() }

//go:noinline
func reduceKey(w work) uint64 { return w.do() }
