package lineprofile

import (
	"slices"

	"whorl/tracer"
)

// A deal says which cells of a series go to which row of a table, whatever the query's time. It is made once: a window of time that is
// dragged asks for the same table again and again.
type deal struct {
	leaf   []int32 // by site: the rank of the place itself, -1 for none
	begins []int   // of each rank in cells, and the end
	cells  []int32 // in the order of their PEs
}

type dealKey struct {
	series    int
	grain     Grain
	inclusive bool
}

// deal is that of a series by grain.
func (p *Profile) deal(i int, g Grain, inclusive bool) *deal {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := dealKey{i, g, inclusive}
	if d := p.deals[key]; d != nil {
		return d
	}
	s := &p.series[i]
	ranks := p.ranksOf(s, g, inclusive)
	d := &deal{leaf: ranks.leaf, begins: make([]int, p.size(g)+1)}
	for _, site := range s.site {
		for _, r := range ranks.of(site) {
			d.begins[r+1]++
		}
	}
	for r := range d.begins[1:] {
		d.begins[r+1] += d.begins[r]
	}
	d.cells = make([]int32, d.begins[len(d.begins)-1])
	at := slices.Clone(d.begins)
	for _, k := range s.byPE(p.PEs) {
		for _, r := range ranks.of(s.site[k]) {
			d.cells[at[r]] = k
			at[r]++
		}
	}
	if p.deals == nil {
		p.deals = map[dealKey]*deal{}
	}
	p.deals[key] = d
	return d
}

// frame is the rank of a code of a sample. Its function's first line is not where it was.
func (p *Profile) frame(code uint32, g Grain) int32 {
	if int(code) >= len(p.codes) {
		return -1
	}
	if t := p.codes[code].Type; g == ByLine && (t == tracer.Function || t == tracer.Procedure) && (p.bare == nil || !p.bare[p.function[code]]) {
		return -1
	}
	return p.rank[g][code]
}

// ranks are those of the sites of a series.
type ranks struct {
	leaf []int32   // of the place itself, -1 for none
	all  [][]int32 // of the stack too, each once; nil where only the place itself counts
}

func (r *ranks) of(site uint32) []int32 {
	switch {
	case r.all != nil:
		return r.all[site]
	case r.leaf[site] < 0:
		return nil
	}
	return r.leaf[site : site+1]
}

func (p *Profile) ranksOf(s *series, g Grain, inclusive bool) ranks {
	if s.kind != tracer.Sample {
		return ranks{leaf: p.rank[g]}
	}
	r := ranks{leaf: make([]int32, len(p.contexts))}
	for site, c := range p.contexts {
		r.leaf[site] = p.frame(c.Code, g)
	}
	if !inclusive {
		return r
	}
	r.all = make([][]int32, len(p.contexts))
	for site, c := range p.contexts { // parents come first
		r.all[site] = r.all[c.Parent]
		if own := r.leaf[site]; own >= 0 && !slices.Contains(r.all[site], own) {
			r.all[site] = append(slices.Clip(r.all[site]), own)
		}
	}
	return r
}
