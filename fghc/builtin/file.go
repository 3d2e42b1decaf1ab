package builtin

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// A File is an open file of a World, for input, output or both.
type File struct {
	world *World
	name  string
	in    *Input
	out   *output
	file  *os.File // nil for standard files
}

// openFile opens a file: mode is r, w, a or r+, as of C's fopen.
func openFile(w *World, name, mode string) (*File, error) {
	path, err := w.path(name)
	if err != nil {
		return nil, err
	}
	flags := map[string]int{"r": os.O_RDONLY, "w": os.O_WRONLY | os.O_CREATE | os.O_TRUNC, "a": os.O_WRONLY | os.O_CREATE | os.O_APPEND, "r+": os.O_RDWR}
	file, err := os.OpenFile(path, flags[mode], 0o666)
	if err != nil {
		return nil, err
	}
	f := &File{world: w, name: name, file: file}
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

// close closes a file. It may be called again.
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

// seek moves to an offset from the beginning (0), from here (1) or from the end (2).
func (f *File) seek(offset int64, whence int) error {
	if f.file == nil || whence < 0 || whence > 2 {
		return errors.New("cannot be moved in")
	}
	f.flush()
	if f.in != nil {
		if whence == 1 {
			offset -= int64(len(f.in.Unread()))
		}
		f.in.forget()
	}
	_, err := f.file.Seek(offset, whence)
	return err
}

// tell returns the place in the file, -1 where it has none.
func (f *File) tell() int64 {
	if f.file == nil {
		return -1
	}
	f.flush()
	at, err := f.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return -1
	}
	if f.in != nil {
		at -= int64(len(f.in.Unread()))
	}
	return at
}

// An output is a buffer in front of a writer.
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
	_, _ = o.w.Write(b) // the writer keeps its error
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

// An Input is what has been read of a reader and nobody has taken yet.
type Input struct {
	Due time.Duration // of a timer: when it goes off, as of World.clock; 0 for other inputs

	r       io.Reader
	slow    bool       // reading may take long
	use     sync.Mutex // held by who carries out a command
	reading sync.Mutex // held by who reads

	mu    sync.Mutex
	buf   []byte // from at on
	at    int
	end   bool
	lines int // that have been taken
}

// NewInput returns an Input of a reader, which may be nil.
func NewInput(r io.Reader) *Input { return &Input{r: r, end: r == nil} }

// Unread returns what is there. It stays as it is until something is taken.
func (in *Input) Unread() []byte {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.buf[in.at:len(in.buf):len(in.buf)]
}

// Ended says that what is there is all.
func (in *Input) Ended() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.end
}

// Fill reads more. It returns when there is more, or the end has come.
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
	in.buf = append(in.buf[in.at:len(in.buf):len(in.buf)], b[:n]...)
	in.at = 0
	in.end = err != nil
}

// take takes n bytes, which are there.
func (in *Input) take(n int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, c := range in.buf[in.at : in.at+n] {
		if c == '\n' {
			in.lines++
		}
	}
	in.at += n
}

// back puts a byte back.
func (in *Input) back(c byte) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if c == '\n' {
		in.lines--
	}
	if in.at == 0 {
		in.buf = append(make([]byte, 16), in.buf...)
		in.at = 16
	}
	in.at--
	if in.buf[in.at] != c { // others may look at the old bytes
		in.buf = append([]byte(nil), in.buf...)
		in.buf[in.at] = c
	}
}

func (in *Input) lineCount() int {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.lines
}

// forget drops what has been read.
func (in *Input) forget() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.buf, in.at, in.end = nil, 0, false
}
