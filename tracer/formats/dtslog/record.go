package dtslog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"whorl/tracer"
)

// firstPE returns the number of the first PE of a node in the trace.
func (r *reader) firstPE(number int32) int32 {
	i, _ := slices.BinarySearchFunc(r.sorted, number, func(g *log, number int32) int { return cmp.Compare(g.node, number) })
	if i == 0 {
		return number
	}
	g := r.sorted[i-1]
	return g.first + g.pes + number - g.node - 1
}

// pe returns the number in the trace of a place (line.place), None for one that does not exist.
func (r *reader) pe(place int32) int32 {
	if place == tracer.None {
		return tracer.None
	}
	number, k := int32(uint32(place)>>peBits), place&(mostPEs-1)
	g := r.logs[number]
	if k > 0 && (g == nil || k >= g.pes) {
		return tracer.None
	}
	return r.firstPE(number) + k
}

// number returns the number of a thread, which may have a name.
func (r *reader) number(task uint64) uint64 {
	if task&named != 0 {
		return r.most + task&^named
	}
	return task
}

// A history holds the facts about a thread that are in several logs.
type history struct {
	forked, ended int32 // PEs
	code          uint32
}

// record records the logs. It adds the data that depends on all logs: the numbers of PEs and of named threads, the PE where each thread was
// forked, and the PE where each joined thread ended.
func (r *reader) record() {
	r.sorted = slices.Clone(r.order)
	slices.SortFunc(r.sorted, func(a, b *log) int { return cmp.Compare(a.node, b.node) })
	threads := map[uint64]history{}
	for _, g := range r.sorted {
		g.first = r.firstPE(g.node)
		if g.host == "" && g.clock == tracer.Monotonic {
			g.host = "node " + strconv.Itoa(int(g.node)) // the node has its own clock
		}
	}
	for _, g := range r.order {
		for i := range g.events {
			e := &g.events[i]
			e.Task, e.Ref, e.PE, e.Peer = r.number(e.Task), r.number(e.Ref), g.first+e.PE, r.pe(e.Peer)
			if e.Kind != tracer.Fork && e.Kind != tracer.Start && e.Kind != tracer.End {
				continue
			}
			k, ok := threads[e.Task]
			if !ok {
				k = history{tracer.None, tracer.None, 0}
			}
			if e.Kind == tracer.Fork {
				k.forked = e.PE
			} else if e.Kind == tracer.End {
				k.ended = e.PE
			}
			if e.Code != 0 && (k.code == 0 || e.Kind == tracer.Fork) {
				k.code = e.Code
			}
			threads[e.Task] = k
		}
	}
	r.rec.SetMeta(r.meta())
	for _, g := range r.order {
		r.stream(g, threads)
	}
}

// meta returns the metadata of all logs.
func (r *reader) meta() tracer.Meta {
	meta := tracer.Meta{Program: r.program, Args: r.args, Substrate: "dts", Clock: tracer.Process}
	logged, hosts := 0, int32(-1) // PEs of the logs, and the last one with a host
	for _, g := range r.sorted {
		meta.PEs = int(g.first + g.pes)
		logged += int(g.pes)
		if g.host != "" {
			hosts = g.first + g.pes - 1
		}
	}
	if hosts >= 0 && int(hosts) < 16*logged+1024 {
		meta.PEInfo = make([]tracer.PE, meta.PEs)
	}
	for _, g := range r.order {
		meta.Clock = g.clock
		for k := g.first; meta.PEInfo != nil && k < g.first+g.pes; k++ {
			meta.PEInfo[k] = tracer.PE{Host: g.host, Process: g.process}
		}
	}
	if len(r.missing) > 0 {
		meta.Extra = []tracer.KV{{Key: tracer.MissingKey, Value: strings.Join(r.missing, "; ")}}
	}
	return meta
}

// stream records the events of a log.
func (r *reader) stream(g *log, threads map[uint64]history) {
	name := (&tracer.PE{Host: g.host, Process: g.process}).Node()
	if name == "" {
		name = "node " + strconv.Itoa(int(g.node))
	}
	s := r.rec.Stream(tracer.StreamInfo{Name: name, Clock: g.clock})
	host := r.rec.Dict().Add(tracer.Code{Type: tracer.Host, Name: cmp.Or(g.host, name)})
	for i := range g.events {
		e := g.events[i]
		k := threads[e.Task]
		switch e.Kind {
		case tracer.Init, tracer.Exit:
			e.Code = host
		case tracer.Start, tracer.End:
			if e.Code == 0 {
				e.Code = k.code
			}
			if e.Kind == tracer.Start && e.Peer == tracer.None {
				e.Peer = k.forked
			}
		case tracer.JoinBegin, tracer.JoinEnd:
			if other, ok := threads[e.Ref]; ok && e.Peer == tracer.None {
				e.Peer = other.ended
			}
		}
		if s != nil {
			*s.Slot() = e
		}
	}
	s.Sync()
}
