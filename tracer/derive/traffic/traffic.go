// Package traffic derives the messages between PEs and the load of each PE in each interval of a run. Package account tells when a PE works.
//
// Both are sparse: there is a Flow only for messages that were sent and a Load only for PEs with work. Their number is bounded. If a run has more,
// intervals are merged in pairs, and when few intervals are left, PEs are merged in groups of 2, 4, 8 and so on, which keeps all sums. So a million
// PEs and any number of events fit into the same memory.
//
// Traffic comes from Send events. In a trace without them, such as one of a machine with a bus, it comes from Move events: tasks that moved from the
// old holder to the new one. In a trace with neither, but with threads that are woken, it comes from Wake events: a thread that then runs on another PE
// is a flow from its waker's PE. In a trace without all of these, such as one of a live run, it comes from goals and threads that ran on a PE other than their
// origin (Reduce, Start).
package traffic

import (
	"cmp"
	"fmt"
	"math/bits"
	"sort"

	"whorl/tracer"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/derive/onward"
	"whorl/tracer/store"
)

// Traffic holds the traffic of a run. It does not change.
type Traffic struct {
	From, To  int64 // ns, times of the first and the last event
	Step      int64 // ns of an interval, or of the shortest lasting interval; the first interval begins at From
	Intervals int
	Epoch     int  // number of lasting intervals of each length, except that there are twice as many of the first; 0 if all have one length
	Over      bool // the run has ended, so its last interval is whole
	PEs       int
	Group     int  // number of PEs in a node: node n holds PEs n*Group to (n+1)*Group-1
	Moves     bool // flows are tasks that moved
	Wakes     bool // flows are threads that ran on another PE than the one that woke them; otherwise messages

	Messages, Bytes int64 // of all flows
	Ignored         int64 // messages from or to a PE that the machine does not have

	Flows []Flow // by Interval, From, To
	Loads []Load // by Interval, Node

	next *onward.State[builder]
}

// A Flow sums the messages that one node sent to another in an interval, by the time of sending. From and To are equal for messages within a group
// of PEs, or of a PE to itself.
type Flow struct {
	Interval, From, To int32
	Messages, Bytes    int64
}

// A Load sums the work of a node in an interval.
type Load struct {
	Interval, Node int32
	Busy           int64 // ns of work in the account of time, of all its PEs; 0 without costs
	Queue          int64 // ns of waiting, summed over ready tasks
	Reductions     int64 // or starts of threads in a trace without goals
	Ticks          int64 // sum of the samples
}

// Options set the resolution. The zero value is a good default.
type Options struct {
	Step  int64 // ns of an interval; 0 stands for run time / Intervals, see Grow
	Limit int   // largest number of flows, and of loads; 0 stands for 1<<21

	// Lasting intervals do not change while a run grows, and still are few: the first 600 have 2^17 ns, or 2^7 ns of virtual time, and each
	// further 300 have twice the length of the previous ones. So the last one is between a 600th and a 300th of the run. With more than 32 PEs, a
	// few dozen replace the 300.
	Lasting bool
}

// Bounds and defaults.
const (
	Intervals = 600 // of a run

	defaultLimit = 1 << 21
	leastLimit   = 1 << 8
	few          = 64 // intervals left when PEs are merged

	lastingReal    = 1 << 17 // ns of the shortest lasting intervals
	lastingVirtual = 1 << 7
	fewPEs         = 32
	manyPEs        = 1 << 12

	mostSteps = 1 << 20 // intervals, if the step is given
)

// Grow derives the traffic of a trace. prev, which may be nil, is the traffic of an earlier part of the same trace: Grow then reads only the later
// events, unless intervals or flows were merged to save memory. The result does not depend on prev.
//
// While a run may continue, its intervals have the smallest power of two ns that divides the run so far into at most Intervals; after its end they
// have exactly the run time / Intervals. Lasting intervals and a given Step override this. tick, which may be nil, gets the progress; its error
// ends the work. Other errors name the option that is out of range.
func Grow(src tracer.Source, o Options, prev *Traffic, tick func(done, total int64) error) (*Traffic, error) {
	from, to := bounds.Span(src)
	if o.Limit == 0 {
		o.Limit = defaultLimit
	}
	switch {
	case o.Limit < leastLimit:
		return nil, fmt.Errorf("room for %d flows: expected at least %d", o.Limit, leastLimit)
	case o.Lasting && o.Step != 0:
		return nil, fmt.Errorf("lasting intervals of %d ns: their lengths are fixed, expected 0", o.Step)
	case o.Step < 0:
		return nil, fmt.Errorf("intervals of %d ns: expected at least 1 ns, or 0 for a part of the run time", o.Step)
	case o.Step > 0 && (to-from)/o.Step >= mostSteps:
		return nil, fmt.Errorf("intervals of %d ns: a run of %d ns has more than %d of them", o.Step, to-from, mostSteps)
	}
	fresh := newBuilder(src, o)
	b, rest := fresh, src
	if prev != nil {
		if held, more := prev.next.Resume(src); held != nil && held.goesOn(fresh) && held.sweep.Continues(src) {
			b, rest = held, more
		}
	}
	for b.step < fresh.step {
		b.longer()
	}
	b.learn(src.Dict())
	b.to = to
	if err := onward.Scan(rest, b.kinds(), tick, b.read); err != nil {
		return nil, err
	}
	t := b.finish(src)
	_, t.Over = store.Grows(src)
	if !b.lossy {
		t.next = onward.Keep(src, b)
	}
	return t, nil
}

