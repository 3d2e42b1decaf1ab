package spawntree

// An index finds records by their tasks. Tasks are dense by design, so most stand in an array; a task far beyond the number of records,
// as a cluster's prefixes or a damaged file give, stands in a map, so that no task can make the array large.
type index struct {
	dense  []int32 // record + 1
	sparse map[uint64]int32
	count  uint64
}

// room is how much longer than the number of records the array may be.
const room = 4

func (x *index) get(task uint64) (rec int32, ok bool) {
	if task < uint64(len(x.dense)) {
		if r := x.dense[task]; r != 0 {
			return r - 1, true
		}
	}
	if x.sparse != nil {
		rec, ok = x.sparse[task]
	}
	return rec, ok
}

func (x *index) put(task uint64, rec int32) {
	x.count++
	if task >= uint64(len(x.dense)) {
		if task > room*x.count+1<<16 {
			if x.sparse == nil {
				x.sparse = map[uint64]int32{}
			}
			x.sparse[task] = rec
			return
		}
		x.dense = append(x.dense, make([]int32, max(task+1, uint64(cap(x.dense)))-uint64(len(x.dense)))...)
	}
	x.dense[task] = rec + 1
}
