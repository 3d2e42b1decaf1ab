package dtslog

import (
	"errors"
	"io"

	"whorl/tracer"
)

// Write would write a trace; pages, which write none, do without.
func Write(io.Writer, tracer.Source) error {
	return errors.New("a page writes no traces of the format dtslog: whorl convert does")
}
