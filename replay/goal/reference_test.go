package goal

import (
	"cmp"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whorl/replay"
	"whorl/sim"
	"whorl/sim/machines"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/tracer"
)

// A refOp is an operation of the reference simulators.
type refOp struct {
	kind      string // send, recv, calc
	size      int64
	rank      int
	peer, tag int
	needs     []int // operations of its rank, by number
	starts    []int // operations whose start it needs
}

// goalText returns the schedule in GOAL.
func goalText(ranks int, ops []refOp) string {
	var b strings.Builder
	fmt.Fprintf(&b, "num_ranks %d\n", ranks)
	for r := range ranks {
		fmt.Fprintf(&b, "rank %d {\n", r)
		for i, o := range ops {
			if o.rank != r {
				continue
			}
			switch o.kind {
			case "calc":
				fmt.Fprintf(&b, "l%d: calc %d\n", i, o.size)
			case "send":
				fmt.Fprintf(&b, "l%d: send %db to %d tag %d\n", i, o.size, o.peer, o.tag)
			case "recv":
				fmt.Fprintf(&b, "l%d: recv %db from %d tag %d\n", i, o.size, o.peer, o.tag)
			}
			for _, n := range o.needs {
				fmt.Fprintf(&b, "l%d requires l%d\n", i, n)
			}
			for _, n := range o.starts {
				fmt.Fprintf(&b, "l%d irequires l%d\n", i, n)
			}
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// inTurn returns the finish time of each rank by the rules of this package: as logGOPSim, but a rank handles all messages that have arrived before it
// goes on, it waits for its interface without doing anything else, and receipts need no gap.
func inTurn(m sim.Model, ranks int, ops []refOp) []int64 {
	type mail struct {
		time, order int64
		op          int
	}
	type rank struct {
		clock, gate, finish int64
		ready               []int
		over                int // the operation whose time is spent, plus 1
		inbox               []mail
		box                 mailbox
	}
	x := newOrder(ops)
	all := make([]rank, ranks)
	order := int64(0)
	for i := range all {
		all[i].ready = x.roots(i)
	}
	for {
		// The next rank to act is the one with the earliest time.
		best, at := int64(-1), 0
		for i := range all {
			r := &all[i]
			slices.SortFunc(r.inbox, func(a, b mail) int { return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.order, b.order)) })
			t := r.clock
			if r.over == 0 && len(r.ready) == 0 {
				if len(r.inbox) == 0 {
					continue
				}
				t = max(t, r.inbox[0].time)
			}
			if best < 0 || t < best {
				best, at = t, i
			}
		}
		if best < 0 {
			break
		}
		r := &all[at]
		r.clock = best
		spend := func(d int64) { r.clock += d; r.finish = max(r.finish, r.clock) }
		if len(r.inbox) > 0 && r.inbox[0].time <= best {
			op := r.inbox[0].op
			r.inbox = r.inbox[1:]
			var recv int
			if recv, r.box.receives = match(ops, r.box.receives, op); recv < 0 {
				r.box.messages = append(r.box.messages, op)
			} else {
				r.ready = append(r.ready, -recv-1) // it continues in its turn
			}
			spend(m.Overhead + max(0, ops[op].size-1)*m.BytePs/1000)
			continue
		}
		if r.over > 0 {
			op := r.over - 1
			r.over = 0
			r.ready = append(r.ready, x.free(x.after[op])...)
			continue
		}
		op := r.ready[0]
		r.ready = r.ready[1:]
		if op < 0 {
			r.ready = append(r.ready, x.free(x.after[-op-1])...)
			continue
		}
		o := &ops[op]
		r.ready = append(r.ready, x.free(x.begun[op])...)
		switch o.kind {
		case "calc":
			r.over = op + 1
			spend(o.size)
		case "send":
			start := max(r.clock, r.gate)
			wire := max(0, o.size-1) * m.BytePs / 1000
			r.gate = start + m.Gap + wire
			all[o.peer].inbox = append(all[o.peer].inbox, mail{start + m.Overhead + m.Latency, order, op})
			order++
			r.over = op + 1
			spend(start + m.Overhead - r.clock)
		case "recv":
			var sent int
			if sent, r.box.messages = match(ops, r.box.messages, op); sent < 0 {
				r.box.receives = append(r.box.receives, op)
			} else {
				r.ready = append(r.ready, x.free(x.after[op])...)
			}
		}
	}
	finish := make([]int64, ranks)
	for i := range all {
		finish[i] = all[i].finish
	}
	return finish
}

// replayed returns the finish time of each rank on the simulated machine: when its PE becomes idle for the last time.
func replayed(t *testing.T, m sim.Model, text string) []int64 {
	t.Helper()
	s, _, err := Read("x.goal", strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	p, _, err := s.Program()
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	rec := tracer.NewMemory()
	net := must.Get(sim.NetworkNamed("all", p.PEs))(t)
	cfg := sim.Config{PEs: p.PEs, Policy: policy.Static{Queue: true}, PolicyName: "static", Network: net, Model: m, Seed: 1, Recorder: rec}
	r := must.Get(replay.New(cfg, p.Graph, p.Names, replay.Setup{}))(t)
	for more := true; more; {
		if more, err = r.Machine.Advance(t.Context(), 1<<20); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
	finish := make([]int64, p.PEs)
	working := make([]bool, p.PEs)
	must.Do(t, rec.Scan(tracer.Kinds(tracer.Busy, tracer.Overhead, tracer.Idle, tracer.Exit), func(es []tracer.Event) error {
		for _, e := range es {
			switch {
			case e.Kind == tracer.Busy || e.Kind == tracer.Overhead:
				working[e.PE] = true
			case working[e.PE]:
				finish[e.PE], working[e.PE] = e.Time, false
			}
		}
		return nil
	}))
	return finish
}

// random returns a random schedule that can run: the operations of all ranks in an order in which they can run one after the other.
func random(rng *rand.Rand, ranks, n, calc, bytes int) []refOp {
	var ops []refOp
	own := make([][]int, ranks) // operations of each rank
	add := func(o refOp) {
		for _, i := range own[o.rank] {
			switch rng.IntN(2 * len(own[o.rank])) {
			case 0:
				o.needs = append(o.needs, i)
			case 1:
				o.starts = append(o.starts, i)
			}
		}
		own[o.rank] = append(own[o.rank], len(ops))
		ops = append(ops, o)
	}
	type sent struct{ from, to, tag int }
	var open []sent
	for len(ops) < n || len(open) > 0 {
		switch k := rng.IntN(3); {
		case k == 0 && len(ops) < n:
			add(refOp{kind: "calc", rank: rng.IntN(ranks), size: int64(rng.IntN(calc))})
		case k == 1 && len(ops) < n && ranks > 1:
			m := sent{from: rng.IntN(ranks), tag: len(ops)}
			m.to = (m.from + 1 + rng.IntN(ranks-1)) % ranks
			add(refOp{kind: "send", rank: m.from, peer: m.to, tag: m.tag, size: int64(1 + rng.IntN(bytes))})
			open = append(open, m)
		case len(open) > 0:
			i := rng.IntN(len(open))
			m := open[i]
			open = slices.Delete(open, i, i+1)
			add(refOp{kind: "recv", rank: m.to, peer: m.from, tag: m.tag, size: 1})
		}
	}
	return ops
}

// The machine finishes random schedules at the times of the reference inTurn.
func TestReference(t *testing.T) {
	m := must.Get(machines.Named("loggopsim"))(t).Model
	same := 0
	const rounds = 400
	for seed := range rounds {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		ranks := 1 + rng.IntN(6)
		ops := random(rng, ranks, 2+rng.IntN(40), 5000, []int{1, 2, 400}[seed%3])
		text := goalText(ranks, ops)
		got := replayed(t, m, text)
		if want := inTurn(m, ranks, ops); !slices.Equal(got, want) {
			t.Fatalf("seed %d: ranks finish at %d, want %d:\n%s", seed, got, want, text)
		}
		if slices.Equal(got, logGOPSim(m, ranks, ops)) {
			same++
		}
	}
	if same < rounds/2 { // the others differ where messages and operations compete for a rank
		t.Errorf("%d of %d schedules finish as in LogGOPSim", same, rounds)
	}
}

// dissemination is the pattern of LogGOPSim's example dissemination_16.goal, and binomial that of binary_tree_16.goal.
func dissemination(ranks int, bytes int64) (ops []refOp) {
	for r := range ranks {
		last := -1
		for k := 1; k < ranks; k *= 2 {
			send := refOp{kind: "send", rank: r, peer: (r + k) % ranks, size: bytes}
			if last >= 0 {
				send.needs = []int{last}
			}
			ops = append(ops, send, refOp{kind: "recv", rank: r, peer: (r - k + ranks) % ranks, size: bytes})
			last = len(ops) - 1
		}
	}
	return ops
}

func binomial(ranks int, bytes int64) (ops []refOp) {
	for r := range ranks {
		var needs []int
		first := 1 << bits.Len(uint(r))
		if r > 0 {
			ops = append(ops, refOp{kind: "recv", rank: r, peer: r - first/2, size: bytes})
			needs = []int{len(ops) - 1}
		}
		for k := first; r+k < ranks; k *= 2 {
			ops = append(ops, refOp{kind: "send", rank: r, peer: r + k, size: bytes, needs: needs})
		}
	}
	return ops
}

// The examples of LogGOPSim finish as there: its README has 22000 ns for dissemination_16.goal with the default parameters.
func TestLogGOPSim(t *testing.T) {
	m := must.Get(machines.Named("loggopsim"))(t).Model
	for _, c := range []struct {
		name  string
		ranks int
		ops   []refOp
		want  int64
	}{
		{"dissemination_16.goal", 16, dissemination(16, 1), 22000},
		{"dissemination_32.goal", 32, dissemination(32, 1), 27500},
		{"binary_tree_16.goal", 16, binomial(16, 1), 22000},
		{"binary_tree_32.goal", 32, binomial(32, 1), 27500},
		{"Schedgen2/schedule.goal", 8, binomial(8, 8), 3 * (5500 + 7*6)},
		{"a broadcast of 1 KiB", 64, binomial(64, 1024), 6 * (5500 + 1023*6)},
		{"a large dissemination", 11, dissemination(11, 65535), 4 * (5500 + 65534*6)},
	} {
		got := replayed(t, m, goalText(c.ranks, c.ops))
		if want := logGOPSim(m, c.ranks, c.ops); !slices.Equal(got, want) || slices.Max(got) != c.want {
			t.Errorf("%s: ranks finish at %d, LogGOPSim has %d and at most %d", c.name, got, want, c.want)
		}
	}
}
