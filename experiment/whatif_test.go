package experiment

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"whorl/replay"
	"whorl/sim"
	"whorl/sim/machines"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

// WhatIf ranks functions, waits and messages by the gain of the program without them.
func TestWhatIf(t *testing.T) {
	testenv.Sequential(t)
	r := goalProgram(t, `num_ranks 2
rank 0 {
a: calc 1000
b: send 8b to 1
b requires a
}
rank 1 {
c: recv 8b from 0
d: calc 500
d requires c
}
`).Run("x.goal")
	r.Machine = "loggopsim:overhead=0ns:latency=0ns:gap=0ns:byte=0ns"
	var watched []int
	elapsed, gains, err := WhatIf(t.Context(), r, r.Recorded.Parts(5), func(over, all int) { watched = append(watched, over, all) })
	if err != nil || elapsed != 1500 || !slices.Equal(watched, []int{1, 2, 2, 2, 3, 3}) || len(gains) != 2 {
		t.Fatalf("%d ns, %d gains, %v, %v", elapsed, len(gains), watched, err)
	}
	calc, send := gains[0], gains[1]
	if calc.Kind != "function" || calc.Name != "calc" || calc.Work != 1500 || !slices.Equal(calc.Elapsed, []int64{1350, 1125, 750, 2}) || calc.Least != 2 {
		t.Errorf("%+v", calc)
	}
	if send.Kind != "message" || send.Name != "send" || send.Count != 1 || !slices.Equal(send.Elapsed, []int64{-1, -1, -1, 1000}) || send.Least != 1000 {
		t.Errorf("%+v", send)
	}
	if _, gains, err = WhatIf(t.Context(), r, r.Recorded.Parts(0), nil); err != nil || len(gains) != 1 {
		t.Errorf("without functions: %d gains, %v", len(gains), err)
	}
	r.Zero = []string{"sned"}
	if _, _, err := WhatIf(t.Context(), r, r.Recorded.Parts(5), nil); err == nil {
		t.Error("an unknown reason")
	}
	r.Zero = nil
	must.Do(t, r.Recorded.MeasureOwn(t.Context()))
	if r.Recorded.Own == 0 || !slices.Equal(r.Recorded.Functions, []string{"calc"}) {
		t.Errorf("own %d ns, functions %q", r.Recorded.Own, r.Recorded.Functions)
	}
}

// BenchmarkWhatIf ranks the 200 functions of a tree of tasks with 10^6 operations.
func BenchmarkWhatIf(b *testing.B) {
	const functions = 200
	g, dict := &replay.Graph{}, &tracer.Dict{}
	names := make([]string, 1, functions+1)
	for i := range functions {
		names = append(names, fmt.Sprintf("f%d", i+1))
		dict.Add(tracer.Code{Type: tracer.Function, Name: names[i+1]})
	}
	made := uint32(0)
	function := func() uint32 {
		made++
		return 1 + made%functions
	}
	var grow func(n uint32, depth int)
	grow = func(n uint32, depth int) {
		g.Compute(n, time.Microsecond)
		if depth > 0 {
			left, right := g.Fork(n, function(), 8, -1), g.Fork(n, function(), 8, -1)
			grow(left, depth-1)
			grow(right, depth-1)
			g.Join(n, left, 0)
			g.Join(n, right, 0)
		}
		g.End(n, 0)
	}
	grow(g.Task(1, -1), 17)
	d := &Recorded{
		Recording: &replay.Recording{Graph: g, Names: replay.Names{Functions: names}, PEs: 16},
		Machine:   machines.Preset{Name: RecordedMachine, PEs: 16, Network: "bus", Model: sim.Model{InstructionPs: 1000}}, dict: dict,
	}
	for b.Loop() {
		if _, gains, err := WhatIf(b.Context(), d.Run("tree"), d.Parts(functions), nil); err != nil || len(gains) != functions {
			b.Fatalf("%d gains, %v", len(gains), err)
		}
	}
}
