package replay

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/sim"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/observed"
	"whorl/tracer/testdata/tracertest"
)

// Each program has a time on one PE, on two, and the longest path, that follow from its text.
func TestPrograms(t *testing.T) {
	for _, c := range []struct {
		name, events string
		pes          int // of the recording
		policy       string
		one, two     sim.Time
		span         int64
	}{
		// The main task forks two of 100 and waits for the group; the last of them wakes it.
		{"group", `0 Fork pe=0 task=1 code=1
0 Busy pe=0 task=1 code=1
0 Start pe=0 task=1 code=1 value=1
10 Fork pe=0 task=2 ref=1 code=2
10 Fork pe=0 task=3 ref=1 code=2
10 Wait pe=0 task=1 code=3
10 Busy pe=0 task=2 code=2
10 Start pe=0 task=2 code=2 value=1
110 End pe=0 task=2 code=2
110 Busy pe=0 task=3 code=2
110 Start pe=0 task=3 code=2 value=1
210 Wake pe=0 task=1 ref=3
210 End pe=0 task=3 code=2
210 Busy pe=0 task=1 code=1
220 End pe=0 task=1 code=1
`, 1, "steal", 220, 120, 120},
		// Two tasks meet twice. The first arrives last at first, then the second.
		{"barrier", `0 Fork pe=0 task=1 code=2
0 Fork pe=1 task=2 code=2
0 Busy pe=0 task=1 code=2
0 Start pe=0 task=1 code=2 value=1
0 Busy pe=1 task=2 code=2
0 Start pe=1 task=2 code=2 value=1
30 Wait pe=1 task=2 code=4
30 Idle pe=1
50 Wake pe=0 task=2 ref=1
50 Busy pe=1 task=2 code=2
60 Wait pe=0 task=1 code=4
60 Idle pe=0
100 Wake pe=1 task=1 ref=2
100 Busy pe=0 task=1 code=2
105 End pe=1 task=2 code=2
120 End pe=0 task=1 code=2
`, 2, "steal", 165, 120, 120},
		// A wait of 500 for the network stays as long as it is.
		{"outside", `0 Fork pe=0 task=1 code=1
0 Busy pe=0 task=1 code=1
0 Start pe=0 task=1 code=1 value=1
10 Wait pe=0 task=1 code=5
10 Idle pe=0
510 Wake pe=0 task=1 code=5
510 Busy pe=0 task=1 code=1
520 End pe=0 task=1 code=1
`, 1, "steal", 520, 520, 520},
		// The second task begins at 40, and the third after its end.
		{"roots", `0 Fork pe=0 task=1 code=1
0 Busy pe=0 task=1 code=1
0 Start pe=0 task=1 code=1 value=1
10 End pe=0 task=1 code=1
10 Idle pe=0
40 Fork pe=0 task=2 code=2
40 Busy pe=0 task=2 code=2
40 Start pe=0 task=2 code=2 value=1
60 End pe=0 task=2 code=2
60 Fork pe=0 task=3 ref=2 code=2
60 Busy pe=0 task=3 code=2
60 Start pe=0 task=3 code=2 value=1
65 End pe=0 task=3 code=2
`, 1, "steal", 65, 65, 65},
		// Two processes compute 100 and send each other a message.
		{"messages", `0 Busy pe=0
0 Busy pe=1
50 Send pe=0 ref=1 peer=1 code=6 value=8
100 Idle pe=0 code=7
120 Send pe=1 ref=2 peer=0 code=6 value=8
120 Recv pe=1 ref=1 peer=0 code=6 value=8
120 Busy pe=0
120 Recv pe=0 ref=2 peer=1 code=6 value=8
130 Exit pe=0
130 Exit pe=1
`, 2, "static", 240, 130, 130},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := must.Get(Read(source(t, c.pes, c.events), ReadOptions{}))(t)
			if d.PEs != c.pes {
				t.Errorf("%d PEs, want %d", d.PEs, c.pes)
			}
			if got := elapsed(t, d, 1, c.policy, Setup{}); got != c.one {
				t.Errorf("%d ns on 1 PE, want %d", got, c.one)
			}
			if got := elapsed(t, d, 2, c.policy, Setup{}); got != c.two {
				t.Errorf("%d ns on 2 PEs, want %d", got, c.two)
			}
			p := d.Graph.Paths(sim.Model{InstructionPs: 1}, nil, Setup{})
			if p.Span != c.span {
				t.Errorf("the longest path takes %d ns, want %d", p.Span, c.span)
			}
			for i, took := range []sim.Time{c.one, c.two} {
				if most, ok := p.Greedy(i + 1); !ok || took > most {
					t.Errorf("at most %d ns on %d PEs, %t; it takes %d", most, i+1, ok, took)
				}
			}
			left := d.Graph.remaining()
			longest := int64(0)
			for i := range left {
				longest = max(longest, left[i])
			}
			if longest != c.span {
				t.Errorf("%d ns are left at most, want %d", longest, c.span)
			}
		})
	}
}

