//go:build race

package testenv

// Race reports whether the race detector is on. It is slow, and finds nothing in code that runs on one goroutine.
const Race = true
