// Package lines reads texts of any size line by line, in the memory of one buffer.
package lines

import (
	"bufio"
	"errors"
	"io"
)

// A Reader reads the lines of a text.
type Reader struct {
	in *bufio.Reader
}

// New returns a Reader of lines of at most limit bytes.
func New(r io.Reader, limit int) *Reader { return &Reader{bufio.NewReaderSize(r, limit)} }

// Next returns the next line with its end, valid until the next call. It returns only the beginning of a line that is longer than the limit, with
// whole false, and skips the rest. err is io.EOF after the last line and with a last line that has no end.
func (r *Reader) Next() (line []byte, whole bool, err error) {
	line, err = r.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, true, err
	}
	line = append([]byte(nil), line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = r.in.ReadSlice('\n')
	}
	return line, false, err
}

// Skip skips n bytes.
func (r *Reader) Skip(n int64) error {
	_, err := io.CopyN(io.Discard, r.in, n)
	return err
}

// A Tail passes on what it reads and keeps the last byte.
type Tail struct {
	R    io.Reader
	Last byte
}

func (t *Tail) Read(b []byte) (int, error) {
	n, err := t.R.Read(b)
	if n > 0 {
		t.Last = b[n-1]
	}
	return n, err
}

// Cut reports whether the line of a scanner of t is the last one of a text that ends without the end of a line. It reads on.
func (t *Tail) Cut(in *bufio.Scanner) bool { return !in.Scan() && in.Err() == nil && t.Last != '\n' }
