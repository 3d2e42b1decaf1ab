package viewtest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"whorl/tracer"
)

// Codes of Sampled.
const (
	Ticks uint32 = iota + 1
	Spin         // function main, from line 1
	Step         // function step, from line 9
	Last         // function last, from line 80
	Spin3        // lines of these functions, by number
	Spin5
	Step11
	Step12
	Last82
	Step12a // instructions of line 12
	Step12b
)

// Sampled returns a profile of three PEs, small enough to check by hand: a program of 90 lines with ticks at five of them.
//
//	line        PE 0   PE 1   PE 2
//	 3 main       1      1      1
//	 5 main       0      0      4
//	11 step       6      2      0
//	12 step      40     20     10    including 25, 20, 0 at its second instruction
//	82 last       0      3      0
//
// Lines 10 to 13 are a loop. Lines 13 to 81 have no ticks.
func Sampled() *tracer.Memory {
	m := tracer.NewMemory()
	lines := make([]string, 90)
	for i := range lines {
		lines[i] = fmt.Sprintf("! line %d", i+1)
	}
	for n, s := range map[int]string{
		1: "program main", 3: "x = 0", 5: "call step(x)", 7: "end program", 9: "subroutine step(x)", 10: "do i = 1, n", 11: "y = x(i)", 12: "x(i) = y * y",
		13: "end do", 14: "end subroutine", 80: "subroutine last", 82: "print *, x", 83: "end subroutine",
	} {
		lines[n-1] = s
	}
	m.SetMeta(tracer.Meta{
		Program: "spin.f90", Substrate: "hpf", Mode: "sim", PEs: 3, Seed: 1, Source: []tracer.SourceFile{{Name: "spin.f90", Text: strings.Join(lines, "\n") + "\n"}},
	})
	d := m.Dict()
	d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	for _, f := range []struct {
		name string
		line int32
		n    int32
	}{{"main", 1, 7}, {"step", 9, 6}, {"last", 80, 4}} {
		d.Add(tracer.Code{Type: tracer.Function, Name: f.name, File: "spin.f90", Line: f.line, Children: f.n})
	}
	for _, l := range []struct {
		line   int32
		parent uint32
	}{{3, Spin}, {5, Spin}, {11, Step}, {12, Step}, {82, Last}} {
		d.Add(tracer.Code{Type: tracer.Line, File: "spin.f90", Line: l.line, Parent: l.parent})
	}
	d.Add(tracer.Code{Type: tracer.Instruction, Name: "muls   f1, f1, f1", Line: 1, Parent: Step12})
	d.Add(tracer.Code{Type: tracer.Instruction, Name: "sts    x(i), f1", Line: 2, Parent: Step12})
	s := m.Stream(tracer.StreamInfo{Name: "sim", Clock: tracer.Virtual})
	now := int64(0)
	for _, c := range []struct {
		code  uint32
		ticks [3]int64
	}{
		{Spin3, [3]int64{1, 1, 1}},
		{Spin5, [3]int64{0, 0, 4}},
		{Step11, [3]int64{6, 2, 0}},
		{Step12a, [3]int64{15, 0, 10}},
		{Step12b, [3]int64{25, 20, 0}},
		{Last82, [3]int64{0, 3, 0}},
	} {
		ref := d.AddContext(tracer.Context{Code: c.code})
		for pe, n := range c.ticks {
			if now += 10; n > 0 {
				*s.Slot() = tracer.Event{Kind: tracer.Sample, Time: now, PE: int32(pe), Peer: -1, Ref: uint64(ref), Code: Ticks, Value: n}
			}
		}
	}
	_ = m.Close() // of a trace in memory
	return m
}

// Symbols returns a profile of three PEs without source lines, as perf writes it for a stripped program: functions with addresses. sweep has
// 9, 5 and 1 ticks, memcpy 0, 2 and 0. main calls them and has none.
func Symbols() *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "heat", Substrate: "perf", PEs: 3})
	d := m.Dict()
	ticks := d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	call := func(function, address string, caller uint32) uint32 {
		f := d.Add(tracer.Code{Type: tracer.Function, Name: function})
		return d.AddContext(tracer.Context{Parent: caller, Code: d.Add(tracer.Code{Type: tracer.Instruction, Name: address, Parent: f})})
	}
	main := call("main", "1100", 0)
	s := m.Stream(tracer.StreamInfo{})
	now := int64(0)
	for _, c := range []struct {
		context uint32
		ticks   [3]int64
	}{{call("memcpy", "8800", main), [3]int64{0, 2, 0}}, {call("sweep", "11f5", main), [3]int64{9, 5, 1}}} {
		for pe, n := range c.ticks {
			if now += 10; n > 0 {
				*s.Slot() = tracer.Event{Kind: tracer.Sample, Time: now, PE: int32(pe), Peer: -1, Ref: uint64(c.context), Code: ticks, Value: n}
			}
		}
	}
	_ = m.Close() // of a trace in memory
	return m
}

// Spike returns a profile of a long program in one file, with procedures of 5 to 120 lines. A few procedures have ticks, at three of four
// lines, and a few of these are hot, depending on the seed. Each line with ticks has them on at most 16 PEs.
func Spike(lines, pes int, seed uint64) *tracer.Memory {
	rnd := rand.New(rand.NewPCG(seed, 1))
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{
		Program: "spike.f90", Substrate: "hpf", PEs: pes, Source: []tracer.SourceFile{{Name: "spike.f90", Text: strings.Repeat("x = x + 1\n", lines)}},
	})
	d := m.Dict()
	ticks := d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	s := m.Stream(tracer.StreamInfo{})
	now := int64(0)
	for first, k := 1, 0; first < lines-120; k++ {
		n := 5 + rnd.IntN(116)
		if rnd.IntN(20) == 0 {
			f := d.Add(tracer.Code{Type: tracer.Function, Name: fmt.Sprintf("p%d", k), File: "spike.f90", Line: int32(first), Children: int32(n)})
			most := 2 + 200*(rnd.IntN(20)/19)
			for i := range n {
				if rnd.IntN(4) == 0 {
					continue
				}
				line := d.Add(tracer.Code{Type: tracer.Line, File: "spike.f90", Line: int32(first + i), Parent: f})
				ref := d.AddContext(tracer.Context{Code: line})
				for range min(pes, 16) {
					now++
					*s.Slot() = tracer.Event{
						Kind: tracer.Sample, Time: now, PE: int32(rnd.IntN(pes)), Peer: -1, Ref: uint64(ref), Code: ticks, Value: int64(1 + rnd.IntN(most)),
					}
				}
			}
		}
		first += n + rnd.IntN(12)
	}
	_ = m.Close() // of a trace in memory
	return m
}
