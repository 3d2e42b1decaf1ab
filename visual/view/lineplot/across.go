package lineplot

import (
	"slices"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/view"
)

// Modes of the columns of a heat map.
const (
	Each   = "each"
	Groups = "groups"
	Ranks  = "ranks"
)

// Processors is the parameter that selects the mode of the columns.
var Processors = view.Param{
	Name: "processors", Label: "Columns", Doc: "one column for each processor, for each group of processors, or for each rank (minimum, quartiles and maximum over the processors); auto groups large numbers of processors",
	Default: "auto", Choices: []string{"auto", Each, Groups, Ranks},
}

// An Across assigns PEs to the columns of a heat map.
type Across struct {
	*Order
	Mode string // Each, Groups or Ranks
	N    int    // columns
	Size int    // PEs of a column

	last view.Memo[*Order, *Across] // by their order
}

// In returns the columns in the order of a window of time; nil means the whole run.
func (a *Across) In(window *view.Span) *Across {
	o := a.Order.In(window)
	if o == a.Order {
		return a
	}
	return a.last.Get(o, func(a, b *Order) bool { return a == b }, func() *Across { return &Across{Order: o, Mode: a.Mode, N: a.N, Size: a.Size} })
}

// FewGroups is the default upper bound of the number of groups.
const FewGroups = 16

// Across assigns the PEs to columns as the parameters say. In mode auto each PE has its own column if there are at most each PEs.
func (p *Plot) Across(params interface{ Text(string) string }, each int) (*Across, error) {
	o, err := p.Order(params)
	if err != nil {
		return nil, err
	}
	mode := params.Text(Processors.Name)
	if mode == Each {
		each = p.Profile.PEs
	}
	return NewAcross(mode, o, each, FewGroups), nil
}

// NewAcross assigns the PEs of an order to columns. In mode auto each PE has its own column if there are at most each PEs.
// Otherwise there are at most groups groups; the size of a group is a power of two.
func NewAcross(mode string, o *Order, each, groups int) *Across {
	pes := len(o.PEs)
	a := &Across{Order: o, Mode: mode, N: pes, Size: 1}
	switch {
	case mode == Ranks:
		a.N = len(rankNames)
		return a
	case mode != Groups && pes <= max(each, 1):
		a.Mode = Each
		return a
	}
	a.Mode = Groups
	for a.Size = 1; a.Size*max(groups, 1) < pes || mode == Groups && a.Size < 2; {
		a.Size *= 2
	}
	a.N = (pes + a.Size - 1) / a.Size
	return a
}

var (
	rankNames  = [...]string{"the minimum of all PEs", "the lower quartile of the PEs", "the median of the PEs", "the upper quartile of the PEs", "the maximum of all PEs"}
	rankLabels = [...]string{"min", "25 %", "median", "75 %", "max"}
)

// Ranked reports whether columns are ranks.
func (a *Across) Ranked() bool { return a.Mode == Ranks }

// PEsOf returns the PEs of column k, from left to right. A rank has all PEs.
func (a *Across) PEsOf(k int) []int32 {
	if a.Ranked() {
		return a.PEs
	}
	return a.PEs[min(k*a.Size, len(a.PEs)):min((k+1)*a.Size, len(a.PEs))]
}

// Column returns the column of a PE, or -1 if columns are ranks.
func (a *Across) Column(pe int32) int {
	if a.Ranked() {
		return -1
	}
	return a.Place(pe) / a.Size
}

// run reports whether pes are consecutive numbers in ascending order.
func run(pes []int32) bool {
	return int(pes[len(pes)-1]-pes[0]) == len(pes)-1 && slices.IsSorted(pes)
}

// Named reports whether headings of columns are names of places.
func (a *Across) Named() bool { return !a.Ranked() && a.run != nil && a.run.Placed() }

// Label returns the heading of column k: the places or the numbers of its PEs.
func (a *Across) Label(k int) string {
	if a.Ranked() {
		return rankLabels[k]
	}
	switch pes := a.PEsOf(k); {
	case a.Named() && len(pes) == 1:
		return a.run.Row(int(pes[0]))
	case a.Named():
		return a.run.Row(int(pes[0])) + "…"
	case len(pes) == 1:
		return strconv.Itoa(int(pes[0]))
	case run(pes):
		return strconv.Itoa(int(pes[0])) + "–" + strconv.Itoa(int(pes[len(pes)-1]))
	default:
		return strconv.Itoa(int(pes[0])) + "…"
	}
}

