//go:build !linux

package sampler

import (
	"errors"
	"io"
)

// A Sampler samples the threads of programs. There is none on this system.
type Sampler struct{}

var errLinux = errors.New("samples are taken by Linux alone; whorl also opens the profiles of other tools (whorl list formats)")

// Program returns an error.
func Program(int) (*Sampler, error) { return nil, errLinux }

// Process returns an error.
func Process(int, int) (*Sampler, error) { return nil, errLinux }

// Write writes nothing.
func (*Sampler) Write(io.Writer, <-chan struct{}) error { return errLinux }

// Ended returns nil.
func (*Sampler) Ended() <-chan struct{} { return nil }

// Close does nothing.
func (*Sampler) Close() {}
