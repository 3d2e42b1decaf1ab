package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"whorl/sim/live"
	"whorl/tracer"
	"whorl/tracer/store"
)

// A nodeTrace is the trace of a node as far as the servers have it.
type nodeTrace struct {
	logHeader
	trace *store.Growing
	next  int   // number of the next piece
	err   error // why the trace is incomplete
}

// first returns the time of the first event by the clock of the host.
func (t *nodeTrace) first() time.Time {
	from, _ := t.trace.Span()
	return t.Started.Add(time.Duration(from))
}

// Collect merges the traces of all nodes that recorded since the given time, including the parts that dead nodes had
// sent. It renumbers PEs and ids of threads without gaps. Times remain those of the nodes' own clocks; readers align
// them by the messages (tracer/derive/clocks). The outcome is that of the whole run, for the Exit events of nodes that
// were not ended by a limit of their own. If describe is not nil, Collect calls it at the end to complete the metadata.
// The recorder stays open.
func (c *Conn) Collect(ctx context.Context, rec tracer.Recorder, since time.Time, outcome tracer.Outcome, describe func(*tracer.Meta)) error {
	traces, err := c.logs(ctx, since)
	if err != nil {
		return fmt.Errorf("the traces of the nodes: %w", err)
	}
	if len(traces) == 0 {
		return errors.New("no node has recorded")
	}
	m := merger{rec: rec, outcome: outcome, describe: describe, blocks: map[uint64]uint64{0: 0}}
	return m.merge(traces)
}

// logs reads the nodes' traces from the servers, in the order in which the nodes joined.
func (c *Conn) logs(ctx context.Context, since time.Time) ([]*nodeTrace, error) {
	var last uint64
	err := within(ctx, func(ctx context.Context) error {
		info, err := c.streams.logs.Info(ctx)
		if err == nil {
			last = info.State.LastSeq
		}
		return err
	})
	if err != nil || last == 0 {
		return nil, err
	}
	consumer, err := c.streams.logs.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return nil, err
	}
	var traces []*nodeTrace
	recent := map[string]bool{}
	for seq := uint64(0); seq < last; {
		m, err := next(ctx, consumer)
		if err != nil {
			return nil, err
		}
		meta, err := m.Metadata()
		if err != nil {
			return nil, err
		}
		seq = meta.Sequence.Stream
		t, err := piece(&traces, m)
		if err != nil {
			return nil, err
		}
		recent[t.Node] = recent[t.Node] || meta.Timestamp.After(since)
	}
	traces = slices.DeleteFunc(traces, func(t *nodeTrace) bool { return !recent[t.Node] })
	slices.SortFunc(traces, func(a, b *nodeTrace) int { return int(a.Number) - int(b.Number) })
	return traces, nil
}

// piece appends a piece to the trace of its node.
func piece(traces *[]*nodeTrace, m jetstream.Msg) (*nodeTrace, error) {
	var h logHeader
	if err := json.Unmarshal([]byte(m.Headers().Get(headerLog)), &h); err != nil {
		return nil, fmt.Errorf("invalid header of a piece: %w", err)
	}
	if h.PEs < 1 || h.PEs > live.MaxWorkers {
		return nil, fmt.Errorf("node %s reports %d PEs", memberName(h.Node), h.PEs)
	}
	number, err := strconv.Atoi(m.Headers().Get(headerPiece))
	if err != nil {
		return nil, fmt.Errorf("invalid number of a piece of node %s", memberName(h.Node))
	}
	i := slices.IndexFunc(*traces, func(t *nodeTrace) bool { return t.Node == h.Node })
	if i < 0 {
		i = len(*traces)
		*traces = append(*traces, &nodeTrace{logHeader: h, trace: store.NewGrowing()})
	}
	t := (*traces)[i]
	switch {
	case t.err != nil || number < t.next: // a duplicate that arrived too late for the server to drop it
	case number > t.next:
		t.err = fmt.Errorf("piece %d is missing", t.next)
	default:
		t.next++
		_, t.err = t.trace.Write(m.Data())
	}
	return t, nil
}

// A merger merges the traces of several nodes.
type merger struct {
	rec      tracer.Recorder
	outcome  tracer.Outcome
	describe func(*tracer.Meta)
	blocks   map[uint64]uint64 // blocks of thread ids: number in the merged trace
	bases    map[int32]int32   // first PE in the merged trace, by first PE of the node
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

func (m *merger) merge(traces []*nodeTrace) error {
	m.bases = map[int32]int32{}
	began := traces[0].first()
	var meta tracer.Meta
	for _, t := range traces {
		if first := t.first(); first.Before(began) {
			began = first
		}
		m.bases[int32(firstPE(t.Number))] = int32(meta.PEs)
		meta.PEs += t.PEs
		for range t.PEs {
			meta.PEInfo = append(meta.PEInfo, tracer.PE{Host: t.Host, Process: memberName(t.Node)})
		}
	}
	pes, info := meta.PEs, meta.PEInfo
	for _, t := range slices.Backward(traces) { // the first node's metadata take precedence
		own := t.trace.Meta()
		own.Source = append(own.Source, slices.DeleteFunc(meta.Source, func(f tracer.SourceFile) bool {
			return slices.ContainsFunc(own.Source, func(o tracer.SourceFile) bool { return o.Name == f.Name })
		})...)
		own.Extra = meta.Extra
		if t.err != nil {
			own.Extra = append(own.Extra, tracer.KV{Key: "trace of " + memberName(t.Node), Value: "incomplete: " + t.err.Error()})
		}
		meta = own
	}
	meta.PEs, meta.PEInfo, meta.Clock, meta.Network = pes, info, tracer.Monotonic, "all"
	meta.Extra = append(meta.Extra, tracer.KV{Key: "nodes", Value: names(traces)})
	m.rec.SetMeta(meta)
	for _, t := range traces {
		if err := m.add(t, t.Started.Sub(began)); err != nil {
			return fmt.Errorf("the trace of node %s: %w", memberName(t.Node), err)
		}
	}
	if m.describe != nil {
		m.describe(&meta)
		m.rec.SetMeta(meta)
	}
	return nil
}

func names(traces []*nodeTrace) string {
	var all []string
	for _, t := range traces {
		all = append(all, memberName(t.Node))
	}
	return strings.Join(all, ", ")
}

// add appends the streams of a node.
func (m *merger) add(t *nodeTrace, offset time.Duration) error {
	codes := []uint32{0}
	for _, c := range t.trace.Dict().Codes()[1:] {
		c.Parent = codes[c.Parent] // parents come first
		codes = append(codes, m.rec.Dict().Add(c))
	}
	infos := t.trace.Streams()
	streams := make([]*tracer.Stream, len(infos))
	return t.trace.ScanStreams(tracer.AllKinds, func(stream int, es []tracer.Event) error {
		s := streams[stream]
		if s == nil {
			s = m.rec.Stream(tracer.StreamInfo{
				Name: memberName(t.Node) + " " + infos[stream].Name, Clock: infos[stream].Clock, Offset: infos[stream].Offset + int64(offset),
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
