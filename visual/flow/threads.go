//go:build !js

package flow

// threads says that a stage may run while the caller does something else.
const threads = true
