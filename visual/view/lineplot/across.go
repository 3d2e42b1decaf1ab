package lineplot

import (
	"slices"

	"whorl/visual/view"
)

// What the columns of a picture of lines can stand for.
const (
	Each   = "each"
	Groups = "groups"
	Ranks  = "ranks"
)

// Processors is the parameter that says which.
var Processors = view.Param{
	Name: "processors", Doc: "what a column stands for: each processor, a group of them, or ranks (least, quartiles and most of all processors); auto takes groups for many",
	Default: "auto", Choices: []string{"auto", Each, Groups, Ranks},
}

// An Across says what the columns of a picture stand for.
type Across struct {
	Mode string
	PEs  int
	N    int // columns
	size int // PEs of a group
}

// maxGroups is how many groups there are at most.
const maxGroups = 16

// NewAcross shares PEs out to columns, at most as many as asked for where each has its own by itself.
func NewAcross(mode string, pes, most int) *Across {
	a := &Across{Mode: mode, PEs: max(pes, 1), size: 1}
	if a.Mode == "auto" {
		if a.Mode = Each; a.PEs > most {
			a.Mode = Groups
		}
	}
	switch a.Mode {
	case Groups:
		a.size = (a.PEs + maxGroups - 1) / maxGroups
		a.N = (a.PEs + a.size - 1) / a.size
	case Ranks:
		a.N = len(rankNames)
	default:
		a.N = a.PEs
	}
	return a
}

var rankNames = [...]string{"least", "lower quartile", "median", "upper quartile", "most"}

// Name is what a column stands for.
func (a *Across) Name(column int) string {
	if a.Mode == Ranks {
		return rankNames[column]
	}
	s := a.Of(column)
	if s.First == s.Last {
		return "PE " + view.Count(s.First)
	}
	return "PEs " + view.Count(s.First) + "–" + view.Count(s.Last)
}

// Of is the PEs of a column: of ranks all.
func (a *Across) Of(column int) view.Span {
	if a.Mode == Ranks {
		return view.Span{Last: int64(a.PEs) - 1}
	}
	return view.Span{First: int64(column * a.size), Last: int64(min((column+1)*a.size, a.PEs)) - 1}
}

// Column is the column of a PE, -1 where columns are ranks.
func (a *Across) Column(pe int) int {
	if a.Mode == Ranks {
		return -1
	}
	return pe / a.size
}

// Note says what a column stands for, "" where it is one PE.
func (a *Across) Note() string {
	switch {
	case a.Mode == Ranks:
		return "The columns are ranks: the least, the quartiles and the most of all " + view.Count(int64(a.PEs)) + " PEs."
	case a.size > 1:
		return "A column stands for " + view.Count(int64(a.size)) + " PEs, by the one that has most."
	}
	return ""
}

// Fold writes what the columns have, given the PEs that have anything, each once, and how much; counts may be reordered. A group has
// what the first of its PEs has, so that no peak is lost.
func (a *Across) Fold(pes []int32, counts, out []int64) {
	clear(out)
	if a.Mode != Ranks {
		for i, pe := range pes {
			if k := int(pe) / a.size; k < len(out) {
				out[k] = max(out[k], counts[i])
			}
		}
		return
	}
	slices.Sort(counts)
	zeros := a.PEs - len(counts)
	last := a.PEs - 1
	for k := range out {
		if at := k*last/(len(rankNames)-1) - zeros; at >= 0 {
			out[k] = counts[at]
		}
	}
}
