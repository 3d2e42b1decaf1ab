package experiment

import "whorl/tracer"

// copyTrace records all of src in rec, which must be fresh, so that dictionary entries keep their numbers.
func copyTrace(rec tracer.Recorder, src tracer.Source) error {
	rec.SetMeta(src.Meta())
	from, to := src.Dict(), rec.Dict()
	for _, c := range from.Codes()[1:] {
		to.Add(c)
	}
	for _, c := range from.Contexts()[1:] {
		to.AddContext(c)
	}
	many, ok := src.(tracer.StreamSource)
	if !ok {
		s := rec.Stream(tracer.StreamInfo{})
		err := src.Scan(tracer.AllKinds, func(batch []tracer.Event) error {
			record(s, batch)
			return nil
		})
		s.Sync()
		return err
	}
	var streams []*tracer.Stream
	for _, info := range many.Streams() {
		streams = append(streams, rec.Stream(info))
	}
	err := many.ScanStreams(tracer.AllKinds, func(stream int, batch []tracer.Event) error {
		record(streams[stream], batch)
		return nil
	})
	for _, s := range streams {
		s.Sync()
	}
	return err
}

func record(s *tracer.Stream, batch []tracer.Event) {
	for i := range batch {
		*s.Slot() = batch[i]
	}
}