// Nodes returns the number of nodes.
func (t *Traffic) Nodes() int { return (t.PEs + t.Group - 1) / t.Group }

// Interval returns the interval of an instant, the first or the last for an instant outside the run.
func (t *Traffic) Interval(at int64) int {
	return int(min(max(intervalOf(max(at-t.From, 0)/t.Step, int64(t.Epoch)), 0), int64(t.Intervals-1)))
}

// Begins returns the time at which an interval begins.
func (t *Traffic) Begins(interval int) int64 {
	return t.From + beginOf(int64(interval), int64(t.Epoch))*t.Step
}

// Length returns the length of the intervals from first to last together, in ns.
func (t *Traffic) Length(first, last int) int64 { return t.Begins(last+1) - t.Begins(first) }

// intervalOf returns the interval of the n-th step of a run: the first 2*epoch intervals have one step, the next epoch have two, the next four
// and so on.
func intervalOf(n, epoch int64) int64 {
	if epoch == 0 || n < 2*epoch {
		return n
	}
	k := bits.Len64(uint64(n/epoch)) - 1
	return epoch*int64(k) + n>>k
}

// beginOf returns the first step of an interval.
func beginOf(i, epoch int64) int64 {
	if epoch == 0 || i < 2*epoch {
		return i
	}
	k := i/epoch - 1
	return (i - epoch*k) << k
}

// FlowsOf returns the flows of the intervals from first to last.
func (t *Traffic) FlowsOf(first, last int) []Flow {
	search := func(i int) int {
		return sort.Search(len(t.Flows), func(k int) bool { return int(t.Flows[k].Interval) >= i })
	}
	return t.Flows[search(first):search(last+1)]
}

// LoadsOf returns the loads of the intervals from first to last.
func (t *Traffic) LoadsOf(first, last int) []Load {
	search := func(i int) int {
		return sort.Search(len(t.Loads), func(k int) bool { return int(t.Loads[k].Interval) >= i })
	}
	return t.Loads[search(first):search(last+1)]
}

// compareFlows and compareLoads order cells; equal cells are merged.
func compareFlows(a, b Flow) int {
	if c := cmp.Compare(uint64(a.Interval)<<32|uint64(a.From), uint64(b.Interval)<<32|uint64(b.From)); c != 0 {
		return c
	}
	return cmp.Compare(a.To, b.To)
}

func compareLoads(a, b Load) int {
	return cmp.Compare(uint64(a.Interval)<<32|uint64(a.Node), uint64(b.Interval)<<32|uint64(b.Node))
}

type (
	flows []Flow
	loads []Load
)

func (f flows) Len() int           { return len(f) }
func (f flows) Less(i, j int) bool { return compareFlows(f[i], f[j]) < 0 }
func (f flows) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }

func (l loads) Len() int           { return len(l) }
func (l loads) Less(i, j int) bool { return compareLoads(l[i], l[j]) < 0 }
func (l loads) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

// compactFlows sorts flows and merges those of one pair in one interval, in place.
func compactFlows(fs []Flow) []Flow {
	sort.Sort(flows(fs))
	n := 0
	for _, f := range fs {
		if n > 0 && compareFlows(fs[n-1], f) == 0 {
			fs[n-1].Messages += f.Messages
			fs[n-1].Bytes += f.Bytes
			continue
		}
		fs[n] = f
		n++
	}
	return fs[:n]
}

// compactLoads does the same for loads.
func compactLoads(ls []Load) []Load {
	sort.Sort(loads(ls))
	n := 0
	for _, l := range ls {
		if n > 0 && compareLoads(ls[n-1], l) == 0 {
			ls[n-1].add(&l)
			continue
		}
		ls[n] = l
		n++
	}
	return ls[:n]
}

func (l *Load) add(m *Load) {
	l.Busy += m.Busy
	l.Queue += m.Queue
	l.Reductions += m.Reductions
	l.Ticks += m.Ticks
}
