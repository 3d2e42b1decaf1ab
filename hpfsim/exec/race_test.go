//go:build race

package exec

// raced says that the race detector is on, which is slow, and finds nothing where all is done by one goroutine.
const raced = true
