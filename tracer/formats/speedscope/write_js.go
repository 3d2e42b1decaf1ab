package speedscope

import (
	"errors"
	"io"

	"whorl/tracer"
)

// Write returns an error: the web page writes no speedscope files.
func Write(io.Writer, tracer.Source) error {
	return errors.New("the web page does not write speedscope files: use whorl convert")
}
