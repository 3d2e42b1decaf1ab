package main

func forkjoin(k *kit) (uint64, error) {
	return tree(k, k.times(2048), k.work("leaf", 80), k.work("merge", 15)), nil
}

// tree has a goroutine for each half of the leaves.
func tree(k *kit, leaves int, leafWork, mergeWork work) uint64 {
	if leaves == 1 {
		return leaf(leafWork)
	}
	g := k.group()
	var a, b uint64
	g.Go(func() { a = tree(k, leaves/2, leafWork, mergeWork) })
	g.Go(func() { b = tree(k, leaves-leaves/2, leafWork, mergeWork) })
	g.Wait()
	return a + b + merge(mergeWork)
}

//go:noinline
func leaf(w work) uint64 { return w.do() }

//go:noinline
func merge(w work) uint64 { return w.do() }
