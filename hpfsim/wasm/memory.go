package wasm

import (
	"runtime"
	"unsafe"
)

// A Block is elements of one size in the memory of generated code. Its bytes are used again when it is freed, or nothing refers to it.
type Block struct {
	bytes   []byte
	size    int // bytes of an element
	owner   *Memory
	cleanup runtime.Cleanup
}

// Slice returns the elements of a block. They have the size of T.
func Slice[T int32 | int64 | float32 | float64](b *Block) []T {
	if len(b.bytes) == 0 {
		return []T{}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b.bytes[0])), len(b.bytes)/b.size)
}

// Address returns the address of element k of a block in generated code.
func (b *Block) Address(k int) uint32 { return b.owner.address(b.bytes) + uint32(k*b.size) }

const wordSize = 8
