package unit

import "bytes"

// sequential returns an error for a file without records in a sequence.
func (c *Connection) sequential(op string) error {
	if c.access == Direct {
		return &Error{codeConflict, op + " of a file with ACCESS='DIRECT'"}
	}
	if c.access == Stream && !c.formatted && op != "REWIND" {
		return &Error{codeConflict, op + " of a file with ACCESS='STREAM' that is not formatted"}
	}
	return nil
}

// settle ends a record that statements without advance have left incomplete.
func (c *Connection) settle() error {
	c.keeps = false
	return c.finish()
}

// Rewind moves to the beginning of the file.
func (c *Connection) Rewind() error {
	if err := c.sequential("REWIND"); err != nil {
		return err
	}
	if err := c.settle(); err != nil {
		return err
	}
	if w := c.window(); w != nil {
		w.pos, c.end = 0, before
	}
	return nil
}

// EndFile ends the file at the position.
func (c *Connection) EndFile() error {
	if err := c.sequential("ENDFILE"); err != nil {
		return err
	}
	w := c.window()
	if w == nil || c.end == after {
		return nil
	}
	if !c.writes {
		return &Error{codeAction, "the unit is not connected for writing"}
	}
	if err := c.settle(); err != nil {
		return err
	}
	c.end = after
	return ofSystem(w.cut())
}

// Backspace moves before the record that precedes the position.
func (c *Connection) Backspace() error {
	if err := c.sequential("BACKSPACE"); err != nil {
		return err
	}
	if err := c.settle(); err != nil {
		return err
	}
	w := c.window()
	switch {
	case w == nil || w.pos == 0:
		c.end = before
		return nil
	case c.end == after:
		c.end = before
		return nil
	case !c.formatted:
		return c.backPart()
	}
	from := w.pos - 1 // the end of the record
	for from > 0 {
		start := max(from-windowSize, 0)
		if err := w.load(start); err != nil {
			return ofSystem(err)
		}
		if i := bytes.LastIndexByte(w.bytes[:min(from-start, int64(len(w.bytes)))], '\n'); i >= 0 {
			w.pos = start + int64(i) + 1
			return nil
		}
		from = start
	}
	w.pos = 0
	return nil
}

// backPart moves before an unformatted record, part by part.
func (c *Connection) backPart() error {
	w := c.window()
	for {
		w.pos -= markerSize
		if w.pos < 0 {
			w.pos = 0
			return errCorrupt
		}
		back := w.pos
		n, err := c.marker()
		if err != nil {
			return ofSystem(err)
		}
		first := n >= 0
		if !first {
			n = -n
		}
		w.pos = back - n - markerSize
		if w.pos < 0 {
			w.pos = back + markerSize
			return errCorrupt
		}
		if first {
			return nil
		}
	}
}
