package mapped

import "syscall"

const noReserve = syscall.MAP_NORESERVE

// large asks for large pages, of which each takes one fault.
func large(data []byte) {
	_ = syscall.Madvise(data, syscall.MADV_HUGEPAGE) // without them, the memory is slower to begin with
}
