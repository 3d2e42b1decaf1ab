package wasm

import (
	"errors"
	"syscall/js"
	"unsafe"
)

// A Memory holds the blocks and the generated code of a run. Blocks lie in the memory of this program, which generated code shares. Code runs in the engine of
// the browser.
type Memory struct{ shared js.Value }

// NewMemory returns a memory. It fails where the page does not share the memory of this program.
func NewMemory() (*Memory, error) {
	shared := js.Global().Get("programMemory")
	if shared.IsUndefined() {
		return nil, errors.New("the page does not share the memory of the program")
	}
	return &Memory{shared}, nil
}

// Close does nothing: code is freed with the memory.
func (m *Memory) Close() {}

// Alloc returns a block of n elements of a size in bytes, all 0, or nil if n is negative or does not fit into an address space.
func (m *Memory) Alloc(n, size int) *Block {
	if n < 0 || n > 1<<31/size {
		return nil
	}
	words := make([]int64, max((n*size+wordSize-1)/wordSize, 1))
	return &Block{bytes: unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n*size), size: size, owner: m}
}

// Free does nothing: the collector frees blocks.
func (b *Block) Free() {}

func (m *Memory) address(bytes []byte) uint32 {
	return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(bytes))))
}

// A Code is generated code that can be run.
type Code struct{ run js.Value }

// load compiles a module.
func (m *Memory) load(module []byte) (c *Code, err error) {
	defer func() {
		if r := recover(); r != nil { // the browser has thrown an exception
			err = errors.New("the browser does not compile the code")
		}
	}()
	bytes := js.Global().Get("Uint8Array").New(len(module))
	js.CopyBytesToJS(bytes, module)
	compiled := js.Global().Get("WebAssembly").Get("Module").New(bytes)
	imports := map[string]any{memoryModule: map[string]any{memoryName: m.shared}}
	return &Code{js.Global().Get("WebAssembly").Get("Instance").New(compiled, imports).Get("exports").Get(functionName)}, nil
}

// again returns the same code.
func (c *Code) again() *Code { return c }

// call runs the code with the address of its frame, and returns its result. It fails if the stack of the browser has no room for the calls.
func (c *Code) call(frame uint32) (result uint32, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("the browser has stopped the code")
		}
	}()
	return uint32(c.run.Invoke(frame).Int()), nil
}
