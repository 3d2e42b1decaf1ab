//go:build !js

package otlp

import (
	"io"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/formats/spans"
)

// Read reads spans into rec as one stream, and does not close rec. An error means that nothing could be read. The metadata count the missing parts of
// the trace.
func Read(f profile.File, rec tracer.Recorder, o profile.Options) error {
	return spans.Read(f, rec, o, func(out *spans.Recording, in io.Reader) error {
		return newReader(out, in).read()
	})
}
