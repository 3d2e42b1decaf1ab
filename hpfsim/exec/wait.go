package exec

import (
	"errors"
	"io"
	"time"
)

// patience is how long a run waits for its input or output before it pauses, so that limits and interrupts are obeyed.
const patience = 50 * time.Millisecond

// errUnwritten is the error of output that was not written because the run has ended.
var errUnwritten = errors.New("the output was not read to its end")

// waiting lets the run pause while it waits for input or output. It returns false when the run has ended.
func (m *Machine) waiting() bool {
	m.amid = true
	defer func() { m.amid = false }()
	switch {
	case m.gone:
		return false
	case m.closing:
		m.gone = !m.yield(struct{}{})
		return !m.gone
	}
	m.left = 0
	m.tick()
	return true
}

// An inlet reads from a reader that may block.
type inlet struct {
	from    io.Reader
	machine *Machine
	plain   bool // reading does not pause: while the run stops for the user
	block   []byte
	done    chan error // of the read in progress; nil for none
	n       int        // bytes of the block that were read
	next    int        // the first that was not taken
	err     error
}

// Read reads bytes. While it waits the run may pause, or end with a panic.
func (i *inlet) Read(p []byte) (int, error) {
	if i.next == i.n && i.err == nil {
		if i.done == nil {
			i.begin()
		}
		for !i.ended() {
			i.machine.waiting()
		}
	}
	if i.next == i.n {
		return 0, i.err
	}
	n := copy(p, i.block[i.next:i.n])
	i.next += n
	return n, nil
}

// begin reads the next bytes in a goroutine.
func (i *inlet) begin() {
	if i.block == nil {
		i.block = make([]byte, 1<<12)
	}
	done := make(chan error, 1)
	i.done = done
	i.next, i.n = 0, 0
	go func() {
		n, err := i.from.Read(i.block)
		i.n = n
		done <- err
	}()
}

// ended waits for the read in progress, for a while unless it is plain.
func (i *inlet) ended() bool {
	err, ok := await(i.done, i.plain)
	if ok {
		i.done, i.err = nil, err
	}
	return ok
}

// await waits for a result for a while, or for ever.
func await(done chan error, forever bool) (error, bool) {
	select { // a result is mostly there at once
	case err := <-done:
		return err, true
	default:
	}
	if forever {
		return <-done, true
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case err := <-done:
		return err, true
	case <-timer.C:
		return nil, false
	}
}

// An outlet writes to a writer that may block. The latest write may be in progress after Write has returned.
type outlet struct {
	to      io.Writer
	machine *Machine
	done    chan error // of the write in progress; nil for none
	err     error
}

// Write writes bytes when those before are written. While it waits the run may pause, or end with a panic.
func (o *outlet) Write(p []byte) (int, error) {
	if err := o.drain(); err != nil {
		return 0, err
	}
	block := append([]byte(nil), p...)
	done := make(chan error, 1)
	o.done = done
	go func() {
		_, err := o.to.Write(block)
		done <- err
	}()
	o.busy()
	return len(p), o.err
}

// busy waits a while and reports whether a write is in progress.
func (o *outlet) busy() bool {
	if o.done == nil {
		return false
	}
	err, ok := await(o.done, false)
	if ok {
		o.done = nil
		if o.err == nil {
			o.err = err
		}
	}
	return !ok
}

// drain waits until all is written, or the run has ended.
func (o *outlet) drain() error {
	for o.busy() {
		if !o.machine.waiting() {
			return errUnwritten
		}
	}
	return o.err
}
