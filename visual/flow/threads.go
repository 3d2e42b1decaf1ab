//go:build !js

package flow

// Threads reports whether a stage may run while the caller does something else.
const Threads = true
