package columns

import "math/bits"

// A cutter divides spans that have no drawing without crossings so that few of them cross.
type cutter struct {
	near   [2]fenwick // by side: the open spans, indexed by rank
	rank   []int32    // by span: its place in the order of ends
	budget int        // remaining steps of branch and bound
}

// mostExchanged limits the spans that exchange handles, whose overlap graph takes a bit for each pair.
const mostExchanged = 2048

// greedy gives each span with side[i] == -1 the side on which it crosses fewer of the spans before it. ends is the
// order of ends, as in overlap.run.
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
	end := func() { // counts the open spans that were forked later
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

// A fenwick counts items by place and sums the counts below a place (P. Fenwick, "A New Data Structure for Cumulative
// Frequency Tables", 1994).
type fenwick struct {
	sums  []int32
	total int32
}

func (f *fenwick) reset(n int) {
	f.sums = grown(f.sums, n+1)
	clear(f.sums)
	f.total = 0
}

func (f *fenwick) add(place, d int32) {
	f.total += d
	for k := int(place) + 1; k < len(f.sums); k += k & -k {
		f.sums[k] += d
	}
}

func (f *fenwick) below(place int32) (sum int32) {
	for k := int(place); k > 0; k -= k & -k {
		sum += f.sums[k]
	}
	return sum
}

// conflicts returns the overlap graph of the given spans, as bit j of row i.
func conflicts(spans []span, members []int32) [][]uint64 {
	words := (len(members) + 63) / 64
	all := make([]uint64, words*len(members))
	adj := make([][]uint64, len(members))
	for i := range adj {
		adj[i] = all[i*words : (i+1)*words]
	}
	for i, s := range members {
		a := &spans[s]
		for j := i + 1; j < len(members); j++ {
			if b := &spans[members[j]]; b.fork >= a.done {
				break // the spans are in the order of their forks
			} else if a.fork < b.fork && a.done < b.done {
				adj[i][j/64] |= 1 << (j % 64)
				adj[j][i/64] |= 1 << (i % 64)
			}
		}
	}
	return adj
}

// exchange moves single spans, and pairs that overlap, to the other side while that removes crossings. It ends in a
// local optimum.
func exchange(adj [][]uint64, side []int8) {
	n := len(adj)
	right := make([]uint64, (n+63)/64)
	for i, s := range side {
		if s == 1 {
			right[i/64] |= 1 << (i % 64)
		}
	}
	gain := func(i int) (less int) { // crossings that go when span i changes sides
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
