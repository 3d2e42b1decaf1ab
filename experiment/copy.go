package experiment

import "whorl/tracer"

// copyTrace records all of src in rec, which must be fresh, so that dictionary entries keep their numbers.
func copyTrace(rec tracer.Recorder, src tracer.StreamSource) error {
	rec.SetMeta(src.Meta())
	from, to := src.Dict(), rec.Dict()
	for _, c := range from.Codes()[1:] {
		to.Add(c)
	}
	for _, c := range from.Contexts()[1:] {
		to.AddContext(c)
	}
	var streams []*tracer.Stream
	for _, info := range src.Streams() {
		streams = append(streams, rec.Stream(info))
	}
	err := src.ScanStreams(tracer.AllKinds, func(stream int, batch []tracer.Event) error {
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
