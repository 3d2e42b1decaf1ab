package tracer

import "sync"

// Memory is a Recorder and a Source that keeps the trace in memory. It may be read before it is closed, as long as no writer records.
type Memory struct {
	dict Dict

	mu      sync.Mutex
	meta    Meta
	streams []*memoryStream
}

// memoryRows is the number of rows in a segment of Memory. It is small because most traces in memory are.
const memoryRows = 512

type memoryStream struct {
	info   StreamInfo
	stream *Stream

	mu   sync.Mutex
	full [][]Event
}

// NewMemory returns an empty trace.
func NewMemory() *Memory { return &Memory{} }

// Dict returns the trace's dictionary.
func (m *Memory) Dict() *Dict { return &m.dict }

// SetMeta sets the metadata.
func (m *Memory) SetMeta(meta Meta) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.meta = meta
}

// Meta returns the metadata.
func (m *Memory) Meta() Meta {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.meta
}

// Stream begins a stream.
func (m *Memory) Stream(info StreamInfo) *Stream {
	s := &memoryStream{info: info}
	first := Segment{Rows: make([]Event, memoryRows), Fill: new(Fill)}
	s.stream = NewStream(first, func(full Segment) Segment {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.full = append(s.full, append([]Event(nil), full.Rows...))
		return full
	})
	m.mu.Lock()
	defer m.mu.Unlock()
	m.streams = append(m.streams, s)
	return s.stream
}

// Close syncs all streams. The trace can still be read.
func (m *Memory) Close() error {
	for _, s := range m.all() {
		s.stream.Sync()
	}
	return nil
}

// Streams describes each stream.
func (m *Memory) Streams() []StreamInfo {
	all := m.all()
	infos := make([]StreamInfo, len(all))
	for i, s := range all {
		infos[i] = s.info
	}
	return infos
}

// Counts returns the number of events of each known kind.
func (m *Memory) Counts() [NumKinds]int64 {
	var counts [NumKinds]int64
	for _, s := range m.all() {
		for _, es := range s.parts() {
			for i := range es {
				if k := es[i].Kind; k < NumKinds {
					counts[k]++
				}
			}
		}
	}
	return counts
}

// Span returns the times of the first and the last event, 0 and 0 without events.
func (m *Memory) Span() (from, to int64) {
	found := false
	for _, s := range m.all() {
		for _, es := range s.parts() {
			for i := range es {
				t := es[i].Time + s.info.Offset
				if !found {
					from, to, found = t, t, true
				}
				from, to = min(from, t), max(to, t)
			}
		}
	}
	return from, to
}

// Scan implements Source.
func (m *Memory) Scan(want KindSet, f func([]Event) error) error { return ScanRun(m, want, f) }

// ScanStreams implements StreamSource.
func (m *Memory) ScanStreams(want KindSet, f func(stream int, es []Event) error) error {
	counts := m.Counts()
	var inputs []MergeInput
	for _, s := range m.all() {
		parts := s.parts()
		next := func() ([]Event, error) {
			if len(parts) == 0 {
				return nil, nil
			}
			es := parts[0]
			parts = parts[1:]
			return es, nil
		}
		inputs = append(inputs, MergeInput{Next: next, Offset: s.info.Offset})
	}
	return Merge(inputs, counts[Fork]+counts[Reduce] > 0, want, f)
}

func (m *Memory) all() []*memoryStream {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.streams[:len(m.streams):len(m.streams)]
}

// parts returns the events of the stream in order, without empty parts.
func (s *memoryStream) parts() [][]Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	parts := s.full[:len(s.full):len(s.full)]
	if open := s.stream.Filled(); len(open) > 0 {
		parts = append(parts, open)
	}
	return parts
}
