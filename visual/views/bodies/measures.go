package bodies

import (
	"slices"

	"whorl/tracer/derive/traffic"
	"whorl/visual/layout/nbody"
)

// A Measure is a number that tells of all bodies at once, over the run. There are three:
//
//   - spread, of the bodies, in proportion to that of the start;
//   - traffic, of the last ten intervals, in proportion to the mean over the run, or until then where intervals are lasting;
//   - imbalance, what part of their time PEs would wait for the one with the most load if all began and ended together: 1 - mean / most of the
//     load of the last ten intervals, or what it was where there is none. That load is what makes bodies heavy; where nothing does it is busy
//     time, and where there is none reductions.
type Measure struct {
	Name   string
	Values []float64 // at the end of each interval
}

// Fast is the change that is fast where nobody says otherwise.
const Fast = 0.2

// Moments are those of a measure at which it comes to a threshold. It is fast by how much it changes in ten intervals, a unit of the model's time,
// in proportion to its greatest value, or to 1 where that is less; it may reach a value. Either is 0 for none.
func (m *Measure) Moments(fast, reach float64) []nbody.Moment {
	return nbody.Moments(m.Values, nbody.Watch{Fast: fast * max(m.most(), 1), Window: following, Reach: reach})
}

// most is the greatest value.
func (m *Measure) most() float64 {
	most := 0.0
	for _, v := range m.Values {
		most = max(most, v)
	}
	return most
}

// sent is the traffic of the last intervals by interval.
func (mo *Motion) sent() []float64 {
	t := mo.Traffic
	each := make([]float64, t.Intervals)
	for i := range t.Flows {
		if f := &t.Flows[i]; f.From != f.To {
			each[f.Interval] += float64(mo.amount(f))
		}
	}
	values := make([]float64, mo.Len)
	sum := 0.0 // of whole numbers
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

// imbalance is that of the load of the last intervals by interval.
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

// balanced is the load that the imbalance is of.
func (mo *Motion) balanced() func(*traffic.Load) int64 {
	switch {
	case mo.weighs():
		return mo.weight
	case slices.ContainsFunc(mo.Traffic.Loads, func(l traffic.Load) bool { return l.Busy > 0 }):
		return func(l *traffic.Load) int64 { return l.Busy }
	}
	return func(l *traffic.Load) int64 { return l.Reductions }
}
