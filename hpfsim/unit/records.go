package unit

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

// Record returns the text of the next formatted record: the rest of one that a READ without advance has left, or io.EOF.
func (c *Connection) Record() (string, error) {
	c.table.Release()
	if c.keeps {
		c.keeps = false
		return c.kept, nil
	}
	if c.access == Direct {
		return c.directRecord()
	}
	var line []byte
	for {
		b, err := c.medium.next()
		if errors.Is(err, io.EOF) && line != nil {
			break
		}
		if err != nil {
			return "", c.ended(err)
		}
		n := bytes.IndexByte(b, '\n')
		if n >= 0 {
			line = append(line, b[:n]...)
			c.medium.skip(n + 1)
			break
		}
		c.table.hold(int64(2 * len(b))) // append may hold twice as much
		line = append(line, b...)
		c.medium.skip(len(b))
	}
	return strings.TrimSuffix(string(line), "\r"), nil
}

// directRecord returns the record of direct access at the position. A short last record is filled with blanks.
func (c *Connection) directRecord() (string, error) {
	w := c.window()
	w.pos = (c.record - 1) * c.recl
	if w.pos >= w.size {
		return "", io.EOF
	}
	c.table.hold(2 * c.recl)
	line := bytes.Repeat([]byte{' '}, int(c.recl))
	_, err := read(w, line)
	c.record++
	return string(line), ofSystem(err)
}

// Keep leaves the rest of a record to the next READ.
func (c *Connection) Keep(rest string) { c.kept, c.keeps = rest, true }

// Text writes characters of a record.
func (c *Connection) Text(p []byte) error {
	if c.access == Direct {
		if int64(len(c.line)+len(p)) > c.recl {
			c.line, c.begun = nil, false
			return EndOfRecord
		}
		c.begun = true
		c.line = append(c.line, p...)
		return nil
	}
	c.begun = true
	return ofSystem(c.medium.write(p))
}

const fillSize = 1 << 10 // bytes that fill a record at a time

// EndRecord ends a formatted record.
func (c *Connection) EndRecord() error {
	c.begun = false
	if c.access != Direct {
		return ofSystem(c.medium.write([]byte{'\n'}))
	}
	w := c.window()
	w.pos = (c.record - 1) * c.recl
	err := w.write(c.line)
	blanks := bytes.Repeat([]byte{' '}, int(min(c.recl, fillSize)))
	for left := c.recl - int64(len(c.line)); left > 0 && err == nil; left -= int64(len(blanks)) {
		err = w.write(blanks[:min(left, int64(len(blanks)))])
	}
	c.record++
	c.line = c.line[:0]
	return ofSystem(err)
}
