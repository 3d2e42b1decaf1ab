package emulator

import (
	"slices"

	"whorl/fghc/report"
	"whorl/fghc/term"
)

// An Inspector shows the goals of a machine that stands still between two calls of Advance. The same variable has the same name in all that
// one Inspector shows.
type Inspector struct {
	m     *Machine
	t     *report.Printer
	waits map[uint64][]string
}

// Inspect returns an Inspector. It is of no use once the run goes on.
func (m *Machine) Inspect() *Inspector {
	i := &Inspector{m: m}
	i.waits, i.t = m.waits()
	return i
}

// Queue returns the goal that a PE goes on with, nil for none, the goals that it takes next, at most so many, and how many there are.
func (i *Inspector) Queue(pe, most int) (current *report.Pending, queue []report.Pending, n int) {
	p := i.m.pes[pe]
	if p.holding {
		args := make([]term.Word, arityOf(p.record))
		for k := range args {
			args[k] = term.Word(p.x[k])
		}
		d := i.m.describe(i.t, p.record, p.self, args)
		current = &d
	}
	n = p.Len()
	p.queued(func(g uint64) {
		if len(queue) < most {
			queue = append(queue, i.m.pending(i.t, g))
		}
	})
	return current, queue, n
}

// Waiting returns the goals that wait for variables, the oldest first, at most so many, and how many there are.
func (i *Inspector) Waiting(most int) (goals []report.Pending, total int) {
	m := i.m
	all := m.suspended()
	for _, g := range all[:min(most, len(all))] {
		d := m.pending(i.t, g)
		d.Waits = i.waits[g]
		goals = append(goals, d)
	}
	return goals, len(all)
}

// suspended returns the records of the goals that wait, the oldest first.
func (m *Machine) suspended() []uint64 {
	var all []uint64
	for g := uint64(recordSize); g < m.records; g += recordSize {
		if m.goals[g+stateField]&waiting != 0 {
			all = append(all, g)
		}
	}
	slices.SortFunc(all, func(a, b uint64) int { return int(m.goals[a+idField]&idMask) - int(m.goals[b+idField]&idMask) })
	return all
}
