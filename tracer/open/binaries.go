//go:build !js

package open

import (
	"whorl/internal/files"
	"whorl/tracer/formats/binary"
	"whorl/tracer/formats/profile"
)

// binaries returns a finder of the binaries of profiles, which tries the given files first. done releases them.
func binaries(given []string) (found profile.Binaries, done func(), err error) {
	for _, path := range given {
		if err := files.CheckRegular(path); err != nil {
			return nil, nil, err
		}
	}
	f, err := binary.NewFinder(given)
	if err != nil {
		return nil, nil, err
	}
	return f, f.Close, nil
}
