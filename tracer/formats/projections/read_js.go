package projections

import (
	"errors"
	"io/fs"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// ReadIn returns an error: the size of the web page is limited, and it leaves the reader out. A server converts the trace first.
func ReadIn(_ fs.FS, name string, _ tracer.Recorder, _ profile.Options) error {
	return &profile.FileError{Name: name, Err: errors.New("the web page does not read logs of Projections: use whorl convert")}
}
