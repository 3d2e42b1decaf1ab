package benchmarks

import (
	"math/rand/v2"
	"strings"
	"testing"

	hpfexec "whorl/hpfsim/exec"
	"whorl/sim"
	"whorl/sim/machines"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/derive/kinds"
)

const mixtureProcesses = 256

// mixtureRun runs hpf/mixture on 256 processors of the default machine, sampled every 100 us.
func mixtureRun(t testing.TB, imbalance int64) (*tracer.Memory, *callingcontext.Tree) {
	t.Helper()
	p := hpfMixture.Defaults()
	p[3] = imbalance
	code := lowered(t, hpfMixture, p, mixtureProcesses)
	preset := must.Get(machines.Named("symmetry"))(t)
	net := must.Get(sim.NetworkNamed(preset.Network, mixtureProcesses))(t)
	mem := tracer.NewMemory()
	mem.SetMeta(tracer.Meta{PEs: mixtureProcesses})
	var out strings.Builder
	m := hpfexec.New(code, hpfexec.Options{Network: net, Model: preset.Model, Output: &out, Recorder: mem, Sample: mixturePeriod})
	must.Get(m.Advance(1 << 60))(t)
	must.Do(t, mem.Close())
	must.Do(t, hpfMixture.Check(p, out.String()))
	tree := must.Get(callingcontext.Grow(mem, nil, nil, nil))(t)
	return mem, tree
}

const mixturePeriod = 100_000 // ns

// mixtureNode returns the node of a procedure that is called in one context only.
func mixtureNode(t testing.TB, mem *tracer.Memory, tree *callingcontext.Tree, name string) int32 {
	t.Helper()
	var nodes []int32
	for v, code := range tree.Code {
		if mem.Dict().Code(code).Name == name {
			nodes = append(nodes, int32(v))
		}
	}
	if len(nodes) != 1 {
		t.Fatalf("%s has %d nodes", name, len(nodes))
	}
	return nodes[0]
}

// above reports which values are above the mean.
func above(values []int64) []bool {
	sum := int64(0)
	for _, v := range values {
		sum += v
	}
	out := make([]bool, len(values))
	for i, v := range values {
		out[i] = v*int64(len(values)) > sum
	}
	return out
}

func count(all []bool) (n int) {
	for _, x := range all {
		if x {
			n++
		}
	}
	return n
}

// TestMixture checks that with more work for the minority, more of the other processes wait longer than the mean. The broadcast itself costs
// little: its time is waiting, and without imbalance it is less than a tenth of the run.
func TestMixture(t *testing.T) {
	last, share := 0, 0.0
	for _, imbalance := range []int64{0, 8, 32} {
		mem, tree := mixtureRun(t, imbalance)
		broadcast := mixtureNode(t, mem, tree, "broadcast")
		n := count(above(tree.Values(broadcast, 0, false, nil)))
		part := float64(tree.Total(broadcast, 0, true)) / float64(tree.Total(callingcontext.Root, 0, true))
		if n < last || part <= share {
			t.Errorf("imbalance %d: %d processes wait longer than the mean (%d before), %.3f of the time (%.3f before)", imbalance, n, last, part, share)
		}
		last, share = n, part
		switch imbalance {
		case 0:
			if n > mixtureProcesses*52/100 || part > 0.1 {
				t.Errorf("without imbalance, %d processes wait longer than the mean, and %.3f of the time", n, part)
			}
			balanced(t, mem, tree)
			if k := kindsOf(t, tree); len(k.All) != 1 {
				t.Errorf("without imbalance there are %d kinds of processes", len(k.All))
			}
		case hpfMixture.Defaults()[3]:
			unbalanced(t, mem, tree, broadcast)
			k := kindsOf(t, tree)
			// processes that wait, processes that are late, and a few neighbours, which already wait for these in the exchange of edges
			if n := len(k.All); n < 2 || n > 3 || n == 3 && len(k.All[2].Members) > 4 {
				t.Errorf("%d kinds of processes", n)
			} else if late := k.All[1].Members; len(late) != 96 || late[0] != 80 || late[95] != 175 {
				t.Errorf("%d processes are late, %v", len(late), late)
			}
			waitedAsRecorded(t, mem, tree, broadcast)
		}
	}
	if last <= mixtureProcesses*61/100 {
		t.Errorf("with most imbalance %d processes wait longer than the mean", last)
	}
}

func kindsOf(t *testing.T, tree *callingcontext.Tree) *kinds.Kinds {
	t.Helper()
	return must.Get(kinds.Find(tree, 0, 0, nil))(t)
}

