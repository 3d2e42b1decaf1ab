//go:build !js

package documents

import (
	"errors"
	"io"

	"whorl/tracer"
	"whorl/tracer/store"
)

// writeTrace writes a trace as a file.
func writeTrace(src tracer.Source, w io.Writer) error {
	streams, ok := src.(tracer.StreamSource)
	if !ok {
		return errors.New("the trace cannot be written")
	}
	return store.Record(w, func(rec tracer.Recorder) error { return tracer.Copy(rec, streams) })
}
