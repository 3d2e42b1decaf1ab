package columns

import "math/bits"

// A cutter divides spans that cannot be drawn on two sides without a crossing so that few cross.
type cutter struct {
	near   [2]fenwick // by side: the spans that are open, by the order in which they are done
	rank   []int32    // by span: that order
	budget int        // steps that branch and bound may still make
}

// mostExchanged is how many spans exchange sides at most: the graph of their overlaps has a bit for each two.
const mostExchanged = 2048

// greedy gives each span of the parts that sides asks for the side on which it crosses fewer of those before it: side[i] is -1 for those
// that want one. ends is as in overlap.run.
func (c *cutter) greedy(spans []span, ends []int32, side []int8) {
	n := len(spans)
	c.rank = grown(c.rank, n)
	for k, i := range ends {
		c.rank[i] = int32(k)
	}
	c.near[0].reset(n)
	c.near[1].reset(n)
	wanted := grown[bool](nil, n)
	k := 0
	for i := range spans {
		for ; k < n && spans[ends[k]].done <= spans[i].fork; k++ {
			if j := ends[k]; wanted[j] {
				c.near[side[j]].add(c.rank[j], -1)
			}
		}
		if side[i] >= 0 {
			continue
		}
		wanted[i] = true
		side[i] = 0
		if c.near[1].below(c.rank[i]) < c.near[0].below(c.rank[i]) {
			side[i] = 1
		}
		c.near[side[i]].add(c.rank[i], 1)
	}
}

// crossings counts the pairs of spans that overlap and stand on one side.
func (c *cutter) crossings(spans []span, ends []int32, side []int8) (crossings int64) {
	n := len(spans)
	c.near[0].reset(n)
	c.near[1].reset(n)
	k := 0
	end := func() { // those that are open and were forked later
		i := ends[k]
		f := &c.near[side[i]]
		f.add(i, -1)
		crossings += int64(f.total - f.below(i))
		k++
	}
	for i := range spans {
		for k < n && spans[ends[k]].done <= spans[i].fork {
			end()
		}
		c.near[side[i]].add(int32(i), 1)
	}
	for k < n {
		end()
	}
	return crossings
}

// A fenwick counts, by place, and sums up what lies below a place (P. Fenwick, "A New Data Structure for Cumulative Frequency Tables", 1994).
type fenwick struct {
	sums  []int32
	total int32
}

func (f *fenwick) reset(n int) {
	f.sums = grown(f.sums, n+1)
	clear(f.sums)
	f.total = 0
}

func (f *fenwick) add(at, d int32) {
	f.total += d
	for k := int(at) + 1; k < len(f.sums); k += k & -k {
		f.sums[k] += d
	}
}

func (f *fenwick) below(at int32) (sum int32) {
	for k := int(at); k > 0; k -= k & -k {
		sum += f.sums[k]
	}
	return sum
}

// conflicts is the graph of overlaps of some spans: bit j of row i.
func conflicts(spans []span, some []int32) [][]uint64 {
	words := (len(some) + 63) / 64
	all := make([]uint64, words*len(some))
	adj := make([][]uint64, len(some))
	for i := range adj {
		adj[i] = all[i*words : (i+1)*words]
	}
	for i, s := range some {
		a := &spans[s]
		for j := i + 1; j < len(some); j++ {
			if b := &spans[some[j]]; b.fork >= a.done {
				break // they are in the order of their forks
			} else if a.fork < b.fork && a.done < b.done {
				adj[i][j/64] |= 1 << (j % 64)
				adj[j][i/64] |= 1 << (i % 64)
			}
		}
	}
	return adj
}

// exchange moves single spans, and pairs of two that overlap, to the other side as long as that makes crossings fewer: a local optimum.
func exchange(adj [][]uint64, side []int8) {
	n := len(adj)
	right := make([]uint64, (n+63)/64)
	for i, s := range side {
		if s == 1 {
			right[i/64] |= 1 << (i % 64)
		}
	}
	gain := func(i int) (less int) { // crossings that go when i changes its side
		for w, a := range adj[i] {
			r := bits.OnesCount64(a & right[w])
			l := bits.OnesCount64(a) - r
			if side[i] == 1 {
				less += r - l
			} else {
				less += l - r
			}
		}
		return less
	}
	flip := func(i int) {
		side[i] ^= 1
		right[i/64] ^= 1 << (i % 64)
	}
	for better := true; better; {
		better = false
		for i := range n {
			if gain(i) > 0 {
				flip(i)
				better = true
			}
		}
		if better {
			continue
		}
		for i := 0; i < n && !better; i++ {
			if gain(i) < 0 {
				continue
			}
			flip(i)
			for j := range n {
				if j != i && side[j] == side[i] && gain(j) > 0 {
					flip(j)
					better = true
					break
				}
			}
			if !better {
				flip(i)
			}
		}
	}
}
