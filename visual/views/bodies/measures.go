package bodies

import (
	"slices"

	"whorl/tracer/derive/traffic"
	"whorl/visual/layout/nbody"
)

// A Measure is a quantity of all bodies over the run. There are three:
//
//   - spread: the spread of the bodies, as a multiple of the initial spread;
//   - traffic: the traffic of the last ten intervals, as a multiple of the mean
//     over the run, or of the mean so far where intervals are lasting;
//   - imbalance: 1 - mean / maximum of the load of the last ten intervals, or
//     the previous value if there is no load. It is the fraction of time that
//     PEs would wait for the one with the most load if all began and ended
//     together. The load is the measure of mass; if that is nothing, or absent
//     from the trace, it is busy time, else reductions.
type Measure struct {
	Name   string
	Values []float64 // at the end of each interval
}

// Fast is the default threshold of a fast change.
const Fast = 0.2

// Moments returns the moments at which the measure passes a threshold. fast bounds the change within ten intervals
// (one time unit of the model), as a fraction of the maximum of the measure, or of 1 if that is larger. reach is a
// value. A threshold of 0 is off.
func (m *Measure) Moments(fast, reach float64) []nbody.Moment {
	return nbody.Moments(m.Values, nbody.Watch{Fast: fast * max(m.most(), 1), Window: following, Reach: reach})
}

// most returns the largest value, at least 0.
func (m *Measure) most() float64 {
	most := 0.0
	for _, v := range m.Values {
		most = max(most, v)
	}
	return most
}

// sent returns the measure traffic.
func (mo *Motion) sent() []float64 {
	t := mo.Traffic
	each := make([]float64, t.Intervals)
	for i := range t.Flows {
		if f := &t.Flows[i]; f.From != f.To {
			each[f.Interval] += float64(mo.amount(f))
		}
	}
	values := make([]float64, mo.Len)
	sum := 0.0 // exact: all terms are integers
	for i := range values {
		sum += each[i]
		if i >= following {
			sum -= each[i-following]
		}
		if unit := mo.Unit(max(i-following+1, 0), i); unit > 0 {
			values[i] = sum / (unit * float64(t.Nodes()))
		}
	}
	return values
}

// imbalance returns the measure imbalance.
func (mo *Motion) imbalance() []float64 {
	t, weight := mo.Traffic, mo.balanced()
	values := make([]float64, mo.Len)
	load := make([]int64, t.Nodes())
	for i := range values {
		loads := t.LoadsOf(max(i-following+1, 0), i)
		var most, all int64
		for k := range loads {
			l := &load[loads[k].Node]
			w := weight(&loads[k])
			*l += w
			all += w
			most = max(most, *l)
		}
		for k := range loads {
			load[loads[k].Node] = 0
		}
		switch {
		case most == 0 && i > 0:
			values[i] = values[i-1]
		case most > 0:
			values[i] = 1 - float64(all)/(float64(most)*float64(len(load)))
		}
	}
	return values
}

// balanced returns the load on which the imbalance is based.
func (mo *Motion) balanced() func(*traffic.Load) int64 {
	switch {
	case mo.hasMass():
		return mo.weight
	case slices.ContainsFunc(mo.Traffic.Loads, func(l traffic.Load) bool { return l.Busy > 0 }):
		return func(l *traffic.Load) int64 { return l.Busy }
	}
	return func(l *traffic.Load) int64 { return l.Reductions }
}
