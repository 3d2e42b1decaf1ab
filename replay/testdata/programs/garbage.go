package main

func garbage(k *kit) (uint64, error) {
	const workers, live = 4, 8
	rounds, looking := k.times(60), k.work("inspect", 100)
	sums := make([]uint64, workers)
	g := k.group()
	for i := range workers {
		g.Go(func() {
			var kept [live]*node
			for r := range rounds {
				kept[r%live] = grow(12)
				sums[i] += inspect(looking) + kept[r%live].count()
			}
		})
	}
	g.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3], nil
}

type node struct {
	left, right *node
	load        [2]uint64 // as many bytes as nodes of programs have
}

// grow allocates a tree.
//
//go:noinline
func grow(depth int) *node {
	if depth == 0 {
		return &node{load: [2]uint64{1}}
	}
	return &node{left: grow(depth - 1), right: grow(depth - 1)}
}

// count returns the number of leaves.
func (n *node) count() uint64 {
	if n == nil {
		return 0
	}
	return n.load[0] + n.left.count() + n.right.count()
}

//go:noinline
func inspect(w work) uint64 { return w.do() }
