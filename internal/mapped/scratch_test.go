package mapped

import "testing"

// TestScratch: what the memory holds stays when it grows.
func TestScratch(t *testing.T) {
	s, err := NewScratch()
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1, 4096, 3<<20 + 5} {
		b, err := s.Grow(size)
		if err != nil || len(b) != size {
			t.Fatalf("%d bytes, %v; want %d", len(b), err, size)
		}
		if size > 1 && b[0] != 7 || b[size-1] != 0 {
			t.Errorf("%d bytes begin with %d and end with %d", size, b[0], b[size-1])
		}
		b[0] = 7
	}
}
