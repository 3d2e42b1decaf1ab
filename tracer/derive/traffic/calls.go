package traffic

import (
	"whorl/tracer"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/store"
)

// A Call is work that a node did for its caller. The nodes are procedures, or anything else numbered from 0, not PEs.
type Call struct {
	Time     int64 // ns
	From, To int32 // caller, -1 for none, and callee
	Cost     int64 // ns
	Ticks    int64 // of a sample
	Sampled  bool  // it comes from a sample, not from an event of the call
	Woken    bool  // From has woken To, which is no work
}

// Calls derives the traffic between n nodes of the run in a trace: a message is a call, and the load of a node is the time of its calls. scan
// provides the calls in any order. Options are those of Grow.
func Calls(src tracer.Source, n int, o Options, scan func(call func(Call)) error) (*Traffic, error) {
	n = min(n, bounds.MaxPEs)
	if o.Limit == 0 {
		o.Limit = defaultLimit
	}
	b := newBuilder(src, o)
	b.pes, b.medium, b.lanes = n, messages, nil
	at := map[uint64]int32{} // flow by interval, from, to
	load := map[uint64]int32{}
	err := scan(func(c Call) {
		if c.To < 0 || int(c.To) >= n || int(c.From) >= n {
			b.ignored++
			return
		}
		t := min(max(c.Time, b.from), b.to)
		i := b.interval(t)
		from, to := c.From, c.To/int32(b.group)
		if from >= 0 {
			from /= int32(b.group)
			key := uint64(i)<<42 | uint64(from)<<21 | uint64(to)
			k, ok := at[key]
			if !ok {
				k = int32(len(b.flows))
				at[key] = k
				b.flows = append(b.flows, Flow{Interval: i, From: from, To: to})
			}
			count := int64(1)
			if c.Sampled {
				count = min(max(c.Ticks, 0), mostCost)
			}
			b.flows[k].Messages += count
			b.messages += count
		}
		cell := func(i int32) *Load {
			key := uint64(i)<<21 | uint64(to)
			k, ok := load[key]
			if !ok {
				k = int32(len(b.loads))
				load[key] = k
				b.loads = append(b.loads, Load{Interval: i, Node: to})
			}
			return &b.loads[k]
		}
		switch {
		case c.Woken:
		case c.Sampled:
			cell(i).Ticks += min(max(c.Ticks, 0), mostCost)
		default:
			cell(i).Reductions++
		}
		for until := min(t+min(max(c.Cost, 0), mostCost), b.to); t < until; i++ {
			end := min(b.from+beginOf(int64(i+1), b.epoch)*b.step, until)
			cell(i).Busy += end - t
			t = end
		}
		if len(b.flows) >= 2*b.limit || len(b.loads) >= 2*b.limit {
			b.tighten()
			clear(at)
			clear(load)
		}
	})
	if err != nil {
		return nil, err
	}
	t := b.finish(src)
	_, t.Over = store.Grows(src)
	return t, nil
}

// Ticks reports whether loads are samples: the number of calls and their times are unknown.
func (t *Traffic) Ticks() bool { return len(t.Loads) > 0 && t.Loads[0].Ticks > 0 }
