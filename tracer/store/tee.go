package store

import "whorl/tracer"

// Tee copies everything that w records to another Writer, for viewers of the running trace. Flush copies the newest events and flushes the
// other Writer; the file of w and its ring are the same as without Tee. Neither Writer may have recorded anything before. Closing w copies the
// rest but does not close the other Writer.
func (w *Writer) Tee(to *Writer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tee = to
}

// A copied is the copy of a stream.
type copied struct {
	to   *tracer.Stream // nil for no copy
	sent int            // rows of the open segment already copied
}

// handOn copies the new rows of the open segment.
func (c *copied) handOn(rows []tracer.Event) {
	if c.to == nil {
		return
	}
	for i := c.sent; i < len(rows); i++ {
		*c.to.Slot() = rows[i]
	}
	c.to.Sync()
	c.sent = len(rows)
}
