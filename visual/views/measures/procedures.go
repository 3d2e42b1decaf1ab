package measures

import (
	"cmp"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/activity"
	"whorl/visual/view"
)

// tally are the sums over some steps.
type tally struct {
	commits, suspends, fails, runs int64
	time                           int64 // ns
}

func (t *tally) add(s activity.Step) {
	switch s.Kind {
	case tracer.Reduce:
		t.commits++
	case tracer.Suspend:
		t.suspends++
	case tracer.Fail:
		t.fails++
	default:
		t.runs++
	}
	t.time += s.End - s.Time
}

func (t tally) plus(u tally) tally {
	return tally{t.commits + u.commits, t.suspends + u.suspends, t.fails + u.fails, t.runs + u.runs, t.time + u.time}
}

// procedures are the sums over the steps of each procedure or function.
type procedures struct {
	owner []uint32 // code entries, 0 for what is not known; those that took most time first
	sum   []tally
	row   map[uint32]int // of an owner
	ran   []bool         // by code: whether a step has it
	pes   [][]uint32     // by PE: the owners of its steps, ascending
	all   tally

	byCode []tally  // what they are made from: by code, the last of steps whose code is not known
	on     [][]bool // by PE and code, as long as it need be: whether a step on the PE has it
	act    *activity.Activity
}

// proceduresOf adds up the steps of a run; those that before has, where it is of the same run when it was shorter, are taken from it.
func proceduresOf(run *view.Run, a *activity.Activity, before *procedures) *procedures {
	codes := len(run.Codes)
	p := &procedures{
		row: map[uint32]int{}, ran: make([]bool, codes), byCode: make([]tally, codes+1), pes: make([][]uint32, len(a.Lanes)),
		on: make([][]bool, len(a.Lanes)), act: a,
	}
	extends := before != nil && a.Extends(before.act) && before.byCode[len(before.byCode)-1] == (tally{})
	if extends {
		copy(p.byCode, before.byCode)
	}
	for pe := range a.Lanes {
		steps, from := &a.Lanes[pe].Steps, 0
		on := make([]bool, codes+1)
		if extends && pe < len(before.act.Lanes) {
			from = before.act.Lanes[pe].Steps.Len()
			copy(on, before.on[pe])
		}
		for i := from; i < steps.Len(); i++ {
			s := steps.At(i)
			c := min(int(s.Code), codes)
			p.byCode[c].add(s)
			on[c] = true
		}
		p.on[pe] = on
		p.pes[pe] = p.owners(run, on)
	}
	byOwner := make([]tally, codes)
	for c, t := range p.byCode {
		owner := ownerOf(run, c)
		byOwner[owner] = byOwner[owner].plus(t)
	}
	for c, t := range byOwner {
		if t != (tally{}) {
			p.owner = append(p.owner, uint32(c))
			p.all = p.all.plus(t)
		}
	}
	slices.SortFunc(p.owner, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(byOwner[b].time, byOwner[a].time), cmp.Compare(byOwner[b].commits, byOwner[a].commits),
			cmp.Compare(run.Name(a), run.Name(b)), cmp.Compare(a, b))
	})
	for i, c := range p.owner {
		p.sum = append(p.sum, byOwner[c])
		p.row[c] = i
	}
	return p
}

// ownerOf is the owner of a code, 0 for one that is not in the table.
func ownerOf(run *view.Run, code int) uint32 {
	if code >= len(run.Codes) {
		return 0
	}
	return run.Owner(uint32(code))
}

// owners lists the owners of codes, ascending, and notes that the codes have run.
func (p *procedures) owners(run *view.Run, on []bool) []uint32 {
	var owners []uint32
	for c, has := range on {
		if !has {
			continue
		}
		if c < len(p.ran) {
			p.ran[c] = true
		}
		owners = append(owners, ownerOf(run, c))
	}
	slices.Sort(owners)
	return slices.Compact(owners)
}
