package lineprofile

import (
	"cmp"
	"slices"
	"strconv"

	"whorl/tracer"
)

// compareSeries orders series: samples first, by metric, then the other kinds in order, but reductions before starts.
func compareSeries(a, b series) int {
	order := func(s series) int {
		return slices.Index([]tracer.Kind{tracer.Sample, tracer.Reduce, tracer.Suspend, tracer.Start}, s.kind)
	}
	return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a.code, b.code))
}

// metrics returns the metrics of series i.
func (s *series) metrics(i int, codes []tracer.Code) []Metric {
	events := Metric{Unit: "", Scale: 1, series: i}
	for _, n := range s.count {
		events.Total += n
	}
	values := Metric{Unit: "", Scale: 1, series: i, values: true}
	for _, n := range s.sums() {
		values.Total += n
	}
	switch s.kind {
	case tracer.Reduce:
		events.Name = "reductions"
		values.Name, values.Unit, values.Costs = "time", "ns", true
		if values.Total == 0 {
			return []Metric{events}
		}
		return []Metric{events, values}
	case tracer.Suspend:
		events.Name = "suspensions"
		return []Metric{events}
	case tracer.Start:
		events.Name = "threads"
		return []Metric{events}
	}
	values.Name = "ticks"
	if int(s.code) < len(codes) {
		if c := codes[s.code]; c.Name != "" {
			values.Name, values.Unit, values.Scale = c.Name, c.Unit, c.Scale
		} else if s.code > 0 {
			values.Name = "metric " + strconv.Itoa(int(s.code))
		}
	}
	return []Metric{values}
}

// sums returns the values of the cells.
func (s *series) sums() []int64 {
	if s.sum != nil {
		return s.sum
	}
	return s.count
}
