package store

import "whorl/tracer"

// Tee has all that w records go to another Writer as well, for viewers who look on: Flush hands on what has come and has that Writer
// flushed, while the file of w stays the one that it is without them, to the byte, and keeps its ring. Nothing may have been recorded in
// either before. Closing w hands on the rest; the other Writer is closed on its own.
func (w *Writer) Tee(to *Writer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tee = to
}

// A copied is where the events of a stream go as well.
type copied struct {
	to   *tracer.Stream // nil for nowhere
	sent int            // rows of the open segment that are there already
}

// handOn copies what is new of the rows of the open segment.
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
