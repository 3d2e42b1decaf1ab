//go:build !js

package wasm

import (
	"runtime"
	"testing"

	"whorl/testdata/must"
)

// TestMemoryAfterMemory: all blocks of a memory that is collected are freed before the memory is. A later block would discard pages of the next memory,
// which the system often puts at the same address.
func TestMemoryAfterMemory(t *testing.T) {
	const page = 4096
	full := func() (blocks []*Block) {
		m := must.Get(NewMemory())(t)
		for range 200 {
			b := m.Alloc(1, longDiscard)
			for i := 0; i < len(b.bytes); i += page {
				b.bytes[i] = 1
			}
			blocks = append(blocks, b)
		}
		return blocks
	}
	for k := range 50 {
		full()
		runtime.GC() // the cleanups of the memory before run during what follows
		blocks := full()
		for range 100 {
			runtime.Gosched()
		}
		for _, b := range blocks {
			for i := 0; i < len(b.bytes); i += page {
				if b.bytes[i] != 1 {
					t.Fatalf("memory %d: a byte is %d after it was set to 1", k, b.bytes[i])
				}
			}
		}
	}
}
