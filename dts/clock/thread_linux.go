package clock

import "golang.org/x/sys/unix"

// threadTime returns the processor time of the current thread of the operating system, in ns; false if it is unknown.
func threadTime() (used int64, ok bool) {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return 0, false
	}
	return t.Nano(), true
}
