//go:build go1.23

package programs

import "iter"

// coroutines pulls values from an iterator.
func coroutines() {
	next, stop := iter.Pull(func(yield func(int) bool) {
		for i := range 20 {
			if spin(2, 12); !yield(i) {
				return
			}
		}
	})
	defer stop()
	for range 10 {
		next()
	}
}
