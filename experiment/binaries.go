//go:build !js

package experiment

import (
	"whorl/tracer/formats/binary"
	"whorl/tracer/formats/profile"
)

// binaries finds the binaries of profiles, those first that are given; done gives them back.
func binaries(given []string) (found profile.Binaries, done func(), err error) {
	f, err := binary.NewFinder(given)
	if err != nil {
		return nil, nil, &InputError{err.Error()}
	}
	return f, f.Close, nil
}
