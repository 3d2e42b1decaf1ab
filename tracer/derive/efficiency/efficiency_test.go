package efficiency_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/efficiency"
	"whorl/tracer/testdata/tracertest"
)

func compute(t rapid.TB, src tracer.Source) *efficiency.Efficiency {
	t.Helper()
	return efficiency.Compute(src, must.Get(account.Compute(src))(t))
}

// sound checks that steps add up to the elapsed time, and that factors multiply to work / (PEs x elapsed).
func sound(t rapid.TB, e *efficiency.Efficiency) {
	t.Helper()
	if !e.Known() {
		if e.Doubt == "" || e.Steps != [efficiency.NumSteps]int64{} {
			t.Fatalf("unknown, doubt %q, steps %v", e.Doubt, e.Steps)
		}
		return
	}
	var sum int64
	for s, ns := range e.Steps {
		if ns < 0 {
			t.Fatalf("%v takes %d ns: %+v", efficiency.Step(s), ns, e)
		}
		sum += ns
	}
	if sum != e.Elapsed {
		t.Fatalf("steps %v add up to %d of %d ns", e.Steps, sum, e.Elapsed)
	}
	product := 1.0
	for f := efficiency.LoadBalance; f < efficiency.NumFactors; f++ {
		x, ok := e.Factor(f)
		if (x < 0 || x > 1) || !ok && e.Note(f) == "" {
			t.Fatalf("%v is %g, known %t", f, x, ok)
		}
		if !ok && f == efficiency.Serialised {
			x = float64(e.Most) / float64(e.Elapsed) // of serialisation and transfer together
		} else if !ok {
			x = 1
		}
		product *= x
	}
	want := float64(e.Work) / (float64(e.PEs) * float64(e.Elapsed))
	if x, ok := e.Factor(efficiency.Parallel); !ok || math.Abs(x-want) > 1e-12 || math.Abs(product-want) > 1e-12 {
		t.Fatalf("parallel efficiency %g, product of the factors %g, want %g", x, product, want)
	}
}

// TestRandom checks the sums and the product on random traces.
func TestRandom(t *testing.T) {
	kinds := []tracer.Kind{
		tracer.Busy, tracer.Idle, tracer.Overhead, tracer.Reduce, tracer.Suspend, tracer.Resume, tracer.Move, tracer.Send, tracer.Recv, tracer.Start,
		tracer.End, tracer.JoinBegin, tracer.JoinEnd, tracer.Exit,
	}
	rapid.Check(t, func(t *rapid.T) {
		pes := rapid.IntRange(1, 5).Draw(t, "PEs")
		var events []tracer.Event
		at := rapid.Int64Range(-5, 5).Draw(t, "from")
		for range rapid.IntRange(1, 40).Draw(t, "events") {
			at += rapid.Int64Range(0, 9).Draw(t, "later")
			events = append(events, tracer.Event{
				Time: at, Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), PE: int32(rapid.IntRange(0, pes-1).Draw(t, "PE")),
				Peer: int32(rapid.IntRange(-1, pes-1).Draw(t, "peer")), Task: rapid.Uint64Range(1, 4).Draw(t, "task"),
				Ref: rapid.Uint64Range(0, 4).Draw(t, "ref"), Code: rapid.Uint32Range(0, 6).Draw(t, "code"), Value: rapid.Int64Range(0, 12).Draw(t, "value"),
			})
		}
		src := tracertest.Trace(events...)
		src.SetMeta(tracer.Meta{PEs: pes})
		for _, name := range []string{"no work", "steal", "message", "gc", "off cpu", "lock"} {
			src.Dict().Add(tracer.Code{Type: tracer.Reason, Name: name})
		}
		sound(t, compute(t, src))
	})
}

// TestRuns computes the efficiencies of runs of all substrates.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		program string
		args    []string
		pes     int
		mode    experiment.Mode
		network string
		doubt   string
	}{
		{program: "fghc/pascal", args: []string{"20"}, pes: 4, network: "mesh2d"},
		{program: "dts/fibonacci", args: []string{"10"}, pes: 100, network: "bus"},
		{program: "hpf/lu", pes: 4, network: "ring"},
		{program: "fghc/pascal", args: []string{"20"}, pes: 1, network: "bus"},
		{
			program: "fghc/queens", args: []string{"6"}, pes: 2, mode: experiment.Live, network: "bus",
			doubt: "transfers through shared memory are not recorded; they count as work",
		},
	} {
		r := experiment.Defaults(c.program)
		r.PEs, r.Network = c.pes, c.network
		if c.args != nil {
			r.Args = c.args
		}
		if c.mode != "" {
			r.Mode = c.mode
		}
		e := compute(t, experimenttest.Trace(t, r))
		sound(t, e)
		if e.PEs != c.pes || e.Ideal < e.Most || e.Doubt != c.doubt || e.Note(efficiency.Transferred) != c.doubt || e.Note(efficiency.LoadBalance) != "" {
			t.Errorf("%s: %+v", c.program, e)
		}
	}
}

