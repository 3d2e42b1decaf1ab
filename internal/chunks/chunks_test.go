package chunks

import "testing"

// TestList adds, cuts and adds again. Entries keep their addresses.
func TestList(t *testing.T) {
	var l List[int]
	l.Add(0)
	first := l.Entry(0)
	for i := 1; i < 3*size; i++ {
		l.Add(i)
	}
	l.Cut(size + 1)
	l.Cut(2 * size)
	l.Add(-1)
	if l.Len() != size+2 || l.Entry(0) != first || *l.Entry(size) != size || *l.Entry(size + 1) != -1 {
		t.Errorf("%d entries: %d, %d, %d", l.Len(), *l.Entry(0), *l.Entry(size), *l.Entry(size + 1))
	}
}
