package otf2

import (
	"errors"
	"io/fs"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Read returns an error: the size of the web page is limited, and it leaves the reader out. A server converts the trace first.
func Read(_ fs.FS, name string, _ tracer.Recorder, _ profile.Options) error {
	return &profile.FileError{Name: name, Err: errors.New("the web page does not read archives of OTF2: use whorl convert")}
}
