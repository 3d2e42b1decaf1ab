package experiment

import (
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
		recorded := must.Get(ReadRecorded(trace))(t)
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
