//go:build !linux

package memory

import "runtime"

// Machine returns the memory of the machine in bytes. It returns 0 on systems where it cannot tell. A WebAssembly program can address 4 GiB.
func Machine() int64 {
	if runtime.GOARCH == "wasm" {
		return 4 << 30
	}
	return 0
}
