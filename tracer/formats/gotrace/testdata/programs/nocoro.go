//go:build !go1.23

package programs

// coroutines is the work without them: Go 1.22 has none.
func coroutines() { spin(2, 12) }
