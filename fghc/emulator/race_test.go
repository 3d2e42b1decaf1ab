//go:build race

package emulator

// raced says that the race detector is on, which is slow: what it cannot find anything in is left out.
const raced = true
