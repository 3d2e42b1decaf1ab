//go:build !js

package projections

import (
	"io/fs"
	"slices"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// ReadIn reads the trace to which a file in a folder belongs, and does not close rec. An error means that nothing could be read. The metadata count
// the missing parts of the trace.
func ReadIn(folder fs.FS, name string, rec tracer.Recorder, o profile.Options) error {
	r, err := prepare(folder, name, rec, o)
	if err != nil {
		return err
	}
	for _, l := range r.logs {
		r.pair(l)
	}
	if !slices.ContainsFunc(r.logs, func(l *log) bool { return l.seen }) {
		return r.w.Dropped.Empty("the logs have no records")
	}
	r.align()
	r.forward()
	r.unknown, r.lost = map[int64]int64{}, lost{} // the second pass counts them
	for _, l := range r.logs {
		r.play(l)
	}
	r.finish()
	return nil
}
