package experiment

import (
	"math"
	"strings"
	"testing"

	"whorl/benchmarks"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// TestReplayExact records each benchmark of threads on 1 PE and replays it on more under every policy. The events and their names are those of a
// direct run.
func TestReplayExact(t *testing.T) {
	testenv.Sequential(t)
	for _, b := range benchmarks.All {
		if !strings.HasPrefix(b.Name, "dts/") {
			continue
		}
		r := Defaults(b.Name)
		r.Args, r.PEs = small[b.Name], 1
		_, trace := run(t, r)
		recorded := must.Get(ReadRecorded(trace, RecordedOptions{}))(t)
		for i, k := range policy.All {
			for j, pes := range []int{1, 4, 64, 4096} {
				net := Networks()[(i+j)%len(Networks())].Name
				r.Policy, r.PEs, r.Network = k.Name, pes, net
				_, want := run(t, r)
				again := r
				again.Recorded, again.Machine = recorded, ""
				_, got := run(t, again)
				if x, y := eventText(t, got), eventText(t, want); x != y {
					t.Errorf("%s, %s, %d PEs on %s: the replay differs at %s", b.Name, k.Name, pes, net, difference(x, y))
				}
			}
		}
	}
}

// eventText returns the events of a trace with the names of their codes.
func eventText(t *testing.T, src tracer.Source) string {
	var b []byte
	codes := src.Dict().Codes()
	for _, e := range tracertest.Events(t, src, tracer.AllKinds) {
		c := codes[e.Code]
		e.Code = 0
		b = tracer.AppendEvent(b, 0, &e, c.Name+" "+c.File)
	}
	return string(b)
}

// difference returns the first lines that differ.
func difference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return a[i] + " in place of " + b[min(i, len(b)-1)]
		}
	}
	return "its end"
}

// TestReplayHPF records programs in HPF on the machine symmetry and replays them on other networks and machines. The elapsed time is within 1 % of that
// of a direct run.
func TestReplayHPF(t *testing.T) {
	testenv.Sequential(t)
	for _, program := range []string{"hpf/fibonacci", "hpf/pascal", "hpf/jacobi", "hpf/shallow", "hpf/lu"} {
		for _, pes := range []int{4, 16} {
			r := Defaults(program)
			r.Args, r.PEs = small[program], pes
			_, trace := run(t, r)
			recorded := must.Get(ReadRecorded(trace, RecordedOptions{}))(t)
			for _, on := range []struct{ network, machine string }{{"bus", "symmetry"}, {"mesh2d", "symmetry"}, {"ring", "cenju3"}, {"fattree", "cluster"}} {
				r.Network, r.Machine, r.Recorded = on.network, on.machine, nil
				want, _ := run(t, r)
				r.Recorded, r.Policy = recorded, recorded.Policy()
				got, _ := run(t, r)
				if a, b := got.Machine.Elapsed, want.Machine.Elapsed; math.Abs(float64(a-b)) > float64(b)/100 {
					t.Errorf("%s on %d PEs of %s, %s: the replay takes %d ns, a direct run %d ns", program, pes, on.machine, on.network, a, b)
				}
			}
		}
	}
}
