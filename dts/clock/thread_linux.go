package clock

import (
	"syscall"
	"unsafe"
)

// threadClock is the clock CLOCK_THREAD_CPUTIME_ID of clock_gettime(2). Programs that whorl build makes need no other module for it.
const threadClock = 3

// threadTime returns the processor time of the current thread of the operating system, in ns; false if it is unknown.
func threadTime() (used int64, ok bool) {
	var t syscall.Timespec
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano(), errno == 0
}
