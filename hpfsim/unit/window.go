package unit

import (
	"bufio"
	"errors"
	"io"

	"whorl/hpfsim/folder"
)

// A medium holds the bytes of a connection, at a position that moves forward.
type medium interface {
	next() ([]byte, error) // bytes from the position on, at least one; io.EOF at the end
	skip(n int)            // moves the position over bytes of next
	write(p []byte) error
	flush() error
}

// A stream is standard input or output. It keeps the first error of writing.
type stream struct {
	in     *bufio.Reader
	before func() // is called before the stream waits for input; nil for nothing
	out    *bufio.Writer
	err    error
}

func (s *stream) next() ([]byte, error) {
	if s.in == nil {
		return nil, io.EOF
	}
	if s.before != nil && s.in.Buffered() == 0 {
		s.before()
	}
	if _, err := s.in.Peek(1); err != nil {
		return nil, err
	}
	return s.in.Peek(s.in.Buffered())
}

func (s *stream) skip(n int) { _, _ = s.in.Discard(n) } // they are buffered

func (s *stream) write(p []byte) error {
	if s.out != nil {
		if _, err := s.out.Write(p); s.err == nil {
			s.err = err
		}
	}
	return nil
}

func (s *stream) flush() error {
	if s.out != nil {
		if err := s.out.Flush(); s.err == nil {
			s.err = err
		}
	}
	return nil
}

const windowSize = 1 << 16

// A window is a part of a file in memory. Its bytes are either read from the file, or are to be written to it.
type window struct {
	file  folder.File
	pos   int64 // the position
	start int64 // place of the bytes in the file
	bytes []byte
	dirty bool  // the bytes are to be written
	size  int64 // of the file with the bytes that are to be written
}

func newWindow(f folder.File) (*window, error) {
	size, err := f.Size()
	return &window{file: f, size: size}, err
}

func (w *window) next() ([]byte, error) {
	if i := w.pos - w.start; !w.dirty && i >= 0 && i < int64(len(w.bytes)) {
		return w.bytes[i:], nil
	}
	if err := w.load(w.pos); err != nil {
		return nil, err
	}
	return w.bytes, nil
}

// load reads the bytes from a place on. It returns io.EOF at the end.
func (w *window) load(at int64) error {
	if err := w.flush(); err != nil {
		return err
	}
	if w.bytes == nil {
		w.bytes = make([]byte, windowSize)
	}
	w.start, w.bytes = at, w.bytes[:windowSize]
	n, err := w.file.ReadAt(w.bytes, at)
	w.bytes = w.bytes[:n]
	if n > 0 || err == nil || errors.Is(err, io.EOF) {
		if n == 0 {
			return io.EOF
		}
		return nil
	}
	return err
}

func (w *window) skip(n int) { w.pos += int64(n) }

func (w *window) write(p []byte) error {
	for len(p) > 0 {
		if !w.dirty || w.pos != w.start+int64(len(w.bytes)) || len(w.bytes) == windowSize {
			if err := w.flush(); err != nil {
				return err
			}
			if w.bytes == nil {
				w.bytes = make([]byte, 0, windowSize)
			}
			w.start, w.bytes, w.dirty = w.pos, w.bytes[:0], true
		}
		n := min(len(p), windowSize-len(w.bytes))
		w.bytes = append(w.bytes, p[:n]...)
		p = p[n:]
		w.pos += int64(n)
		w.size = max(w.size, w.pos)
	}
	return nil
}

func (w *window) flush() error {
	if !w.dirty {
		return nil
	}
	_, err := w.file.WriteAt(w.bytes, w.start)
	w.bytes, w.dirty = w.bytes[:0], false
	return err
}

// patch replaces bytes at an earlier place, which may be in the window.
func (w *window) patch(p []byte, at int64) error {
	if i := at - w.start; w.dirty && i >= 0 && i+int64(len(p)) <= int64(len(w.bytes)) {
		copy(w.bytes[i:], p)
		return nil
	}
	if err := w.flush(); err != nil {
		return err
	}
	_, err := w.file.WriteAt(p, at)
	return err
}

// cut removes the bytes from the position on.
func (w *window) cut() error {
	if w.pos >= w.size {
		return nil
	}
	if err := w.flush(); err != nil {
		return err
	}
	w.bytes, w.size = w.bytes[:0], w.pos
	return w.file.Truncate(w.pos)
}

// read fills p from the position on. It returns the number of bytes read.
func read(m medium, p []byte) (int, error) {
	n := 0
	for n < len(p) {
		b, err := m.next()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		k := copy(p[n:], b)
		m.skip(k)
		n += k
	}
	return n, nil
}
