//go:build !js

package actiongraph

import (
	"encoding/json"
	"io"

	"whorl/tracer"
	"whorl/tracer/formats/gzipped"
)

// Read reads a graph of actions into rec. Its errors give the position in the file. After an error in the middle the actions before it are a
// trace all the same, and Meta lists the missing ones.
func Read(_ string, r io.Reader, rec tracer.Recorder) error {
	r, err := gzipped.Reader(r)
	if err != nil {
		return err
	}
	all, missing, err := read(json.NewDecoder(r))
	if err != nil {
		return err
	}
	return record(rec, all, missing)
}
