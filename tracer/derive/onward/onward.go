// Package onward lets a derivation go on where it stopped when its trace has grown.
package onward

import (
	"sync/atomic"

	"whorl/tracer"
	"whorl/tracer/store"
)

// A State is what a derived value keeps for the one that follows it: something that changes while it is used, and that can therefore be
// taken once.
type State[T any] struct {
	end  store.Mark
	held atomic.Pointer[T]
}

// Keep holds held, which has seen all events of a source. It returns nil, and holds nothing, where the source cannot grow.
func Keep[T any](src tracer.Source, held *T) *State[T] {
	end := store.End(src)
	if end == (store.Mark{}) {
		return nil
	}
	s := &State[T]{end: end}
	s.held.Store(held)
	return s
}

// Take returns what is held and the events of a source that it has not seen; nil and the whole source where the source is another one, or
// somebody else has taken it.
func (s *State[T]) Take(src tracer.Source) (held *T, rest tracer.Source) {
	if s == nil {
		return nil, src
	}
	more, ok := store.Since(src, s.end)
	if !ok {
		return nil, src
	}
	if held = s.held.Swap(nil); held == nil {
		return nil, src
	}
	return held, more
}

// Scan reads the events of some kinds and tells tick, which may be nil, how many of them have been read. An error of tick ends the scan and
// is returned.
func Scan(src tracer.Source, kinds tracer.KindSet, tick func(done, total int64) error, f func(e *tracer.Event)) error {
	var done, total int64
	for k, n := range src.Counts() {
		if kinds.Has(tracer.Kind(k)) {
			total += n
		}
	}
	return src.Scan(kinds, func(es []tracer.Event) error {
		for i := range es {
			f(&es[i])
		}
		if done += int64(len(es)); tick != nil {
			return tick(done, total)
		}
		return nil
	})
}
