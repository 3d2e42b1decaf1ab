package engine

import (
	"slices"

	"whorl/fghc/compile"
	"whorl/fghc/report"
	"whorl/fghc/term"
)

func (e *Engine) unifyError(a, b term.Word, site int) error {
	return report.Unification(e.prog, site, e.printer(), a, b)
}

func (e *Engine) arithError(in *compile.Ins, msg string) error {
	return report.NewError(e.prog, int(in.Site), "arithmetic", msg, "")
}

// failure returns the error of a goal that no clause can ever commit to.
func (e *Engine) failure(i uint32) error {
	g := &e.goals[i]
	return report.Failure(e.prog, int(g.proc), int(g.site), e.goal(e.printer(), i))
}

// report adds the goals that a collection has just found to be lost to e.losses, and ends them.
func (e *Engine) report(lost []uint32) {
	reported := slices.DeleteFunc(slices.Clone(lost), func(i uint32) bool { return e.goals[i].rests })
	if n := len(reported); n > 0 {
		slices.SortFunc(reported, e.inText)
		e.losses.Add(e.inspector().goals(reported, e.losses.Room()), n)
	}
	for _, i := range lost {
		if e.goals[i].rests {
			e.resting--
		}
		e.waiting--
		e.endGoal(i)
	}
}

// deadlock returns the error for the goals that wait and those that have been lost.
func (e *Engine) deadlock() error {
	e.collect(true)
	left := e.asleep(func(g *goal) bool { return !g.rests })
	slices.SortFunc(left, e.inText)
	return e.losses.Deadlock(e.prog, len(left), e.inspector().goals(left, e.losses.Room()))
}

// waitsFor returns the variables that each waiting goal waits for. It searches the arena, because hooks lead from
// variables to goals. The arena must have been collected just before.
func (e *Engine) waitsFor() map[uint32][]term.Word {
	h := &e.heap
	out := map[uint32][]term.Word{}
	for i := 1; i < len(h.m); i++ {
		w := h.m[i]
		if w.Tag() == term.Raw && !term.Scanned(w.BoxKind()) {
			i += w.BoxWords()
		}
		if w.Tag() != term.Var || w.Index() == 0 {
			continue
		}
		hook := w.Index()
		if w&imported != 0 {
			hook = int(h.m[hook].Value())
		}
		for ; hook != 0; hook = int(h.m[hook+1].Value()) {
			if g, _ := e.hooked(hook); g != remoteHook && !e.void(hook) {
				out[g] = append(out[g], term.MakeRef(i))
			}
		}
	}
	return out
}
