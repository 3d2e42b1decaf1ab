package benchmarks

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"whorl/fghc/engine"
	"whorl/fghc/testdata/fghctest"
	"whorl/sim"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/tracer/testdata/tracertest"
)

// A run is the outcome of a run of a benchmark in FGHC.
type run struct {
	answer     string
	reductions map[string]int // by procedure
	suspended  map[string]int
	height     int32
	trace      *tracer.Memory
}

func (r run) total() (n int) {
	for c := range maps.Values(r.reductions) {
		n += c
	}
	return n
}

// start runs a benchmark on a simulated bus with the given number of PEs.
func start(t testing.TB, b *Benchmark, p []int64, pes int, policyName string) run {
	t.Helper()
	return ask(t, b, b.Program.(FGHC).Goal(p), pes, policyName)
}

// ask is like start with any query.
func ask(t testing.TB, b *Benchmark, goal string, pes int, policyName string) run {
	t.Helper()
	prog := b.Program.(FGHC)
	code, query := fghctest.Query(t, prog.File, prog.Source, goal)
	pol := must.Get(policy.Named(policyName))(t)
	net := must.Get(sim.NetworkNamed("bus", pes))(t)
	mem := tracer.NewMemory()
	e := engine.New(code, query, engine.Options{})
	m := must.Get(sim.New(sim.Config{PEs: pes, Policy: pol, PolicyName: policyName, Network: net, Seed: 1, Recorder: mem}, e))(t)
	must.Do(t, e.Boot(m, mem.Dict()))
	must.Get(m.Advance(context.Background(), 1<<40))(t)
	r := run{reductions: map[string]int{}, suspended: map[string]int{}, trace: mem}
	for _, x := range e.Answer() {
		r.answer += x.Name + " = " + x.Value + "\n"
	}
	for _, ev := range tracertest.Events(t, mem, tracer.Kinds(tracer.Reduce, tracer.Suspend)) {
		name := mem.Dict().Code(ev.Code).Name
		if ev.Kind == tracer.Suspend {
			r.suspended[name]++
		} else {
			r.reductions[name]++
		}
	}
	tree := must.Get(spawntree.Grow(mem, nil, nil))(t)
	r.height = tree.Height
	return r
}

// TestDefaults checks that runs with the default sizes have 2,000 to 50,000 reductions, and the right answer on 4 PEs.
func TestDefaults(t *testing.T) {
	for _, b := range All {
		if _, ok := b.Program.(FGHC); !ok {
			continue
		}
		r := start(t, b, b.Defaults(), 4, policy.Default)
		if err := b.Check(b.Defaults(), r.answer); err != nil {
			t.Errorf("%s: %v", b.Name, err)
		}
		if n := r.total(); n < 2_000 || n > 50_000 {
			t.Errorf("%s: %d reductions by default", b.Name, n)
		}
		t.Logf("%-15s %6d reductions, height %3d", b.Name, r.total(), r.height)
	}
}

// detects checks that Check accepts the right answer, and detects a change of each of its characters and other wrong answers.
func detects(t *testing.T, b *Benchmark, p []int64, right string, wrong ...string) {
	t.Helper()
	if err := b.Check(p, right); err != nil {
		t.Errorf("%s: %v", b.Name, err)
	}
	for i, c := range right {
		other := "7"
		if c == '7' {
			other = "8"
		}
		wrong = append(wrong, right[:i]+other+right[i+1:])
	}
	for _, answer := range append(wrong, "", right+right) {
		if b.Check(p, answer) == nil {
			t.Errorf("%s: Check accepts %q", b.Name, answer)
		}
	}
}

// TestCheck checks that Check detects changes of right answers.
func TestCheck(t *testing.T) {
	for _, b := range All {
		if _, ok := b.Program.(FGHC); !ok {
			continue
		}
		small := b.Defaults()
		if small[0] = 5; b == semigroup {
			small = []int64{2, 8}
		}
		right := start(t, b, small, 1, policy.Default).answer
		if err := b.Check(small, strings.ReplaceAll(right, ",", " ,\n ")); err != nil {
			t.Errorf("%s, with white space: %v", b.Name, err)
		}
		squeezed := squeeze(right)
		detects(t, b, small, squeezed, "X = X", squeezed[:len(squeezed)-1])
		for i, p := range b.Params {
			other := slices.Clone(small)
			other[i] = min(other[i]+2, p.Max)
			if b.Check(other, right) == nil {
				t.Errorf("%s: Check accepts the answer for %v for %v", b.Name, small, other)
			}
		}
	}
}

// TestExamples runs the examples in the comment at the top of each program.
func TestExamples(t *testing.T) {
	for _, b := range All {
		p, ok := b.Program.(FGHC)
		if !ok {
			continue
		}
		examples := 0
		for line := range strings.Lines(p.Source) {
			goal, ok := strings.CutPrefix(line, "%   ?- ")
			if !ok {
				continue
			}
			examples++
			goal, want, _ := strings.Cut(goal, ".  ")
			got := squeeze(ask(t, b, goal, 3, "steal").answer)
			if want = squeeze(want); strings.HasSuffix(want, "...]") {
				want = strings.TrimSuffix(want, "...]")
				got = got[:min(len(got), len(want))]
			}
			if got != want || want == "" {
				t.Errorf("%s: %s gives %s; the example says %s", b.Name, goal, got, want)
			}
		}
		if examples == 0 {
			t.Errorf("%s has no example", b.Name)
		}
	}
}
