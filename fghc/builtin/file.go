package builtin

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"whorl/fghc/syntax"
)

// A File is an open file of a World for input, output or both, with the state of one stream of commands.
type File struct {
	world *World
	name  string
	in    *Input
	out   *output
	file  *os.File // nil for standard files

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

func (o *output) write(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, _ = o.w.Write(b) // Flush returns the error
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

// An Input buffers data read from a reader.
type Input struct {
	Due time.Duration // for a timer: when it goes off, on World.clock; 0 for other inputs

	r       io.Reader
	slow    bool       // reads may block for long
	use     sync.Mutex // held while a command is executed
	reading sync.Mutex // held while reading from r

	mu     sync.Mutex
	buf    []byte
	start  int // of the unread data in buf
	end    bool
	lines  int // number of newlines consumed
	column int // number of characters consumed since the last newline
}

// NewInput returns an Input that reads from r, which may be nil.
func NewInput(r io.Reader) *Input { return &Input{r: r, end: r == nil} }

// Unread returns the buffered data. It remains unchanged until some of it is consumed.
func (in *Input) Unread() []byte {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.buf[in.start:len(in.buf):len(in.buf)]
}

// Ended reports whether the reader has ended.
func (in *Input) Ended() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.end
}

// Fill reads more data. It returns when there is more or the reader has ended.
func (in *Input) Fill() {
	in.reading.Lock()
	defer in.reading.Unlock()
	if in.Ended() {
		return
	}
	b := make([]byte, 1<<16)
	n, err := 0, error(nil)
	for tries := 0; n == 0 && err == nil; tries++ {
		if n, err = in.r.Read(b); tries == 100 {
			err = io.ErrNoProgress
		}
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.buf = append(in.buf[in.start:len(in.buf):len(in.buf)], b[:n]...)
	in.start = 0
	in.end = err != nil
}

// consume removes the first n unread bytes.
func (in *Input) consume(n int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, c := range in.buf[in.start : in.start+n] {
		switch {
		case c == '\n':
			in.lines++
			in.column = 0
		case utf8.RuneStart(c):
			in.column++
		}
	}
	in.start += n
}

// pushBack prepends a byte to the unread data.
func (in *Input) pushBack(c byte) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if c == '\n' {
		in.lines-- // the column does not matter, since the next read begins with the newline
	} else if utf8.RuneStart(c) {
		in.column--
	}
	if in.start == 0 {
		in.buf = append(make([]byte, 16), in.buf...)
		in.start = 16
	}
	in.start--
	if in.buf[in.start] != c { // the caller of Unread may still hold the old bytes
		in.buf = append([]byte(nil), in.buf...)
		in.buf[in.start] = c
	}
}

// place returns the numbers of newlines consumed, and of characters since the last one.
func (in *Input) place() (line, column int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.lines, max(in.column, 0)
}

// reset discards the buffered data.
func (in *Input) reset() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.buf, in.start, in.end = nil, 0, false
}
