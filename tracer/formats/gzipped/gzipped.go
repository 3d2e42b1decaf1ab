// Package gzipped unpacks files that are compressed by gzip, for the formats that are also written so.
package gzipped

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
)

// Is reports whether a file that begins with head is compressed.
func Is(head []byte) bool { return len(head) > 2 && head[0] == 0x1f && head[1] == 0x8b }

// ErrHeader is the error for a file that begins like a compressed one but is not compressed.
var ErrHeader = errors.New("damaged gzip header")

// Head returns the beginning of the contents of a file that begins with head, compressed or not. It is nil if the header of gzip is damaged.
func Head(head []byte) []byte {
	if !Is(head) {
		return head
	}
	z, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return nil
	}
	unpacked := make([]byte, 4096)
	n, _ := io.ReadFull(z, unpacked) // head may be cut
	return unpacked[:n]
}

// Reader returns the contents of a file, compressed or not.
func Reader(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	head, err := b.Peek(3)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !Is(head) {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, ErrHeader
	}
	return z, nil
}
