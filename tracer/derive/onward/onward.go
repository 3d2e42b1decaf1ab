// Package onward lets derivations continue from an earlier result when a trace has grown.
package onward

import (
	"sync/atomic"

	"whorl/tracer"
	"whorl/tracer/store"
)

// A State holds the working data of a derived value for its successor. The successor changes the data, so they can be resumed only once.
type State[T any] struct {
	end  store.Mark
	held atomic.Pointer[T]
}

// Keep returns a State with the data held, which cover all events of a source; nil if the source cannot grow.
func Keep[T any](src tracer.Source, held *T) *State[T] {
	end := store.End(src)
	if end == (store.Mark{}) {
		return nil
	}
	s := &State[T]{end: end}
	s.held.Store(held)
	return s
}

// Resume returns the data and the events of a source that they do not cover. It returns nil and the whole source if the source belongs to another
// trace or the data were resumed before.
func (s *State[T]) Resume(src tracer.Source) (held *T, rest tracer.Source) {
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

// Scan reads the events of some kinds. tick, which may be nil, gets the number of events read so far; its error ends the scan.
func Scan(src tracer.Source, kinds tracer.KindSet, tick func(done, total int64) error, f func(e *tracer.Event)) error {
	var done, total int64
	for k, n := range src.Counts() {
		if kinds.Contains(tracer.Kind(k)) {
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
