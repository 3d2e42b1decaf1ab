package spawntree

// An index finds records by their tasks. Tasks are dense by design, so most stand in pages, in order; a task far beyond the number of
// records, as a cluster's prefixes or a damaged file give, stands in a map, so that no task can make the list of pages long.
type index struct {
	pages  [][]int32 // record + 1; nil for a page of which no task has one
	sparse map[uint64]int32
	count  uint64
}

// room is how many times more pages there may be than the records would fill.
const room = 4

func (x *index) get(task uint64) (rec int32, ok bool) {
	if page := task >> pageBits; page < uint64(len(x.pages)) && x.pages[page] != nil {
		if r := x.pages[page][task&(pageLen-1)]; r != 0 {
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
	page := task >> pageBits
	if page >= uint64(len(x.pages)) {
		if page > room*(x.count>>pageBits+1) {
			if x.sparse == nil {
				x.sparse = map[uint64]int32{}
			}
			x.sparse[task] = rec
			return
		}
		x.pages = append(x.pages, make([][]int32, page+1-uint64(len(x.pages)))...)
	}
	if x.pages[page] == nil {
		x.pages[page] = make([]int32, pageLen)
	}
	x.pages[page][task&(pageLen-1)] = rec + 1
}
