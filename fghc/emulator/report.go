package emulator

import (
	"slices"
	"time"

	"whorl/fghc/builtin"
	"whorl/fghc/bytecode"
	"whorl/fghc/recording"
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
		err = report.Unification(p.Program, int(f.site), p.printer(), term.Word(f.a), term.Word(f.b))
	case error:
		err = f
	default:
		p.rec.Failed(p.record)
		args := make([]term.Word, bytecode.ArityOf(p.record))
		for k := range args {
			args[k] = term.Word(p.x[k])
		}
		proc, site := bytecode.ProcOf(p.record), bytecode.SiteOf(p.record)
		err = report.Failure(p.Program, proc, site, p.printer().Goal(p.Program, proc, site, args))
	}
	outcome := tracer.Failed
	if status, exited := p.m.opts.World.Exited(); exited && status == 0 {
		outcome = tracer.Done
	}
	p.m.end(outcome, err)
}

// builtinError returns the error of a builtin of a body.
func (p *pe) builtinError(b *builtin.Builtin, site int) error {
	f := p.fault
	p.fault = report.Fault{}
	return report.Builtin(p.Program, site, b, f, func(arg int) string { return p.printer().Brief(p.args[arg]) })
}

// printer returns a printer that names the query's variables. Other PEs may bind variables while it prints.
func (p *pe) printer() *report.Printer {
	return report.NewPrinter((*platform)(p), p.query.Variables, p.m.answer)
}

// Answer returns the values of the query's variables as far as they are bound. The machine must be at rest.
func (m *Machine) Answer() []report.Binding {
	return m.pes[0].printer().Answer(m.query.Variables, m.answer)
}

// pending describes a goal.
func (m *Machine) pending(t *report.Printer, g uint64) report.Pending {
	r := m.goals[g : g+recordSize]
	n := bytecode.ArityOf(r[recordField])
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

// describe describes a goal with the given record word, id and arguments.
func (m *Machine) describe(t *report.Printer, record, id uint64, args []term.Word) report.Pending {
	proc, site := bytecode.ProcOf(record), bytecode.SiteOf(record)
	if proc == len(m.Procs) {
		return report.Pending{Goal: "the query"}
	}
	t.Name(m.Program, proc, site, args)
	return report.Pending{
		Task: id & recording.IDMask, Goal: report.Brief(t.Goal(m.Program, proc, site, args)), Pos: m.Sites[site].Pos, PE: int32(id >> recording.IDBits & homeMask),
	}
}

// report adds the goals that a collection has just found to be lost to m.losses, and frees their records.
func (m *Machine) report(lost []uint64) {
	reported := slices.DeleteFunc(slices.Clone(lost), m.rests)
	n := len(reported)
	if n > 0 {
		m.sort(reported)
		m.losses.Add(m.describeWaiting(m.pes[0].printer(), reported[:min(n, m.losses.Room())]), n)
	}
	for _, g := range lost {
		m.goals[g+stateField] = 0
	}
}

// rests reports whether the endless wait of a goal is no deadlock.
func (m *Machine) rests(g uint64) bool { return m.goals[g+stateField]&resting != 0 }

// deadlock returns the error for goals that wait when no goal is ready.
func (m *Machine) deadlock() error {
	m.collect(0, 0, true)
	left := slices.DeleteFunc(m.suspended(), m.rests)
	return m.losses.Deadlock(m.Program, len(left), m.describeWaiting(m.pes[0].printer(), left[:min(len(left), m.losses.Room())]))
}

// describeWaiting describes goals that wait, with the names of their variables. It searches the arena, because hooks
// lead from variables to goals. The arena must have been collected just before.
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
		s.Collections += p.tidied
		s.Reductions += p.tries - p.suspensions - p.dones
		s.Suspensions += p.suspensions
		s.Resumptions += p.resumptions
	}
	return s
}

// CostError returns the mean relative difference between the times of slices and the costs of their steps, by which the
// trace divides these times. It is false if nothing was recorded, or too little. The machine must be at rest.
func (m *Machine) CostError() (relative float64, ok bool) {
	var spent, missed float64
	for _, p := range m.pes {
		s, d := p.rec.CostError()
		spent += s
		missed += d
	}
	return missed / spent, spent > 0
}
