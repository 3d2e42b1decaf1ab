//go:build !js

package open

import (
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"
)

// mostWindow bounds the memory of an unpacker, in bytes.
const mostWindow = 128 << 20

func zstandard(r io.Reader) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(mostWindow), zstd.WithDecoderLowmem(true))
}

func xzipped(r io.Reader) (io.Reader, error) { return xz.NewReader(r, mostWindow) }
