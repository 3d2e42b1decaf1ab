package replay

import (
	"strings"
	"testing"

	"whorl/sim"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/tracer"
)

// operationTrace returns a trace of ranks that come to a collective operation at some times and compute 10 ns after it. The last one to come wakes those
// that wait.
func operationTrace(t *testing.T, name string, root int, bytes int64, at, leave []int64) tracer.Source {
	t.Helper()
	last := 0
	for i := range at {
		if at[i] > at[last] {
			last = i
		}
	}
	var events []tracer.Event
	add := func(k tracer.Kind, rank int, time int64, e tracer.Event) {
		e.Kind, e.PE, e.Task, e.Time = k, int32(rank), uint64(rank)+1, time
		events = append(events, e)
	}
	rec := tracer.NewMemory()
	d := rec.Dict()
	function := d.Add(tracer.Code{Type: tracer.Function, Name: "main"})
	reason := d.Add(tracer.Code{Type: tracer.Reason, Name: name})
	mark := d.Add(tracer.Code{Type: tracer.Name, Name: tracer.CollectiveMark + name})
	class := d.Add(tracer.Code{Type: tracer.MessageClass, Name: tracer.CollectiveClass})
	for i := range at {
		add(tracer.Fork, i, 0, tracer.Event{Code: function})
		add(tracer.Start, i, 0, tracer.Event{Code: function, Value: 1})
		add(tracer.Mark, i, at[i], tracer.Event{Code: mark, Ref: 7, Peer: int32(root), Value: bytes})
		add(tracer.Send, i, at[i], tracer.Event{Code: class, Ref: uint64(i) + 1, Peer: int32(i+1) % int32(len(at)), Value: 1 << 30})
		if leave == nil && i != last {
			add(tracer.Wait, i, at[i], tracer.Event{Code: reason})
			add(tracer.Wake, i, at[last], tracer.Event{Ref: uint64(last) + 1})
			add(tracer.Busy, i, at[last], tracer.Event{})
		}
		end := at[last]
		if leave != nil {
			end = leave[i]
		}
		add(tracer.End, i, end+10, tracer.Event{Code: function})
	}
	streams := make([]*tracer.Stream, len(at))
	for i := range streams {
		streams[i] = rec.Stream(tracer.StreamInfo{Name: "rank"})
	}
	for _, e := range events {
		*streams[e.PE].Slot() = e
	}
	rec.SetMeta(tracer.Meta{PEs: len(at)})
	must.Do(t, rec.Close())
	return rec
}

// The messages of an algorithm take the place of a collective operation, of its waits and its recorded messages.
func TestCollectives(t *testing.T) {
	const step = 100 // without bytes
	none := int(tracer.None)
	for _, c := range []struct {
		name, algorithm string
		root            int
		enter, leave    []int64
		want            int64
	}{
		{"allreduce", "ring", none, []int64{5, 1000, 7, 8}, nil, 1000 + 6*(step+100) + 10},
		{"allreduce", "doubling", none, []int64{5, 1000, 7, 8}, nil, 1000 + 2*(step+400) + 10},
		{"barrier", "ring", none, []int64{1000, 5, 7, 8}, nil, 1000 + 2*step + 10},
		{"bcast", "ring", 2, []int64{5, 5, 5, 5}, nil, 5 + 2*(step+400) + 10},
		{"bcast", "ring", 0, []int64{5, 5000, 5, 5}, []int64{10, 5000, 10, 10}, 5000 + step + 400 + 15}, // 0 sends to 1 and 2, 1 to 3, which computes 15 ns behind it
		{"create handle", "ring", none, []int64{1000, 5}, nil, 1000 + step + 10},
	} {
		src := operationTrace(t, c.name, c.root, 400, c.enter, c.leave)
		d := must.Get(Read(src, ReadOptions{Collectives: c.algorithm}))(t)
		net := must.Get(sim.NetworkNamed("all", d.PEs))(t)
		m := sim.Model{InstructionPs: 1000, Latency: 100, Gap: 10, BytePs: 1000}
		rec := tracer.NewMemory()
		r := must.Get(New(sim.Config{PEs: d.PEs, Policy: policy.Static{}, PolicyName: "static", Network: net, Model: m, Seed: 1, Recorder: rec}, d.Graph, d.Names, Setup{}))(t)
		must.Do(t, advance(t, r))
		if got := r.Machine.Stats().Elapsed; got != c.want || !d.Pinned {
			t.Errorf("%s, %s: %d ns, want %d", c.name, c.algorithm, got, c.want)
		}
		if d.Left != (Left{Waits: d.Left.Waits}) {
			t.Errorf("%s: %+v", c.name, d.Left)
		}
	}
}

// Operations without marks, and those of too many messages, are refused.
func TestNoCollectives(t *testing.T) {
	many := make([]int64, 6000)
	for _, c := range []struct {
		want string
		src  tracer.Source
	}{
		{"the trace names no collective operations", source(t, 1, "0 Fork pe=0 task=1 code=1\n")},
		{"the collective operations of the trace are more than 33,554,432 mess", operationTrace(t, "alltoall", int(tracer.None), 8, many, nil)},
	} {
		if _, err := Read(c.src, ReadOptions{Collectives: "ring"}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
