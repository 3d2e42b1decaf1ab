package view

import (
	"cmp"
	"slices"

	"whorl/tracer/derive/spawntree"
	"whorl/visual/flow"
	"whorl/visual/palette"
	"whorl/visual/scene"
)

// Procedures are the owners (Run.Owner) of the codes of the spawn tree's nodes: procedures or functions.
type Procedures struct {
	Owners []uint32 // in descending order of nodes, those of threads of time; 0 stands for nodes without a code
	rank   []int32  // index in Owners by code, -1 for none; the last entry is for codes outside the table
	groups []group  // by rank, if an owner stands for a group of procedures
}

// A group is procedures of one name: of a file, a package or a kind of code.
type group struct {
	name   string
	owners []uint32
}

// NewGroups ranks groups of procedures by a weight for each code of the run, the largest first. name returns the group of an owner.
func NewGroups(run *Run, weight []int64, name func(owner uint32) string) *Procedures {
	last := len(run.Codes)
	p := &Procedures{rank: make([]int32, last+1)}
	var sums []int64
	var groups []group
	at := map[string]int{}
	of := make([]int32, last) // group by code, -1 for none
	index := map[uint32]int32{}
	for c := range of {
		of[c] = -1
		owner := run.Owner(uint32(c))
		if weight[c] == 0 {
			continue
		}
		g, ok := index[owner]
		if !ok {
			key := name(owner)
			k, known := at[key]
			if !known {
				k = len(groups)
				at[key], groups, sums = k, append(groups, group{name: key}), append(sums, 0)
			}
			groups[k].owners = append(groups[k].owners, owner)
			g = int32(k)
			index[owner] = g
		}
		of[c] = g
		sums[g] += weight[c]
	}
	order := make([]int, len(groups))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(sums[b], sums[a]), cmp.Compare(groups[a].name, groups[b].name))
	})
	rank := make([]int32, len(groups))
	for i, k := range order {
		rank[k] = int32(i)
		p.Owners, p.groups = append(p.Owners, groups[k].owners[0]), append(p.groups, groups[k])
	}
	for c := range p.rank {
		if p.rank[c] = -1; c < last && of[c] >= 0 {
			p.rank[c] = rank[of[c]]
		}
	}
	return p
}

// Members returns the procedures of a rank.
func (p *Procedures) Members(rank int) []uint32 {
	if p.groups != nil {
		return p.groups[rank].owners
	}
	return p.Owners[rank : rank+1]
}

// Name returns the name of a rank: of its procedure, or of its group.
func (p *Procedures) Name(run *Run, rank int) string {
	if p.groups != nil && p.groups[rank].name != "" {
		return p.groups[rank].name
	}
	return run.Name(p.Owners[rank])
}

// ProcedureStage ranks the procedures. Their colours depend on it alone, so a procedure has the same colour in all views.
var ProcedureStage = flow.Derive("ranks", "the procedures, those with most nodes or, of threads, most time first",
	flow.In(RunStage, SpawnTree), nil,
	func(c *flow.Call[*Procedures]) (*Procedures, error) {
		return NewProcedures(RunStage.In(c), SpawnTree.In(c).Tally()), nil
	})

// NewProcedures ranks the procedures of a run by the nodes of a tally, and the functions of threads by their time: in a build each action is a
// function, with one thread.
func NewProcedures(run *Run, nodes *spawntree.Tally) *Procedures {
	last := uint32(len(run.Codes))
	byCode := make([]spawntree.Total, last+1)
	for c, t := range nodes.Code {
		if c == len(nodes.Code)-1 { // codes outside the table
			c = int(last)
		}
		if run.Unit() != "function" {
			t.Cost = 0
		}
		byCode[min(uint32(c), last)].Add(t)
	}
	owner := make([]uint32, last+1)
	sum := make([]spawntree.Total, last+1)
	for c, t := range byCode {
		if uint32(c) < last {
			owner[c] = run.Owner(uint32(c))
		}
		sum[owner[c]].Add(t)
	}
	p := &Procedures{rank: make([]int32, last+1)}
	for o, t := range sum {
		if t.Nodes > 0 {
			p.Owners = append(p.Owners, uint32(o))
		}
	}
	slices.SortFunc(p.Owners, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(sum[b].Cost, sum[a].Cost), cmp.Compare(sum[b].Nodes, sum[a].Nodes), cmp.Compare(run.Name(a), run.Name(b)), cmp.Compare(a, b))
	})
	rank := make([]int32, last+1)
	for o := range rank {
		rank[o] = -1
	}
	for i, o := range p.Owners {
		rank[o] = int32(i)
	}
	for c, o := range owner {
		p.rank[c] = rank[o]
	}
	return p
}

// Rank returns the index of a code's procedure in Owners, or -1 if it has no nodes.
func (p *Procedures) Rank(code uint32) int { return int(p.rank[min(int(code), len(p.rank)-1)]) }

// Colours returns the colours of the first procedures, one each until the scheme has no more. The others have
// palette.Unknown.
func (p *Procedures) Colours(scheme palette.Scheme, dark bool) []scene.Color {
	set := scheme.Set(dark)
	colours := make([]scene.Color, min(len(p.Owners), len(set)))
	for i := range colours {
		colours[i] = scene.NRGBA(set[i])
	}
	return colours
}
