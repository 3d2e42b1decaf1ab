package dtslog

import (
	"errors"
	"io"

	"whorl/tracer"
)

// Write returns an error: the web page writes no traces.
func Write(io.Writer, tracer.Source) error {
	return errors.New("the web page does not write dtslog files: use whorl convert")
}
