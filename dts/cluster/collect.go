package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"whorl/dts/cluster/merge"
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
	nodes := make([]merge.Node, len(traces))
	for i, t := range traces {
		nodes[i] = merge.Node{
			Name: memberName(t.Node), Host: t.Host, FirstPE: int32(firstPE(t.Number)), PEs: t.PEs, Started: t.Started, Trace: t.trace, Err: t.err,
		}
	}
	return merge.Traces(rec, nodes, outcome, describe)
}

// logs reads the nodes' traces from the servers. The nodes are in the order of their joining.
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
