package mapped

import (
	"os"
	"syscall"
)

// Release returns the memory of mapped bytes to the system, which reads them again from its cache when needed.
func Release(data []byte, from, to int64) {
	page := int64(os.Getpagesize())
	if from = (from + page - 1) / page * page; from < to/page*page {
		_ = syscall.Madvise(data[from:to/page*page], syscall.MADV_DONTNEED) // on error the memory stays
	}
}