// TestSteps derives the steps of a small trace by hand, and takes classes out of it.
func TestSteps(t *testing.T) {
	events := []tracer.Event{
		{Time: 0, Kind: tracer.Busy, PE: 0},
		{Time: 0, Kind: tracer.Busy, PE: 1},
		{Time: 20, Kind: tracer.Idle, PE: 1, Code: 3},
		{Time: 50, Kind: tracer.Send, PE: 0, Peer: 1, Ref: 1},
		{Time: 50, Kind: tracer.Overhead, PE: 0, Code: 3}, // message
		{Time: 60, Kind: tracer.Overhead, PE: 0, Code: 4}, // gc
		{Time: 62, Kind: tracer.Idle, PE: 0, Code: 1},     // no work
		{Time: 64, Kind: tracer.Recv, PE: 1, Peer: 0, Ref: 1},
		{Time: 64, Kind: tracer.Overhead, PE: 1, Code: 6}, // lock
		{Time: 67, Kind: tracer.Overhead, PE: 1, Code: 5}, // off cpu
		{Time: 72, Kind: tracer.Busy, PE: 1},
		{Time: 91, Kind: tracer.Exit, PE: 1},
	}
	for _, c := range []struct {
		name   string
		change func(events []tracer.Event)
		want   [efficiency.NumSteps]int64
		ideal  int64
	}{
		// Work 50 and 39. Without transfers PE 1 goes on at 50 and needs 3 + 5 + 19.
		{"all", func([]tracer.Event) {}, [efficiency.NumSteps]int64{44, 6, 19, 14, 3, 0, 5}, 77},
		{"a late message", func(es []tracer.Event) { es[3].Ref = 9 }, [efficiency.NumSteps]int64{44, 6, 33, 0, 3, 0, 5}, 91},
		{"work in place of the system", func(es []tracer.Event) { es[9] = tracer.Event{Time: 67, Kind: tracer.Busy, PE: 1} }, [efficiency.NumSteps]int64{47, 3, 24, 14, 3, 0, 0}, 77},
		{"a collection before the message", func(es []tracer.Event) { es[2].Kind = tracer.Overhead; es[2].Code = 4 }, [efficiency.NumSteps]int64{44, 6, 19, 0, 3, 14, 5}, 91},
	} {
		moved := append([]tracer.Event{}, events...)
		c.change(moved)
		src := tracertest.Trace(moved...)
		src.SetMeta(tracer.Meta{PEs: 2})
		for _, name := range []string{"no work", "steal", "message", "gc", "off cpu", "lock"} {
			src.Dict().Add(tracer.Code{Type: tracer.Reason, Name: name})
		}
		e := compute(t, src)
		sound(t, e)
		if e.Steps != c.want || e.Ideal != c.ideal || e.Busiest != 0 {
			t.Errorf("%s: %v, T(ideal) %d, want %v and %d", c.name, e.Steps, e.Ideal, c.want, c.ideal)
		}
	}
}

// TestUnknown says what traces with less information leave unknown.
func TestUnknown(t *testing.T) {
	for _, c := range []struct {
		name   string
		events []tracer.Event
		known  bool
		doubt  string
	}{
		{"samples", []tracer.Event{{Kind: tracer.Sample, Value: 3}}, false, "the recording does not say when PEs worked"},
		{"instants", []tracer.Event{{Time: 2, Kind: tracer.Reduce, Task: 1}, {Time: 4, Kind: tracer.Reduce, Task: 2}}, false, "the recording has no durations"},
		{"costs", []tracer.Event{{Kind: tracer.Reduce, Task: 1, Value: 5}, {Time: 9, Kind: tracer.Reduce, Task: 2, Value: 5}}, true, "the recording does not tell communication from waiting"},
	} {
		e := compute(t, tracertest.Trace(c.events...))
		sound(t, e)
		_, balance := e.Factor(efficiency.LoadBalance)
		_, ideal := e.Factor(efficiency.Transferred)
		if e.Known() != c.known || balance != c.known || ideal || e.Doubt != c.doubt || e.Note(efficiency.Serialised) != c.doubt {
			t.Errorf("%s: known %t, %+v", c.name, e.Known(), e)
		}
	}
}
