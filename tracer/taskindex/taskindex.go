// Package taskindex maps tasks to values, for derivations and writers that keep something for each task.
package taskindex

const (
	pageBits = 14
	pageLen  = 1 << pageBits
)

// A Table holds a value for each task; the zero value stands for none. Task ids are dense, so most tasks are in pages, in order. A task far beyond
// the number of values, as in a cluster, whose hosts use prefixes, or in a damaged file, is in a map, so that it does not make the list of pages
// long. The zero Table is empty and ready to use.
type Table[V comparable] struct {
	pages  [][]V // nil for a page without tasks
	sparse map[uint64]*V
	count  uint64
}

// room is the largest ratio of pages to the pages that the values would fill.
const room = 4

// Find returns the place of a task's value, nil for none. Places do not move.
func (x *Table[V]) Find(task uint64) *V {
	if v := x.paged(task); v != nil {
		return v
	}
	if x.sparse != nil {
		return x.sparse[task]
	}
	return nil
}

// paged returns the place of a task's value in a page, nil for none.
func (x *Table[V]) paged(task uint64) *V {
	var none V
	if page := task >> pageBits; page < uint64(len(x.pages)) && x.pages[page] != nil {
		if v := &x.pages[page][task&(pageLen-1)]; *v != none {
			return v
		}
	}
	return nil
}

// Get returns the value of a task, the zero value for none.
func (x *Table[V]) Get(task uint64) (v V) {
	if found := x.Find(task); found != nil {
		v = *found
	}
	return v
}

// Put sets the value of a task. v is not the zero value.
func (x *Table[V]) Put(task uint64, v V) { *x.Place(task) = v }

// Place returns the place of a task's value. If the task has none, the place holds the zero value, and the caller must store another one.
func (x *Table[V]) Place(task uint64) *V {
	if v := x.paged(task); v != nil {
		return v
	}
	if x.sparse != nil {
		if v := x.sparse[task]; v != nil {
			return v
		}
	}
	page := task >> pageBits
	if page >= uint64(len(x.pages)) {
		if page > room*((x.count+1)>>pageBits+1) {
			if x.sparse == nil {
				x.sparse = map[uint64]*V{}
			}
			v := new(V)
			x.sparse[task] = v
			x.count++
			return v
		}
		x.pages = append(x.pages, make([][]V, page+1-uint64(len(x.pages)))...)
	}
	if x.pages[page] == nil {
		x.pages[page] = make([]V, pageLen)
		clear(x.pages[page]) // by a write: the system would give fresh memory that is read first twice, for the read and for the first write
	}
	slot := &x.pages[page][task&(pageLen-1)]
	var none V
	if *slot == none {
		x.count++
	}
	return slot
}

// Clear removes all values and keeps their memory for others.
func (x *Table[V]) Clear() {
	for _, page := range x.pages {
		clear(page)
	}
	x.sparse, x.count = nil, 0
}

// An Index numbers tasks. The zero Index is empty and ready to use.
type Index struct{ table Table[int32] } // of the numbers + 1

// Get returns the number of a task.
func (x *Index) Get(task uint64) (n int32, ok bool) {
	n = x.table.Get(task)
	return n - 1, n != 0
}

// Put sets the number n >= 0 of a task without a number.
func (x *Index) Put(task uint64, n int32) { x.table.Put(task, n+1) }

// Expect announces that n tasks have numbers elsewhere, so that the tasks after them do not count as far.
func (x *Index) Expect(n int) { x.table.count = uint64(n) }

// Each calls f for each number in the order of tasks and returns true. If some tasks are in the map, Each returns false without calling f.
func (x *Index) Each(f func(n int32)) bool {
	if x.table.sparse != nil {
		return false
	}
	for _, page := range x.table.pages {
		for _, n := range page {
			if n != 0 {
				f(n - 1)
			}
		}
	}
	return true
}
