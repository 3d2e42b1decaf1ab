// Package taskindex maps tasks to numbers, for derivations that keep a record for each task.
package taskindex

const (
	pageBits = 14
	pageLen  = 1 << pageBits
)

// An Index holds a number for each task. Task ids are dense, so most tasks are in pages, in order. A task far beyond the number of records, as in
// a cluster, whose hosts use prefixes, or in a damaged file, is in a map, so that it does not make the list of pages long. The zero Index is empty
// and ready to use.
type Index struct {
	pages  [][]int32 // number + 1; nil for a page without tasks
	sparse map[uint64]int32
	count  uint64
}

// room is the largest ratio of pages to the pages that the records would fill.
const room = 4

// Get returns the number of a task.
func (x *Index) Get(task uint64) (n int32, ok bool) {
	if page := task >> pageBits; page < uint64(len(x.pages)) && x.pages[page] != nil {
		if r := x.pages[page][task&(pageLen-1)]; r != 0 {
			return r - 1, true
		}
	}
	if x.sparse != nil {
		n, ok = x.sparse[task]
	}
	return n, ok
}

// Put sets the number n >= 0 of a task without a number.
func (x *Index) Put(task uint64, n int32) {
	x.count++
	page := task >> pageBits
	if page >= uint64(len(x.pages)) {
		if page > room*(x.count>>pageBits+1) {
			if x.sparse == nil {
				x.sparse = map[uint64]int32{}
			}
			x.sparse[task] = n
			return
		}
		x.pages = append(x.pages, make([][]int32, page+1-uint64(len(x.pages)))...)
	}
	if x.pages[page] == nil {
		x.pages[page] = make([]int32, pageLen)
	}
	x.pages[page][task&(pageLen-1)] = n + 1
}

// Expect announces that n tasks have numbers elsewhere, so that the tasks after them do not count as far.
func (x *Index) Expect(n int) { x.count = uint64(n) }

// Each calls f for each number in the order of tasks and returns true. If some tasks are in the map, Each returns false without calling f.
func (x *Index) Each(f func(n int32)) bool {
	if x.sparse != nil {
		return false
	}
	for _, page := range x.pages {
		for _, r := range page {
			if r != 0 {
				f(r - 1)
			}
		}
	}
	return true
}
