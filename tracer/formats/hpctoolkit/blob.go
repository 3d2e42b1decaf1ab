//go:build !js

package hpctoolkit

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"whorl/tracer/formats/profile"
)

// mostText bounds the part of a file held in memory, in bytes.
const mostText = 1 << 30

// A blob is a file with random access.
type blob struct {
	name   string
	reader io.ReaderAt
	size   int64
}

// newBlob opens a file. It reads all of a file that has no random access.
func newBlob(f *profile.File) (*blob, error) {
	if parts, ok := f.R.(interface {
		io.ReaderAt
		Size() (int64, error)
	}); ok {
		size, err := parts.Size()
		return &blob{f.Name, parts, size}, err
	}
	data, err := profile.ReadAll(f.R, mostText)
	return &blob{f.Name, bytes.NewReader(data), int64(len(data))}, err
}

// head returns the beginning of the file, up to 4096 bytes.
func (b *blob) head() ([]byte, error) { return b.part(0, uint64(min(b.size, 4096))) }

// part reads n bytes at an offset.
func (b *blob) part(offset, n uint64) ([]byte, error) {
	if n > uint64(b.size) || offset > uint64(b.size)-n {
		return nil, fmt.Errorf("truncated at offset %d: expected %d bytes at offset %d", b.size, n, offset)
	}
	if n > mostText {
		return nil, profile.TooLong(mostText)
	}
	data := make([]byte, n)
	if _, err := b.reader.ReadAt(data, int64(offset)); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return data, nil
}

// array reads an array of n entries of size bytes each.
func (b *blob) array(offset, n, size uint64) ([]byte, error) {
	if size > 0 && n > uint64(b.size)/size {
		return nil, fmt.Errorf("truncated: expected %d entries of %d bytes at offset %d", n, size, offset)
	}
	return b.part(offset, n*size)
}

// failed returns err with the name of the file.
func (b *blob) failed(err error) error { return &profile.FileError{Name: b.name, Err: err} }

// check checks the first 16 bytes of a file of version 4.
func (b *blob) check() error {
	head, err := b.part(0, 16)
	if err != nil {
		return err
	}
	if head[14] != 4 {
		return fmt.Errorf("HPCToolkit database version %d.%d is not supported; expected version 4", head[14], head[15])
	}
	return nil
}

// Numbers of a database of version 4.
var little = binary.LittleEndian
