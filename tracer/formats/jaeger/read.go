//go:build !js

package jaeger

import (
	"io"

	"whorl/internal/jsonscan"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/formats/spans"
)

// Read reads traces into rec as one stream, and does not close rec. An error means that nothing could be read. The metadata count the missing parts
// of the trace.
func Read(f profile.File, rec tracer.Recorder, o profile.Options) error {
	return spans.Read(f, rec, o, func(out *spans.Recording, text io.Reader) error {
		r := &reader{Recording: out, Scanner: jsonscan.New(text)}
		return r.Values(r.top, r.Damaged)
	})
}
