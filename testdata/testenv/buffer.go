package testenv

import (
	"strings"
	"sync"
)

// A Buffer collects what goroutines or processes write, and can be read while they write.
type Buffer struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write appends p.
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// String returns all text until now.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
