// Package testenv holds what the tests and benchmarks of several packages share: whether the race detector is on, the
// processor time, and a recorder that stores nothing.
package testenv
