package totals

// A table holds a number for each task id. Ids are dense in most traces, so it is an array. Ids far beyond the number of tasks so far, such as ids
// with a prefix or damaged ids, are in a map to bound the array.
type table struct {
	dense  []int64 // value + 1, 0 for an unknown task
	sparse map[uint64]int64
	known  uint64
}

// get returns the value of a task, 0 for none.
func (t *table) get(id uint64) int64 {
	if id < uint64(len(t.dense)) && t.dense[id] > 0 {
		return t.dense[id] - 1
	}
	if v := t.sparse[id]; v > 0 {
		return v - 1
	}
	return 0
}

// raise sets the value of a task to at least v. It returns 1 if the task is new, otherwise 0.
func (t *table) raise(id uint64, v int64) int64 {
	v = max(v, 0) + 1
	if _, ok := t.sparse[id]; ok {
		t.sparse[id] = max(t.sparse[id], v)
		return 0
	}
	if id >= uint64(len(t.dense)) {
		if id > 16*t.known+4096 {
			if t.sparse == nil {
				t.sparse = map[uint64]int64{}
			}
			t.sparse[id] = v
			t.known++
			return 1
		}
		more := max(id+1, uint64(len(t.dense))*5/4) - uint64(len(t.dense))
		t.dense = append(t.dense, make([]int64, more)...)
	}
	if t.dense[id] > 0 {
		t.dense[id] = max(t.dense[id], v)
		return 0
	}
	t.dense[id] = v
	t.known++
	return 1
}
