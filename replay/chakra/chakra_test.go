package chakra

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"whorl/replay"
	"whorl/sim"
	"whorl/sim/policy"
	"whorl/testdata/must"
)

// field appends a scalar field; text appends a length-delimited one.
func field(b []byte, number int, v uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(number)<<3), v)
}

func text(b []byte, number int, s string) []byte {
	return append(binary.AppendUvarint(binary.AppendUvarint(b, uint64(number)<<3|2), uint64(len(s))), s...)
}

// trace returns a file with some nodes. The numbers of a node: id, type, duration, dependences; then its attributes.
type testNode struct {
	id, kind, micros uint64
	deps             []uint64
	attrs            map[string]uint64
	group, values    string
}

func trace(nodes ...testNode) []byte {
	message := func(out []byte, m []byte) []byte { return append(binary.AppendUvarint(out, uint64(len(m))), m...) }
	out := message(nil, text(nil, 1, "0.0.4"))
	for _, n := range nodes {
		b := text(field(nil, 1, n.id), 2, fmt.Sprintf("node_%d", n.id))
		b = field(field(b, 3, n.kind), 7, n.micros)
		for i, d := range n.deps {
			b = field(b, 4+i%2, d)
		}
		if n.values != "" {
			b = text(b, 8, string(text(nil, 1, n.values)))
		}
		for _, name := range slices.Sorted(maps.Keys(n.attrs)) {
			b = text(b, 10, string(field(text(nil, 1, name), 9, n.attrs[name])))
		}
		if n.group != "" {
			b = text(b, 10, string(text(text(nil, 1, "pg_name"), 29, n.group)))
		}
		out = message(out, b)
	}
	return out
}

// elapsed returns the time of a program on a machine with L = 100, o = 10 and 1 ns for a byte.
func elapsed(t *testing.T, algorithm string, ranks ...[]byte) (int64, error) {
	t.Helper()
	files := make([]File, len(ranks))
	for i, data := range ranks {
		files[i] = File{fmt.Sprintf("x.%d.et", i), data}
	}
	s, _, err := Read(files, algorithm)
	if err != nil {
		return 0, err
	}
	p, _, err := s.Program()
	if err != nil {
		return 0, err
	}
	net := must.Get(sim.NetworkNamed("all", p.PEs))(t)
	m := sim.Model{InstructionPs: 1000, Latency: 100, Overhead: 10, Gap: 10, BytePs: 1000}
	r := must.Get(replay.New(sim.Config{PEs: p.PEs, Policy: policy.Static{Queue: true}, PolicyName: "static", Network: net, Model: m, Seed: 1}, p.Graph, p.Names, replay.Setup{}))(t)
	for more := true; more; {
		if more, err = r.Machine.Advance(t.Context(), 1<<20); err != nil {
			t.Fatal(err)
		}
	}
	return r.Machine.Stats().Elapsed, nil
}

// Nodes take their durations in the order of their dependences, and messages take those of the machine.
func TestNodes(t *testing.T) {
	for _, c := range []struct {
		name  string
		ranks [][]byte
		want  int64
	}{
		{"two nodes take turns", [][]byte{trace(testNode{id: 4, kind: compNode, micros: 2}, testNode{id: 9, kind: compNode, micros: 3, deps: []uint64{4}})}, 5000},
		{"a dependence on a later node", [][]byte{trace(testNode{id: 4, kind: compNode, micros: 2, deps: []uint64{9}}, testNode{id: 9, kind: compNode, micros: 3})}, 5000},
		{"a message", [][]byte{
			trace(testNode{id: 1, kind: compNode, micros: 1}, testNode{id: 2, kind: sendNode, deps: []uint64{1}, attrs: map[string]uint64{"comm_dst": 1, "comm_size": 50, "comm_tag": 3}}),
			trace(testNode{id: 1, kind: recvNode, attrs: map[string]uint64{"comm_src": 0, "comm_size": 50, "comm_tag": 3}}, testNode{id: 2, kind: compNode, micros: 2, deps: []uint64{1}}),
		}, 1000 + 10 + 100 + 50 + 10 + 2000},
	} {
		if got, err := elapsed(t, "ring", c.ranks...); err != nil || got != c.want {
			t.Errorf("%s: %d ns, %v, want %d", c.name, got, err, c.want)
		}
	}
}

