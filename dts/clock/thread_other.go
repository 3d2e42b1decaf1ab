//go:build !linux

package clock

// threadTime is unknown on this system.
func threadTime() (used int64, ok bool) { return 0, false }
