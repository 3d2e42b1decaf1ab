package wasm

import (
	"sort"
	"sync"
	"unsafe"

	"whorl/internal/mapped"
)

// Spans allocate parts of reserved memory: the first free span that is long enough. Several goroutines may use them.
type spans struct {
	mu    sync.Mutex
	bytes []byte
	spare []span // in the order of their addresses, none adjacent to the next
}

// A span is free bytes.
type span struct {
	from, to int
	clean    bool // never used, so all 0
}

// A freed is bytes to free.
type freed struct {
	spans *spans
	bytes []byte
}

const (
	alignment   = 16
	longDiscard = 1 << 18 // bytes that are given back to the system
)

func newSpans(bytes []byte) *spans {
	return &spans{bytes: bytes, spare: []span{{alignment, len(bytes) / alignment * alignment, true}}}
}

// allocate returns n bytes, all 0, or nil.
func (s *spans) allocate(n int) []byte {
	size := max((n+alignment-1)/alignment, 1) * alignment
	s.mu.Lock()
	k := 0
	for k < len(s.spare) && s.spare[k].to-s.spare[k].from < size {
		k++
	}
	if k == len(s.spare) {
		s.mu.Unlock()
		return nil
	}
	x := &s.spare[k]
	from, clean := x.from, x.clean
	if x.from += size; x.from == x.to {
		s.spare = append(s.spare[:k], s.spare[k+1:]...)
	}
	s.mu.Unlock()
	out := s.bytes[from : from+n : from+size]
	if !clean {
		clear(out)
	}
	return out
}

// free returns bytes to the free spans.
func (s *spans) free(bytes []byte) {
	if cap(bytes) == 0 {
		return
	}
	bytes = bytes[:cap(bytes)]
	from := int(uintptr(unsafe.Pointer(&bytes[0])) - uintptr(unsafe.Pointer(&s.bytes[0])))
	x := span{from: from, to: from + len(bytes)}
	if len(bytes) >= longDiscard {
		mapped.Release(s.bytes, int64(x.from), int64(x.to)) // whole pages only, so the span is not clean
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k := sort.Search(len(s.spare), func(k int) bool { return s.spare[k].from > from })
	if k > 0 && s.spare[k-1].to == x.from && !s.spare[k-1].clean {
		x.from = s.spare[k-1].from
		k--
		s.spare = append(s.spare[:k], s.spare[k+1:]...)
	}
	if k < len(s.spare) && s.spare[k].from == x.to && !s.spare[k].clean {
		s.spare[k].from = x.from
		return
	}
	s.spare = append(s.spare, span{})
	copy(s.spare[k+1:], s.spare[k:])
	s.spare[k] = x
}
