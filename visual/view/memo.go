package view

import (
	"slices"
	"sync"
)

// A Memo remembers the last answers of a function that every frame calls. Its zero value is empty. Several goroutines may use it at a time.
type Memo[K, V any] struct {
	mu   sync.Mutex
	last []answer[K, V] // the latest first
}

type answer[K, V any] struct {
	key   K
	value V
}

// mostAnswers is enough for the whole run, the shown time, the selection and the hovered thing, and the one hovered before.
const mostAnswers = 5

// Get returns the answer for a key. It calls compute if the answer is not among the last ones.
func (m *Memo[K, V]) Get(key K, same func(a, b K) bool, compute func() V) V {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := answer[K, V]{key: key}
	if k := slices.IndexFunc(m.last, func(a answer[K, V]) bool { return same(a.key, key) }); k >= 0 {
		a = m.last[k]
		m.last = slices.Delete(m.last, k, k+1)
	} else {
		a.value = compute()
	}
	m.last = slices.Insert(m.last[:min(len(m.last), mostAnswers-1)], 0, a)
	return a.value
}
