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

func (t *tally) add(s *activity.Step) {
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
}

func proceduresOf(run *view.Run, a *activity.Activity) *procedures {
	owners := make([]uint32, len(run.Codes))
	for c := range owners {
		owners[c] = run.Owner(uint32(c))
	}
	byCode := make([]tally, len(run.Codes))
	p := &procedures{row: map[uint32]int{}, pes: make([][]uint32, len(a.Lanes)), ran: make([]bool, len(run.Codes))}
	seen := make([]int, len(run.Codes)) // by owner: 1 and the last PE that ran it
	for pe := range a.Lanes {
		for i := range a.Lanes[pe].Steps {
			s := &a.Lanes[pe].Steps[i]
			owner := uint32(0)
			if int(s.Code) < len(owners) {
				owner = owners[s.Code]
				p.ran[s.Code] = true
			}
			byCode[owner].add(s)
			if seen[owner] != pe+1 {
				seen[owner] = pe + 1
				p.pes[pe] = append(p.pes[pe], owner)
			}
		}
		slices.Sort(p.pes[pe])
	}
	for c, t := range byCode {
		if t != (tally{}) {
			p.owner = append(p.owner, uint32(c))
			p.all = p.all.plus(t)
		}
	}
	slices.SortFunc(p.owner, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(byCode[b].time, byCode[a].time), cmp.Compare(byCode[b].commits, byCode[a].commits),
			cmp.Compare(run.Name(a), run.Name(b)), cmp.Compare(a, b))
	})
	for i, c := range p.owner {
		p.sum = append(p.sum, byCode[c])
		p.row[c] = i
	}
	return p
}