// Name describes column k in words.
func (a *Across) Name(k int) string {
	if a.Ranked() {
		return rankNames[k]
	}
	switch pes := a.PEsOf(k); {
	case len(pes) == 1:
		name := view.PEName(int(pes[0]), int(pes[0]))
		if a.run != nil && a.run.PEPlace(int(pes[0])) != "" {
			return a.run.PEName(int(pes[0]), int(pes[0]))
		}
		if int(pes[0]) < len(a.processes) && a.processes[pes[0]].Process != "" {
			name += " (" + a.processes[pes[0]].Process + ")"
		}
		return name
	case run(pes) && a.run != nil:
		return a.run.PEName(int(pes[0]), int(pes[len(pes)-1]))
	case run(pes):
		return view.PEName(int(pes[0]), int(pes[len(pes)-1]))
	default:
		return figures.Count(int64(len(pes))) + " PEs from PE " + figures.Count(int64(pes[0])) + " on"
	}
}

// Notes returns sentences for the legend that explain grouped or ranked columns and any order other than by number.
func (a *Across) Notes() (notes []string) {
	switch {
	case a.Ranked():
		return []string{"Columns are ranks: the minimum, the quartiles and the maximum of each row over all " + figures.Count(int64(len(a.PEs))) + " PEs."}
	case a.Size > 1:
		notes = append(notes, "A column stands for "+figures.Count(int64(a.Size))+" PEs and shows their maximum.")
	}
	switch {
	case slices.IsSorted(a.PEs):
	case a.By == byTicks:
		notes = append(notes, "PEs with the most ticks come first.")
	case a.By == byLine:
		notes = append(notes, "PEs with the most ticks at one line come first.")
	default:
		notes = append(notes, "PEs are in the order set by hand.")
	}
	return notes
}

// Spans returns the PEs of column k as ranges for a selection.
func (a *Across) Spans(k int) []view.Span {
	pes := slices.Sorted(slices.Values(a.PEsOf(k)))
	var out []view.Span
	for _, pe := range pes {
		if n := len(out); n > 0 && out[n-1].Last == int64(pe)-1 {
			out[n-1].Last++
		} else {
			out = append(out, view.Span{First: int64(pe), Last: int64(pe)})
		}
	}
	return out
}

// Fold writes the count of each column of a row to out. pes lists the PEs that have a count, each once.
// A group has the largest count of its PEs, or the difference with the largest absolute value, so that no peak is lost.
func (a *Across) Fold(pes []int32, counts, out []int64) {
	clear(out)
	if !a.Ranked() {
		for i, pe := range pes {
			k := a.Column(pe)
			out[k] = Further(out[k], counts[i])
		}
		return
	}
	sorted := slices.Sorted(slices.Values(counts))
	below, _ := slices.BinarySearch(sorted, 0)
	zeros := len(a.PEs) - len(counts) // they come before the positive counts
	for k := range out {
		switch i := k * (len(a.PEs) - 1) / (len(out) - 1); {
		case i < below:
			out[k] = sorted[i]
		case i >= below+zeros:
			out[k] = sorted[i-zeros]
		}
	}
}

// Further returns which of two counts is further from 0, the positive one if both are as far.
func Further(a, b int64) int64 {
	if x, y := max(a, -a), max(b, -b); y > x || y == x && b > a {
		return b
	}
	return a
}

// Next returns the mode after a.Mode, for the key that cycles through them.
func (a *Across) Next() string {
	switch a.Mode {
	case Each:
		return Groups
	case Groups:
		return Ranks
	}
	return Each
}

// Press handles the keys shared by pictures of lines: a turns normalised heat on or off, d the comparison with another run, p switches the mode of the
// columns, and PageUp and PageDown move the detail. It returns nil for other keys.
func (p *Plot) Press(f *view.Frame, in view.Input, normalised bool, a *Across) []view.Action {
	switch in.Key {
	case "a":
		return Normalised.Set(in.Pane, strconv.FormatBool(!normalised))
	case view.CompareKey.Key:
		return view.Comparing(in.Pane, p.other != nil || p.wrong != nil)
	case "p":
		return Processors.Set(in.Pane, a.Next())
	case "PageUp", "PageDown":
		return p.Page(f.Detail, in.Key == "PageDown")
	}
	return nil
}
