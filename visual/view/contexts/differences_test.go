package contexts

import (
	"math"
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// differences returns the values and DifferenceStage of a trace; params are names and values of parameters in turn.
func differences(t *testing.T, src, other tracer.Source, params ...string) (*Values, *Differences) {
	t.Helper()
	g := opened(t, src, other)
	v, err := read(t, g, ValuesStage, params...)
	if err != nil {
		t.Fatal(err)
	}
	d, err := read(t, g, DifferenceStage, params...)
	if err != nil {
		t.Fatal(err)
	}
	return v, d
}

// TestAgainst compares PEs of viewtest.Called: PEs 5 to 7 spend 60 in kernel and 1 in bcast, the others 40 and 21, and PE 0 another 8 in
// output. So PEs 5 to 7 spend 82 each, and the mean of PEs 0 to 4 is 83.6.
func TestAgainst(t *testing.T) {
	for _, c := range []struct {
		processes, against, one, two string
		a, b                         float64 // of bcast
		base                         float64
	}{
		{"5-7", "rest", "PEs 5-7", "all others", 1, 21, (82 + 83.6) / 2},
		{"0-4", "rest", "PEs 0-4", "all others", 21, 1, (82 + 83.6) / 2},
		{"1-2", "5-6", "PEs 1-2", "PEs 5-6", 21, 1, 82},
		{"", "5-7", "PEs 0-4", "PEs 5-7", 21, 1, (82 + 83.6) / 2},
	} {
		v, d := differences(t, viewtest.Called(), nil, Processes.Name, c.processes, Against.Name, c.against)
		n := way(t, v.Contexts, "main sweep bcast")
		if !d.Compared() || d.A[n] != c.a || d.B[n] != c.b || math.Abs(d.Share[n]-(c.a-c.b)/c.base) > 1e-9 || d.NameA != c.one || d.NameB != c.two {
			t.Errorf("%q against %q: %+v", c.processes, c.against, d)
			continue
		}
		if s := strings.Join(d.Describe(v, n), "; "); !strings.Contains(s, c.two+": mean "+v.Amount(int64(c.b))) {
			t.Errorf("%q against %q: description %q", c.processes, c.against, s)
		}
		// More is red, less is blue, and equal is the pale middle.
		same := d.Color(way(t, v.Contexts, "main setup"), false)
		if here := d.Color(n, false); c.a > c.b && here.R <= here.B || c.a < c.b && here.R >= here.B || same != (view.Diverging{}).Color(0) {
			t.Errorf("%q against %q: colour %v, and %v for no difference", c.processes, c.against, here, same)
		}
	}
	for _, c := range []struct{ against, want string }{{"rest", "all processes are shown"}, {"x", "numbers and ranges"}, {"0-63", "none are left"}, {"trace", "no other run"}} {
		if _, d := differences(t, viewtest.Called(), nil, Against.Name, c.against); d.Compared() || d.Wrong == nil || !strings.Contains(d.Wrong.Error(), c.want) {
			t.Errorf("against %q: %+v, want the error %q", c.against, d, c.want)
		}
	}
	if _, d := differences(t, viewtest.Called(), nil); d.Compared() || d.Wrong != nil {
		t.Errorf("without a comparison: %+v", d)
	}
}

// TestAgainstTrace compares means per process with a run of half as many processes, whose contexts are matched by name.
func TestAgainstTrace(t *testing.T) {
	m := tracer.NewMemory()
	d := m.Dict()
	ticks := d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	main := d.Add(tracer.Code{Type: tracer.Function, Name: "main", File: "called.f90", Line: 1})
	sweep := d.Add(tracer.Code{Type: tracer.Function, Name: "sweep", File: "called.f90", Line: 9})
	fresh := d.Add(tracer.Code{Type: tracer.Function, Name: "fresh", File: "called.f90", Line: 50})
	bcast := d.Add(tracer.Code{Type: tracer.Function, Name: "bcast", File: "called.f90", Line: 21})
	path := d.AddContext(tracer.Context{Code: main})
	path = d.AddContext(tracer.Context{Parent: path, Code: sweep})
	m.SetMeta(tracer.Meta{PEs: 4})
	s := m.Stream(tracer.StreamInfo{})
	for pe := range int32(4) {
		for _, code := range []uint32{bcast, fresh} {
			*s.Slot() = tracer.Event{Kind: tracer.Sample, PE: pe, Ref: uint64(d.AddContext(tracer.Context{Parent: path, Code: code})), Code: ticks, Value: 50}
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	v, x := differences(t, viewtest.Called(), m, Against.Name, AgainstTrace)
	n := way(t, v.Contexts, "main sweep bcast")
	if !x.Compared() || x.A[n] != 108.0/8 || x.B[n] != 50 || math.Abs(x.Share[n]-(13.5-50)/((83.0+100)/2)) > 1e-9 || x.Missing != 1 || x.NameB != "other" {
		t.Errorf("bcast against the other run: %+v", x)
	}
	if setup := way(t, v.Contexts, "main setup"); x.B[setup] != 0 || x.Share[setup] <= 0 {
		t.Errorf("a context missing from the other run differs by %v", x.Share[setup])
	}
	back, y := differences(t, m, viewtest.Called(), Against.Name, AgainstTrace)
	if u := way(t, back.Contexts, "main sweep bcast"); math.Abs(y.Share[u]+x.Share[n]) > 1e-12 {
		t.Errorf("difference %v, and %v with the runs exchanged", x.Share[n], y.Share[u])
	}
}

func TestCompareKey(t *testing.T) {
	v, none := differences(t, viewtest.Called(), nil)
	f := &view.Frame{Trace: "t", State: &view.State{}}
	pressed := func(d *Differences, other bool) (out []string) {
		for _, a := range v.Compare(f, 1, d, other) {
			out = append(out, string(a.Do)+" "+a.Name+" "+a.Value)
		}
		return out
	}
	if got := pressed(none, false); len(got) != 1 || !strings.HasPrefix(got[0], "nothing") {
		t.Errorf("without a selection and another run: actions %q", got)
	}
	if got := pressed(none, true); !slices.Equal(got, []string{"parameter against trace"}) {
		t.Errorf("with another run: actions %q", got)
	}
	f.State.Shared.Traces = []string{"t"} // no other trace is open
	if got := pressed(none, true); len(got) != 1 || !strings.HasPrefix(got[0], "nothing") {
		t.Errorf("with no other trace open: actions %q", got)
	}
	f.State.Shared.Selection = view.Selection{Trace: "t", PEs: []view.Span{{First: 5, Last: 7}}}
	if got := pressed(none, true); !slices.Equal(got, []string{"parameter processes 5-7", "parameter against rest"}) {
		t.Errorf("with selected PEs: actions %q", got)
	}
	_, on := differences(t, viewtest.Called(), nil, Processes.Name, "5-7", Against.Name, AgainstRest)
	if got := pressed(on, true); !slices.Equal(got, []string{"parameter against ", "parameter processes "}) {
		t.Errorf("during a comparison: actions %q", got)
	}
}
