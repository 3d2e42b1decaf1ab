package traffic

import (
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// TestCallsOfMany merges many pairs of nodes into groups: numbers stay within the groups, and no call is lost.
func TestCallsOfMany(t *testing.T) {
	const nodes, calls = 1000, 200_000
	for _, limit := range []int{256, 1 << 20} {
		m := tracer.NewMemory()
		m.SetMeta(tracer.Meta{PEs: 1})
		s := m.Stream(tracer.StreamInfo{})
		*s.Slot() = tracer.Event{Kind: tracer.Mark, Time: 0}
		*s.Slot() = tracer.Event{Kind: tracer.Mark, Time: calls}
		got := must.Get(Calls(m, nodes, Options{Limit: limit}, func(call func(Call)) error {
			for i := range int64(calls) {
				call(Call{Time: i, From: int32(i * 7 % nodes), To: int32(i * i % nodes)})
			}
			return nil
		}))(t)
		if grouped := got.Group > 1; grouped != (limit == 256) {
			t.Errorf("limit %d: groups of %d", limit, got.Group)
		}
		var reductions, messages int64
		for _, l := range got.Loads {
			reductions += l.Reductions
			if int(l.Node) >= got.Nodes() {
				t.Fatalf("limit %d: node %d of %d", limit, l.Node, got.Nodes())
			}
		}
		for _, f := range got.Flows {
			messages += f.Messages
			if int(f.From) >= got.Nodes() || int(f.To) >= got.Nodes() {
				t.Fatalf("limit %d: from %d to %d of %d", limit, f.From, f.To, got.Nodes())
			}
		}
		if reductions != calls || messages != calls {
			t.Errorf("limit %d: %d reductions, %d messages, of %d", limit, reductions, messages, calls)
		}
	}
}
