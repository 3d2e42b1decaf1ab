package threads

import "fmt"

// Numbers returns n different integers in random order.
func Numbers(n int64) []int64 {
	out := make([]int64, n)
	for i, x := range Random(n).Perm(int(n)) {
		out[i] = 7*int64(x) + 3
	}
	return out
}

// Digest returns a short text for a list: its length, the first, the middle and the last element, and a hash of all in order.
func Digest(xs []int64) string {
	if len(xs) == 0 {
		return "none"
	}
	h := uint64(14695981039346656037) // FNV-1a over numbers instead of bytes
	for _, x := range xs {
		h = (h ^ uint64(x)) * 1099511628211
	}
	return fmt.Sprintf("%d from %d over %d to %d, hash %016x", len(xs), xs[0], xs[len(xs)/2], xs[len(xs)-1], h)
}