// Read attributes time to regions, and leaves out tasks that record the trace and time in which other programs had a core. It counts reasons for waits
// and messages, and finds the median time from the wake-up of a task to its running on another PE.
func TestRead(t *testing.T) {
	d := must.Get(Read(source(t, 2, `0 Idle pe=1
0 Fork pe=0 task=1 code=1
0 Start pe=0 task=1
5 Fork pe=0 task=2 ref=1 code=2
6 Fork pe=0 task=3 ref=1 code=11
10 Sample pe=0 task=1 ref=3 code=8 value=30
12 Start pe=1 task=2
20 Idle pe=1 code=10
25 Busy pe=1 task=2
26 Start pe=1 task=3
36 Busy pe=1 task=2
50 Send pe=0 task=1 ref=1 code=6 value=8
60 Recv pe=1 task=2 ref=1 code=6 value=8
61 Send pe=1 task=2 ref=2 code=6 value=8
62 Recv pe=1 task=2 ref=3 code=6 value=8
70 Wait pe=1 task=2 code=3
70 Idle pe=1
80 Wake pe=0 task=2 ref=1
83 Busy pe=1 task=2
90 Wait pe=0 task=1 code=5
95 Wake pe=1 task=1
95 End pe=1 task=2
95 Busy pe=0 task=1
97 End pe=0 task=1
`), ReadOptions{}))(t)
	if d.OffCPU != 5 || d.Costs.Steal != 3 || d.Graph.Tasks() != 2 || !d.Pinned || !d.Measured || d.PEs != 2 || d.Elapsed != 97 {
		t.Errorf("%+v of %d tasks", d, d.Graph.Tasks())
	}
	if want := (Left{Messages: 2, Outside: 1, Waits: 2}); d.Left != want {
		t.Errorf("left out %+v, want %+v", d.Left, want)
	}
	if got, want := d.Graph.WorkBy(), (map[uint32]int64{1: 10 + 50 + 2, 2: 8 + 1 + 34 + 12, 12: 30}); !maps.Equal(got, want) {
		t.Errorf("functions compute %v, want %v", got, want)
	}
	if got, want := d.Graph.Reasons(), (map[uint32]int64{3: 1, 5: 1, 6: 2}); !maps.Equal(got, want) {
		t.Errorf("reasons %v, want %v", got, want)
	}
	if d.Names.Functions[12] != "inner" || d.Names.Functions[11] != "" {
		t.Errorf("functions %q", d.Names.Functions)
	}
}

// The missing parts of a trace are counted: senders, receivers, the order of a message, and the ends of waits. So is processor time.
func TestLeft(t *testing.T) {
	d := must.Get(Read(source(t, 2, `0 Busy pe=0
0 Busy pe=1
10 Recv pe=1 ref=1 peer=0 code=6 value=8
20 Send pe=0 ref=1 peer=1 code=6 value=8
30 Send pe=0 ref=2 peer=1 code=6 value=8
40 Recv pe=1 ref=3 peer=0 code=6 value=8
50 Send pe=0 ref=4 peer=1 code=6 value=8
60 Recv pe=1 ref=4 peer=0 code=6 value=8
70 Sample pe=0 task=1 code=15 value=60
80 Wait pe=1 task=2 code=5
90 Exit pe=0
90 Exit pe=1
`), ReadOptions{}))(t)
	if want := (Left{Messages: 2, Early: 1, Waiting: 1}); d.Left != want || d.CPU != 60 {
		t.Errorf("left out %+v, want %+v; %d ns of processor time, want 60", d.Left, want, d.CPU)
	}
}

