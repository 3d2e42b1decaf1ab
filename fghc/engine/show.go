package engine

import (
	"whorl/fghc/report"
	"whorl/fghc/term"
)

// A reader is a platform whose Deref follows imports to their owners.
type reader struct{ *platform }

func (r reader) Deref(w term.Word) term.Word {
	h := &r.heap
	for {
		w = h.deref(w)
		if w.Tag() != term.Ref || h.m[w.Index()]&imported == 0 {
			return w
		}
		w = h.m[h.m[w.Index()].Index()+1]
	}
}

// printer returns a printer that names the query's variables, and keeps the names that an observer has seen.
func (e *Engine) printer() *report.Printer {
	if e.names != nil {
		return e.names
	}
	return report.NewPrinter(reader{(*platform)(e)}, e.query.Variables, e.answer)
}

// goal prints a goal with its arguments in their current state.
func (e *Engine) goal(p *report.Printer, i uint32) string {
	g := &e.goals[i]
	return p.Goal(e.prog, int(g.proc), int(g.site), e.arguments(i))
}

// arguments returns the arguments of a goal.
func (e *Engine) arguments(i uint32) []term.Word {
	g := &e.goals[i]
	return e.heap.m[g.args : g.args+e.prog.Procs[g.proc].Arity]
}

// Answer returns the values of the query's variables as far as they are bound.
func (e *Engine) Answer() []report.Binding { return e.printer().Answer(e.query.Variables, e.answer) }
