package measures

import (
	"cmp"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/activity"
	"whorl/visual/view"
)

// A tally holds sums over steps.
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

// procedures holds the sums over the steps of each procedure or function.
type procedures struct {
	owner []uint32 // codes of procedures, 0 for unknown ones; largest time first
	sum   []tally
	row   map[uint32]int // index in owner, by code
	ran   []bool         // by code: whether a step has it
	pes   [][]uint32     // by PE: the owners of its steps, ascending
	all   tally

	byCode []tally  // sums by code; the last one is for unknown codes
	on     [][]bool // by PE and code: whether a step on the PE has it
	act    *activity.Activity
}

// proceduresOf adds up the steps of a run. If before is the result for a shorter prefix of the same run, it continues from there.
func proceduresOf(run *view.Run, a *activity.Activity, before *procedures) *procedures {
	p := newProcedures(len(run.Codes))
	p.act = a
	extends := before != nil && a.Extends(before.act) && before.byCode[len(before.byCode)-1] == (tally{})
	if extends {
		copy(p.byCode, before.byCode)
	}
	for pe := range a.Lanes {
		steps, from := &a.Lanes[pe].Steps, 0
		on := p.lane(pe)
		if extends && pe < len(before.act.Lanes) {
			from = before.act.Lanes[pe].Steps.Len()
			copy(on, before.on[pe])
		}
		for i := from; i < steps.Len(); i++ {
			p.add(on, steps.Step(i))
		}
	}
	p.finish(run)
	return p
}

func newProcedures(codes int) *procedures {
	return &procedures{row: map[uint32]int{}, ran: make([]bool, codes), byCode: make([]tally, codes+1)}
}

// lane returns which codes have steps on a PE.
func (p *procedures) lane(pe int) []bool {
	for pe >= len(p.on) {
		p.on = append(p.on, make([]bool, len(p.byCode)))
	}
	return p.on[pe]
}

// add adds a step of the PE with the codes on.
func (p *procedures) add(on []bool, s activity.Step) {
	c := min(int(s.Code), len(p.byCode)-1)
	p.byCode[c].add(s)
	on[c] = true
}

// finish sums up the codes by procedure.
func (p *procedures) finish(run *view.Run) {
	for _, on := range p.on {
		p.pes = append(p.pes, p.owners(run, on))
	}
	byOwner := make([]tally, len(run.Codes))
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
}

// ownerOf returns the owner of a code, or 0 for an unknown code.
func ownerOf(run *view.Run, code int) uint32 {
	if code >= len(run.Codes) {
		return 0
	}
	return run.Owner(uint32(code))
}

// owners returns the owners of the codes in on, ascending, and marks the codes in p.ran.
func (p *procedures) owners(run *view.Run, on []bool) []uint32 {
	var owners []uint32
	for c, ran := range on {
		if !ran {
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
