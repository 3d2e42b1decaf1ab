package account

import (
	"math"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/bounds"
)

// intervals are times between samples of a PE, measured in the first reading of a trace with samples alone.
type intervals struct {
	gaps    []int64 // every stride-th, not 0
	stride  int
	left    int   // intervals until the next one that is kept
	samples int64 // of the PE
	value   int64 // the largest of the samples in group, which are in ns
}

// mostGaps bounds the intervals that are kept of a PE.
const mostGaps = 1 << 10

// measure notes the interval between two samples. It keeps few of many, at equal distances.
func (x *intervals) measure(gap int64) {
	if x.left--; x.left > 0 {
		return
	}
	if len(x.gaps) == mostGaps {
		for k := range mostGaps / 2 {
			x.gaps[k] = x.gaps[2*k]
		}
		x.gaps = x.gaps[:mostGaps/2]
		x.stride *= 2
	}
	x.stride = max(x.stride, 1)
	x.left = x.stride
	x.gaps = append(x.gaps, gap)
}

// usual returns the usual interval between samples of a PE that works all the time: the least of the medians of the PEs, without those that have few
// samples. If no PE has two, it is unknown, and the interval is that between samples of all PEs in a time of the given length.
func (p *pass) usual(span int64) (ns int64, known bool) {
	most, least, all := int64(0), int64(math.MaxInt64), int64(0)
	for i := range p.lanes {
		most = max(most, p.lanes[i].samples)
		all += p.lanes[i].samples
	}
	for i := range p.lanes {
		x := &p.lanes[i].intervals
		if n := len(x.gaps); n > 0 && x.samples >= most/10 {
			slices.Sort(x.gaps)
			least = min(least, x.gaps[(n-1)/2])
		}
	}
	if least == math.MaxInt64 {
		return max(span/max(all, 1), 1), false
	}
	return least, true
}

// alone handles a sample of a trace without states and tasks. Only the metric of the first sample counts.
func (p *pass) alone(l *lane, t int64, e *tracer.Event) {
	if e.Ref >= uint64(len(p.contexts)) {
		p.contexts = p.reasons.dict.Contexts()
	}
	if e.Ref == 0 || e.Ref >= uint64(len(p.contexts)) || e.Value <= 0 {
		return
	}
	if p.metric == 0 {
		p.metric = e.Code
		c := p.reasons.dict.Code(e.Code)
		p.lasting = c.Unit == "ns" && (c.Scale == 0 || c.Scale == 1)
	}
	if e.Code != p.metric {
		return
	}
	if !l.seen {
		l.seen, l.first, l.since, l.end, l.stepEnd = true, t, t, math.MinInt64, math.MinInt64
		l.class = p.outside(l)
	}
	if p.unit == 0 {
		if l.samples++; l.samples > 1 && t > l.recorded {
			l.measure(t - l.recorded)
		}
		l.recorded = t
		return
	}
	if len(l.group) > 0 && t != l.recorded {
		p.share(l, t, 2*p.unit)
	}
	if p.lasting {
		l.value = max(l.value, min(e.Value, bounds.Farthest))
	}
	l.recorded = t
	l.group = append(l.group, Step{Task: e.Ref, Code: p.known(p.contexts[e.Ref].Code), Kind: tracer.Sample})
}

// leave handles the last samples of a PE.
func (p *pass) leave(l *lane, t int64) {
	if len(l.group) > 0 {
		p.share(l, t, 0)
	}
}

// share divides the work from the last samples of a PE on among them. It lasts until an instant, or, if that is later than by far ns, for the usual
// interval.
func (p *pass) share(l *lane, until, far int64) {
	end := until
	switch from := l.recorded; {
	case p.lasting:
		end = min(until, from+l.value)
	case until-from > far:
		end = min(until, from+p.unit)
	}
	p.advance(l, l.recorded)
	p.decide(l, &tracer.Event{Kind: tracer.Sample})
	from, k := max(l.since, l.recorded), int64(len(l.group))
	end = max(end, from)
	part := func(i int) int64 { return (end-from)/k*int64(i) + (end-from)%k*int64(i)/k }
	p.spend(l, Piece{from, Work, 0}, end)
	for i, s := range l.group {
		p.codes[s.Code].Work += part(i+1) - part(i)
		p.codes[s.Code].count(s.Kind)
		if s.Time, s.End = from+part(i), from+part(i+1); p.sink != nil {
			p.sink.Step(l.pe, &s)
		}
	}
	l.since, l.group, l.value = end, l.group[:0], 0
}
