//go:build !js

package otf2

import (
	"io/fs"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Read reads the archive with an anchor file in a folder into rec, and does not close rec. An error means that nothing could be read. The metadata
// count the missing parts of the archive.
func Read(folder fs.FS, name string, rec tracer.Recorder, o profile.Options) error {
	r, err := prepare(folder, name, rec, o)
	if err != nil {
		return err
	}
	r.align()
	r.merge()
	r.finish()
	return nil
}
