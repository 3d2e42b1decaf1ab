package store

import (
	"os"
	"syscall"
)

// release gives the memory of mapped bytes back to the system, which reads them again from its cache when they are needed.
func release(data []byte, from, to int64) {
	page := int64(os.Getpagesize())
	if from = (from + page - 1) / page * page; from < to/page*page {
		_ = syscall.Madvise(data[from:to/page*page], syscall.MADV_DONTNEED) // on error the memory stays
	}
}
