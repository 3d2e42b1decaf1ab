// Package chunks holds lists that grow without copying their entries, so that they never take twice their memory and entries keep their addresses.
package chunks

// size is the number of entries that are allocated together.
const size = 1 << 12

// A List is a list of entries. The zero List is empty.
type List[T any] struct {
	chunks [][]T
	n      int
}

// Len returns the number of entries.
func (l *List[T]) Len() int { return l.n }

// Add adds an entry.
func (l *List[T]) Add(x T) {
	if l.n == len(l.chunks)*size {
		l.chunks = append(l.chunks, make([]T, size))
	}
	l.chunks[l.n/size][l.n%size] = x
	l.n++
}

// Entry returns the entry with a number.
func (l *List[T]) Entry(i uint32) *T { return &l.chunks[i/size][i%size] }

// Cut removes the entries from n on.
func (l *List[T]) Cut(n int) { l.n = min(l.n, n) }
