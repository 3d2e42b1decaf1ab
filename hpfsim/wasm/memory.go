package wasm

import (
	"runtime"
	"unsafe"
)

// A Block is elements of 8 bytes in the memory of generated code. Its bytes are used again when it is freed, or nothing refers to it.
type Block struct {
	bytes   []byte
	owner   *Memory
	cleanup runtime.Cleanup
}

// Slice returns the elements of a block.
func Slice[T int64 | float64](b *Block) []T {
	if len(b.bytes) == 0 {
		return []T{}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b.bytes[0])), len(b.bytes)/elementSize)
}

// Address returns the address of element k of a block in generated code.
func (b *Block) Address(k int) uint32 { return b.owner.address(b.bytes) + uint32(k*elementSize) }

const elementSize = 8
