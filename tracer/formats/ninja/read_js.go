package ninja

import (
	"errors"
	"io"
	"io/fs"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

var errPage = errors.New("the web page does not read logs of Ninja: use whorl convert")

// Options select the part of a log to read.
type Options struct{}

// Read returns an error: the size of the web page is limited, and it leaves the reader out. A server converts the trace first.
func Read(name string, _ io.Reader, _ tracer.Recorder) error {
	return &profile.FileError{Name: name, Err: errPage}
}

// ReadIn returns an error, as Read does.
func ReadIn(_ fs.FS, name string, _ tracer.Recorder, _ Options) error {
	return &profile.FileError{Name: name, Err: errPage}
}
