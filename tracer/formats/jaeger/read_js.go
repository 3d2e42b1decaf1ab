package jaeger

import (
	"errors"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Read returns an error: the size of the web page is limited, and it leaves the reader out. A server converts the trace first.
func Read(f profile.File, _ tracer.Recorder, _ profile.Options) error {
	return &profile.FileError{Name: f.Name, Err: errors.New("the web page does not read spans of Jaeger: use whorl convert")}
}
