//go:build !unix || aix || solaris || illumos

package mapped

import (
	"io"
	"os"
)

// File reads a file of size bytes into memory, because this system cannot map files.
func File(f *os.File, size int64) (data []byte, unmap func() error, err error) {
	data, err = io.ReadAll(io.LimitReader(f, size))
	return data, func() error { return nil }, err
}