// Types of collective operations.
const (
	allReduce     = 0
	reduce        = 1
	allGather     = 2
	gather        = 3
	scatter       = 4
	broadcast     = 5
	allToAll      = 6
	reduceScatter = 7
	barrier       = 9
)

// Collective operations take the time of their algorithms.
func TestCollectives(t *testing.T) {
	const step = 120 // without bytes; with 5 ranks, one sends three times, each 410 ns after the last
	for _, c := range []struct {
		name, algorithm string
		kind            uint64
		ranks           int
		want            int64
	}{
		{"all-reduce in a ring", "ring", allReduce, 4, 6 * (step + 100)},
		{"all-reduce by doubling", "doubling", allReduce, 4, 2 * (step + 400)},
		{"all-reduce by doubling of 5", "doubling", allReduce, 5, 520 + 10 + 2*410 + 520},
		{"all-gather", "ring", allGather, 4, 3 * (step + 400)},
		{"reduce-scatter", "ring", reduceScatter, 4, 3 * (step + 100)},
		{"broadcast", "ring", broadcast, 4, 2 * (step + 400)},
		{"reduce", "ring", reduce, 4, 2 * (step + 400)},
		{"broadcast to 5", "ring", broadcast, 5, 2*410 + 520},
		{"reduce of 5", "ring", reduce, 5, 2 * (step + 400)},
		{"gather", "ring", gather, 4, 10 + 100 + 400 + 3*10},
		{"scatter", "ring", scatter, 4, 2*110 + step + 100},
		{"all-to-all", "ring", allToAll, 4, 3 * (step + 100)},
		{"barrier", "ring", barrier, 4, 2 * step},
		{"all-reduce of 1", "ring", allReduce, 1, 0},
	} {
		ranks := make([][]byte, c.ranks)
		for i := range ranks {
			ranks[i] = trace(testNode{id: 7, kind: collNode, attrs: map[string]uint64{"comm_type": c.kind, "comm_size": 400}})
		}
		if got, err := elapsed(t, c.algorithm, ranks...); err != nil || got != c.want {
			t.Errorf("%s: %d ns, %v, want %d", c.name, got, err, c.want)
		}
	}
	// Two groups of two ranks each.
	groups := testNode{id: 1, kind: metadataNode, values: `['[{"pg_name": "a", "ranks": [0, 1]}, {"pg_name": "b", "ranks": [2, 3]}]']`}
	var ranks [][]byte
	for i := range 4 {
		ranks = append(ranks, trace(groups, testNode{id: 2, kind: collNode, attrs: map[string]uint64{"comm_type": allReduce, "comm_size": 400}, group: string("aabb"[i])}))
	}
	if got, err := elapsed(t, "ring", ranks...); err != nil || got != 2*(step+200) {
		t.Errorf("groups: %d ns, %v", got, err)
	}
}

