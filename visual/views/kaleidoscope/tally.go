package kaleidoscope

import (
	"math"
	"runtime"
	"sync"

	"whorl/tracer/derive/spawntree"
	"whorl/visual/view"
)

// total counts nodes and adds up their costs in ns.
type total struct{ nodes, cost int64 }

func (t *total) add(u total) {
	t.nodes += u.nodes
	t.cost += u.cost
}

// A tally is what legends say of a tree whatever its colours: it is computed once, while colours change.
type tally struct {
	pe      []total // by PE
	noPE    total   // of nodes whose PE is not known
	code    []total // by code; the last of those that are not in the table
	from    int64   // the times of the first and the last node, 0 in an empty tree
	to      int64
	largest int // PE, -1 for none
}

func tallyOf(t *spawntree.Tree, codes int) *tally {
	c := &tally{code: make([]total, codes+1), from: math.MaxInt64, to: math.MinInt64, largest: -1}
	for _, pe := range t.PE {
		if pe < view.MostPEs {
			c.largest = max(c.largest, int(pe))
		}
	}
	c.pe = make([]total, c.largest+1)
	for i, pe := range t.PE {
		cost := t.Cost[i]
		p := &c.noPE
		if uint(pe) < uint(len(c.pe)) {
			p = &c.pe[pe]
		}
		p.nodes++
		p.cost += cost
		q := &c.code[min(int(t.Code[i]), codes)]
		q.nodes++
		q.cost += cost
		c.from, c.to = min(c.from, t.Time[i]), max(c.to, t.Time[i])
	}
	if t.Len() == 0 {
		c.from, c.to = 0, 0
	}
	return c
}

// each calls f for the parts of 0, ..., n-1, one for each processor, and waits for all.
func each(n int, f func(from, to int)) {
	parts := min(runtime.GOMAXPROCS(0), n/100_000+1)
	var wg sync.WaitGroup
	for p := 1; p < parts; p++ {
		wg.Go(func() { f(n*p/parts, n*(p+1)/parts) })
	}
	f(0, n/parts)
	wg.Wait()
}
