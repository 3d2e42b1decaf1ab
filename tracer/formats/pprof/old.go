//go:build !js

package pprof

import (
	"bytes"
	"errors"

	library "github.com/google/pprof/profile"
)

// renewed turns a profile of an older form into one of today's.
func renewed(data []byte) (_ []byte, err error) {
	defer func() { // the library was not made for files that nobody trusts
		if p := recover(); p != nil {
			err = errors.New("a damaged profile of an older form")
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
