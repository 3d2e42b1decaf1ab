package engine

import (
	"errors"
	"slices"

	"whorl/fghc/report"
	"whorl/fghc/term"
	"whorl/sim"
)

// An Inspector shows the goals of a run that stands still. The same variable has the same name in all that one Inspector shows. It is of
// no use once the run goes on.
type Inspector struct {
	e     *Engine
	p     *report.Printer
	waits map[uint32][]term.Word
}

// Inspect returns an Inspector.
func (e *Engine) Inspect() *Inspector {
	i := &Inspector{e: e}
	var d *report.Error
	if e.err == nil || errors.As(e.err, &d) && d.Kind == "deadlock" { // else a body may be half built
		i.waits = e.waitsFor()
	}
	i.p = e.printer() // after the collection that waitsFor makes, for it goes by places in the arena
	return i
}

// Goal returns the goal of a work that is ready.
func (i *Inspector) Goal(w sim.Work) report.Pending {
	if w&arrival != 0 {
		return report.Pending{Goal: "input"}
	}
	return i.pending(uint32(w - 1))
}

// Waiting returns the goals that wait for variables, the oldest first, at most so many, and how many there are.
func (i *Inspector) Waiting(most int) (goals []report.Pending, total int) {
	all := make([]uint32, 0, i.e.waiting)
	for k := range i.e.goals {
		if i.e.goals[k].state == waiting {
			all = append(all, uint32(k))
		}
	}
	slices.SortFunc(all, func(a, b uint32) int {
		if i.e.goals[a].id < i.e.goals[b].id {
			return -1
		}
		return 1
	})
	for _, k := range all[:min(most, len(all))] {
		goals = append(goals, i.pending(k))
	}
	return goals, len(all)
}

func (i *Inspector) pending(k uint32) report.Pending {
	g := &i.e.goals[k]
	out := report.Pending{Task: g.id, Goal: report.Brief(i.e.goal(i.p, k)), Pos: i.e.prog.Sites[g.site].Pos, PE: g.home}
	for _, v := range i.waits[k] {
		out.Waits = append(out.Waits, i.p.Variable(v))
	}
	return out
}
