package instruments

import (
	"errors"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Read returns an error: the web page leaves the reader out.
func Read(files []profile.File, _ tracer.Recorder, _ profile.Options) error {
	return &profile.FileError{Name: files[0].Name, Err: errors.New("the web page does not read exports of xctrace: use whorl convert")}
}
