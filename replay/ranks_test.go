package replay

import (
	"slices"
	"testing"

	"whorl/sim"
	"whorl/testdata/must"
)

// processes returns a program of tasks that ask for PEs and send each other messages: from, to, bytes. The task after them asks for no PE.
func processes(pes []int, messages ...[3]int64) *Graph {
	g := NewProcesses()
	for _, pe := range pes {
		g.Task(1, pe)
	}
	g.Task(1, -1)
	for _, m := range messages {
		g.Receive(uint32(m[1]), g.Send(uint32(m[0]), m[2], 0))
	}
	for n := range g.Tasks() {
		g.End(uint32(n), 0)
	}
	return g
}

// Ranks are in the order of the PEs that the tasks ask for, and each is placed on a PE.
func TestPlacement(t *testing.T) {
	r := processes([]int{2, 0, 1, 4, 3}).Ranks()
	if r.Len() != 5 {
		t.Fatalf("%d ranks, want 5", r.Len())
	}
	for _, c := range []struct {
		pes           int
		block, cyclic []int32
	}{
		{1, []int32{0, 0, 0, 0, 0}, []int32{0, 0, 0, 0, 0}},
		{2, []int32{0, 0, 0, 1, 1}, []int32{0, 1, 0, 1, 0}},
		{3, []int32{0, 0, 1, 1, 2}, []int32{0, 1, 2, 0, 1}},
		{5, []int32{0, 1, 2, 3, 4}, []int32{0, 1, 2, 3, 4}},
		{8, []int32{0, 1, 2, 3, 4}, []int32{0, 1, 2, 3, 4}},
	} {
		if got := r.Block(c.pes); !slices.Equal(got, c.block) {
			t.Errorf("block on %d PEs: %v, want %v", c.pes, got, c.block)
		}
		if got := r.Cyclic(c.pes); !slices.Equal(got, c.cyclic) {
			t.Errorf("cyclic on %d PEs: %v, want %v", c.pes, got, c.cyclic)
		}
	}
	if got, want := r.Homes([]int32{9, 8, 7, 6, 5}), []int32{7, 9, 8, 5, 6, -1}; !slices.Equal(got, want) {
		t.Errorf("the tasks are on PEs %v, want %v", got, want)
	}
}

// Hops counts the bytes of all messages between ranks, and one for each message, in both directions; not those within a rank.
func TestHops(t *testing.T) {
	net := must.Get(sim.NetworkNamed("ring", 8))(t)
	r := processes([]int{0, 1, 2}, [3]int64{0, 1, 9}, [3]int64{1, 0, 19}, [3]int64{0, 2, 0}, [3]int64{1, 1, 500}, [3]int64{1, 3, 500}).Ranks()
	if got := r.Hops(net, []int32{0, 3, 7}); got != 3*(10+20)+1 {
		t.Errorf("%d bytes times hops, want %d", got, 3*(10+20)+1)
	}
}

// Near puts pairs that talk side by side, on each PE as many as Block does, and never does worse than Block.
func TestNear(t *testing.T) {
	const n = 16
	var pes []int
	var messages [][3]int64
	for i := range int64(n) { // rank i talks to the one half of the ring away
		pes = append(pes, int(i))
		messages = append(messages, [3]int64{i, (i + n/2) % n, 1000})
	}
	r := processes(pes, messages...).Ranks()
	for _, c := range []struct {
		pes  int
		most int64 // bytes times hops
	}{{n, n * 1001}, {n / 2, 0}, {2 * n, n * 1001}, {1, 0}} {
		net := must.Get(sim.NetworkNamed("ring", c.pes))(t)
		block := r.Hops(net, r.Block(c.pes))
		got := r.Near(net, 1)
		if hops := r.Hops(net, got); hops > c.most || hops > block {
			t.Errorf("on %d PEs: %d bytes times hops at %v, want at most %d; block has %d", c.pes, hops, got, c.most, block)
		}
		if !slices.Equal(got, r.Near(net, 1)) {
			t.Errorf("on %d PEs the same seed gives another placement", c.pes)
		}
		each := map[int32]int{}
		for _, pe := range got {
			if each[pe]++; pe < 0 || int(pe) >= c.pes || each[pe] > (n+c.pes-1)/c.pes {
				t.Fatalf("on %d PEs: %v", c.pes, got)
			}
		}
	}
}
