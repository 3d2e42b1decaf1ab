package lineplot

import (
	"slices"
	"strconv"
	"sync"

	"whorl/internal/figures"
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
	*Order
	Mode string // Each, Groups or Ranks
	N    int    // columns
	Size int    // PEs of a column

	mu   sync.Mutex
	last *Across // with the order of the window that was asked for last
}

// In is the same columns in the order of a window of time, of the whole run where that is nil.
func (a *Across) In(window *view.Span) *Across {
	o := a.Order.In(window)
	if o == a.Order {
		return a
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.last == nil || a.last.Order != o {
		a.last = &Across{Order: o, Mode: a.Mode, N: a.N, Size: a.Size}
	}
	return a.last
}

// FewGroups is how many groups there are at most where nothing else bounds them.
const FewGroups = 16

// Across shares the PEs of the lines out to columns as the parameters say: each PE has its own where they ask for it, or where there are at most
// so many.
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

// NewAcross shares PEs out to columns: at most so many where each has its own, else so many groups, of as many PEs as a power of two.
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
	rankNames  = [...]string{"the least of all PEs", "the lower quartile of the PEs", "the median of the PEs", "the upper quartile of the PEs", "the most of all PEs"}
	rankLabels = [...]string{"min", "25 %", "median", "75 %", "max"}
)

// Ranked says whether columns are ranks.
func (a *Across) Ranked() bool { return a.Mode == Ranks }

// Of are the PEs of a column, from left to right; of ranks all.
func (a *Across) Of(k int) []int32 {
	if a.Ranked() {
		return a.PEs
	}
	return a.PEs[min(k*a.Size, len(a.PEs)):min((k+1)*a.Size, len(a.PEs))]
}

// Column is the column of a PE, -1 where columns are ranks.
func (a *Across) Column(pe int32) int {
	if a.Ranked() {
		return -1
	}
	return a.At(pe) / a.Size
}

// run says whether PEs follow each other.
func run(pes []int32) bool {
	return int(pes[len(pes)-1]-pes[0]) == len(pes)-1 && slices.IsSorted(pes)
}

// Label is what stands over a column.
func (a *Across) Label(k int) string {
	if a.Ranked() {
		return rankLabels[k]
	}
	switch pes := a.Of(k); {
	case len(pes) == 1:
		return strconv.Itoa(int(pes[0]))
	case run(pes):
		return strconv.Itoa(int(pes[0])) + "–" + strconv.Itoa(int(pes[len(pes)-1]))
	default:
		return strconv.Itoa(int(pes[0])) + "…"
	}
}

// Name is what a column stands for.
func (a *Across) Name(k int) string {
	if a.Ranked() {
		return rankNames[k]
	}
	switch pes := a.Of(k); {
	case len(pes) == 1:
		return "PE " + figures.Count(int64(pes[0]))
	case run(pes):
		return "PEs " + figures.Count(int64(pes[0])) + "–" + figures.Count(int64(pes[len(pes)-1]))
	default:
		return figures.Count(int64(len(pes))) + " PEs from PE " + figures.Count(int64(pes[0])) + " on"
	}
}

// Notes say what a column stands for where that is not one PE, and how columns are sorted where that is not by number.
func (a *Across) Notes() (notes []string) {
	switch {
	case a.Ranked():
		return []string{"The columns are ranks: of each row the least, the quartiles and the most of all " + figures.Count(int64(len(a.PEs))) + " PEs."}
	case a.Size > 1:
		notes = append(notes, "A column stands for "+figures.Count(int64(a.Size))+" PEs, and has what the one with most of them has.")
	}
	switch {
	case slices.IsSorted(a.PEs):
	case a.By == byTicks:
		notes = append(notes, "PEs with most ticks stand first.")
	case a.By == byLine:
		notes = append(notes, "PEs with most ticks at one line stand first.")
	default:
		notes = append(notes, "PEs stand as they were moved.")
	}
	return notes
}

// Spans are the PEs of a column as a selection names them.
func (a *Across) Spans(k int) []view.Span {
	pes := slices.Sorted(slices.Values(a.Of(k)))
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

// Fold writes what each column has of a row, given the PEs that have anything, each once: its PE's count, the most of its group, so that
// no peak is lost, or the count of its rank.
func (a *Across) Fold(pes []int32, counts, out []int64) {
	clear(out)
	if !a.Ranked() {
		for i, pe := range pes {
			k := a.At(pe) / a.Size
			out[k] = max(out[k], counts[i])
		}
		return
	}
	sorted := slices.Sorted(slices.Values(counts))
	below, _ := slices.BinarySearch(sorted, 0)
	zeros := len(a.PEs) - len(counts) // they stand before what is positive
	for k := range out {
		switch at := k * (len(a.PEs) - 1) / (len(out) - 1); {
		case at < below:
			out[k] = sorted[at]
		case at >= below+zeros:
			out[k] = sorted[at-zeros]
		}
	}
}

// Next is the mode that a key leads to from this one.
func (a *Across) Next() string {
	switch a.Mode {
	case Each:
		return Groups
	case Groups:
		return Ranks
	}
	return Each
}

// Press answers the keys that pictures of lines share: n switches to normalised heat and back, p changes what a column is, PageUp and
// PageDown move the lines that are shown one by one. It returns nil for other keys.
func (p *Plot) Press(f *view.Frame, in view.Input, normalised bool, a *Across) []view.Action {
	switch in.Key {
	case "n":
		return Normalised.Set(in.Pane, strconv.FormatBool(!normalised))
	case "p":
		return Processors.Set(in.Pane, a.Next())
	case "PageUp", "PageDown":
		return p.Page(f.Detail, in.Key == "PageDown")
	}
	return nil
}
