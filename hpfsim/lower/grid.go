package lower

import (
	"fmt"

	"whorl/hpfsim/syntax"
)

// grid resolves an arrangement of processors. Without dimensions it has one processor.
func (l *lowerer) grid(e syntax.Entity) *Grid {
	g := &Grid{Name: e.Text, First: []int{}}
	for _, d := range e.Dims {
		n, lo := int64(1), int64(1)
		ok := d.Hi != nil
		if ok {
			n, ok = l.constInt(d.Hi, "the number of processors")
			if d.Lo != nil {
				lo, _ = l.constInt(d.Lo, "the number of processors")
			}
		}
		n = n - lo + 1
		if !ok || n < 1 || n > 1<<20 {
			l.fail(e.Pos, "1 to 1048576", "an arrangement of %d processors", n)
			n = 1
		}
		g.Shape, g.First = append(g.Shape, int(n)), append(g.First, int(lo))
	}
	if len(g.Shape) == 0 {
		g.Shape, g.First = []int{1}, nil
	}
	if g.Size() > l.prog.Processors {
		l.fail(e.Pos, fmt.Sprintf("at most %d, or a run with more", l.prog.Processors), "%s has %d processors, and there are %d", g.Name, g.Size(), l.prog.Processors)
	}
	s := l.ownSymbol(e.Name)
	s.Class, s.Grid, s.typed = GridName, g, true
	return g
}

// standard returns the default arrangement: all processors, as near to a cube as possible.
func standard(processors, dims int) *Grid {
	g := &Grid{Name: "all processors"}
	for ; dims > 1; dims-- {
		best := 1
		for f := 1; power(f, dims) <= processors; f++ {
			if processors%f == 0 {
				best = f
			}
		}
		g.Shape = append(g.Shape, best)
		processors /= best
	}
	g.Shape = append(g.Shape, processors)
	return g
}

func power(b, n int) int {
	r := 1
	for range n {
		if r > 1<<30/max(b, 1) {
			return 1 << 30
		}
		r *= b
	}
	return r
}
