//go:build !js

package flow

// Threads reports whether stages can run concurrently with the caller.
const Threads = true
