package spawntree

import (
	"errors"
	"math"
	"slices"

	"whorl/tracer"
	"whorl/tracer/store"
)

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

// Timed reports whether any node has a cost.
func (c *Tally) Timed() bool {
	return c.NoPE.Cost > 0 || slices.ContainsFunc(c.PE, func(t Total) bool { return t.Cost > 0 })
}

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
	c, _ := t.Count(nil) // only a tick has errors
	return c
}

// Count is Tally for a caller that gets ticks, whose error ends the count. tick is as for Grow.
func (t *Tree) Count(tick func(done, total int64) error) (*Tally, error) {
	t.count.Lock()
	defer t.count.Unlock()
	if t.tally != nil {
		return t.tally, nil
	}
	c := newTally(t.codes)
	for i, pe := range t.PE.All() {
		if i%tickEvery == 0 && tick != nil {
			if err := tick(int64(i), int64(t.Len())); err != nil {
				return nil, err
			}
		}
		c.add(pe, t.Code.At(i), t.Time.At(i), t.Cost.At(i))
	}
	c.finish()
	t.tally = c
	return c, nil
}

// tickEvery is the number of nodes of Count between two ticks.
const tickEvery = 1 << 18

// Count returns a tree without nodes that has the tally of all nodes of a trace. For goals it reads their reductions in one scan without order; for
// threads it makes a pass. tick is as for Grow.
func Count(src tracer.Source, tick func(done, total int64) error) (*Tree, error) {
	counts := src.Counts()
	if counts[tracer.Fork]+counts[tracer.Start] > 0 {
		return countThreads(src, tick)
	}
	t := &Tree{Height: -1, tally: newTally(len(src.Dict().Codes()))}
	done, total := int64(0), counts[tracer.Reduce]
	query := store.Query{
		Kinds: tracer.Kinds(tracer.Reduce), Columns: store.PE | store.Time | store.Task | store.Code | store.Value, Apart: true,
	}
	err := store.Select(src, query, func(es []tracer.Event) error {
		for i := range es {
			if e := &es[i]; e.Task != 0 {
				t.tally.add(e.PE, e.Code, e.Time, e.Value)
			}
		}
		if done += int64(len(es)); tick != nil {
			return tick(done, total)
		}
		return nil
	})
	t.tally.finish()
	return t, err
}

// countThreads counts the nodes by a pass that draws the roots alone.
func countThreads(src tracer.Source, tick func(done, total int64) error) (*Tree, error) {
	p := Pass{Tick: tick}
	roots := func(level int32) (int32, bool) { return 0, level == 0 }
	t, err := p.Condense(src, 0, roots)
	if lost := (*LostParentError)(nil); errors.As(err, &lost) {
		p.KeepAll = true
		t, err = p.Condense(src, 0, roots)
	}
	if err != nil {
		return nil, err
	}
	return &Tree{Height: -1, tally: t.tally}, nil
}
