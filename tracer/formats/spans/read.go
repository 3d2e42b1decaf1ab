package spans

import (
	"fmt"
	"io"

	"whorl/tracer"
	"whorl/tracer/formats/gzipped"
	"whorl/tracer/formats/profile"
)

// Read records the spans of a file into rec. read adds them to a Recording, from the unpacked contents of the file. Its error is the error of Read if it
// has added no span; otherwise the trace is that of the spans before it, and the metadata say so.
func Read(f profile.File, rec tracer.Recorder, o profile.Options, read func(*Recording, io.Reader) error) error {
	in, err := gzipped.Reader(f.R)
	if err != nil {
		return err
	}
	r := New(rec, o)
	if err := read(r, in); err != nil {
		if r.Len() == 0 {
			return err
		}
		r.Dropped.Once(fmt.Sprintf("the rest: %v", err))
	}
	return r.Finish()
}
