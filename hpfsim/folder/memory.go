package folder

import (
	"fmt"
	"io"
	"io/fs"
)

const (
	mostBytes  = 1 << 30 // of a file
	entryBytes = 1 << 8  // of memory for a file without content
)

// Memory is a folder in memory. It calls Grow, unless that is nil, with the number of bytes by which its files grow; the number is negative if they
// shrink.
type Memory struct {
	Grow  func(bytes int64)
	files map[string]*content
}

// content is the bytes of a file.
type content struct {
	bytes []byte
	grow  func(bytes int64)
}

// Open opens a file.
func (m *Memory) Open(name string, how How) (File, error) {
	c := m.files[name]
	switch {
	case name == "":
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	case c != nil && how.New:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
	case c == nil && !how.Create:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case c == nil:
		c = &content{grow: m.Grow}
		c.grown(entryBytes)
		if m.files == nil {
			m.files = map[string]*content{}
		}
		m.files[name] = c
	}
	if how.Truncate {
		_ = c.Truncate(0) // shrinking does not fail
	}
	return c, nil
}

// Exists reports whether there is a file of the name.
func (m *Memory) Exists(name string) bool { return m.files[name] != nil }

// Remove deletes a file.
func (m *Memory) Remove(name string) error {
	c := m.files[name]
	if c == nil {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	delete(m.files, name)
	c.grown(-entryBytes)
	return c.Truncate(0)
}

// Scratch opens a new file without a name.
func (m *Memory) Scratch() (File, error) { return &scratch{content{grow: m.Grow}}, nil }

// A scratch is a file that ends when it is closed.
type scratch struct{ content }

// Close releases the memory of the file.
func (s *scratch) Close() error { return s.Truncate(0) }

// ReadAt reads bytes from an offset.
func (c *content) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 || at >= int64(len(c.bytes)) {
		return 0, io.EOF
	}
	n := copy(p, c.bytes[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt writes bytes at an offset. Bytes between the end and the offset are zero.
func (c *content) WriteAt(p []byte, at int64) (int, error) {
	if end := at + int64(len(p)); end < at || end > int64(len(c.bytes)) {
		if err := c.Truncate(end); err != nil {
			return 0, err
		}
	}
	return copy(c.bytes[at:], p), nil
}

func (c *content) grown(bytes int64) {
	if c.grow != nil {
		c.grow(bytes)
	}
}

// Truncate cuts or extends the file.
func (c *content) Truncate(size int64) error {
	if size < 0 || size > mostBytes {
		return fmt.Errorf("a file in memory has at most %d bytes", mostBytes)
	}
	more := size - int64(len(c.bytes))
	c.grown(more)
	switch {
	case size == 0:
		c.bytes = nil
	case more <= 0:
		clear(c.bytes[size:])
		c.bytes = c.bytes[:size]
	case size <= int64(cap(c.bytes)):
		c.bytes = c.bytes[:size]
	default:
		c.bytes = append(c.bytes, make([]byte, more)...)
	}
	return nil
}

// Size returns the number of bytes.
func (c *content) Size() (int64, error) { return int64(len(c.bytes)), nil }

// Close does nothing: the file stays.
func (c *content) Close() error { return nil }
