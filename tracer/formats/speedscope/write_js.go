package speedscope

import (
	"errors"
	"io"

	"whorl/tracer"
)

// Write would write a trace; pages, which write no files, do without.
func Write(io.Writer, tracer.Source) error {
	return errors.New("a page writes no files of speedscope: whorl convert does")
}
