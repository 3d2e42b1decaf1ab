package speedscope

import (
	"errors"
	"io"

	"whorl/tracer"
)

// Write returns an error: the web page writes no speedscope files.
func Write(io.Writer, tracer.Source) error {
	return errors.New("a page writes no files of speedscope: whorl convert does")
}
