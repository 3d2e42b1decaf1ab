//go:build unix && !aix && !solaris && !illumos

package mapped

import (
	"fmt"
	"math"
	"os"
	"syscall"
)

// File maps a file of size bytes into memory. unmap ends the mapping.
func File(f *os.File, size int64) (data []byte, unmap func() error, err error) {
	if size > math.MaxInt {
		return nil, nil, fmt.Errorf("the file has %d bytes, more than this system can map", size)
	}
	data, err = syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, fmt.Errorf("mapping: %w", err)
	}
	return data, func() error { return syscall.Munmap(data) }, nil
}
