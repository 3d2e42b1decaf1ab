package dts

import "golang.org/x/sys/unix"

// threadTime is the processor time that this thread of the operating system has used, in ns; false where it cannot be known.
func threadTime() (used int64, ok bool) {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return 0, false
	}
	return t.Nano(), true
}
