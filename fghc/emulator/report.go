package emulator

import (
	"slices"

	"whorl/fghc/builtin"
	"whorl/fghc/report"
	"whorl/fghc/term"
)

// fail ends the run for the reason that the PE has noted, or because the goal in the registers fails.
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
			p.failed()
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

func (p *pe) errorAt(site int, kind, msg, want string) error {
	return report.NewError(p.Program, site, kind, msg, want)
}

// builtinError says why a builtin of a body cannot be done.
func (p *pe) builtinError(b *builtin.Builtin, site int) error {
	f := p.fault
	p.fault = fault{}
	shown := ""
	if f.text != "" && f.arg >= 0 {
		shown = p.show(uint64(p.args[f.arg]))
	}
	msg, want := b.Message(f.arg, f.text, shown)
	return p.errorAt(site, "builtin", msg, want)
}

func (p *pe) show(w uint64) string { return report.Brief(p.printer().Text(term.Word(w), report.All)) }

// printer returns one that knows the names of the query's variables. Other PEs may bind variables while it prints.
func (p *pe) printer() *report.Printer {
	words := make([]term.Word, len(p.m.answer))
	for i, w := range p.m.answer {
		words[i] = term.Word(w)
	}
	return report.NewPrinter((*platform)(p), p.query.Variables, words)
}

// A Binding is a variable of the query and its value.
type Binding struct{ Name, Value string }

// Answer returns the values of the query's variables, as far as they are bound. The machine must be at rest.
func (m *Machine) Answer() []Binding {
	p := m.pes[0]
	t := p.printer()
	out := make([]Binding, len(m.answer))
	for i, w := range m.answer {
		out[i] = Binding{m.query.Variables[i], t.Text(term.Word(w), report.All)}
	}
	return out
}

// pending tells of a goal.
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

// report notes goals that nobody can wake any more, and gives their records back. It stands behind a collection.
func (m *Machine) report(lost []uint64) {
	told := slices.DeleteFunc(slices.Clone(lost), m.rests)
	n := len(told)
	if n > 0 {
		m.sort(told)
		some := m.tell(m.pes[0].printer(), told[:min(n, report.MaxGoals-len(m.lost))])
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

// rests says that a goal waits for what may never come.
func (m *Machine) rests(g uint64) bool { return m.goals[g+stateField]&resting != 0 }

// deadlock reports the goals that wait.
func (m *Machine) deadlock() error {
	m.collect(0, 0, true)
	left := slices.DeleteFunc(m.suspended(), m.rests)
	goals := append(slices.Clone(m.lost), m.tell(m.pes[0].printer(), left[:min(len(left), report.MaxGoals-len(m.lost))])...)
	return report.Deadlock(m.Program, int(m.losses)+len(left), goals)
}

// tell describes goals that wait, with the names of the variables that they wait for. Hooks lead from variables to goals, so the arena is
// searched, in which a collection has just left nothing that is dead.
func (m *Machine) tell(t *report.Printer, goals []uint64) []report.Pending {
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
			for at := w >> tagBits; at != 0; at = m.arena[at+1] >> tagBits {
				entry := m.arena[at]
				if entry&goalHook == 0 {
					entry = m.arena[entry>>hookBits] % oneMore // taken is no goal's
				}
				if k, ok := number[entry>>hookBits]; ok {
					waits[k] = append(waits[k], term.MakeRef(int(i)))
				}
			}
		}
	}
	out := make([]report.Pending, len(goals))
	for k, g := range goals { // variables are numbered as they are read
		out[k] = m.pending(t, g)
		for _, v := range waits[k] {
			out[k].Waits = append(out[k].Waits, t.Variable(v))
		}
	}
	return out
}
