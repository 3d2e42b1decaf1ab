package emulator

import (
	"slices"
	"time"

	"whorl/fghc/builtin"
	"whorl/fghc/report"
	"whorl/fghc/term"
	"whorl/tracer"
)

// fail ends the run with p.failure, or with the failure of the goal in the registers.
func (p *pe) fail(left int) {
	p.account(left)
	var err error
	switch f := p.failure.(type) {
	case unification:
		t := p.printer()
		err = report.Unification(p.Program, int(f.site), t.Text(term.Word(f.a), 2*report.Short), t.Text(term.Word(f.b), 2*report.Short))
	case error:
		err = f
	default:
		if p.stream != nil {
			p.goalEvent(tracer.Fail, p.record, p.parent, 0)
		}
		args := make([]term.Word, arityOf(p.record))
		for k := range args {
			args[k] = term.Word(p.x[k])
		}
		proc, site := procOf(p.record), siteOf(p.record)
		err = report.Failure(p.Program, proc, site, p.printer().Goal(p.Program, proc, site, args))
	}
	p.m.end(Failed, err)
}

// builtinError returns the error of a builtin of a body.
func (p *pe) builtinError(b *builtin.Builtin, site int) error {
	f := p.fault
	p.fault = report.Fault{}
	return report.Builtin(p.Program, site, b, f, func(arg int) string { return p.show(uint64(p.args[arg])) })
}

func (p *pe) show(w uint64) string { return report.Brief(p.printer().Text(term.Word(w), report.All)) }

// printer returns a printer that names the query's variables. Other PEs may bind variables while it prints.
func (p *pe) printer() *report.Printer {
	return report.NewPrinter((*platform)(p), p.query.Variables, p.m.answers())
}

// answers returns the words of the query's variables.
func (m *Machine) answers() []term.Word {
	words := make([]term.Word, len(m.answer))
	for i, w := range m.answer {
		words[i] = term.Word(w)
	}
	return words
}

// Answer returns the values of the query's variables as far as they are bound. The machine must be at rest.
func (m *Machine) Answer() []report.Binding {
	return m.pes[0].printer().Answer(m.query.Variables, m.answers())
}

// pending describes a goal.
func (m *Machine) pending(t *report.Printer, g uint64) report.Pending {
	r := m.goals[g : g+recordSize]
	n := arityOf(r[recordField])
	args := make([]term.Word, n)
	for k := range args {
		if n > 4 {
			args[k] = term.Word(m.arena[r[argField]+uint64(k)])
		} else {
			args[k] = term.Word(r[argField+k])
		}
	}
	return m.describe(t, r[recordField], r[idField], args)
}

func (m *Machine) describe(t *report.Printer, record, id uint64, args []term.Word) report.Pending {
	proc, site := procOf(record), siteOf(record)
	if proc == len(m.Procs) {
		return report.Pending{Goal: "the query"}
	}
	return report.Pending{
		Task: id & idMask, Goal: report.Brief(t.Goal(m.Program, proc, site, args)), Pos: m.Sites[site].Pos, PE: int32(id >> idBits & homeMask),
	}
}

// report notes goals that can never be woken, and frees their records. It runs right after a collection.
func (m *Machine) report(lost []uint64) {
	reported := slices.DeleteFunc(slices.Clone(lost), m.rests)
	n := len(reported)
	if n > 0 {
		m.sort(reported)
		some := m.describeWaiting(m.pes[0].printer(), reported[:min(n, report.MaxGoals-len(m.lost))])
		m.lost = append(m.lost, some...)
		m.losses += int64(n)
		if m.opts.Lost != nil {
			m.opts.Lost(some, n)
		}
	}
	for _, g := range lost {
		m.goals[g+stateField] = 0
	}
}

// rests reports whether a goal waits for what may never come.
func (m *Machine) rests(g uint64) bool { return m.goals[g+stateField]&resting != 0 }

// deadlock returns the error for goals that wait when no goal is ready.
func (m *Machine) deadlock() error {
	m.collect(0, 0, true)
	left := slices.DeleteFunc(m.suspended(), m.rests)
	goals := append(slices.Clone(m.lost), m.describeWaiting(m.pes[0].printer(), left[:min(len(left), report.MaxGoals-len(m.lost))])...)
	return report.Deadlock(m.Program, int(m.losses)+len(left), goals)
}

// describeWaiting describes goals that wait, with the names of their variables. Hooks lead from variables to goals, so
// it searches the arena, which must have been collected just before.
func (m *Machine) describeWaiting(t *report.Printer, goals []uint64) []report.Pending {
	waits := make([][]term.Word, len(goals))
	number := map[uint64]int{}
	for k, g := range goals {
		number[g] = k
	}
	for i := uint64(1); len(goals) > 0 && i < m.top; i++ {
		w := m.arena[i]
		switch {
		case w&tagMask == tagRaw && !term.Scanned(term.Word(w).BoxKind()):
			i += uint64(term.Word(w).BoxWords())
		case w&tagMask == tagVar:
			for hook := w >> tagBits; hook != 0; hook = m.arena[hook+1] >> tagBits {
				entry := m.arena[hook]
				if entry&goalHook == 0 {
					entry = m.arena[entry>>hookBits] % oneMore // taken matches no goal
				}
				if k, ok := number[entry>>hookBits]; ok {
					waits[k] = append(waits[k], term.MakeRef(int(i)))
				}
			}
		}
	}
	out := make([]report.Pending, len(goals))
	for k, g := range goals { // variables are numbered in reading order
		out[k] = m.pending(t, g)
		for _, v := range waits[k] {
			out[k].Waits = append(out[k].Waits, t.Variable(v))
		}
	}
	return out
}

// Stats are the counts of a run.
type Stats struct {
	Reductions, Suspensions, Resumptions, Collections int64
	Steals                                            int64
	Words                                             int // words of the arena in use
	Elapsed                                           time.Duration
}

// Stats returns the counts. The machine must be at rest.
func (m *Machine) Stats() Stats {
	s := Stats{Collections: m.collections, Steals: m.crew.Steals(), Words: int(m.top), Elapsed: m.Now()}
	for _, p := range m.pes {
		s.Reductions += p.tries - p.suspensions - p.dones
		s.Suspensions += p.suspensions
		s.Resumptions += p.resumptions
	}
	return s
}
