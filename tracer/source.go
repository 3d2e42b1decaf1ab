package tracer

// A Recorder takes a trace. Its methods may be called by several goroutines; each stream belongs to one.
type Recorder interface {
	Dict() *Dict
	SetMeta(Meta) // the last one counts; the caller must not change what it gave
	Stream(StreamInfo) *Stream
	Close() error // all writers are at rest; their streams lead nowhere from then on
}

// A Source is a finished or growing trace that can be read.
type Source interface {
	Meta() Meta
	Dict() *Dict
	Counts() [NumKinds]int64 // events of each known kind
	Span() (from, to int64)  // times of the first and the last event, 0, 0 where there is none

	// Scan calls f with the events of the wanted kinds, batch by batch, merged by (Time, stream); an event whose Task is not yet known
	// is held back together with what follows it in its stream. A batch is valid during f, and f must not change it. An error of f ends
	// the scan and is returned. Times are times of the run (StreamInfo.Offset is added).
	Scan(want KindSet, f func([]Event) error) error
}

// A StreamSource is a Source that tells its streams apart.
type StreamSource interface {
	Source
	Streams() []StreamInfo

	// ScanStreams is Scan with the number of the stream that all events of a batch are from, and with times as they were recorded.
	ScanStreams(want KindSet, f func(stream int, es []Event) error) error
}

// ScanRun is the Scan of a StreamSource by its ScanStreams: it adds the offsets and joins short batches to longer ones.
func ScanRun(src StreamSource, want KindSet, f func([]Event) error) error {
	infos := src.Streams()
	if len(infos) == 1 && infos[0].Offset == 0 {
		return src.ScanStreams(want, func(_ int, es []Event) error { return f(es) })
	}
	batch := make([]Event, 0, 4096)
	err := src.ScanStreams(want, func(stream int, es []Event) error {
		offset := infos[stream].Offset
		for len(es) > 0 {
			n := min(len(es), cap(batch)-len(batch))
			from := len(batch)
			batch = append(batch, es[:n]...)
			for i := from; i < len(batch); i++ {
				batch[i].Time += offset
			}
			es = es[n:]
			if len(batch) == cap(batch) {
				if err := f(batch); err != nil {
					return err
				}
				batch = batch[:0]
			}
		}
		return nil
	})
	if err == nil && len(batch) > 0 {
		err = f(batch)
	}
	return err
}
