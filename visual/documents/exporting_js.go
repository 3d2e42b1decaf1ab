package documents

import (
	"errors"
	"io"

	"whorl/tracer"
)

// writeTrace returns an error: a page has no writer of trace files.
func writeTrace(tracer.Source, io.Writer) error {
	return errors.New("a page cannot write trace files: whorl render --network and the window can")
}
