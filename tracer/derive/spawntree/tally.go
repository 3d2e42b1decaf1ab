package spawntree

import "math"

// A Total counts nodes and sums their costs, in ns.
type Total struct{ Nodes, Cost int64 }

// Add adds another total.
func (t *Total) Add(u Total) {
	t.Nodes += u.Nodes
	t.Cost += u.Cost
}

// A Tally holds the totals of the nodes of a tree.
type Tally struct {
	PE       []Total // by PE, as long as the largest PE that has nodes
	NoPE     Total   // nodes of unknown PE
	Code     []Total // by code; the last entry is for unknown codes
	From, To int64   // times of the first and the last node, 0 in an empty tree
}

// MostPEs is twice the size of the largest machine. Only a damaged trace has a PE beyond it, which counts as unknown.
const MostPEs = 1 << 21

// newTally returns an empty tally of a trace with n codes.
func newTally(n int) *Tally {
	return &Tally{Code: make([]Total, n+1), From: math.MaxInt64, To: math.MinInt64}
}

func (c *Tally) add(pe int32, code uint32, time, cost int64) {
	p := &c.NoPE
	if pe >= 0 && pe < MostPEs {
		if int(pe) >= len(c.PE) {
			c.PE = append(c.PE, make([]Total, int(pe)+1-len(c.PE))...)
		}
		p = &c.PE[pe]
	}
	p.Nodes++
	p.Cost += cost
	q := &c.Code[min(int(code), len(c.Code)-1)]
	q.Nodes++
	q.Cost += cost
	c.From, c.To = min(c.From, time), max(c.To, time)
}

// finish ends the count.
func (c *Tally) finish() {
	if c.From > c.To {
		c.From, c.To = 0, 0
	}
}

// Tally returns the totals of the tree's nodes. For a tree condensed by a Pass it returns the totals of all nodes of the trace, even if the tree
// is a subtree; Condensation holds the totals of the subtree.
func (t *Tree) Tally() *Tally {
	t.count.Do(func() {
		if t.tally != nil {
			return
		}
		t.tally = newTally(t.codes)
		for i, pe := range t.PE {
			t.tally.add(pe, t.Code[i], t.Time[i], t.Cost[i])
		}
		t.tally.finish()
	})
	return t.tally
}
