package threadgraph

// A Bulk describes what a thread of a condensed graph stands for.
type Bulk struct {
	Threads int64 // 0 for a thread that is not condensed
	Work    int64 // ns; run time of these threads
	Columns int32 // that they take side by side
	Fill    [Parts]float32
}

// Parts is the number of equal parts of the virtual time of a Bulk. Fill is the share of its columns that threads take in each part, 0 to 1.
const Parts = 8

// divide chooses the threads that stand for themselves and those that share one. Siblings share one if they begin within a virtual time. opened has
// the opened threads, and as false those above them.
func (c *condenser) divide(threads []measured, how *condensing, opened map[int32]bool, near int64) {
	c.group = make([]int32, len(threads))
	var open []int32 // by condensed thread: the bulk to which its next child can belong + 1
	roots := int32(0)
	for i := range threads {
		t := &threads[i]
		last, limit := &roots, how.limit(int32(len(threads)))
		if t.parent >= 0 {
			up := c.group[t.parent]
			if c.kept[up].bulk {
				c.group[i] = up
				continue
			}
			last, limit = &open[up], c.kept[up].limit
		}
		root, path := opened[int32(i)]
		if root {
			limit = min(limit, how.limit(t.size))
		}
		if t.size > limit || path {
			c.group[i] = int32(len(c.kept))
			c.kept = append(c.kept, condensed{measured: *t, limit: limit})
			open = append(open, 0)
			continue
		}
		if *last > 0 {
			if b := &c.kept[*last-1].measured; b.size+t.size <= limit && max(t.begin-b.begin, b.begin-t.begin) <= near {
				c.group[i] = *last - 1
				if k := &c.kept[*last-1]; t.size > k.most {
					k.largest, k.most = int32(i), t.size
				}
				b.size += t.size
				b.run += t.run
				b.columns += t.columns
				b.end, b.last, b.depth = max(b.end, t.end), max(b.last, t.last), max(b.depth, t.depth)
				continue
			}
		}
		c.group[i] = int32(len(c.kept))
		c.kept = append(c.kept, condensed{measured: *t, bulk: true, largest: int32(i), most: t.size})
		*last = c.group[i] + 1
		open = append(open, 0)
	}
	for i := range threads {
		if b := &c.kept[c.group[i]]; b.bulk {
			b.fill(&threads[i])
		}
	}
}

// fill adds the time of a thread to the parts of a bulk.
func (b *condensed) fill(t *measured) {
	part := float64(b.end-b.begin) / Parts
	if part <= 0 {
		return
	}
	from, to := float64(max(t.begin-b.begin, 0)), float64(t.own-b.begin)
	for k := int(from / part); k < Parts && float64(k)*part < to; k++ {
		b.alive[k] += min(to, float64(k+1)*part) - max(from, float64(k)*part)
	}
}

// limit returns the largest subtree that becomes one in a tree of n threads.
func (h *condensing) limit(n int32) int32 {
	if int(n) <= h.whole {
		return 0
	}
	return max(n/int32(h.share), 1)
}
