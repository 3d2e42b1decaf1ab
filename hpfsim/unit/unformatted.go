package unit

import (
	"encoding/binary"
	"errors"
	"io"
)

// mostInBody is the largest number of bytes between two markers. A longer record is several parts.
const mostInBody = 1<<31 - 9

const markerSize = 4

// A body is the unformatted record that a statement reads or writes.
//
// A sequential record is the bytes between two markers with their number. The first marker of a part is negative if another
// part follows, the second if one precedes.
type body struct {
	start     int64 // place of the first marker
	length    int64 // bytes of the part, or of the record of direct access
	done      int64 // bytes that were read or written
	continued bool  // while reading: another part follows; while writing: one precedes
	most      int64 // 0 is mostInBody
}

func (c *Connection) order() binary.ByteOrder {
	if c.Big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// marker reads a marker. It returns io.EOF at the end of the file.
func (c *Connection) marker() (int64, error) {
	var b [markerSize]byte
	n, err := read(c.medium, b[:])
	switch {
	case err != nil:
		return 0, err
	case n == 0:
		return 0, io.EOF
	case n < markerSize:
		return 0, errCorrupt
	}
	return int64(int32(c.order().Uint32(b[:]))), nil
}

var errCorrupt = &Error{codeCorrupt, "the file has no unformatted records, or they are damaged"}

// beginBody begins to read a record.
func (c *Connection) beginBody() error {
	c.body = body{length: c.recl, most: c.most}
	if c.access == Sequential {
		return c.part()
	}
	return nil
}

// part reads the first marker of the next part of a record.
func (c *Connection) part() error {
	n, err := c.marker()
	if err != nil {
		return c.ended(err)
	}
	c.length, c.done, c.continued = n, 0, n < 0
	if n < 0 {
		c.length = -n
	}
	if w := c.window(); c.length > w.size-w.pos-markerSize {
		return errCorrupt
	}
	return nil
}

// ReadBytes reads bytes of an unformatted record.
func (c *Connection) ReadBytes(p []byte) error {
	for len(p) > 0 {
		n := len(p)
		if c.access != Stream {
			if left := c.length - c.done; left == 0 && c.continued {
				if err := c.endPart(); err != nil {
					return err
				}
				if err := c.part(); err != nil {
					return err
				}
				continue
			} else if left == 0 {
				return &Error{codeShort, "the record is too short for the variables"}
			} else if int64(n) > left {
				n = int(left)
			}
		}
		k, err := read(c.medium, p[:n])
		switch {
		case err != nil:
			return ofSystem(err)
		case k < n && c.access == Direct:
			return &Error{codeShort, "the record is too short for the variables"}
		case k < n:
			return io.EOF
		}
		c.done += int64(n)
		p = p[n:]
	}
	return nil
}

// endPart moves behind the second marker of a part.
func (c *Connection) endPart() error {
	w := c.window()
	w.pos += c.length - c.done
	n, err := c.marker()
	if errors.Is(err, io.EOF) || err == nil && n != c.length && n != -c.length {
		return errCorrupt
	}
	return ofSystem(err)
}

// EndBody moves behind the record.
func (c *Connection) EndBody() error {
	if c.access != Sequential {
		return nil
	}
	for {
		more := c.continued
		if err := c.endPart(); err != nil || !more {
			return err
		}
		if err := c.part(); err != nil {
			return err
		}
	}
}

// beginWritten begins to write a record. Its length is written at its end.
func (c *Connection) beginWritten() error {
	c.body = body{length: c.recl, most: c.most}
	if c.most == 0 {
		c.most = mostInBody
	}
	if c.access != Sequential {
		return nil
	}
	c.start = c.window().pos
	return ofSystem(c.window().write(make([]byte, markerSize)))
}

// WriteBytes writes bytes of an unformatted record.
func (c *Connection) WriteBytes(p []byte) error {
	for len(p) > 0 {
		n := int64(len(p))
		switch c.access {
		case Direct:
			if n > c.length-c.done {
				return &Error{codeDirect, "the values are longer than a record"}
			}
		case Sequential:
			if left := c.most - c.done; left == 0 {
				if err := c.endWritten(true); err != nil {
					return err
				}
				c.start, c.done, c.continued = c.window().pos, 0, true
				if err := c.window().write(make([]byte, markerSize)); err != nil {
					return ofSystem(err)
				}
				continue
			} else if n > left {
				n = left
			}
		}
		if err := c.medium.write(p[:n]); err != nil {
			return ofSystem(err)
		}
		c.done += n
		p = p[n:]
	}
	return nil
}

// endWritten writes the markers of a part.
func (c *Connection) endWritten(more bool) error {
	var b [markerSize]byte
	put := func(negative bool) []byte {
		n := int32(c.done)
		if negative {
			n = -n
		}
		c.order().PutUint32(b[:], uint32(n))
		return b[:]
	}
	w := c.window()
	if err := w.patch(put(more), c.start); err != nil {
		return ofSystem(err)
	}
	return ofSystem(w.write(put(c.continued)))
}

// EndWritten ends an unformatted record. The rest of a record of direct access is zero.
func (c *Connection) EndWritten() error {
	switch c.access {
	case Sequential:
		return c.endWritten(false)
	case Direct:
		zeros := make([]byte, min(c.recl, fillSize))
		for left := c.recl - c.done; left > 0; left -= int64(len(zeros)) {
			if err := c.window().write(zeros[:min(left, int64(len(zeros)))]); err != nil {
				return ofSystem(err)
			}
		}
		c.record++
	}
	return nil
}
