package kaleidoscope

import "whorl/tracer"

// quickSort is the reduction tree of "?- qsort([2,1,4,5,3],X)" (Figure 8 of the paper): 23 reductions on four PEs. PE 0 runs the root,
// qsort and the first part, PE 2 the larger half and its part, PE 3 the smaller half, and PE 1 one half of the larger.
//
// Each line has task, parent, PE and procedure. Children are in the order of the body.
var quickSort = []struct {
	task, parent uint64
	pe           int32
	proc         string
}{
	{1, 0, 0, "main/1"},
	{2, 1, 0, "qsort/3"},
	{3, 2, 0, "part/4"},
	{4, 2, 3, "qsort/3"}, // of [1]: D
	{5, 2, 2, "qsort/3"}, // of [4,5,3]: E
	{6, 3, 0, "part/4"},
	{7, 4, 3, "part/4"},
	{8, 4, 3, "qsort/3"},
	{9, 4, 3, "qsort/3"},
	{10, 5, 2, "part/4"}, // J
	{11, 5, 2, "qsort/3"},
	{12, 5, 1, "qsort/3"},
	{13, 6, 0, "part/4"},
	{14, 10, 2, "part/4"},
	{15, 11, 2, "part/4"},
	{16, 11, 2, "qsort/3"},
	{17, 11, 2, "qsort/3"},
	{18, 12, 1, "part/4"},
	{19, 12, 1, "qsort/3"},
	{20, 12, 1, "qsort/3"},
	{21, 13, 0, "part/4"},
	{22, 14, 2, "part/4"},
	{23, 21, 0, "part/4"},
}

func quickSortTrace() *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{
		Program: "qsort.fghc", Substrate: "fghc", Mode: "sim", Policy: "on-demand", Network: "bus", Seed: 1, PEs: 4, Goal: "qsort([2,1,4,5,3],X)",
	})
	pe := map[uint64]int32{0: tracer.None}
	s := m.Stream(tracer.StreamInfo{})
	for i, q := range quickSort {
		p := m.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: q.proc})
		c := m.Dict().Add(tracer.Code{Type: tracer.Clause, Parent: p})
		*s.Slot() = tracer.Event{
			Kind: tracer.Reduce, Time: int64(i) * 1000, Task: q.task, Ref: q.parent, PE: q.pe, Peer: pe[q.parent], Code: c, Value: 800,
		}
		pe[q.task] = q.pe
	}
	s.Sync()
	return m
}
