package experiment

import (
	"errors"
	"sync"

	"whorl/tracer"
)

// A tee records in two fresh recorders at once.
type tee struct {
	a, b tracer.Recorder
	dict tracer.Dict

	mu      sync.Mutex
	streams []*teeStream
}

type teeStream struct {
	*tracer.Stream
	a, b *tracer.Stream
}

func newTee(a, b tracer.Recorder) *tee {
	t := &tee{a: a, b: b}
	t.dict.Watch(
		func(_ uint32, c tracer.Code) { a.Dict().Add(c); b.Dict().Add(c) },
		func(_ uint32, c tracer.Context) { a.Dict().AddContext(c); b.Dict().AddContext(c) },
	)
	return t
}

func (t *tee) Dict() *tracer.Dict { return &t.dict }

func (t *tee) SetMeta(m tracer.Meta) {
	t.a.SetMeta(m)
	t.b.SetMeta(m)
}

func (t *tee) Stream(info tracer.StreamInfo) *tracer.Stream {
	s := &teeStream{a: t.a.Stream(info), b: t.b.Stream(info)}
	s.Stream = tracer.NewStream(teeSegment(), func(full tracer.Segment) tracer.Segment {
		s.copy(full.Rows)
		return full
	})
	t.mu.Lock()
	defer t.mu.Unlock()
	t.streams = append(t.streams, s)
	return s.Stream
}

func teeSegment() tracer.Segment {
	return tracer.Segment{Rows: make([]tracer.Event, 1024), Fill: new(tracer.Fill)}
}

func (s *teeStream) copy(rows []tracer.Event) {
	for i := range rows {
		*s.a.Slot() = rows[i]
		*s.b.Slot() = rows[i]
	}
	s.a.Sync()
	s.b.Sync()
}

// flush hands on what has been recorded; all writers are at rest.
func (t *tee) flush() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.streams {
		if part := s.Take(teeSegment()); len(part.Rows) > 0 {
			s.copy(part.Rows)
		}
	}
}

func (t *tee) Close() error {
	t.flush()
	return errors.Join(t.a.Close(), t.b.Close())
}
