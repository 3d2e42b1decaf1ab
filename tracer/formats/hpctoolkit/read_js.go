package hpctoolkit

import (
	"errors"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Read would read a database; pages, which have no folders, do without what that takes.
func Read(files []profile.File, _ tracer.Recorder, _ profile.Options) error {
	return &profile.FileError{Name: files[0].Name, Err: errors.New("a database of HPCToolkit, which a page does not read: whorl convert makes a trace of it")}
}