func TestFaults(t *testing.T) {
	comp := testNode{id: 1, kind: compNode, micros: 1}
	send := testNode{id: 1, kind: sendNode, attrs: map[string]uint64{"comm_dst": 1, "comm_size": 5}}
	coll := func(kind uint64) testNode {
		return testNode{id: 8, kind: collNode, attrs: map[string]uint64{"comm_type": kind}}
	}
	ofGroup := func(a, b int) (testNode, testNode) {
		return testNode{id: 1, kind: metadataNode, values: fmt.Sprintf(`['[{"pg_name": "a", "ranks": [%d, %d]}]']`, a, b)}, testNode{id: 8, kind: collNode, group: "a"}
	}
	for _, c := range []struct {
		ranks [][]byte
		want  string
	}{
		{[][]byte{trace(comp)[:20]}, "x.0.et: byte 8: expected a message behind its length"},
		{[][]byte{append(trace(), 2, 0xff, 0xff)}, "expected a Node of Chakra, found an invalid field"},
		{[][]byte{append(trace(), append([]byte{3}, text(nil, 10, "\x08")...)...)}, "expected a Node of Chakra, found an invalid field"},
		{[][]byte{append(trace(), append([]byte{3}, text(nil, 8, "\x08")...)...)}, "expected a Node of Chakra, found an invalid field"},
		{[][]byte{trace(comp, comp)}, "x.0.et: node 1: the file has two nodes of this number"},
		{[][]byte{trace(testNode{id: 1, kind: compNode, deps: []uint64{5}})}, "x.0.et: node 1: it depends on node 5, which the file does not have"},
		{[][]byte{trace(testNode{id: 1, kind: compNode, deps: []uint64{1}})}, "x.0.et: node 1: the operations require each other"},
		{[][]byte{trace(testNode{id: 1, kind: compNode, micros: 1 << 62})}, "x.0.et: node 1: a duration of 4611686018427387904 µs"},
		{[][]byte{trace(send)}, "x.0.et: node 1: the destination is rank 1: expected 0 to 0, the ranks with files"},
		{[][]byte{trace(send), trace(comp)}, "x.0.et: node 1: no recv of rank 1 takes this message"},
		{[][]byte{trace(coll(0)), trace(comp)}, "x.0.et: node 8: a collective operation of group \"\" that rank 1 does not have"},
		{[][]byte{trace(comp), trace(coll(0))}, "x.1.et: node 8: a collective operation of group \"\" that rank 0 does not have"},
		{[][]byte{trace(coll(0)), trace(coll(2))}, "x.1.et: node 8: all-gather where rank 0 has all-reduce"},
		{[][]byte{trace(coll(77))}, "x.0.et: node 8: a collective operation of type 77: expected 0 to 9"},
		{[][]byte{trace(ofGroup(0, 7))}, `x.0.et: node 8: a collective operation of group "a", to which rank 7 belongs: expected 0 to 0, the ranks with files`},
		{[][]byte{trace(ofGroup(-1, 0))}, `to which rank -1 belongs: expected 0 to 0`},
		{[][]byte{trace(ofGroup(1, 1)), trace()}, `x.0.et: node 8: a collective operation of group "a", to which rank 0 does not belong`},
		{[][]byte{trace()}, "the schedule has no operations"},
	} {
		if _, err := elapsed(t, "ring", c.ranks...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	if !Known(trace(comp)) || Known([]byte("num_ranks 2\n")) || Known(nil) {
		t.Error("traces are not known by their beginning")
	}
}

// Read counts the computations that have arithmetic operations and no duration.
func TestUntimed(t *testing.T) {
	ops := map[string]uint64{"num_ops": 5}
	data := trace(testNode{id: 1, kind: compNode, attrs: ops}, testNode{id: 2, kind: compNode, micros: 1, attrs: ops}, testNode{id: 3, kind: compNode}, testNode{id: 4, attrs: ops}, testNode{id: 5, kind: compNode, attrs: ops})
	if _, untimed, err := Read([]File{{"x.0.et", data}}, "ring"); err != nil || untimed != 2 {
		t.Errorf("%d computations, %v", untimed, err)
	}
}

// Any bytes give a program or an error.
func FuzzRead(f *testing.F) {
	f.Add(trace(testNode{id: 4, kind: compNode, micros: 2}), trace(testNode{id: 9, kind: collNode, attrs: map[string]uint64{"comm_type": 3}}))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		s, _, err := Read([]File{{"a.0.et", a}, {"a.1.et", b}, {"a.2.et", a}}, "doubling")
		if err == nil && len(s.Ops) < 10000 {
			_, _, err = s.Program()
		}
		if err != nil && err.Error() == "" {
			t.Error("an error without a text")
		}
	})
}
