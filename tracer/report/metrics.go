package report

import (
	"math"
	"strconv"

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
	text := amount(m.Total, m.Unit)
	if _, own := figures.Measured(0, m.Unit); own || m.Unit == "" || m.Unit == "count" || m.Unit == m.Name {
		return text
	}
	return text + " " + m.Unit
}

// amount returns a value of a metric for people: a time or a size with the unit that fits it, else the number without its unit.
func amount(v float64, unit string) string {
	s, ok := figures.Measured(v, unit)
	switch {
	case ok:
		return s
	case math.Abs(v) < 1000 && v != math.Trunc(v):
		return figures.Fixed(v, 1)
	}
	return figures.Count(int64(v))
}

// plain returns a value for CSV.
func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
