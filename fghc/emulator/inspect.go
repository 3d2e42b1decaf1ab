package emulator

import (
	"cmp"
	"slices"

	"whorl/fghc/bytecode"
	"whorl/fghc/recording"
	"whorl/fghc/report"
	"whorl/fghc/term"
	"whorl/sim"
)

// An Inspector shows the goals of a machine between two calls of Advance. One Inspector gives the same variable the
// same name everywhere.
type Inspector struct {
	m       *Machine
	t       *report.Printer
	coming  []int    // goals on their way to each PE
	central []uint64 // those in the central queue
}

// Inspect returns an Inspector, which is valid until the run continues.
func (m *Machine) Inspect() *Inspector {
	m.collect(0, 0, true)
	i := &Inspector{m: m, t: m.pes[0].printer(), coming: make([]int, len(m.pes))}
	found := func(to int, w sim.Work) {
		switch {
		case w&arrival != 0: // not a goal
		case to == sim.Central:
			i.central = append(i.central, uint64(w))
		default:
			i.coming[to]++
		}
	}
	m.crew.Works(found)
	for _, p := range m.pes {
		for _, parcel := range p.outbox {
			found(parcel.To, parcel.Work)
		}
	}
	return i
}

// Queue returns the goal that a PE continues with, nil for none, and the goals in its queue: up to most of them, next
// first, and their number.
func (i *Inspector) Queue(pe, most int) (current *report.Pending, queue []report.Pending, n int) {
	p := i.m.pes[pe]
	switch {
	case p.booting:
		current = &report.Pending{Goal: "the query"}
	case p.holding:
		args := make([]term.Word, bytecode.ArityOf(p.record))
		for k := range args {
			args[k] = term.Word(p.x[k])
		}
		d := i.m.describe(i.t, p.record, p.rec.Self, args)
		current = &d
	}
	p.each(func(g uint64) {
		if len(queue) < most {
			queue = append(queue, i.m.pending(i.t, g))
		}
	})
	return current, queue, p.Len()
}

// Coming returns the number of goals on their way to a PE.
func (i *Inspector) Coming(pe int) int { return i.coming[pe] }

// Central returns up to most goals of the central queue, oldest first, and their number.
func (i *Inspector) Central(most int) (queue []report.Pending, n int) {
	for _, g := range i.central[:min(most, len(i.central))] {
		queue = append(queue, i.m.pending(i.t, g))
	}
	return queue, len(i.central)
}

// Waiting returns up to most goals that wait for variables, oldest first, and their number.
func (i *Inspector) Waiting(most int) (goals []report.Pending, total int) {
	all := i.m.suspended()
	if i.m.opts.Recorder != nil {
		id := func(g uint64) uint64 { return i.m.goals[g+idField] & recording.IDMask }
		slices.SortFunc(all, func(a, b uint64) int { return cmp.Compare(id(a), id(b)) })
	}
	return i.m.describeWaiting(i.t, all[:min(most, len(all))]), len(all)
}

// suspended returns the records of the goals that wait, in textual order.
func (m *Machine) suspended() []uint64 {
	var all []uint64
	for g := uint64(recordSize); g < m.records; g += recordSize {
		if m.goals[g+stateField]&waiting != 0 {
			all = append(all, g)
		}
	}
	m.sort(all)
	return all
}

// sort sorts goals in textual order.
func (m *Machine) sort(goals []uint64) {
	slices.SortStableFunc(goals, func(a, b uint64) int {
		return report.CompareSites(m.Program, bytecode.SiteOf(m.goals[a+recordField]), bytecode.SiteOf(m.goals[b+recordField]))
	})
}
