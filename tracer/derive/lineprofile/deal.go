package lineprofile

import (
	"slices"

	"whorl/tracer"
)

// A deal assigns the cells of a series to the rows of a table, independent of the query's time. Profiles cache deals, because dragging a window of
// time needs the same table repeatedly.
type deal struct {
	leaf   []int32 // by site: rank of the place itself, -1 for none
	begins []int   // by rank: index of its first cell in cells; one more entry ends the last
	cells  []int32 // ordered by PE
}

type dealKey struct {
	series    int
	grain     Grain
	inclusive bool
}

// deal returns the deal of a series for a grain.
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
		for _, r := range ranks.site(site) {
			d.begins[r+1]++
		}
	}
	for r := range d.begins[1:] {
		d.begins[r+1] += d.begins[r]
	}
	d.cells = make([]int32, d.begins[len(d.begins)-1])
	at := slices.Clone(d.begins)
	for _, k := range s.byPE(p.PEs) {
		for _, r := range ranks.site(s.site[k]) {
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

// frame returns the rank of a code of a sample. A bare function has no line, because the sample need not be on its first line.
func (p *Profile) frame(code uint32, g Grain) int32 {
	if int(code) >= len(p.codes) {
		return -1
	}
	if t := p.codes[code].Type; g == ByLine && (t == tracer.Function || t == tracer.Procedure) && (p.bare == nil || !p.bare[p.function[code]]) {
		return -1
	}
	return p.rank[g][code]
}

// ranks holds the ranks of the sites of a series.
type ranks struct {
	leaf []int32   // rank of the place itself, -1 for none
	all  [][]int32 // ranks of the place and its stack, each once; nil if only the place itself counts
}

// site returns the ranks that an event at a site counts for.
func (r *ranks) site(site uint32) []int32 {
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
