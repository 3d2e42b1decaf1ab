package tracer

// A Recorder records a trace. Its methods are safe for concurrent use; each stream belongs to one goroutine.
type Recorder interface {
	Dict() *Dict
	SetMeta(Meta) // the last call wins; the caller must not change its argument afterwards
	Stream(StreamInfo) *Stream
	Close() error // no writer may record during the call or after it
}

// A Description describes a trace without its events.
type Description interface {
	Meta() Meta
	Dict() *Dict
	Counts() [NumKinds]int64 // events of each known kind
	Span() (from, to int64)  // times of the first and the last event, 0 and 0 without events
}

// A Source is a finished or growing trace that can be read.
type Source interface {
	Description

	// Scan calls f with the events of the wanted kinds in batches, merged by (Time, stream). An event before its cause is held back together
	// with the rest of its stream (see Merge). A batch is valid during f, and f must not change it. Scan returns the first error of f. Times
	// are times of the run: StreamInfo.Offset is added.
	Scan(want KindSet, f func([]Event) error) error
}

// A StreamSource is a Source that can be scanned by stream.
type StreamSource interface {
	Source
	Streams() []StreamInfo

	// ScanStreams is like Scan, but f also gets the stream of the batch, and times are as recorded, without StreamInfo.Offset.
	ScanStreams(want KindSet, f func(stream int, es []Event) error) error
}

// SampleTimes reports whether the samples of a trace say when they were taken. Profiles of pprof and collapsed stacks do not, nor does a profile whose
// samples all have one time.
func SampleTimes(d Description) bool {
	if from, to := d.Span(); d.Counts()[Sample] < 2 || from == to {
		return false
	}
	s := d.Meta().Substrate
	return s != "pprof" && s != "collapsed"
}

// Copy records a whole trace in a new recorder, in which dictionary entries keep their ids. It does not close the recorder.
func Copy(rec Recorder, src StreamSource) error {
	rec.SetMeta(src.Meta())
	from, to := src.Dict(), rec.Dict()
	for _, c := range from.Codes()[1:] {
		to.Add(c)
	}
	for _, c := range from.Contexts()[1:] {
		to.AddContext(c)
	}
	var streams []*Stream
	for _, info := range src.Streams() {
		streams = append(streams, rec.Stream(info))
	}
	err := src.ScanStreams(AllKinds, func(stream int, batch []Event) error {
		for i := range batch {
			*streams[stream].Slot() = batch[i]
		}
		return nil
	})
	for _, s := range streams {
		s.Sync()
	}
	return err
}

// ProcessTimes returns the source as a StreamSource, and true if the clocks of all its streams are processor times of processes: then times of
// different PEs cannot be compared.
func ProcessTimes(src Source) (StreamSource, bool) {
	streams, ok := src.(StreamSource)
	if !ok {
		return nil, false
	}
	infos, clock := streams.Streams(), src.Meta().Clock
	for _, s := range infos {
		if s.Clock != Process && (s.Clock != "" || clock != Process) {
			return nil, false
		}
	}
	return streams, len(infos) > 0
}

// ScanRun implements Scan by ScanStreams: it adds the offsets and joins short batches.
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
