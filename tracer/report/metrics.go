package report

import (
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
)

// A Measure is a metric of the samples of a trace, summed over all PEs.
type Measure struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"`
	Total float64 `json:"total"` // in the unit
}

// measures sums the samples of a trace by metric, in the order of the first sample of each metric.
func measures(src tracer.Source) (all []Measure, err error) {
	if src.Counts()[tracer.Sample] == 0 {
		return nil, nil
	}
	index := map[uint32]int{}
	var sums []int64
	var order []uint32
	err = src.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
		for i := range es {
			k, ok := index[es[i].Code]
			if !ok {
				k = len(sums)
				index[es[i].Code] = k
				sums, order = append(sums, 0), append(order, es[i].Code)
			}
			sums[k] += es[i].Value
		}
		return nil
	})
	for k, code := range order {
		c := src.Dict().Code(code)
		scale := c.Scale
		if scale == 0 {
			scale = 1
		}
		all = append(all, Measure{c.Name, c.Unit, float64(sums[k]) * scale})
	}
	return all, err
}

// String returns the total for people.
func (m *Measure) String() string {
	n := int64(m.Total)
	switch m.Unit {
	case "ns":
		return figures.Duration(n)
	case "", "count", m.Name:
		return figures.Count(n)
	}
	return strings.TrimSpace(figures.Count(n) + " " + m.Unit)
}