// balanced checks that most processes are in the middle third of every halo, inclusive and exclusive.
func balanced(t *testing.T, mem *tracer.Memory, tree *callingcontext.Tree) {
	t.Helper()
	for v := range tree.Code {
		for _, inclusive := range []bool{true, false} {
			s := tree.Spread(int32(v), 0, inclusive)
			if s.Thirds[1] <= max(s.Thirds[0], s.Thirds[2]) {
				t.Errorf("%s (inclusive %v): %v of %d processes, from %d to %d", mem.Dict().Code(tree.Code[v]).Name, inclusive, s.Thirds, mixtureProcesses, s.Least, s.Most)
			}
		}
	}
	if tree.Nodes() < 20 {
		t.Errorf("%d contexts", tree.Nodes())
	}
}

// unbalanced checks that the 96 of 256 processes with more work are above the mean in their work and below it in the broadcast, in which the
// others wait for them; both halos have empty middles. As a control the processes of one of the two are permuted randomly: as many are above
// the mean, but the correlation is gone.
func unbalanced(t *testing.T, mem *tracer.Memory, tree *callingcontext.Tree, broadcast int32) {
	t.Helper()
	work := tree.Values(mixtureNode(t, mem, tree, "diffuse"), 0, false, nil)
	waits := tree.Values(broadcast, 0, false, nil)
	for _, v := range []int32{broadcast, mixtureNode(t, mem, tree, "diffuse")} {
		if s := tree.Spread(v, 0, true); s.Thirds[1] >= min(s.Thirds[0], s.Thirds[2]) {
			t.Errorf("%s: %v processes", mem.Dict().Code(tree.Code[v]).Name, s.Thirds)
		}
	}
	late, waiting := above(work), above(waits)
	for p := range late {
		if want := p >= 80 && p < 176; late[p] != want {
			t.Errorf("process %d has more to do: %v", p, late[p])
		}
		if late[p] && waiting[p] {
			t.Errorf("process %d is late and waits longer than the mean", p)
		}
	}
	if n := count(waiting); n <= mixtureProcesses*60/100 || n > mixtureProcesses-96 {
		t.Errorf("%d processes wait longer than the mean", n)
	}
	both := func(a, b []bool) (n int) {
		for i := range a {
			if a[i] && b[i] {
				n++
			}
		}
		return n
	}
	random := rand.New(rand.NewPCG(1, 2))
	random.Shuffle(len(waits), func(i, j int) { waits[i], waits[j] = waits[j], waits[i] })
	shuffled := above(waits)
	if n, want := both(late, shuffled), 96*count(waiting)/mixtureProcesses; n < want-20 || n > want+20 {
		t.Errorf("after permutation, %d processes are late and wait longer than the mean, not about %d", n, want)
	}
	if count(shuffled) != count(waiting) {
		t.Errorf("after permutation, %d processes wait longer than the mean, not %d", count(shuffled), count(waiting))
	}
}

// waitedAsRecorded checks that the samples in the broadcast agree with the times between the starts and the ends of its messages, as recorded in
// other events of the trace.
func waitedAsRecorded(t *testing.T, mem *tracer.Memory, tree *callingcontext.Tree, broadcast int32) {
	t.Helper()
	type process struct {
		open               bool // waiting, sending or receiving
		since, took, spent int64
		sends              uint32 // source line of the message being sent
	}
	all := make([]process, mixtureProcesses)
	codes := mem.Dict().Codes()
	spend := func(p *process, line uint32) {
		if codes[line].Parent == tree.Code[broadcast] {
			p.spent += p.took
		}
		p.took = 0
	}
	must.Do(t, mem.Scan(tracer.Kinds(tracer.Idle, tracer.Overhead, tracer.Busy, tracer.Send, tracer.Recv), func(events []tracer.Event) error {
		for i := range events {
			e := &events[i]
			p := &all[e.PE]
			switch e.Kind {
			case tracer.Send:
				p.sends = e.Code
			case tracer.Idle, tracer.Overhead:
				if !p.open {
					p.open, p.since = true, e.Time
				}
			case tracer.Busy:
				if p.open {
					p.open, p.took = false, e.Time-p.since
				}
				if p.sends != 0 {
					spend(p, p.sends)
					p.sends = 0
				}
			case tracer.Recv:
				spend(p, e.Code)
			}
		}
		return nil
	}))
	ticks := tree.Values(broadcast, 0, false, nil)
	var sampled, spent int64
	for p := range all {
		if d := ticks[p]*mixturePeriod - all[p].spent; d < -20*mixturePeriod || d > 20*mixturePeriod { // one period for each step
			t.Errorf("process %d: %d ticks in the broadcast, but %d ns", p, ticks[p], all[p].spent)
		}
		sampled, spent = sampled+ticks[p]*mixturePeriod, spent+all[p].spent
	}
	if d := sampled - spent; d < -spent/50 || d > spent/50 {
		t.Errorf("%d ns in the broadcast according to ticks, but %d ns recorded", sampled, spent)
	}
}
