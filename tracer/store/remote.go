package store

import (
	"errors"
	"io"

	"whorl/internal/pieces"
)

// ErrNoIndex reports that a file was not closed. It can only be read from its beginning.
var ErrNoIndex = errors.New("the file has no index")

// OpenAt opens a closed trace of size bytes in a file that is somewhere else. It reads the header and the end, with the index, the lines and what was
// derived. Scans read the blocks that they need, in pieces that they keep. Damage is found where it is read.
func OpenAt(r io.ReaderAt, size int64) (*File, error) {
	if size < headSize+endSize {
		return nil, ErrNoIndex
	}
	p := parser{f: &File{remote: pieces.New(r, size)}}
	head, err := p.f.bytes(0, headSize)
	if err != nil {
		return nil, err
	}
	if err := checkHeader(head); err != nil {
		return nil, err
	}
	if _, err := p.f.bytes(max(size-pieces.Size, 0), min(size, pieces.Size)); err != nil { // in one request
		return nil, err
	}
	return p.file(nil, "")
}
