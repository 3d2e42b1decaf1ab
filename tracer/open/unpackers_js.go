package open

import (
	"errors"
	"io"
)

// The page, which would grow by their code, has no unpackers of Zstandard and of xz.

func zstandard(io.Reader) (io.Reader, error) {
	return nil, errors.New("the page reads no files that are packed by Zstandard: unpack it first (zstd -d)")
}

func xzipped(io.Reader) (io.Reader, error) {
	return nil, errors.New("the page reads no files that are packed by xz: unpack it first (xz -d)")
}
