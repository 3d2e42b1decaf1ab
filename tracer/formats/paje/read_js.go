package paje

import (
	"errors"
	"io/fs"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

var errPage = errors.New("the web page does not read traces of Pajé: use whorl convert")

// Read returns an error: the size of the web page is limited, and it leaves the reader out. A server converts the trace first.
func Read(f profile.File, _ tracer.Recorder, _ profile.Options) error {
	return &profile.FileError{Name: f.Name, Err: errPage}
}

// ReadIn returns an error, as Read does.
func ReadIn(_ fs.FS, name string, _ tracer.Recorder, _ profile.Options) error {
	return &profile.FileError{Name: name, Err: errPage}
}
