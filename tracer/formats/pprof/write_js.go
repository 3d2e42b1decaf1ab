package pprof

import (
	"errors"
	"io"

	"whorl/tracer"
)

// Write returns an error: the web page leaves out the pprof library, which writes profiles, to stay small.
func Write(io.Writer, tracer.Source) error {
	return errors.New("the web page does not write pprof profiles: use whorl convert")
}
