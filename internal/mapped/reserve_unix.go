//go:build unix && !aix && !solaris && !illumos

package mapped

import (
	"fmt"
	"syscall"
)

// Reserve returns size bytes of zeros that take memory only where they are written. release gives them back.
func Reserve(size int) (data []byte, release func(), err error) {
	data, err = syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON|noReserve)
	if err != nil {
		return nil, nil, fmt.Errorf("reserving %d bytes: %w", size, err)
	}
	large(data)
	return data, func() { _ = syscall.Munmap(data) }, nil
}
