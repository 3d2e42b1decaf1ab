package viewtest

import "whorl/tracer"

// Codes of Small.
const (
	Main  uint32 = iota + 1 // procedure main/0
	MainA                   // its clause
	Work                    // procedure work/1
	WorkA                   // its clauses
	WorkB
	NoWork // a reason
	Class  // of messages
)

// Small returns a run of 100 ns on three PEs, small enough to check by hand. Task 1 (main/0) creates 2 and 3 (work/1), and 3 creates 4.
//
//	PE 0   1 0-20, 2 20-40, 4 suspends 40-45, idle 45-80, 4 80-100
//	PE 1   idle 0-25, 3 25-65, overhead 65-75, idle 75-100
//	PE 2   never works
//
// One message goes from PE 0 at 20 to PE 1 at 25.
func Small() *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{
		Program: "small", Substrate: "fghc", Mode: "sim", Policy: "steal", Network: "all", PEs: 3, Seed: 1,
		Source: []tracer.SourceFile{{Name: "small.fghc", Text: "main :- work(1), work(2).\nwork(1).\nwork(2) :- work(1).\n"}},
	})
	d := m.Dict()
	d.Add(tracer.Code{Type: tracer.Procedure, Name: "main/0", File: "small.fghc", Line: 1})
	d.Add(tracer.Code{Type: tracer.Clause, Name: "main/0", File: "small.fghc", Line: 1, Parent: Main, Children: 2})
	d.Add(tracer.Code{Type: tracer.Procedure, Name: "work/1", File: "small.fghc", Line: 2})
	d.Add(tracer.Code{Type: tracer.Clause, Name: "work/1", File: "small.fghc", Line: 2, Parent: Work})
	d.Add(tracer.Code{Type: tracer.Clause, Name: "work/1", File: "small.fghc", Line: 3, Parent: Work, Children: 1})
	d.Add(tracer.Code{Type: tracer.Reason, Name: "no work"})
	d.Add(tracer.Code{Type: tracer.MessageClass, Name: "work"})
	s := m.Stream(tracer.StreamInfo{Name: "sim", Clock: tracer.Virtual})
	for _, e := range []tracer.Event{
		{Time: 0, Kind: tracer.Init, PE: 0, Peer: -1},
		{Time: 0, Kind: tracer.Busy, PE: 0, Peer: -1, Task: 1},
		{Time: 0, Kind: tracer.Reduce, PE: 0, Peer: -1, Task: 1, Code: MainA, Value: 20},
		{Time: 20, Kind: tracer.Send, PE: 0, Peer: 1, Task: 3, Ref: 9, Code: Class, Value: 64},
		{Time: 20, Kind: tracer.Reduce, PE: 0, Peer: 0, Task: 2, Ref: 1, Code: WorkA, Value: 20},
		{Time: 25, Kind: tracer.Init, PE: 1, Peer: -1},
		{Time: 25, Kind: tracer.Recv, PE: 1, Peer: 0, Task: 3, Ref: 9, Code: Class, Value: 64},
		{Time: 25, Kind: tracer.Move, PE: 1, Peer: 0, Task: 3, Ref: 9, Value: 64},
		{Time: 25, Kind: tracer.Busy, PE: 1, Peer: -1, Task: 3},
		{Time: 25, Kind: tracer.Reduce, PE: 1, Peer: 0, Task: 3, Ref: 1, Code: WorkB, Value: 40},
		{Time: 40, Kind: tracer.Suspend, PE: 0, Peer: -1, Task: 4, Ref: 3, Code: Work, Value: 5},
		{Time: 45, Kind: tracer.Idle, PE: 0, Peer: -1, Code: NoWork},
		{Time: 65, Kind: tracer.Overhead, PE: 1, Peer: -1},
		{Time: 75, Kind: tracer.Idle, PE: 1, Peer: -1, Code: NoWork},
		{Time: 80, Kind: tracer.Resume, PE: 1, Peer: 0, Task: 4, Ref: 3, Code: Work},
		{Time: 80, Kind: tracer.Busy, PE: 0, Peer: -1, Task: 4},
		{Time: 80, Kind: tracer.Reduce, PE: 0, Peer: 1, Task: 4, Ref: 3, Code: WorkA, Value: 20},
		{Time: 100, Kind: tracer.Exit, PE: 0, Peer: -1},
		{Time: 100, Kind: tracer.Exit, PE: 1, Peer: -1},
	} {
		*s.Slot() = e
	}
	_ = m.Close() // of a trace in memory
	return m
}

// Many returns a run of n steps of ns nanoseconds each on pes PEs. The PEs are always busy, except that PE odd is idle for 1 ns at the end of
// its step.
func Many(n, pes int, ns int64, odd, step int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "many", PEs: pes})
	proc := m.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: "p/0"})
	clause := m.Dict().Add(tracer.Code{Type: tracer.Clause, Name: "p/0", Parent: proc})
	s := m.Stream(tracer.StreamInfo{})
	begin := int64(step+1)*ns - 1
	gap := []tracer.Event{
		{Kind: tracer.Idle, PE: int32(odd), Peer: -1, Time: begin}, {Kind: tracer.Busy, PE: int32(odd), Peer: -1, Time: begin + 1},
	}
	for i := range n {
		pe, k := i%pes, i/pes
		t := int64(k) * ns
		for len(gap) > 0 && gap[0].Time <= t {
			*s.Slot() = gap[0]
			gap = gap[1:]
		}
		if k == 0 {
			*s.Slot() = tracer.Event{Kind: tracer.Busy, PE: int32(pe), Peer: -1, Time: t}
		}
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, PE: int32(pe), Peer: -1, Time: t, Task: uint64(i + 1), Ref: uint64(i+1) / 2, Code: clause, Value: ns - 1}
	}
	*s.Slot() = tracer.Event{Kind: tracer.Exit, PE: 0, Peer: -1, Time: int64((n+pes-1)/pes) * ns}
	_ = m.Close() // of a trace in memory
	return m
}
