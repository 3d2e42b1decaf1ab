//go:build !unix || aix || solaris || illumos

package store

import (
	"io"
	"os"
)

// mapFile reads the file into memory, because this system cannot map files.
func mapFile(f *os.File, size int64) (data []byte, unmap func() error, err error) {
	data, err = io.ReadAll(io.LimitReader(f, size))
	return data, func() error { return nil }, err
}
