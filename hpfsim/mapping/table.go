package mapping

import (
	"fmt"
	"slices"
	"sort"
)

// A table holds the owners of a dimension that is distributed by values of the program (HPF 2.0, section 8.7). Indices begin at 0.
type table struct {
	starts []int   // GEN_BLOCK: the first index of each processor, and the number of indices
	owners []int   // INDIRECT: by index
	owned  [][]int // INDIRECT: the indices of each processor, in ascending order
}

// NewTabled returns a distribution by values. For GenBlock they are the sizes of the processors' blocks, for Indirect
// the owners of the indices, whose numbers begin at first.
func NewTabled(kind Kind, lo, hi, p int, values []int, first int) (Spread, error) {
	n := max(hi-lo+1, 0)
	s := Spread{Kind: kind, Lo: lo, Hi: hi, P: p, table: &table{}}
	if kind == GenBlock {
		if len(values) != p {
			return s, fmt.Errorf("GEN_BLOCK has %d sizes of blocks, but there are %d processors", len(values), p)
		}
		at := 0
		for k, size := range values {
			if size < 0 {
				return s, fmt.Errorf("block %d of GEN_BLOCK has %d elements: expected 0 or more", k+1, size)
			}
			s.table.starts = append(s.table.starts, at)
			at = min(at+min(size, n), n)
		}
		if at < n {
			return s, fmt.Errorf("the blocks of GEN_BLOCK hold %d elements, but there are %d", at, n)
		}
		s.table.starts = append(s.table.starts, n)
		return s, nil
	}
	if len(values) != n {
		return s, fmt.Errorf("INDIRECT has %d owners, but there are %d elements", len(values), n)
	}
	s.table.owners, s.table.owned = make([]int, n), make([][]int, p)
	for i, v := range values {
		if v < first || v >= first+p {
			return s, fmt.Errorf("INDIRECT gives index %d to processor %d: expected %d to %d", lo+i, v, first, first+p-1)
		}
		s.table.owners[i] = v - first
		s.table.owned[v-first] = append(s.table.owned[v-first], i)
	}
	return s, nil
}

// owner returns the owner of an index. One outside of the dimension belongs to the owner of the nearest index.
func (t *table) owner(i int) int {
	if t.owners == nil {
		k := sort.SearchInts(t.starts, i+1) - 1 // the last processor that begins at or before i
		return min(max(k, 0), len(t.starts)-2)
	}
	if len(t.owners) == 0 {
		return 0
	}
	return t.owners[min(max(i, 0), len(t.owners)-1)]
}

// count returns the number of indices of a processor.
func (t *table) count(p int) int {
	if t.owners == nil {
		return t.starts[p+1] - t.starts[p]
	}
	return len(t.owned[p])
}

// tabled is Followed for distributions by values.
func (s Spread) tabled(p, stride, offset int, r Run, out []Run) []Run {
	if s.Kind == GenBlock {
		if x, ok := within(stride, offset, r, s.Lo+s.table.starts[p], s.Lo+s.table.starts[p+1]-1); ok {
			out = append(out, x)
		}
		return out
	}
	var indices []int
	for _, i := range s.table.owned[p] {
		at := i + s.Lo - offset
		if at%stride != 0 {
			continue
		}
		if at /= stride; at >= r.From && at <= r.To && (at-r.From)%r.Step == 0 {
			indices = append(indices, at)
		}
	}
	if stride < 0 {
		slices.Reverse(indices)
	}
	for k := 0; k < len(indices); {
		run := Run{indices[k], indices[k], r.Step}
		if k++; k < len(indices) {
			run.Step = indices[k] - run.From
		}
		for ; k < len(indices) && indices[k]-run.To == run.Step; k++ {
			run.To = indices[k]
		}
		out = append(out, run)
	}
	return out
}

// Alike reports whether indices at the same distance from the lower bounds have the same owners.
func (s Spread) Alike(o Spread) bool {
	if s.Kind != o.Kind || s.P != o.P || s.M != o.M {
		return false
	}
	return s.table == o.table || s.table != nil && o.table != nil && slices.Equal(s.table.starts, o.table.starts) && slices.Equal(s.table.owners, o.table.owners)
}
