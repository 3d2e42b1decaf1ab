package dts

import (
	"cmp"
	"slices"
	"unsafe"
)

// Disjoint reports whether two slices share no elements. Programs that whorl dts has rewritten fork calls that work in
// place if it holds.
func Disjoint[E any](a, b []E) bool {
	x, y := extentOf(a), extentOf(b)
	return x.end <= y.begin || y.end <= x.begin
}

// DisjointRows reports whether the written rows share no elements with each other or with the read ones.
func DisjointRows[E any](written [][]E, read ...[]E) bool {
	sorted := make([]extent, 0, len(written))
	for _, row := range written {
		if x := extentOf(row); x.begin < x.end {
			sorted = append(sorted, x)
		}
	}
	if !slices.IsSortedFunc(sorted, extent.compare) {
		slices.SortFunc(sorted, extent.compare)
	}
	for i := 1; i < len(sorted); i++ {
		if sorted[i].begin < sorted[i-1].end {
			return false
		}
	}
	for _, row := range read {
		x := extentOf(row)
		i, _ := slices.BinarySearchFunc(sorted, x, extent.compare) // the first that does not begin before x
		if x.begin < x.end && (i < len(sorted) && sorted[i].begin < x.end || i > 0 && x.begin < sorted[i-1].end) {
			return false
		}
	}
	return true
}

// An extent is the part of the memory that the elements of a slice occupy.
type extent struct{ begin, end uintptr }

func extentOf[E any](s []E) extent {
	var e E
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	return extent{begin, begin + uintptr(len(s))*unsafe.Sizeof(e)}
}

func (x extent) compare(y extent) int { return cmp.Compare(x.begin, y.begin) }
