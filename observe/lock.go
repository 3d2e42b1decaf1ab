package observe

import (
	"runtime/trace"
	"sync"

	"whorl/tracer/observed"
)

// A Mutex is a sync.Mutex whose holders are in the trace.
type Mutex struct {
	mu sync.Mutex
	id object
}

// Lock locks m.
func (m *Mutex) Lock() {
	m.mu.Lock()
	if trace.IsEnabled() {
		m.id.write(observed.Lock, observed.Lock, "", 0)
	}
}

// TryLock tries to lock m and reports whether it succeeded.
func (m *Mutex) TryLock() bool {
	ok := m.mu.TryLock()
	if ok && trace.IsEnabled() {
		m.id.write(observed.Lock, observed.Lock, "", 0)
	}
	return ok
}

// Unlock unlocks m.
func (m *Mutex) Unlock() {
	if trace.IsEnabled() {
		m.id.write(observed.Lock, observed.Unlock, "", 0)
	}
	m.mu.Unlock()
}

// An RWMutex is a sync.RWMutex whose readers and writers are in the trace.
type RWMutex struct {
	mu sync.RWMutex
	id object
}

// Lock locks m for writing.
func (m *RWMutex) Lock() {
	m.mu.Lock()
	if trace.IsEnabled() {
		m.id.write(observed.Lock, observed.Lock, "", 0)
	}
}

// TryLock tries to lock m for writing and reports whether it succeeded.
func (m *RWMutex) TryLock() bool {
	ok := m.mu.TryLock()
	if ok && trace.IsEnabled() {
		m.id.write(observed.Lock, observed.Lock, "", 0)
	}
	return ok
}

// Unlock ends writing.
func (m *RWMutex) Unlock() {
	if trace.IsEnabled() {
		m.id.write(observed.Lock, observed.Unlock, "", 0)
	}
	m.mu.Unlock()
}

// RLock locks m for reading.
func (m *RWMutex) RLock() {
	m.mu.RLock()
	if trace.IsEnabled() {
		m.id.write(observed.Lock, observed.RLock, "", 0)
	}
}

// TryRLock tries to lock m for reading and reports whether it succeeded.
func (m *RWMutex) TryRLock() bool {
	ok := m.mu.TryRLock()
	if ok && trace.IsEnabled() {
		m.id.write(observed.Lock, observed.RLock, "", 0)
	}
	return ok
}

// RUnlock ends reading.
func (m *RWMutex) RUnlock() {
	if trace.IsEnabled() {
		m.id.write(observed.Lock, observed.RUnlock, "", 0)
	}
	m.mu.RUnlock()
}

// RLocker returns a Locker that locks m for reading.
func (m *RWMutex) RLocker() sync.Locker { return (*reading)(m) }

type reading RWMutex

func (r *reading) Lock()   { (*RWMutex)(r).RLock() }
func (r *reading) Unlock() { (*RWMutex)(r).RUnlock() }
