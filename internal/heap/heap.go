// Package heap orders slices as binary heaps, for merges: the first element comes before all others. The standard library's container/heap calls an
// interface for each comparison and swap.
package heap

// Make orders h as a heap. The function before reports whether a comes before b.
func Make[T any](h []T, before func(a, b *T) bool) {
	for i := len(h)/2 - 1; i >= 0; i-- {
		Down(h, i, before)
	}
}

// Down moves element i of a heap to its place after its value has grown.
func Down[T any](h []T, i int, before func(a, b *T) bool) {
	for {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && before(&h[child+1], &h[child]) {
			child++
		}
		if !before(&h[child], &h[i]) {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}

// RemoveFirst removes the first element of a heap and returns the rest. The slot behind it is zero.
func RemoveFirst[T any](h []T, before func(a, b *T) bool) []T {
	var zero T
	last := len(h) - 1
	h[0], h[last] = h[last], zero
	Down(h[:last], 0, before)
	return h[:last]
}

// Add adds an element to a heap and returns it.
func Add[T any](h []T, x T, before func(a, b *T) bool) []T {
	h = append(h, x)
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !before(&h[i], &h[up]) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
	return h
}
