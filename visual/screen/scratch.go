//go:build !js

package screen

import (
	"os"

	"whorl/tracer/store"
)

// NewScratch returns a function that opens temporary files. A file has no name where the system allows that, so that it goes with the process.
func NewScratch() func() (store.Scratch, error) {
	return func() (store.Scratch, error) {
		f, err := os.CreateTemp("", "whorl-*.part")
		if err != nil {
			return nil, err
		}
		_ = os.Remove(f.Name()) // fails on systems that do not remove open files
		return f, nil
	}
}
