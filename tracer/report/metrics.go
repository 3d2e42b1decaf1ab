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

// A sampler sums samples by metric, in the order of the first sample of each metric.
type sampler struct {
	codes numbering.List[uint32]
	sums  []int64 // by number of the code
}

func (s *sampler) add(e *tracer.Event) {
	k := int(s.codes.Number(e.Code))
	if k == len(s.sums) {
		s.sums = append(s.sums, 0)
	}
	s.sums[k] += e.Value
}

func (s *sampler) measures(dict *tracer.Dict) (all []Measure) {
	for k, code := range s.codes.Keys {
		c := dict.Code(code)
		scale := c.Scale
		if scale == 0 {
			scale = 1
		}
		all = append(all, Measure{c.Name, c.Unit, float64(s.sums[k]) * scale})
	}
	return all
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
