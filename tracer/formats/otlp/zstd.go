//go:build !js

package otlp

import (
	"io"

	"github.com/klauspost/compress/zstd"
)

// unzip returns a reader of data that is packed by Zstandard, and a function that frees its memory.
func unzip(r io.Reader) (io.Reader, func(), error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostMessage))
	if err != nil {
		return nil, nil, err
	}
	return z, z.Close, nil
}
