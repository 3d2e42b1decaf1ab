package report

import (
	"strings"

	"whorl/internal/figures"
	"whorl/internal/numbering"
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
	var codes numbering.List[uint32]
	var sums []int64 // by number of the code
	err = src.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
		for i := range es {
			k := int(codes.Number(es[i].Code))
			if k == len(sums) {
				sums = append(sums, 0)
			}
			sums[k] += es[i].Value
		}
		return nil
	})
	for k, code := range codes.Keys {
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
