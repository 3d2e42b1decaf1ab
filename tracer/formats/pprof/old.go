//go:build !js

package pprof

import (
	"bytes"
	"errors"

	library "github.com/google/pprof/profile"
)

// renewed converts a profile in an older form to the current one.
func renewed(data []byte) (_ []byte, err error) {
	defer func() { // the library may panic on damaged files
		if p := recover(); p != nil {
			err = errors.New("damaged profile in an older format")
		}
	}()
	p, err := library.ParseData(data)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
