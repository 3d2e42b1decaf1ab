//go:build unix

package testenv

import (
	"syscall"
	"time"
)

// CPUTime returns the time that all processors have spent on this process. Other processes disturb it less than real time.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
