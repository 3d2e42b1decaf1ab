package dtslog

import (
	"errors"
	"io"

	"whorl/tracer"
)

// Write returns an error: the web page writes no traces.
func Write(io.Writer, tracer.Source) error {
	return errNoFiles
}

// WriteAll returns an error too.
func WriteAll(tracer.Source, func(string, func(io.Writer) error) error) error { return errNoFiles }

var errNoFiles = errors.New("the web page does not write dtslog files: use whorl convert")
