// Package kinds finds processes that behave alike: those that spend about the same in the same calling contexts are one kind, so that
// thousands of processes can be looked at as a handful.
//
// What a process spends in each context itself, as a part of what a process spends on the average, is a point, and two processes are as far
// apart as their points. Kinds are clusters about medoids, which are processes themselves (L. Kaufman, P. Rousseeuw, "Finding groups in data",
// 1990), found by the swaps of E. Schubert and P. Rousseeuw ("Fast and eager k-medoids clustering", 2021). How many there are is what has the
// best silhouette (P. Rousseeuw, 1987). Of many processes only some, the leaders, take part in that, each with the weight of those for which
// it stands; no process is farther from its leader than the leaders are from each other (T. Gonzalez, "Clustering to minimize the maximum
// intercluster distance", 1985), so that a process like no other is never lost, as it might be in a sample. Nothing is left to chance.
package kinds

import (
	"cmp"
	"slices"

	"whorl/tracer/derive/callingcontext"
)

const (
	// mostKinds is the largest number of kinds that is chosen: a handful.
	mostKinds = 8
	// mostLeaders is how many processes are compared with each other. Up to here nothing is left out.
	mostLeaders = 512
	// alike is how far processes of one kind may be apart in any case, as a part of what a process spends: less than that is noise.
	alike = 0.02
	// strong is the silhouette of kinds that are there, and not cut out of what goes over into each other (Kaufman and Rousseeuw: above 0.7).
	strong = 0.7
)

// Kinds are the kinds of the processes of a tree.
type Kinds struct {
	All []Kind
	Of  []int32 // by process: its kind in All
	// How well kinds are apart from each other, from -1 to 1; 0 for a single one.
	Silhouette float64
}

// A Kind is a group of processes that behave alike.
type Kind struct {
	Medoid  int32   // the process that stands for it
	Members []int32 // ascending
	Radius  float64 // how far a member is from the medoid at most, as a part of what a process spends in all
}

// Find groups the processes by what they spend of a metric in each context itself: into as many kinds as are said, or, for 0, as are apart from
// each other, at most eight; there are no more kinds than processes that differ. The kinds come by size, the largest first. tick, which may be
// nil, is told of the progress; its error ends the work and is returned.
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
		for len(m.at) < kinds && m.add() {
			if err := m.improve(); err != nil {
				return nil, err
			}
		}
		best, score = m.copy(), m.silhouette()
	case p.radius(l.who[m.at[0]]) > alike:
		for len(m.at) < mostKinds && m.add() {
			if err := m.improve(); err != nil {
				return nil, err
			}
			if s := m.silhouette(); s >= strong && s > score+0.01 { // of kinds that are as good, fewer
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

// group has every process go to the nearest medoid.
func (p *points) group(l *leaders, medoids []int, score float64, tick func(done, total int64) error) (*Kinds, error) {
	k := &Kinds{All: make([]Kind, len(medoids)), Of: make([]int32, p.n), Silhouette: score}
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
			k.Of[q] = int32(i)
		}
	}
	return k, nil
}
