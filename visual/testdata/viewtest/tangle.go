package viewtest

import (
	"fmt"
	"math/rand/v2"

	"whorl/tracer"
)

// Tangle returns a profile of a random tree of n calling contexts on pes PEs, with functions called from several places. If n is negative,
// the tree is a chain of -n contexts. Most contexts have similar values on all PEs; some have much larger values on a few PEs.
func Tangle(n, pes int, seed uint64) *tracer.Memory {
	rnd := rand.New(rand.NewPCG(seed, 2))
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "tangle", PEs: pes})
	d := m.Dict()
	ticks := d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	chain := n < 0
	n = max(n, -n)
	functions := make([]uint32, max(n/12, 2))
	for i := range functions {
		functions[i] = d.Add(tracer.Code{Type: tracer.Function, Name: fmt.Sprintf("module%d.function_%d", i%7, i), File: fmt.Sprintf("module%d.go", i%7), Line: int32(i + 1)})
	}
	s := m.Stream(tracer.StreamInfo{})
	refs := []uint32{0}
	depth := []int{0}
	for i := range n {
		up := len(refs) - 1
		for !chain && up > 0 && (rnd.IntN(3) == 0 || depth[up] > 24) {
			up = rnd.IntN(up + 1)
		}
		ref := d.AddContext(tracer.Context{Parent: refs[up], Code: functions[rnd.IntN(len(functions))]})
		refs, depth = append(refs, ref), append(depth, depth[up]+1)
		most := int64(1 + rnd.ExpFloat64()*40)
		odd := rnd.IntN(8) == 0
		for pe := range pes {
			v := most + int64(rnd.IntN(3))
			if odd && rnd.IntN(10) == 0 {
				v *= 5
			}
			*s.Slot() = tracer.Event{Kind: tracer.Sample, Time: int64(i), PE: int32(pe), Peer: -1, Ref: uint64(ref), Code: ticks, Value: v}
		}
	}
	_ = m.Close() // of a trace in memory
	return m
}
