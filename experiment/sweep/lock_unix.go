//go:build unix && !aix && !solaris && !illumos

package sweep

import (
	"errors"
	"os"
	"syscall"
)

// lock reports whether no other process has locked the file, and locks it until it is closed. Folders without locks count as free.
func lock(f *os.File) bool {
	return !errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}