// In a Go trace, marks begin and end regions, and samples of the processor show functions. Time counts for the innermost
// region, or else for the function of the last sample.
func TestRegions(t *testing.T) {
	src := source(t, 1, `0 Fork pe=0 task=1 code=1
0 Busy pe=0 task=1 code=1
0 Start pe=0 task=1 code=1 value=1
10 Mark pe=0 task=1 code=16 value=1
15 Sample pe=0 task=1 ref=3 code=15 value=10
30 Mark pe=0 task=1 code=17 value=1
50 Mark pe=0 task=1 code=16
60 Mark pe=0 task=1 code=17
61 Mark pe=0 task=1 code=17
100 Sample pe=0 task=1 ref=2 code=15 value=10
180 End pe=0 task=1 code=1
`)
	for _, c := range []struct {
		substrate string
		want      map[uint32]int64
	}{{"go", map[uint32]int64{1: 10, 16: 20, 17: 30, 12: 40, 2: 80}}, {"otf2", map[uint32]int64{1: 180}}} {
		d := must.Get(Read(renamed{src, c.substrate}, ReadOptions{}))(t)
		if got := d.Graph.WorkBy(); !maps.Equal(got, c.want) {
			t.Errorf("%s: functions compute %v, want %v", c.substrate, got, c.want)
		}
		if name := d.Names.Functions[16]; (name == "outer") != (c.substrate == "go") {
			t.Errorf("%s: region %q", c.substrate, name)
		}
	}
}

// Tasks that record the trace are not part of the program.
func TestRecorders(t *testing.T) {
	d := must.Get(Read(source(t, 2, `0 Fork pe=0 task=1 code=1
0 Fork pe=1 task=2 code=14
0 Busy pe=0 task=1 code=1
0 Start pe=0 task=1 code=1 value=1
0 Wait pe=1 task=2 code=5
50 End pe=0 task=1 code=1
900 Wake pe=1 task=2 code=5
900 Busy pe=1 task=2 code=14
950 Idle pe=1
`), ReadOptions{}))(t)
	if p := d.Graph.Paths(sim.Model{}, nil, Setup{}); p.Work != 50 || p.Span != 50 {
		t.Errorf("%+v, want 50 ns of work", p)
	}
}

// A task without a Fork and a Start has the function of its first Busy event that names one.
func TestFunctionOfBusy(t *testing.T) {
	d := must.Get(Read(source(t, 1, `0 Start pe=0 task=1 code=1
0 End pe=0 task=1
0 Busy pe=0 task=2 code=3
5 Busy pe=0 task=2 code=2
15 Busy pe=0 task=2 code=1
20 End pe=0 task=2
`), ReadOptions{}))(t)
	if got, want := d.Graph.WorkBy(), (map[uint32]int64{2: 20}); !maps.Equal(got, want) {
		t.Errorf("functions compute %v, want %v", got, want)
	}
}

// A trace without tasks and messages, and one of goals, are refused. The error names their events.
func TestRefused(t *testing.T) {
	for events, want := range map[string]string{
		"0 Reduce pe=0 task=1 code=1 value=3\n": "goals of a logic program",
		"0 Counter pe=0 code=8 value=3\n":       "mostly Counter",
		"":                                      "found none",
	} {
		if _, err := Read(source(t, 1, events), ReadOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", events, err, want)
		}
	}
	if _, err := Read(source(t, 2_000_000_000, "0 Start pe=0 task=1\n"), ReadOptions{}); err == nil || !strings.Contains(err.Error(), "2,000,000,000 PEs: expected at most 1,048,576") {
		t.Errorf("many PEs: %v", err)
	}
}

