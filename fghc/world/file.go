package world

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
	Name  string
	In    *Input
	Out   *output
	file  *os.File // nil for standard files and sockets

	closer  io.Closer     // of a socket or a stream of signals; nil for other files
	Server  *server       // of a bound socket
	Signals bool          // the file is a stream of signals
	Text    *bytes.Buffer // of a stream that makes a string

	Unbuffered bool // output is flushed after each command

	Ops     *syntax.OperatorTable // of the terms that are read and written
	OnError int64                 // the exit status after a term with an error; 0 skips the term
}

// OpenAs opens a file in mode r, w, a or r+, as C's fopen does.
func (w *World) OpenAs(name, mode string) (*File, error) {
	path, err := w.Path(name)
	if err != nil {
		return nil, err
	}
	flags := map[string]int{"r": os.O_RDONLY, "w": os.O_WRONLY | os.O_CREATE | os.O_TRUNC, "a": os.O_WRONLY | os.O_CREATE | os.O_APPEND, "r+": os.O_RDWR}
	file, err := w.openFile(path, flags[mode])
	if err != nil {
		return nil, err
	}
	f := &File{world: w, Name: name, file: file, Ops: syntax.Streams}
	if mode[0] == 'r' {
		f.In = NewInput(file)
	}
	if mode != "r" {
		f.Out = newOutput(w, file)
	}
	return f, nil
}

// reader returns a file that reads from r, which may block for long.
func (w *World) reader(name string, r io.Reader) *File {
	f := &File{world: w, Name: name, In: NewInput(r), Ops: syntax.Streams}
	f.In.Slow = true
	return f
}

// StringReader returns a file that reads from a string.
func (w *World) StringReader(b []byte) *File {
	return &File{world: w, Name: "string", In: NewInput(bytes.NewReader(b)), Ops: syntax.Streams}
}

// StringWriter returns a file that makes a string.
func (w *World) StringWriter() *File {
	text := new(bytes.Buffer)
	return &File{world: w, Name: "string", Out: newOutput(w, text), Text: text, Ops: syntax.Streams}
}

// Flush writes the buffered output. The World keeps the first error.
func (f *File) Flush() error {
	if f.Out == nil {
		return nil
	}
	return f.Out.flush(f.Name)
}

// Close closes a file, other than a standard one. It may be called more than once.
func (f *File) Close() error {
	err := f.Flush()
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

// MoveTo moves to an offset from the beginning (whence 0), the current position (1) or the end (2).
func (f *File) MoveTo(offset int64, whence int) error {
	if f.file == nil || whence < 0 || whence > 2 {
		return errors.New("cannot seek")
	}
	f.Flush()
	if f.In != nil {
		if whence == 1 {
			offset -= int64(len(f.In.Unread()))
		}
		f.In.reset()
	}
	_, err := f.file.Seek(offset, whence)
	return err
}

// Tell returns the offset in the file, or -1 if it has none.
func (f *File) Tell() int64 {
	if f.file == nil {
		return -1
	}
	f.Flush()
	offset, err := f.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return -1
	}
	if f.In != nil {
		offset -= int64(len(f.In.Unread()))
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

// Put is like Write, but leaves errors to flush.
func (o *output) Put(b []byte) { _, _ = o.Write(b) }

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
