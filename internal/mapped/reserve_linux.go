package mapped

import "syscall"

const noReserve = syscall.MAP_NORESERVE

// large asks the system for large pages, so that the memory takes fewer page faults.
func large(data []byte) {
	_ = syscall.Madvise(data, syscall.MADV_HUGEPAGE) // without them, the memory is slower to begin with
}
