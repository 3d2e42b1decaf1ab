// Package merge makes one trace of the traces of several nodes.
package merge

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"whorl/sim/live"
	"whorl/tracer"
)

// A Node is a process with its trace. The times of the trace are those of its own clock.
type Node struct {
	Name, Host string
	FirstPE    int32 // the number of its first PE in its trace
	PEs        int
	Started    time.Time // zero of the trace's times by the clock of the host
	Trace      tracer.StreamSource
	Err        error // why the trace is incomplete, nil if it is complete
}

// first returns the time of the first event by the clock of the host.
func (t *Node) first() time.Time {
	from, _ := t.Trace.Span()
	return t.Started.Add(time.Duration(from))
}

// Traces writes the traces of nodes into one recorder, which stays open. It renumbers PEs and ids of threads without gaps. The outcome is that of the
// whole run, for the Exit events of nodes that were not ended by a limit of their own. If describe is not nil, it completes the metadata at the end.
func Traces(rec tracer.Recorder, nodes []Node, outcome tracer.Outcome, describe func(*tracer.Meta)) error {
	m := merger{rec: rec, outcome: outcome, blocks: map[uint64]uint64{0: 0}, bases: map[int32]int32{}}
	began := nodes[0].first()
	var meta tracer.Meta
	for _, t := range nodes {
		if first := t.first(); first.Before(began) {
			began = first
		}
		m.bases[t.FirstPE] = int32(meta.PEs)
		meta.PEs += t.PEs
		for range t.PEs {
			meta.PEInfo = append(meta.PEInfo, tracer.PE{Host: t.Host, Process: t.Name})
		}
	}
	pes, info := meta.PEs, meta.PEInfo
	for _, t := range slices.Backward(nodes) { // the first node's metadata take precedence
		own := t.Trace.Meta()
		own.Source = append(own.Source, slices.DeleteFunc(meta.Source, func(f tracer.SourceFile) bool {
			return slices.ContainsFunc(own.Source, func(o tracer.SourceFile) bool { return o.Name == f.Name })
		})...)
		own.Extra = meta.Extra
		if t.Err != nil {
			own.Extra = append(own.Extra, tracer.KV{Key: "trace of " + t.Name, Value: "incomplete: " + t.Err.Error()})
		}
		meta = own
	}
	meta.PEs, meta.PEInfo, meta.Clock, meta.Network = pes, info, tracer.Monotonic, "all"
	meta.Extra = append(meta.Extra, tracer.KV{Key: "nodes", Value: names(nodes)})
	m.rec.SetMeta(meta)
	for _, t := range nodes {
		if err := m.add(&t, t.Started.Sub(began)); err != nil {
			return fmt.Errorf("the trace of node %s: %w", t.Name, err)
		}
	}
	if describe != nil {
		describe(&meta)
		m.rec.SetMeta(meta)
	}
	return nil
}

// A merger merges the traces of several nodes.
type merger struct {
	rec     tracer.Recorder
	outcome tracer.Outcome
	blocks  map[uint64]uint64 // blocks of thread ids: number in the merged trace
	bases   map[int32]int32   // first PE in the merged trace, by first PE of the node
}

// blockBits is the number of bits of an id within its block. A worker reserves one block at a time.
const blockBits = 12

func (m *merger) task(id uint64) uint64 {
	b, ok := m.blocks[id>>blockBits]
	if !ok {
		b = uint64(len(m.blocks))
		m.blocks[id>>blockBits] = b
	}
	return b<<blockBits | id&(1<<blockBits-1)
}

// pe returns the number of a PE in the merged trace, None for a PE of a missing node.
func (m *merger) pe(pe int32) int32 {
	if pe < 0 {
		return pe
	}
	base, ok := m.bases[pe/live.MaxWorkers*live.MaxWorkers]
	if !ok {
		return tracer.None
	}
	return base + pe%live.MaxWorkers
}

func names(nodes []Node) string {
	var all []string
	for _, t := range nodes {
		all = append(all, t.Name)
	}
	return strings.Join(all, ", ")
}

// add appends the streams of a node.
func (m *merger) add(t *Node, offset time.Duration) error {
	codes := []uint32{0}
	for _, c := range t.Trace.Dict().Codes()[1:] {
		c.Parent = codes[c.Parent] // parents come first
		codes = append(codes, m.rec.Dict().Add(c))
	}
	infos := t.Trace.Streams()
	streams := make([]*tracer.Stream, len(infos))
	return t.Trace.ScanStreams(tracer.AllKinds, func(stream int, es []tracer.Event) error {
		s := streams[stream]
		if s == nil {
			s = m.rec.Stream(tracer.StreamInfo{
				Name: t.Name + " " + infos[stream].Name, Clock: infos[stream].Clock, Offset: infos[stream].Offset + int64(offset),
			})
			streams[stream] = s
		}
		for i := range es {
			e := es[i]
			e.PE, e.Peer, e.Task = m.pe(e.PE), m.pe(e.Peer), m.task(e.Task)
			switch e.Kind {
			case tracer.Fork, tracer.JoinBegin, tracer.JoinEnd, tracer.Send, tracer.Recv:
				e.Ref = m.task(e.Ref)
			case tracer.Exit:
				if e.Value == int64(tracer.Done) {
					e.Value = int64(m.outcome)
				}
			}
			if int(e.Code) < len(codes) {
				e.Code = codes[e.Code]
			} else {
				e.Code = 0
			}
			*s.Slot() = e
		}
		s.Sync()
		return nil
	})
}
