package engine

import (
	"cmp"
	"errors"
	"slices"

	"whorl/fghc/report"
	"whorl/fghc/term"
	"whorl/sim"
)

// An Inspector shows the goals of a run between two steps. One Inspector gives the same variable the same name
// everywhere. It is valid until the run continues.
type Inspector struct {
	e     *Engine
	p     *report.Printer
	waits map[uint32][]term.Word
}

// Inspect returns an Inspector.
func (e *Engine) Inspect() *Inspector {
	var d *report.Error
	if e.err == nil || errors.As(e.err, &d) && d.Kind == "deadlock" { // after other errors a body may be incomplete
		e.collect(true)
		return e.inspector()
	}
	return &Inspector{e: e, p: e.printer()}
}

// inspector returns an Inspector right after a collection.
func (e *Engine) inspector() *Inspector { return &Inspector{e, e.printer(), e.waitsFor()} }

// Goal describes a ready goal.
func (i *Inspector) Goal(w sim.Work) report.Pending {
	if w&arrival != 0 {
		return report.Pending{Goal: "input"}
	}
	return i.pending(uint32(w - 1))
}

// Waiting returns up to most goals that wait for variables, oldest first, and their number.
func (i *Inspector) Waiting(most int) (goals []report.Pending, total int) {
	all := i.e.asleep(func(*goal) bool { return true })
	slices.SortFunc(all, i.e.byAge)
	return i.goals(all, most), len(all)
}

// asleep returns the waiting goals that pass a test.
func (e *Engine) asleep(test func(g *goal) bool) []uint32 {
	all := make([]uint32, 0, e.waiting)
	for k := range e.goals {
		if g := &e.goals[k]; g.state == waiting && test(g) {
			all = append(all, uint32(k))
		}
	}
	return all
}

func (e *Engine) byAge(a, b uint32) int { return cmp.Compare(e.goals[a].id, e.goals[b].id) }

func (e *Engine) inText(a, b uint32) int {
	return cmp.Or(report.CompareSites(e.prog, int(e.goals[a].site), int(e.goals[b].site)), e.byAge(a, b))
}

// goals describes up to most goals.
func (i *Inspector) goals(all []uint32, most int) (out []report.Pending) {
	for _, k := range all[:min(most, len(all))] {
		out = append(out, i.pending(k))
	}
	return out
}

func (i *Inspector) pending(k uint32) report.Pending {
	g := &i.e.goals[k]
	i.p.Name(i.e.prog, int(g.proc), int(g.site), i.e.arguments(k))
	out := report.Pending{Task: g.id, Goal: report.Brief(i.e.goal(i.p, k)), Pos: i.e.prog.Sites[g.site].Pos, PE: g.home}
	for _, v := range i.waits[k] {
		out.Waits = append(out.Waits, i.p.Variable(v))
	}
	return out
}

// Spent reports whether no goal that reduces is ready, and no message is under way that could wake one. Builtins may
// still be ready.
func (e *Engine) Spent() bool {
	for i := range e.mail {
		if e.mail[i].used {
			return false
		}
	}
	for i := range e.goals {
		if g := &e.goals[i]; g.state == ready && !e.prog.Procs[g.proc].Builtin {
			return false
		}
	}
	return len(e.inputs) == 0
}
