//go:build !js

package wasm

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"whorl/internal/mapped"
)

const (
	pageSize    = 1 << 16
	memoryPages = 1<<16 - 1 // 4 GiB less a page, the largest size that wazero can report
	mostTaken   = 1 << 28
)

// A Memory holds the blocks and the generated code of a run. Code runs natively, by wazero. Several goroutines may use a memory.
type Memory struct {
	spans   *spans
	taken   atomic.Int64 // bytes of blocks since the last collection that were not freed
	mu      sync.Mutex
	runtime wazero.Runtime // nil before the first code is loaded
}

// NewMemory returns a memory of almost 4 GiB, which takes no more than its blocks. It fails on systems that cannot reserve it, and on processors for which
// wazero has no compiler.
func NewMemory() (*Memory, error) {
	if !compiles() {
		return nil, fmt.Errorf("wazero does not compile for %s on %s", runtime.GOARCH, runtime.GOOS)
	}
	bytes, release, err := mapped.Reserve(memoryPages * pageSize)
	if err != nil {
		return nil, err
	}
	m := &Memory{spans: newSpans(bytes)}
	// The cleanups of blocks refer to the spans, so the memory stays until all have run. A later one would discard pages that somebody else has there.
	runtime.AddCleanup(m.spans, func(release func()) { release() }, release)
	return m, nil
}

func compiles() bool {
	switch runtime.GOARCH {
	case "amd64", "arm64":
	default:
		return false
	}
	switch runtime.GOOS {
	case "linux", "darwin", "freebsd", "netbsd", "windows":
		return true
	}
	return false
}

// reserved is the memory of a run as wazero sees it.
type reserved []byte

func (r reserved) Allocate(_, _ uint64) experimental.LinearMemory { return r }
func (r reserved) Reallocate(size uint64) []byte                  { return r[:size] }
func (r reserved) Free()                                          {}

// start makes the runtime before the first code is loaded.
func (m *Memory) start() error {
	ctx := experimental.WithMemoryAllocator(context.Background(), reserved(m.spans.bytes))
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler())
	if _, err := r.InstantiateWithConfig(ctx, exporter(memoryPages), wazero.NewModuleConfig().WithName(memoryModule)); err != nil {
		r.Close(ctx)
		return err
	}
	m.runtime = r
	return nil
}

// Close frees the generated code. Blocks stay.
func (m *Memory) Close() {
	if m.runtime != nil {
		m.runtime.Close(context.Background())
		m.runtime = nil
	}
}

// Alloc returns a block of n elements of a size in bytes, all 0, or nil if the memory has no room.
func (m *Memory) Alloc(n, size int) *Block {
	if n < 0 || n > memoryPages*pageSize/size {
		return nil
	}
	if m.taken.Add(int64(n*size)) > mostTaken {
		m.taken.Store(0)
		runtime.GC() // the collector does not see how large blocks are
	}
	bytes := m.spans.allocate(n * size)
	if bytes == nil {
		runtime.GC()
		if bytes = m.spans.allocate(n * size); bytes == nil {
			return nil
		}
	}
	b := &Block{bytes: bytes, size: size, owner: m}
	b.cleanup = runtime.AddCleanup(b, func(f freed) { f.spans.free(f.bytes) }, freed{m.spans, bytes})
	return b
}

// Free frees a block that nothing refers to any more.
func (b *Block) Free() {
	if b == nil || b.bytes == nil { // an array elsewhere
		return
	}
	b.owner.taken.Add(-int64(len(b.bytes)))
	b.cleanup.Stop()
	b.owner.spans.free(b.bytes)
	b.bytes = nil
}

func (m *Memory) address(bytes []byte) uint32 {
	if cap(bytes) == 0 {
		return 0
	}
	return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(bytes))) - uintptr(unsafe.Pointer(&m.spans.bytes[0])))
}

// A Code is generated code that a goroutine can run.
type Code struct {
	module api.Module
	run    api.Function
	stack  [1]uint64
}

// load compiles a module.
func (m *Memory) load(module []byte) (*Code, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.runtime == nil {
		if err := m.start(); err != nil {
			return nil, err
		}
	}
	ctx := context.Background()
	compiled, err := m.runtime.CompileModule(ctx, module)
	if err != nil {
		return nil, err
	}
	i, err := m.runtime.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, err
	}
	return (&Code{module: i}).again(), nil
}

// again returns the same code for another goroutine.
func (c *Code) again() *Code {
	return &Code{module: c.module, run: c.module.ExportedFunction(functionName)}
}

// call runs the code with the address of its frame, and returns its result.
func (c *Code) call(frame uint32) (uint32, error) {
	c.stack[0] = uint64(frame)
	err := c.run.CallWithStack(context.Background(), c.stack[:])
	return uint32(c.stack[0]), err
}
