package measures

import (
	"cmp"
	"slices"

	"whorl/tracer/derive/account"
	"whorl/tracer/derive/activity"
	"whorl/visual/view"
)

// procedures holds the work of each procedure or function.
type procedures struct {
	rows []account.Part // largest time first; that of unknown code last
	row  map[uint32]int // index in rows, by code
	ran  []bool         // by code: whether a step has it
	pes  [][]uint32     // by PE: the owners of its steps, ascending
	all  account.Code

	on  [][]bool // by PE and code: whether a step on the PE has it
	act *activity.Activity
}

// proceduresOf lists the work of a run by procedure. If before is the result for a shorter prefix of the same run, it continues from there.
func proceduresOf(run *view.Run, times *account.Account, a *activity.Activity, before *procedures) *procedures {
	p := &procedures{act: a}
	for pe := range a.Lanes {
		l, from := &a.Lanes[pe], 0
		if before != nil && a.Extends(before.act) && pe < len(before.on) {
			from = before.act.Lanes[pe].Closed
			p.on = append(p.on, slices.Clone(before.on[pe]))
		}
		for i := from; i < l.Steps.Len(); i++ {
			p.mark(pe, l.Steps.Step(i).Code, len(run.Codes))
		}
	}
	p.finish(run, times, len(a.Lanes))
	return p
}

// mark notes that a PE has a step of a code.
func (p *procedures) mark(pe int, code uint32, codes int) {
	for pe >= len(p.on) {
		p.on = append(p.on, nil)
	}
	if n := codes - len(p.on[pe]); n > 0 {
		p.on[pe] = append(p.on[pe], make([]bool, n)...)
	}
	if int(code) < codes {
		p.on[pe][code] = true
	}
}

// finish lists the procedures.
func (p *procedures) finish(run *view.Run, times *account.Account, pes int) {
	p.rows, p.row, p.ran = times.Functions(run.Codes), map[uint32]int{}, make([]bool, len(run.Codes))
	p.pes = make([][]uint32, pes)
	for pe, on := range p.on {
		p.pes[pe] = p.owners(run, on)
	}
	unknown := func(f account.Part) int { return max(1-int(f.Owner), 0) }
	slices.SortStableFunc(p.rows, func(f, g account.Part) int {
		return cmp.Or(cmp.Compare(unknown(f), unknown(g)), cmp.Compare(g.Work, f.Work), cmp.Compare(g.Reductions, f.Reductions),
			cmp.Compare(run.Name(f.Owner), run.Name(g.Owner)))
	})
	if len(p.rows) == 1 && p.rows[0].Owner == 0 { // the trace names no tasks
		p.rows = nil
	}
	for c := range min(len(times.Codes), len(p.ran)) { // samples name code without steps
		p.ran[c] = p.ran[c] || times.Codes[c].Work > 0
	}
	for _, l := range times.Lines(run.Codes) {
		p.ran[l.Owner] = true
	}
	for i, f := range p.rows {
		p.row[f.Owner] = i
		p.all.Add(&f.Code)
	}
}

// owners returns the owners of the codes in on, ascending, and marks the codes in p.ran.
func (p *procedures) owners(run *view.Run, on []bool) []uint32 {
	var owners []uint32
	for c, ran := range on {
		if ran {
			p.ran[c] = true
			owners = append(owners, run.Owner(uint32(c)))
		}
	}
	slices.Sort(owners)
	return slices.Compact(owners)
}
