package detail

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/tracer/derive/lineprofile"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// The columns say what stands from left to right: the PEs in an order, or ranks.
type columns struct {
	mode   string // as the parameters have it
	sorted string
	order  []int32 // PEs from left to right
	at     []int32 // by PE: its place in order
}

// newColumns puts PEs in order: those that first names, then the others by number or by what they have.
func newColumns(mode, by, first string, t *lineprofile.Table, pes int) (columns, error) {
	c := columns{mode: mode, sorted: by, at: slices.Repeat([]int32{-1}, pes)}
	if err := parseOrder(first, pes, c.put); err != nil {
		return c, err
	}
	rest := make([]int32, pes)
	for pe := range rest {
		rest[pe] = int32(pe)
	}
	if by == "ticks" {
		total := make([]int64, pes)
		for i := range t.Rows {
			on, counts := t.Cells(i)
			for k, pe := range on {
				total[pe] += counts[k]
			}
		}
		slices.SortStableFunc(rest, func(a, b int32) int { return cmp.Compare(total[b], total[a]) })
	}
	for _, pe := range rest {
		c.put(pe)
	}
	return c, nil
}

func (c *columns) put(pe int32) {
	if c.at[pe] < 0 {
		c.at[pe] = int32(len(c.order))
		c.order = append(c.order, pe)
	}
}

// parseOrder reads PEs and ranges of them; those that there are not are left out.
func parseOrder(s string, pes int, put func(pe int32)) error {
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ',' || r == ' ' }) {
		a, b, ranged := strings.Cut(part, "-")
		from, err := strconv.ParseUint(a, 10, 31)
		to := from
		if err == nil && ranged {
			to, err = strconv.ParseUint(b, 10, 31)
		}
		if err != nil {
			return fmt.Errorf("%s %q: %q is no PE and no range of PEs; want numbers as in 3,0-2", order.Name, s, part)
		}
		pe, last, step := min(int(from), pes), min(int(to), pes), 1
		if last < pe {
			step = -1
		}
		for ; pe != last+step; pe += step {
			if pe < pes {
				put(int32(pe))
			}
		}
	}
	return nil
}

// writeOrder writes PEs as parseOrder reads them.
func writeOrder(pes []int32) string {
	var b strings.Builder
	for i := 0; i < len(pes); {
		k := i + 1
		for k < len(pes) && pes[k] == pes[k-1]+1 {
			k++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(int(pes[i])))
		if k > i+1 {
			b.WriteString("-" + strconv.Itoa(int(pes[k-1])))
		}
		i = k
	}
	return b.String()
}

// An across is the columns of a frame.
type across struct {
	*columns
	ranks bool
	size  int // PEs of a column
	n     int // columns
}

var rankNames = [...]string{"min", "25 %", "median", "75 %", "max"}

// across shares the PEs out: a column for each needs least pixels, and one with numbers good ones.
func (c *columns) across(width, least, good float64) across {
	pes := len(c.order)
	a := across{columns: c, size: 1, n: pes}
	room := max(int(width/least), 1)
	switch {
	case c.mode == lineplot.Ranks:
		a.ranks, a.n = true, len(rankNames)
	case c.mode == lineplot.Groups || pes > room:
		most := min(max(int(width/good), 4), 32)
		if c.mode == lineplot.Each {
			most = room
		}
		for a.size = 1; a.size*most < pes || c.mode == lineplot.Groups && a.size < 2; { // groups of as many as a power of two
			a.size *= 2
		}
		a.n = (pes + a.size - 1) / max(a.size, 1)
	}
	return a
}

// of are the PEs of a column, from left to right; of ranks all.
func (a *across) of(k int) []int32 {
	if a.ranks {
		return a.order
	}
	return a.order[min(k*a.size, len(a.order)):min((k+1)*a.size, len(a.order))]
}

// label is what stands over a column.
func (a *across) label(k int) string {
	if a.ranks {
		return rankNames[k]
	}
	pes := a.of(k)
	if len(pes) > 1 && int(pes[len(pes)-1]-pes[0]) == len(pes)-1 && slices.IsSorted(pes) {
		return strconv.Itoa(int(pes[0])) + "–" + strconv.Itoa(int(pes[len(pes)-1]))
	}
	s := strconv.Itoa(int(pes[0]))
	if len(pes) > 1 {
		s += "…"
	}
	return s
}

// name is what a column stands for.
func (a *across) name(k int) string {
	if a.ranks {
		return [...]string{"the least of all PEs", "the lower quartile of the PEs", "the median of the PEs", "the upper quartile of the PEs", "the most of all PEs"}[k]
	}
	switch pes := a.of(k); {
	case len(pes) == 1:
		return "PE " + view.Count(int64(pes[0]))
	case int(pes[len(pes)-1]-pes[0]) == len(pes)-1 && slices.IsSorted(pes):
		return "PEs " + view.Count(int64(pes[0])) + "–" + view.Count(int64(pes[len(pes)-1]))
	default:
		return view.Count(int64(len(pes))) + " PEs from PE " + view.Count(int64(pes[0])) + " on"
	}
}

// note says what a column stands for where that is not one PE.
func (a *across) note() []string {
	switch {
	case a.ranks:
		return []string{"The columns are ranks: of each row the least, the quartiles and the most of all " + view.Count(int64(len(a.order))) + " PEs."}
	case a.size > 1:
		return []string{"A column stands for " + view.Count(int64(a.size)) + " PEs, and has what the one with most of them has."}
	}
	return nil
}

// spans are the PEs of a column as a selection names them.
func (a *across) spans(k int) []view.Span {
	pes := slices.Sorted(slices.Values(a.of(k)))
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

// fold writes what each column has of a row: its PE's count, the most of its group, so that no peak is lost, or the count of its rank.
func (a *across) fold(pes []int32, counts, out []int64) {
	clear(out)
	if !a.ranks {
		for i, pe := range pes {
			k := int(a.at[pe]) / a.size
			out[k] = max(out[k], counts[i])
		}
		return
	}
	sorted := slices.Sorted(slices.Values(counts))
	below, _ := slices.BinarySearch(sorted, 0)
	zeros := len(a.order) - len(counts) // they stand before what is positive
	for k := range out {
		switch at := k * (len(a.order) - 1) / (len(out) - 1); {
		case at < below:
			out[k] = sorted[at]
		case at >= below+zeros:
			out[k] = sorted[at-zeros]
		}
	}
}
