package viewtest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"whorl/tracer"
)

// Codes of Called: the metric, and the functions in the order of their first lines.
const (
	CalledTicks uint32 = iota + 1
	CalledMain
	CalledSetup
	CalledSweep
	CalledOutput
	CalledKernel
	CalledBcast
	CalledAlloc
)

// Called returns a profile with calling contexts of eight PEs, small enough to check by hand. Exclusive ticks of the contexts:
//
//	                 PE 0   1   2   3   4   5   6   7
//	main                1   1   1   1   1   1   1   1
//	  setup             2   2   2   2   2   2   2   2
//	    alloc           1   1   1   1   1   1   1   1
//	  sweep            10  10  10  10  10  10  10  10
//	    kernel         40  40  40  40  40  60  60  60
//	    bcast          21  21  21  21  21   1   1   1
//	    alloc           2   2   2   2   2   2   2   2
//	  output            9   1   1   1   1   1   1   1
//	    alloc           1   1   1   1   1   1   1   1
//	    kernel          3   3   3   3   3   3   3   3
//
// Each call has its own line in called.f90. The file has 28 lines, and functions begin at lines 1, 5, 9, ...
func Called() *tracer.Memory {
	m := tracer.NewMemory()
	names := []string{"main", "setup", "sweep", "output", "kernel", "bcast", "alloc"}
	var text strings.Builder
	for _, n := range names {
		text.WriteString("subroutine " + n + "\n  call a\n  call b\nend subroutine\n")
	}
	m.SetMeta(tracer.Meta{
		Program: "called.f90", Substrate: "hpf", Mode: "sim", PEs: 8, Seed: 1, Source: []tracer.SourceFile{{Name: "called.f90", Text: text.String()}},
	})
	d := m.Dict()
	d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	var line []uint32 // the second line of each function
	for i, n := range names {
		d.Add(tracer.Code{Type: tracer.Function, Name: n, File: "called.f90", Line: int32(4*i + 1), Children: 4})
	}
	for i := range names {
		line = append(line, d.Add(tracer.Code{Type: tracer.Line, File: "called.f90", Line: int32(4*i + 2), Parent: uint32(i) + CalledMain}))
	}
	s := m.Stream(tracer.StreamInfo{Name: "sim", Clock: tracer.Virtual})
	now := int64(0)
	add := func(parent uint32, f int, ticks ...int64) uint32 {
		ref := d.AddContext(tracer.Context{Parent: parent, Code: line[f]})
		for pe := range 8 {
			now += 10
			*s.Slot() = tracer.Event{Kind: tracer.Sample, Time: now, PE: int32(pe), Peer: -1, Ref: uint64(ref), Code: CalledTicks, Value: ticks[pe%len(ticks)]}
		}
		return ref
	}
	program := add(0, 0, 1)
	setup := add(program, 1, 2)
	add(setup, 6, 1)
	sweep := add(program, 2, 10)
	add(sweep, 4, 40, 40, 40, 40, 40, 60, 60, 60)
	add(sweep, 5, 21, 21, 21, 21, 21, 1, 1, 1)
	add(sweep, 6, 2)
	output := add(program, 3, 9, 1, 1, 1, 1, 1, 1, 1)
	add(output, 6, 1)
	add(output, 4, 3)
	_ = m.Close() // of a trace in memory
	return m
}

// Calls returns a profile of a tree of calling contexts, with a few callees each, on pes PEs. At some nodes a third of the PEs have much
// more than the others; at some all have the same. The tree and its values depend on the seed.
func Calls(contexts, pes int, seed uint64) *tracer.Memory {
	r := rand.New(rand.NewPCG(seed, 3))
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "calls", Substrate: "hpf", Mode: "sim", PEs: pes, Seed: seed})
	d := m.Dict()
	ticks := d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	var code []uint32
	for i := range max(contexts/8, 24) { // more than the callees of any context
		code = append(code, d.Add(tracer.Code{Type: tracer.Function, Name: fmt.Sprintf("procedure_%d", i), File: "calls.f90", Line: int32(10*i + 1)}))
	}
	refs := []uint32{d.AddContext(tracer.Context{Code: code[0]})}
	for k := 1; k < contexts; k++ {
		up := max((k-1)/4+r.IntN(3)-1, 0)
		parent := refs[min(up, k-1)]
		c := code[1+r.IntN(len(code)-1)]
		ref := d.AddContext(tracer.Context{Parent: parent, Code: c})
		for int(ref) <= k { // the parent already has this callee
			c = code[1+r.IntN(len(code)-1)]
			ref = d.AddContext(tracer.Context{Parent: parent, Code: c})
		}
		refs = append(refs, ref)
	}
	s := m.Stream(tracer.StreamInfo{Name: "sim", Clock: tracer.Virtual})
	for k, ref := range refs {
		base := int64(50 + r.IntN(50))
		for pe := range pes {
			n := base
			switch {
			case k%5 == 1 && pe%3 == 0:
				n *= 4
			case k%5 > 1:
				n += int64(r.IntN(20))
			}
			*s.Slot() = tracer.Event{Kind: tracer.Sample, Time: int64(k + 1), PE: int32(pe), Peer: -1, Ref: uint64(ref), Code: ticks, Value: n}
		}
	}
	_ = m.Close() // of a trace in memory
	return m
}
