package threadgraph

import (
	"math/bits"

	"whorl/tracer"
)

// Systems that cannot measure the run time of a thread log the processor time of whole processes (the paper, section 2; its rule for sharing that
// time among the threads is in its reference 3, which is not available). The rule here: if a process used d of processor time between two
// consecutive events, and k of its threads could run, each thread is charged d/k. A thread can run from its start to its end, except from a b-join
// to its a-join. This assumes a fair scheduler that switches often enough to give all runnable threads the same time between two events. The
// number of processors does not matter, because their times are summed.

// A sharing charges threads for the time of their processes. The service of a process is the total charge of a thread that could always run; a
// thread is charged the service between two of its nodes. So handling an event takes constant time for any number of threads.
type sharing struct {
	nodes    []host // by stream
	threads  []share
	stream   int32 // of the present event
	unshared int64
}

// A host is a process.
type host struct {
	seen     bool
	last     int64
	service  service
	runnable int64
}

// A service is a time in ns and fractions of 2^-32 ns.
type service struct {
	ns   int64
	frac uint32
}

// A share is the state of a thread's charges.
type share struct {
	node int32 // number + 1 of the process that can run it; 0 for none
	upTo service
}

func (b *builder) scanStreams(src tracer.StreamSource, tick func(done, total int64) error) error {
	var done, total int64
	for k, n := range src.Counts() {
		if ends.Contains(tracer.Kind(k)) {
			total += n
		}
	}
	return src.ScanStreams(ends, func(stream int, es []tracer.Event) error {
		b.sharing.stream = int32(stream)
		for i := range es {
			b.sharing.pass(es[i].Time)
			if kinds.Contains(es[i].Kind) {
				b.event(&es[i])
			}
		}
		if done += int64(len(es)); tick != nil {
			return tick(done, total)
		}
		return nil
	})
}

// ends are the kinds of events of the graph and those that bound a process's time.
var ends = kinds | tracer.Kinds(tracer.Init, tracer.Exit)

// pass shares the time that the process used since its last event.
func (s *sharing) pass(now int64) {
	h := &s.nodes[s.stream]
	d := between(h.last, now)
	if !h.seen {
		h.seen, d = true, 0
	}
	h.last = now
	if h.runnable == 0 {
		s.unshared += d
		return
	}
	k := uint64(h.runnable)
	part, _ := bits.Div64((uint64(d)%k)>>32, (uint64(d)%k)<<32, k)
	frac, carry := bits.Add32(h.service.frac, uint32(part), 0)
	h.service = service{h.service.ns + d/h.runnable + int64(carry), frac}
}

// node returns the charge of a thread for the edge to a node, and records whether the thread can run afterwards.
func (s *sharing) node(r *record) (charge int64) {
	for int(r.thread) >= len(s.threads) {
		s.threads = append(s.threads, share{})
	}
	t := &s.threads[r.thread]
	if t.node > 0 {
		h := &s.nodes[t.node-1]
		charge = h.service.ns - t.upTo.ns
		if h.service.frac < t.upTo.frac {
			charge--
		}
		charge = max(charge, 0) // a sum of damaged times can overflow
		t.upTo.ns += charge     // the rest is charged at the next node
		h.runnable--
		if r.kind == Start { // a second start follows the loss of the first process, so the run time is unknown
			charge = 0
		}
	}
	switch {
	case r.kind == End || r.kind == BJoin:
		t.node = 0
	case t.node != s.stream+1:
		t.node, t.upTo = s.stream+1, s.nodes[s.stream].service
	}
	if t.node > 0 {
		s.nodes[t.node-1].runnable++
	}
	return charge
}
