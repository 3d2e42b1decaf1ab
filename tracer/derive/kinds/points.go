package kinds

import (
	"cmp"
	"math"
	"slices"

	"whorl/tracer/derive/callingcontext"
)

// points holds a row of coordinates for each process: its values in the contexts that distinguish processes most.
type points struct {
	n, dims     int
	coordinates []float64 // rows of coordinates
}

const (
	// mostDims is the largest number of contexts.
	mostDims = 64
	// neglected bounds the fraction of the variance in omitted contexts if fewer than mostDims are used.
	neglected = 1e-6
)

// pointsOf chooses the contexts with the largest variance over the processes.
func pointsOf(t *callingcontext.Tree, metric int) *points {
	p := &points{n: len(t.Processes)}
	if p.n == 0 || metric >= len(t.Metrics) || t.Nodes() == 0 {
		return p
	}
	unit := 0.0 // mean total of a process
	for _, v := range t.Inclusive[metric][t.Start[0]:t.Start[1]] {
		unit += math.Abs(float64(v)) / float64(p.n)
	}
	if unit == 0 {
		return p
	}
	type context struct {
		node     int32
		variance float64
	}
	var all []context
	sum := 0.0
	for v := range int32(t.Nodes()) {
		mean, square := 0.0, 0.0
		for _, x := range t.Exclusive[metric][t.Start[v]:t.Start[v+1]] {
			y := float64(x) / unit
			mean, square = mean+y, square+float64(y*y)
		}
		mean /= float64(p.n)
		if variance := square/float64(p.n) - float64(mean*mean); variance > 0 {
			all = append(all, context{v, variance})
			sum += variance
		}
	}
	slices.SortStableFunc(all, func(a, b context) int { return cmp.Compare(b.variance, a.variance) })
	left := sum
	for k := range all {
		if k == mostDims || left <= neglected*sum {
			all = all[:k]
			break
		}
		left -= all[k].variance
	}
	p.dims = len(all)
	p.coordinates = make([]float64, p.n*p.dims)
	for d, c := range all {
		for i := t.Start[c.node]; i < t.Start[c.node+1]; i++ {
			p.coordinates[int(t.Process[i])*p.dims+d] = float64(t.Exclusive[metric][i]) / unit
		}
	}
	return p
}

// distance returns the Euclidean distance.
func (p *points) distance(a, b int32) float64 {
	x, y := p.coordinates[int(a)*p.dims:int(a+1)*p.dims], p.coordinates[int(b)*p.dims:int(b+1)*p.dims]
	sum := 0.0
	for d, v := range x {
		e := v - y[d]
		sum += float64(e * e)
	}
	return math.Sqrt(sum)
}

// radius returns the largest distance of the others from a process.
func (p *points) radius(a int32) (most float64) {
	for b := range int32(p.n) {
		most = max(most, p.distance(a, b))
	}
	return most
}

// leaders are processes chosen to represent all.
type leaders struct {
	who    []int32
	weight []float64 // number of processes nearest to each
}

// leaders repeatedly chooses the process farthest from the leaders so far, until all processes equal a leader or there are most leaders.
func (p *points) leaders(most int, tick func(done, total int64) error) (*leaders, error) {
	l := &leaders{}
	near, of := make([]float64, p.n), make([]int, p.n)
	for next := int32(0); ; {
		k := len(l.who)
		l.who = append(l.who, next)
		far := 0.0
		for q := range int32(p.n) {
			if d := p.distance(q, l.who[k]); k == 0 || d < near[q] {
				near[q], of[q] = d, k
			}
			if near[q] > far {
				next, far = q, near[q]
			}
		}
		if err := tick(int64(len(l.who)), int64(min(most, p.n))); err != nil {
			return nil, err
		}
		if far == 0 || len(l.who) == most {
			break
		}
	}
	l.weight = make([]float64, len(l.who))
	for _, k := range of {
		l.weight[k]++
	}
	return l, nil
}
