package pprof

// An index maps the ids of a table to positions. Most profiles number ids from 1; some use addresses.
type index struct {
	dense  []int32 // counted from 1
	sparse map[uint64]int32
}

// position returns the position of an id, and whether the table has it.
func (x *index) position(id uint64) (int32, bool) {
	if id < uint64(len(x.dense)) {
		n := x.dense[id]
		return n - 1, n > 0
	}
	n, ok := x.sparse[id]
	return n, ok
}

// add enters an id with its position. It reports false for the id 0 and for a duplicate.
func (x *index) add(id uint64, number int) bool {
	if _, ok := x.position(id); ok || id == 0 {
		return false
	}
	switch n := uint64(len(x.dense)); {
	case id < n:
		x.dense[id] = int32(number) + 1
	case id <= n+64 && len(x.sparse) == 0:
		for uint64(len(x.dense)) < id {
			x.dense = append(x.dense, 0)
		}
		x.dense = append(x.dense, int32(number)+1)
	default:
		if x.sparse == nil {
			x.sparse = map[uint64]int32{}
		}
		x.sparse[id] = int32(number)
	}
	return true
}

func (x *index) reset() { x.dense, x.sparse = x.dense[:0], nil }
