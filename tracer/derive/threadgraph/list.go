package threadgraph

const (
	pageBits = 14
	pageLen  = 1 << pageBits
)

// A list grows without moving its entries.
type list[T any] struct {
	pages [][]T
	n     int32
}

// get returns the entry with a number.
func (l *list[T]) get(i int32) *T { return &l.pages[i>>pageBits][i&(pageLen-1)] }

// add appends an entry and returns its number, -1 if the list is full.
func (l *list[T]) add(v T) int32 {
	if l.n >= most {
		return -1
	}
	if l.n&(pageLen-1) == 0 {
		l.pages = append(l.pages, make([]T, pageLen))
	}
	l.n++
	*l.get(l.n - 1) = v
	return l.n - 1
}
