package callingcontext

// Only returns the tree of some of the processes: the same nodes, with the values of these processes. keep is by process; processes beyond its
// end are omitted. The kept processes are renumbered in order.
func (t *Tree) Only(keep []bool) *Tree {
	s := &Tree{
		Metrics: t.Metrics, Code: t.Code, Parent: t.Parent, End: t.End, Dropped: t.Dropped,
		Start: make([]int, len(t.Start)), Exclusive: make([][]int64, len(t.Metrics)), Inclusive: make([][]int64, len(t.Metrics)),
	}
	number := make([]int32, len(t.Processes))
	for p := range t.Processes {
		number[p] = -1
		if p < len(keep) && keep[p] {
			number[p] = int32(len(s.Processes))
			s.Processes = append(s.Processes, t.Processes[p])
		}
	}
	var kept []int
	for v := range t.Code {
		s.Start[v] = len(kept)
		for i := t.Start[v]; i < t.Start[v+1]; i++ {
			if n := number[t.Process[i]]; n >= 0 {
				kept = append(kept, i)
				s.Process = append(s.Process, n)
			}
		}
	}
	s.Start[len(t.Code)] = len(kept)
	pick := func(all []int64) []int64 {
		some := make([]int64, len(kept))
		for k, i := range kept {
			some[k] = all[i]
		}
		return some
	}
	for m := range t.Metrics {
		s.Exclusive[m], s.Inclusive[m] = pick(t.Exclusive[m]), pick(t.Inclusive[m])
	}
	return s
}
