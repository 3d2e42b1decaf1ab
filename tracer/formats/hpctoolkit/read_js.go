package hpctoolkit

import (
	"errors"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Read returns an error: the web page has no folders and leaves the reader out.
func Read(files []profile.File, _ tracer.Recorder, _ profile.Options) error {
	return &profile.FileError{Name: files[0].Name, Err: errors.New("a database of HPCToolkit, which a page does not read: whorl convert makes a trace of it")}
}
