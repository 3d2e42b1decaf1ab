package kinds

import "math"

// medoids is the state of the search for the leaders that represent kinds.
type medoids struct {
	weight   []float64
	distance [][]float64 // between two leaders
	chosen   []int       // the medoids

	near          []int     // by leader: index of the nearest medoid
	first, second []float64 // by leader: distance to the nearest and to the second nearest medoid

	tick func() error // called repeatedly; its error ends the work
}

// newMedoids begins with one medoid, the leader with the smallest sum of distances.
func newMedoids(p *points, l *leaders, tick func() error) (*medoids, error) {
	n := len(l.who)
	m := &medoids{
		weight: l.weight, distance: make([][]float64, n),
		near: make([]int, n), first: make([]float64, n), second: make([]float64, n),
		tick: tick,
	}
	for i := range n {
		if err := tick(); err != nil {
			return nil, err
		}
		m.distance[i] = make([]float64, n)
		for j := range i {
			m.distance[i][j] = p.distance(l.who[i], l.who[j])
			m.distance[j][i] = m.distance[i][j]
		}
	}
	best, least := 0, math.Inf(1)
	for c := range n {
		sum := 0.0
		for o, d := range m.distance[c] {
			sum += float64(m.weight[o] * d)
		}
		if sum < least {
			best, least = c, sum
		}
	}
	m.chosen = []int{best}
	m.assign()
	return m, nil
}

func (m *medoids) copy() []int { return append([]int(nil), m.chosen...) }

// assign finds the two nearest medoids of each leader.
func (m *medoids) assign() {
	for o, to := range m.distance {
		m.near[o], m.first[o], m.second[o] = 0, math.Inf(1), math.Inf(1)
		for i, c := range m.chosen {
			switch d := to[c]; {
			case d < m.first[o]:
				m.near[o], m.first[o], m.second[o] = i, d, m.first[o]
			case d < m.second[o]:
				m.second[o] = d
			}
		}
	}
}

// add makes the leader a medoid that reduces the sum of distances most. It returns false if none reduces it.
func (m *medoids) add() bool {
	best, most := -1, 0.0
	for c, to := range m.distance {
		gain := 0.0
		for o, d := range to {
			if d < m.first[o] {
				gain += float64(m.weight[o] * (m.first[o] - d))
			}
		}
		if gain > most {
			best, most = c, gain
		}
	}
	if best < 0 {
		return false
	}
	m.chosen = append(m.chosen, best)
	m.assign()
	return true
}

// improve exchanges medoids for other leaders as long as the sum of distances falls.
func (m *medoids) improve() error {
	cost := 0.0
	for o, d := range m.first {
		cost += float64(m.weight[o] * d)
	}
	change := make([]float64, len(m.chosen))
	for c, since := 0, 0; since < len(m.distance); c, since = (c+1)%len(m.distance), since+1 {
		if c%64 == 0 {
			if err := m.tick(); err != nil {
				return err
			}
		}
		// change is the cost of removing each medoid, minus the saving of adding c.
		clear(change)
		shared := 0.0
		for o, d := range m.distance[c] {
			i := m.near[o]
			change[i] += float64(m.weight[o] * (min(d, m.second[o]) - m.first[o]))
			if d < m.first[o] {
				save := float64(m.weight[o] * (d - m.first[o]))
				shared += save
				change[i] -= save
			}
		}
		best := 0
		for i := range change {
			if change[i] < change[best] {
				best = i
			}
		}
		if gain := change[best] + shared; gain < -1e-9*cost {
			m.chosen[best] = c
			cost += gain
			m.assign()
			since = -1
		}
	}
	return nil
}

// silhouette returns the mean silhouette of all processes: how much nearer a process is to its own kind than to the next one (P. Rousseeuw,
// 1987). It is 0 for a single kind, and for a process that is alone in its kind.
func (m *medoids) silhouette() float64 {
	k := len(m.chosen)
	if k < 2 {
		return 0
	}
	size := make([]float64, k)
	all := 0.0
	for o, i := range m.near {
		size[i] += m.weight[o]
		all += m.weight[o]
	}
	sum := 0.0
	far := make([]float64, k)
	for o, to := range m.distance {
		clear(far)
		for q, d := range to {
			far[m.near[q]] += float64(m.weight[q] * d)
		}
		own := m.near[o]
		if size[own] <= 1 {
			continue
		}
		a, b := far[own]/(size[own]-1), math.Inf(1)
		for i := range far {
			if i != own {
				b = min(b, far[i]/size[i])
			}
		}
		if most := max(a, b); most > 0 {
			sum += float64(m.weight[o] * (b - a) / most)
		}
	}
	return sum / all
}

// strangers adds outliers as medoids, farthest first: leaders farther from all medoids than half the distance of the two nearest medoids. The
// silhouette cannot find them, because a process alone in its kind counts as 0.
func (m *medoids) strangers(at []int) []int {
	gap := math.Inf(1)
	for k, i := range at {
		for _, j := range at[:k] {
			gap = min(gap, m.distance[i][j])
		}
	}
	m.chosen = at
	for m.assign(); len(m.chosen) < mostKinds; m.assign() {
		far := 0
		for o, d := range m.first {
			if d > m.first[far] {
				far = o
			}
		}
		if m.first[far] <= max(gap/2, alike) {
			break
		}
		m.chosen = append(m.chosen, far)
	}
	return m.copy()
}