// Reading a random trace never panics, and its replay ends, unless tasks wait for locks and channels for ever. It takes no less than the bound.
func TestRandomTraces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		now := 0
		for range rapid.IntRange(1, 60).Draw(t, "events") {
			now += rapid.IntRange(0, 20).Draw(t, "time")
			kind := rapid.SampledFrom([]string{"Fork", "Start", "End", "JoinBegin", "JoinEnd", "Busy", "Idle", "Overhead", "Wait", "Wake", "Send", "Recv", "Sample", "Mark"}).Draw(t, "kind")
			small := rapid.IntRange(0, 5)
			code, value := rapid.IntRange(0, 12).Draw(t, "code"), int64(rapid.IntRange(-1, 9).Draw(t, "value"))
			if kind == "Mark" {
				code = observes + rapid.IntRange(0, int(observed.NumOps)).Draw(t, "operation")
				value |= int64(small.Draw(t, "number")) << 32
			}
			fmt.Fprintf(&b, "%d %s pe=%d task=%d ref=%d code=%d value=%d\n", now, kind, rapid.IntRange(0, 2).Draw(t, "pe"), small.Draw(t, "task"),
				small.Draw(t, "ref"), code, value)
		}
		d, err := Read(source(t, 3, b.String()), ReadOptions{})
		if err != nil {
			return
		}
		p := d.Graph.Paths(sim.Model{InstructionPs: 1}, nil, Setup{})
		for _, pes := range []int{1, 3} {
			rec := tracer.NewMemory()
			r := must.Get(New(machine(t, pes, "steal", rec), d.Graph, d.Names, Setup{}))(t)
			for more := true; more; {
				more, err = r.Machine.Advance(t.Context(), 1000)
			}
			if _, stuck := errors.AsType[*StandstillError](err); stuck && d.Left.Observed > 0 {
				continue
			}
			if err != nil {
				t.Fatalf("on %d PEs: %v\n%s", pes, err, b.String())
			}
			if took := r.Machine.Stats().Elapsed; took < p.Bound(pes) {
				t.Fatalf("%d ns on %d PEs, below the bound of %d\n%s", took, pes, p.Bound(pes), b.String())
			}
			_ = tracertest.Text(t, rec)
		}
	})
}

// Two tasks that wait for each other's locks in a replay are named.
func TestStandstill(t *testing.T) {
	g := &Graph{woken: true, locks: []uint32{1, 2}}
	for i := range uint64(2) {
		n := g.Task(1, -1)
		g.add(n, opAcquire, i<<1)
		g.Compute(n, 10)
		g.add(n, opAcquire, (1-i)<<1)
		g.End(n, 0)
	}
	waits := g.Task(2, -1)
	g.add(waits, opWait, 0)
	g.End(waits, 0)
	g.pauses = []pause{{gate: 1, ends: true, reason: 3}}
	r := must.Get(New(machine(t, 2, "steal", nil), g, Names{}, Setup{}))(t)
	err := advance(t, r)
	stuck, ok := errors.AsType[*StandstillError](err)
	want := []Stuck{{Task: 1, Function: 1}, {Task: 2, Function: 1}, {Task: 3, Function: 2, Reason: 3, On: 2}}
	if !ok || stuck.Left != 3 || !slices.Equal(stuck.Stuck, want) {
		t.Errorf("%+v of %d, want %+v", stuck.Stuck, stuck.Left, want)
	}
}

// TestReadSpilled reads a trace whose operations do not fit into their share of the memory: the graph is the same. A smaller limit is an error.
func TestReadSpilled(t *testing.T) {
	rec := tracer.NewMemory()
	cfg := machine(t, 4, "steal", rec)
	model := &cfg.Model
	replayed := must.Get(New(cfg, tree(12), Names{}, Setup{}))(t)
	for more := true; more; {
		more = must.Get(replayed.Machine.Advance(t.Context(), 1<<20))(t)
	}
	whole := must.Get(Read(rec, ReadOptions{Model: model}))(t)
	r := newReader(rec, ReadOptions{Model: model, Memory: 64 << 10})
	must.Do(t, rec.Scan(Kinds, func(es []tracer.Event) error {
		for i := range es {
			must.Do(t, r.event(&es[i]))
		}
		return nil
	}))
	spilled := must.Get(r.end(rec))(t)
	if r.g.scratch == nil || r.g.spilled != nil || !slices.Equal(spilled.Graph.ops, whole.Graph.ops) {
		t.Errorf("in a file: %v, %v; %d operations, want %d", r.g.scratch != nil, r.g.spilled, len(spilled.Graph.ops), len(whole.Graph.ops))
	}
	var lack *MemoryError
	if err := r.room(1); !errors.As(err, &lack) || !strings.Contains(err.Error(), "1 byte") {
		t.Errorf("without memory: %v", err)
	}
}
