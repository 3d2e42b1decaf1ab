// Package clock measures the time of live runs: a clock for the events of a trace that is faster to read than the
// monotonic one, and a meter of the time that a goroutine had no core.
package clock
