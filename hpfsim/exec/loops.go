package exec

import (
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
)

// A sharing says whether processors can run the iterations of a parallel loop at the same time, and with which
// private scalars.
type sharing struct {
	ok      bool
	named   bool            // a CYCLE names its loop
	private []*lower.Symbol // scalars that every processor has for itself: loop variables, NEW, those written before they are read
}

// sharingOf analyzes a loop. Its iterations may only compute and assign to mapped arrays and private scalars.
func sharingOf(d *lower.Do, u *lower.Unit) sharing {
	s := sharing{ok: len(d.Parallel.Reduction) == 0, private: append([]*lower.Symbol{d.Var}, d.Parallel.Private...)}
	s.loops(d.Body)
	s.block(d.Body)
	for _, v := range s.private {
		s.ok = s.ok && v.Unit == u
	}
	return s
}

// loops adds the variables of inner loops.
func (s *sharing) loops(body []lower.Stmt) {
	for _, b := range body {
		switch b := b.(type) {
		case *lower.Do:
			if b.Var != nil {
				s.private = append(s.private, b.Var)
			}
			s.loops(b.Body)
		case *lower.If:
			for _, x := range b.Bodies {
				s.loops(x)
			}
		case *lower.Select:
			for _, x := range b.Cases {
				s.loops(x.Body)
			}
		case *lower.Forall:
			s.private = append(s.private, b.Vars...)
		}
	}
}

func (s *sharing) block(body []lower.Stmt) {
	for _, b := range body {
		switch b := b.(type) {
		case *lower.Nothing:
		case *lower.Assign:
			s.assign(b)
		case *lower.Do:
			s.reads(b.Lo, b.Hi, b.Step, b.Cond)
			s.block(b.Body)
		case *lower.If:
			s.reads(b.Conds...)
			for _, x := range b.Bodies {
				s.block(x)
			}
		case *lower.Select:
			s.reads(b.Value)
			for _, x := range b.Cases {
				s.block(x.Body)
			}
		case *lower.Forall:
			s.reads(b.Mask)
			s.reads(b.Los...)
			s.reads(b.His...)
			s.reads(b.Step...)
			s.block(b.Body)
		case *lower.Where:
			s.reads(b.Masks...)
			for _, x := range b.Bodies {
				s.block(x)
			}
		case *lower.Subcall:
			s.call(b)
		case *lower.Leave:
			s.ok = s.ok && b.Kind == lower.Cycle
			s.named = s.named || b.Name != ""
		default:
			s.ok = false
		}
	}
}

func (s *sharing) assign(a *lower.Assign) {
	s.reads(a.Left, a.Right)
	s.writes(a.Left)
}

// writes checks the target of an assignment: a private scalar or an element of a mapped array.
func (s *sharing) writes(x lower.Expr) {
	var to *lower.Symbol
	switch left := x.(type) {
	case *lower.Ref:
		to = left.Sym
	case *lower.Element:
		to = left.Sym
	}
	s.ok = s.ok && to != nil && (to.Place != nil || slices.Contains(s.private, to))
}

// call checks a call of a subroutine, which must be closed.
func (s *sharing) call(c *lower.Subcall) {
	if c.Native != nil || c.Proc.Proc == nil || !c.Proc.Proc.Closed() {
		s.ok = false
		return
	}
	s.reads(c.Args...)
	for i, x := range c.Args {
		if x != nil && c.Proc.Proc.Params[i].Intent != "IN" {
			s.writes(x)
		}
	}
}

// reads checks that the functions of an expression are closed.
func (s *sharing) reads(all ...lower.Expr) {
	for _, x := range all {
		lower.Walk(x, func(e lower.Expr) {
			switch e := e.(type) {
			case *lower.Invoke:
				s.ok = s.ok && e.Sym.Proc != nil && e.Sym.Proc.Closed()
			case *lower.Call:
				s.ok = s.ok && e.Fn.Sort != lower.Service
			}
		})
	}
}

// parallelShared runs a parallel loop with each processor executing its own iterations. It returns false, and runs
// nothing, if the loop cannot be distributed. Scalars keep the values of the last iteration.
func (f *frame) parallelShared(d *doCode, v *array, x *split) bool {
	c := f.crew
	if len(c.members) == 0 || f.plain || x.grid.Shape[x.axis] == 1 || d.do.Var.Unit != f.unit {
		return false
	}
	how, known := c.loops[d.do]
	if !known {
		how = sharingOf(d.do, f.unit)
		c.loops[d.do] = how
		f.constantsOfClosed()
	}
	if !how.ok {
		return false
	}
	if f.parallelSquare(d.do, v, x, &how) {
		return true
	}
	last := x.r.From + (x.r.Len()-1)*x.r.Step
	work := parts{}
	left, before := f.leftovers(d.do, x.grid.Shape[x.axis])
	var ending *frame
	for k := range x.grid.Shape[x.axis] {
		runs := x.spread.Followed(k, x.stride, x.offset, x.r, nil)
		if len(runs) == 0 {
			continue
		}
		who := x.processors(f, f.who, k)
		ends := slices.ContainsFunc(runs, func(r mapping.Run) bool { return r.From+(r.Len()-1)*r.Step == last })
		work.add(who, func(m *Machine) {
			g := f.assistant(m, how.private)
			g.who = who
			if ends {
				ending = g
			}
			index, own, d := g.variable(d.do.Var), &left[k], g.code.loopOf(d.do)
			for _, r := range runs {
				if len(*own) == 0 {
					g.iterations(d, index, int64(r.From), int64(r.Step), int64(r.Len()))
					index.setInt(index.off, int64(r.From+(r.Len()-1)*r.Step))
					continue
				}
				for i := r.From; i <= r.To; i += r.Step {
					index.setInt(index.off, int64(i))
					own.unset(g)
					d.inside(g)
					own.look(g, i)
				}
			}
		})
	}
	f.together(work)
	how.keep(f, ending)
	f.keepLatest(left, before)
	return true
}

// keep sets scalars to the values that the last iteration left in the frame of its processor.
func (s *sharing) keep(f, ending *frame) {
	for _, v := range s.private {
		if to, from := f.vars[v.Index], ending.vars[v.Index]; to != nil && len(to.n) == 0 && !to.absent && to.proc == nil {
			to.set(to.off, from.get(from.off))
		}
	}
}
