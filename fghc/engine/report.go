package engine

import (
	"whorl/fghc/compile"
	"whorl/fghc/report"
	"whorl/fghc/syntax"
	"whorl/fghc/term"
)

func (e *Engine) unifyError(a, b term.Word, site int) error {
	p := e.printer()
	text := func(w term.Word) string { return syntax.Format(p.Term(w, 2*report.Short)) }
	return report.Unification(e.prog, site, text(a), text(b))
}

func (e *Engine) arithError(in *compile.Ins, msg string) error {
	return report.At(e.prog, int(in.Fail), "arithmetic", msg, "")
}

// failure reports a goal for which no clause can ever commit.
func (e *Engine) failure(i uint32) error {
	g := &e.goals[i]
	return report.Failure(e.prog, int(g.proc), int(g.site), e.goal(e.printer(), i))
}

// deadlock reports the goals that wait.
func (e *Engine) deadlock() error {
	goals, waiting := e.Inspect().Waiting(report.Told)
	return report.Deadlock(e.prog, waiting, goals)
}

// waitsFor returns the variables that each waiting goal waits for. Hooks lead from variables to goals, so the arena is searched for them;
// a collection first leaves nothing in it that is dead.
func (e *Engine) waitsFor() map[uint32][]term.Word {
	e.collect()
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
		at := w.Index()
		if w&imported != 0 {
			at = int(h.m[at].Value())
		}
		for ; at != 0; at = int(h.m[at+1].Value()) {
			if g, _ := e.hooked(at); g != remoteHook && !e.void(at) {
				out[g] = append(out[g], term.MakeRef(i))
			}
		}
	}
	return out
}
