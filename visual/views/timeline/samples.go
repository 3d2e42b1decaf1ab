package timeline

import (
	"cmp"
	"slices"
	"strconv"

	"whorl/internal/figures"
	"whorl/tracer/derive/account"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// sampled returns the selection of a sample of a PE: its function, its calling context and its time.
func (g *Geometry) sampled(place view.Selection, s *account.Step) view.Selection {
	place.Time = &view.Span{First: s.Time, Last: max(s.End-1, s.Time)}
	if owner := g.Run.Owner(s.Code); owner != 0 {
		place.Codes = []uint32{owner}
	}
	if id, path := contexts.PathID(g.Run, g.dict, uint32(s.Task)); len(path) > 0 && len(place.Codes) > 0 && path[len(path)-1] == place.Codes[0] {
		place.Contexts = []uint64{id}
	}
	return place
}

// mostCallers is the number of callers that a tip lists, and mostFunctions that of functions.
const (
	mostCallers   = 8
	mostFunctions = 5
)

// describeSample describes the sample under a pixel: its function, its time and its callers. A pixel with several samples has the number of each function.
func (r *rows) describeSample(s *spot, x float64) []string {
	run, st := r.g.Run, s.step
	lines := []string{run.Name(st.Code)}
	if place := run.Place(st.Code); place != "" {
		lines[0] += ", " + place
	}
	lines = append(lines, r.g.name(s.first, s.last), "at "+r.time(st.Time, st.End-st.Time)+", for "+figures.Duration(st.End-st.Time))
	counts, all := r.functions(s.first, s.instant, r.Instant(x+1))
	if all > 1 {
		lines = append(lines, figures.Count(all)+" samples in this pixel:")
		for i, c := range counts {
			if i == mostFunctions && len(counts) > mostFunctions+1 {
				lines = append(lines, figures.Count(int64(len(counts)-i))+" more functions")
				break
			}
			lines = append(lines, figures.Count(c.n)+" "+run.Name(c.owner))
		}
		return lines
	}
	_, path := contexts.PathID(run, r.g.dict, uint32(st.Task))
	for k := range path {
		if k == mostCallers && len(path) > mostCallers+1 {
			lines = append(lines, strconv.Itoa(len(path)-k)+" more callers")
			break
		}
		if caller := path[len(path)-1-k]; k > 0 || caller != run.Owner(st.Code) {
			lines = append(lines, "in "+run.Name(caller))
		}
	}
	return lines
}

// A counted is a function with its samples.
type counted struct {
	owner uint32
	n     int64
}

// functions counts the samples of a PE that begin in an interval by function, the most frequent first.
func (r *rows) functions(pe int, from, to int64) (counts []counted, all int64) {
	at := map[uint32]int{}
	l := &r.g.Act.Lanes[pe]
	for i := l.First(from); i < l.Steps.Len(); i++ {
		s := l.Steps.Step(i)
		if s.Time >= to {
			break
		}
		owner := r.g.Run.Owner(s.Code)
		k, ok := at[owner]
		if !ok {
			k = len(counts)
			at[owner], counts = k, append(counts, counted{owner: owner})
		}
		counts[k].n++
		all++
	}
	slices.SortStableFunc(counts, func(a, b counted) int { return cmp.Compare(b.n, a.n) })
	return counts, all
}
