package actiongraph

import (
	"errors"
	"io"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Read returns an error: the size of the web page is limited, and it leaves the reader out. A server converts the trace first.
func Read(name string, _ io.Reader, _ tracer.Recorder) error {
	return &profile.FileError{Name: name, Err: errors.New("the web page does not read graphs of builds: use whorl convert")}
}
