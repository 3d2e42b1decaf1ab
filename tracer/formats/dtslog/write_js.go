package dtslog

import (
	"errors"
	"io"

	"whorl/tracer"
)

// Write returns an error: the web page writes no traces.
func Write(io.Writer, tracer.Source) error {
	return errors.New("a page writes no traces of the format dtslog: whorl convert does")
}
