package store

import (
	"math/rand/v2"

	"whorl/tracer"
)

// fghcLike returns n events like those of an FGHC program on the simulated machine: the PEs act in the order of their clocks, each on its newest
// goal; children get consecutive ids; some goals suspend and are resumed; an idle PE takes the oldest goal of a busy one.
func fghcLike(n, pes int, seed uint64) []tracer.Event {
	type goal struct {
		id, parent uint64
		from       int32
		tried      bool
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	queues := make([][]goal, pes)
	clock := make([]int64, pes)
	idle := make([]bool, pes)
	next := uint64(2)
	queues[0] = []goal{{id: 1}}
	es := make([]tracer.Event, 0, n+8)
	total := 1
	for len(es) < n {
		pe := 0
		for i := range clock {
			if clock[i] < clock[pe] {
				pe = i
			}
		}
		now := clock[pe]
		if len(queues[pe]) == 0 {
			victim := rng.IntN(pes)
			if len(queues[victim]) > 1 {
				g := queues[victim][0]
				queues[victim] = queues[victim][1:]
				queues[pe] = append(queues[pe], g)
				es = append(es, tracer.Event{Time: now, Kind: tracer.Move, PE: int32(pe), Task: g.id, Peer: int32(victim), Code: 60, Value: 96})
				es = append(es, tracer.Event{Time: now, Kind: tracer.Busy, PE: int32(pe), Peer: tracer.None, Code: 61})
				idle[pe] = false
			} else if !idle[pe] {
				idle[pe] = true
				es = append(es, tracer.Event{Time: now, Kind: tracer.Idle, PE: int32(pe), Peer: tracer.None, Code: 62})
			}
			clock[pe] += 500
			if total == 0 {
				queues[pe] = append(queues[pe], goal{id: next})
				next++
				total++
			}
			continue
		}
		q := queues[pe]
		g := q[len(q)-1]
		q = q[:len(q)-1]
		cost := int64(120 + 40*rng.IntN(12))
		if !g.tried && rng.IntN(8) == 0 {
			es = append(es, tracer.Event{Time: now, Kind: tracer.Suspend, PE: int32(pe), Peer: tracer.None, Task: g.id, Ref: g.parent, Code: uint32(1 + g.id%12), Value: 80})
			g.tried = true
			if len(q) > 0 {
				q = append(q[:len(q)-1], g, q[len(q)-1])
			} else {
				q = append(q, g)
			}
			queues[pe] = q
			clock[pe] += 80
			continue
		}
		if g.tried {
			es = append(es, tracer.Event{Time: now, Kind: tracer.Resume, PE: int32(pe), Peer: int32(pe), Task: g.id, Ref: next - 1, Code: uint32(1 + g.id%12)})
		}
		es = append(es, tracer.Event{Time: now, Kind: tracer.Reduce, PE: int32(pe), Task: g.id, Ref: g.parent, Peer: g.from, Code: uint32(20 + g.id%30), Value: cost})
		total--
		children := rng.IntN(3)
		if total < 4*pes {
			children = 2
		}
		for c := children - 1; c >= 0; c-- {
			q = append(q, goal{id: next + uint64(c), parent: g.id, from: int32(pe)})
		}
		next += uint64(children)
		total += children
		queues[pe] = q
		clock[pe] += cost
	}
	return es[:n]
}
