// Package kinds groups processes that spend similar amounts in the same calling contexts, so that thousands of processes can be viewed as a few
// kinds.
//
// A process is a point: its exclusive value in each context, as a fraction of the mean total of a process. Kinds are clusters about medoids,
// which are processes themselves (L. Kaufman, P. Rousseeuw, "Finding groups in data", 1990), found by the swaps of E. Schubert and P. Rousseeuw
// ("Fast and eager k-medoids clustering", 2021). The number of kinds is the one with the best silhouette (P. Rousseeuw, 1987). If there are
// many processes, only some of them, the leaders, are clustered, each weighted with the number of processes nearest to it. No process is farther
// from its leader than the leaders are from each other (T. Gonzalez, "Clustering to minimize the maximum intercluster distance", 1985), so
// unlike a random sample the leaders include every outlier. The result is deterministic.
package kinds

import (
	"cmp"
	"slices"

	"whorl/tracer/derive/callingcontext"
)

const (
	// mostKinds is the largest number of kinds that Find chooses.
	mostKinds = 8
	// mostLeaders is the largest number of processes that are compared with each other.
	mostLeaders = 512
	// alike is a distance, as a fraction of the total of a process, below which differences are noise.
	alike = 0.02
	// strong is the least silhouette of distinct kinds; lower values may divide a continuum (Kaufman and Rousseeuw: above 0.7).
	strong = 0.7
)

// Kinds are the kinds of the processes of a tree.
type Kinds struct {
	All    []Kind
	KindOf []int32 // by process: its kind in All
	// Silhouette measures the distinctness of the kinds, from -1 to 1; 0 for a single kind.
	Silhouette float64
}

// A Kind is a group of similar processes.
type Kind struct {
	Medoid  int32   // the process that represents the kind
	Members []int32 // ascending
	Radius  float64 // largest distance of a member from the medoid, as a fraction of the mean total of a process
}

// Find groups the processes by their exclusive values of a metric in each context. It makes the given number of kinds, or for 0 the number with
// the best silhouette, at most eight; there are never more kinds than different processes. Kinds are sorted by size, largest first. tick, which
// may be nil, gets the progress; its error ends the work.
func Find(t *callingcontext.Tree, metric, kinds int, tick func(done, total int64) error) (*Kinds, error) {
	p := pointsOf(t, metric)
	if p.n == 0 {
		return &Kinds{}, nil
	}
	if tick == nil {
		tick = func(int64, int64) error { return nil }
	}
	l, err := p.leaders(mostLeaders, tick)
	if err != nil {
		return nil, err
	}
	m, err := newMedoids(p, l, func() error { return tick(1, 1) })
	if err != nil {
		return nil, err
	}
	best, score := m.copy(), 0.0
	switch {
	case kinds > 0:
		for len(m.chosen) < kinds && m.add() {
			if err := m.improve(); err != nil {
				return nil, err
			}
		}
		best, score = m.copy(), m.silhouette()
	case p.radius(l.who[m.chosen[0]]) > alike:
		for len(m.chosen) < mostKinds && m.add() {
			if err := m.improve(); err != nil {
				return nil, err
			}
			if s := m.silhouette(); s >= strong && s > score+0.01 { // prefer fewer kinds
				best, score = m.copy(), s
			}
		}
		if len(best) > 1 {
			best = m.strangers(best)
			score = m.silhouette()
		}
	}
	return p.group(l, best, score, tick)
}

// group assigns every process to the nearest medoid.
func (p *points) group(l *leaders, medoids []int, score float64, tick func(done, total int64) error) (*Kinds, error) {
	k := &Kinds{All: make([]Kind, len(medoids)), KindOf: make([]int32, p.n), Silhouette: score}
	for i, at := range medoids {
		k.All[i].Medoid = l.who[at]
	}
	for q := range int32(p.n) {
		if q%1024 == 0 {
			if err := tick(int64(q), int64(p.n)); err != nil {
				return nil, err
			}
		}
		near, least := 0, p.distance(q, k.All[0].Medoid)
		for i := 1; i < len(k.All); i++ {
			if d := p.distance(q, k.All[i].Medoid); d < least {
				near, least = i, d
			}
		}
		x := &k.All[near]
		x.Members, x.Radius = append(x.Members, q), max(x.Radius, least)
	}
	slices.SortStableFunc(k.All, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(len(b.Members), len(a.Members)), cmp.Compare(a.Medoid, b.Medoid))
	})
	for i := range k.All {
		for _, q := range k.All[i].Members {
			k.KindOf[q] = int32(i)
		}
	}
	return k, nil
}
