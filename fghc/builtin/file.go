package builtin

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"whorl/fghc/syntax"
)

// A File is an open file of a World for input, output or both, with the state of one stream of commands.
type File struct {
	world *World
	name  string
	in    *Input
	out   *output
	file  *os.File // nil for standard files and sockets

	closer  io.Closer     // of a socket or a stream of signals; nil for other files
	server  *server       // of a bound socket
	signals bool          // the file is a stream of signals
	text    *bytes.Buffer // of a stream that makes a string

	unbuffered bool // output is flushed after each command

	ops     *syntax.OperatorTable // of the terms that are read and written
	onError int64                 // the exit status after a term with an error; 0 skips the term
}

// openFile opens a file in mode r, w, a or r+, as C's fopen does.
func openFile(w *World, name, mode string) (*File, error) {
	path, err := w.path(name)
	if err != nil {
		return nil, err
	}
	flags := map[string]int{"r": os.O_RDONLY, "w": os.O_WRONLY | os.O_CREATE | os.O_TRUNC, "a": os.O_WRONLY | os.O_CREATE | os.O_APPEND, "r+": os.O_RDWR}
	file, err := w.openFile(path, flags[mode])
	if err != nil {
		return nil, err
	}
	f := &File{world: w, name: name, file: file, ops: syntax.Streams}
	if mode[0] == 'r' {
		f.in = NewInput(file)
	}
	if mode != "r" {
		f.out = newOutput(w, file)
	}
	return f, nil
}

func (f *File) flush() error {
	if f.out == nil {
		return nil
	}
	return f.out.flush(f.name)
}

// close closes a file, other than a standard one. It may be called more than once.
func (f *File) close() error {
	err := f.flush()
	if f.closer != nil {
		return errors.Join(err, f.closer.Close())
	}
	if f.file == nil {
		return err
	}
	if closed := f.file.Close(); err == nil && !errors.Is(closed, os.ErrClosed) {
		err = closed
	}
	return err
}

// seek moves to an offset from the beginning (whence 0), the current position (1) or the end (2).
func (f *File) seek(offset int64, whence int) error {
	if f.file == nil || whence < 0 || whence > 2 {
		return errors.New("cannot seek")
	}
	f.flush()
	if f.in != nil {
		if whence == 1 {
			offset -= int64(len(f.in.Unread()))
		}
		f.in.reset()
	}
	_, err := f.file.Seek(offset, whence)
	return err
}

// tell returns the offset in the file, or -1 if it has none.
func (f *File) tell() int64 {
	if f.file == nil {
		return -1
	}
	f.flush()
	offset, err := f.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return -1
	}
	if f.in != nil {
		offset -= int64(len(f.in.Unread()))
	}
	return offset
}

// An output is a buffered writer that is safe for concurrent use.
type output struct {
	world *World
	mu    sync.Mutex
	w     *bufio.Writer
}

func newOutput(world *World, w io.Writer) *output {
	if w == nil {
		w = io.Discard
	}
	return &output{world: world, w: bufio.NewWriterSize(w, 1<<16)}
}

func (o *output) write(b []byte) { _, _ = o.Write(b) } // flush returns the error

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.w.Write(b)
}

func (o *output) flush(name string) error {
	o.mu.Lock()
	err := o.w.Flush()
	o.mu.Unlock()
	if err != nil {
		o.world.failed(fmt.Errorf("%s cannot be written: %w", name, err))
	}
	return err
}
