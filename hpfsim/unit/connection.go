package unit

import (
	"errors"
	"io"
	"math"
)

// An Access is the way to the records of a file.
type Access uint8

// The ways.
const (
	Sequential Access = iota
	Direct
	Stream
)

// An ending is the position of a sequential file relative to its end.
type ending uint8

const (
	before ending = iota
	after         // the end was read or written; only BACKSPACE and REWIND may follow
)

// A Connection is a unit with its file.
type Connection struct {
	Number int
	Name   string // of the file; "" for scratch files
	Delim  byte   // around characters in lists; 0 for none
	Bare   bool   // DELIM='NONE' is given
	Zeros  bool   // blanks in numbers are zeros
	Plus   bool   // positive numbers have a sign
	Padded bool   // short records are followed by blanks
	Big    bool   // values have their most significant byte first

	table         *Table
	medium        medium
	access        Access
	formatted     bool
	reads, writes bool
	scratch       bool
	recl          int64
	end           ending
	record        int64  // the next record of direct access, from 1
	begun         bool   // a record is written in part, and the next statement continues it
	line          []byte // a record of direct access that is being written
	kept          string // the rest of a record that a READ without advance has left
	keeps         bool
	body          // of an unformatted record
}

// window returns the file, or nil for standard input and output.
func (c *Connection) window() *window {
	w, _ := c.medium.(*window)
	return w
}

// begin checks a statement against the connection and moves to the record or the byte that it names.
func (c *Connection) begin(as Transfer) error {
	switch {
	case as.Formatted && !c.formatted:
		return &Error{codeConflict, "a format for a file with FORM='UNFORMATTED'"}
	case !as.Formatted && c.formatted:
		return &Error{codeConflict, "no format for a file with FORM='FORMATTED'"}
	case as.Direct && c.access != Direct:
		return &Error{codeConflict, "REC= for a file without ACCESS='DIRECT'"}
	case !as.Direct && c.access == Direct:
		return &Error{codeNeeded, "no REC= for a file with ACCESS='DIRECT'"}
	case as.Stream && c.access != Stream:
		return &Error{codeConflict, "POS= for a file without ACCESS='STREAM'"}
	case c.end == after && c.access == Sequential:
		return &Error{codeConflict, "the end of the file was read or written already (expected REWIND or BACKSPACE first)"}
	}
	if as.Direct {
		if as.Record < 1 || as.Record > math.MaxInt64/c.recl-1 {
			return &Error{CodeOption, "REC= is not the number of a record"}
		}
		c.record = as.Record
		c.window().pos = (c.record - 1) * c.recl
	}
	if as.Stream {
		if as.Position < 1 {
			return &Error{CodeOption, "POS= is not the place of a byte (expected 1 or more)"}
		}
		if err := c.finish(); err != nil {
			return err
		}
		c.keeps = false
		c.window().pos = as.Position - 1
	}
	return nil
}

// BeginRead begins a READ.
func (c *Connection) BeginRead(as Transfer) error {
	if !c.reads {
		return &Error{codeAction, "the unit is not connected for reading"}
	}
	if err := c.begin(as); err != nil {
		return err
	}
	if err := c.finish(); err != nil {
		return err
	}
	if c.access == Direct && c.window().pos >= c.window().size {
		return &Error{CodeOption, "REC= is not the number of a record of the file"}
	}
	if !as.Formatted {
		return c.beginBody()
	}
	return nil
}

// BeginWrite begins a WRITE.
func (c *Connection) BeginWrite(as Transfer) error {
	if !c.writes {
		return &Error{codeAction, "the unit is not connected for writing"}
	}
	if err := c.begin(as); err != nil {
		return err
	}
	c.keeps = false
	if !as.Formatted {
		return c.beginWritten()
	}
	return nil
}

// EndWrite ends a WRITE. In a file of sequential records it removes the records that follow.
func (c *Connection) EndWrite() error {
	w := c.window()
	if w == nil || c.access == Direct || c.access == Stream && !c.formatted {
		return nil
	}
	return ofSystem(w.cut())
}

// ended returns an error of reading. It notes the end of a file, after which READ is an error.
func (c *Connection) ended(err error) error {
	if errors.Is(err, io.EOF) {
		c.end = after
		return io.EOF
	}
	return ofSystem(err)
}

// finish ends a record that was written in part.
func (c *Connection) finish() error {
	if !c.begun {
		return nil
	}
	return c.EndRecord()
}

// close ends the connection.
func (c *Connection) close() error {
	err := c.finish()
	if flushed := c.medium.flush(); err == nil {
		err = flushed
	}
	if w := c.window(); w != nil {
		c.table.grow(-windowSize)
		if closed := w.file.Close(); err == nil {
			err = closed
		}
	}
	return err
}

// Flush writes the buffered bytes.
func (c *Connection) Flush() error { return ofSystem(c.medium.flush()) }
