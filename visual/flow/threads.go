//go:build !js

package flow

// Threads says that a stage may run while the caller does something else.
const Threads = true
