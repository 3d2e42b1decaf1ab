package store

import (
	"os"
	"syscall"
)

// release returns the memory of mapped bytes to the system, which reads them again from its cache when needed.
func release(data []byte, from, to int64) {
	page := int64(os.Getpagesize())
	if from = (from + page - 1) / page * page; from < to/page*page {
		_ = syscall.Madvise(data[from:to/page*page], syscall.MADV_DONTNEED) // on error the memory stays
	}
}
