package world

import (
	"io"
	"sync"
	"time"
	"unicode/utf8"
)

// An Input buffers data read from a reader.
type Input struct {
	Due time.Duration // for a timer: when it goes off, on World.clock; 0 for other inputs

	r    io.Reader
	Slow bool       // reads may block for long
	Use  sync.Mutex // held while a command is executed

	mu     sync.Mutex
	next   *reading // under way, or complete but not yet taken
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

// A reading is one read of an Input.
type reading struct {
	done  chan struct{} // closed when the read is complete
	b     []byte
	err   error
	taken bool
}

// begin starts to read more data unless a reading is under way.
func (in *Input) begin() *reading {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.next == nil {
		r := &reading{done: make(chan struct{})}
		in.next = r
		if in.end {
			close(r.done)
		} else {
			go r.read(in.r)
		}
	}
	return in.next
}

func (r *reading) complete() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

func (r *reading) read(from io.Reader) {
	defer close(r.done)
	b := make([]byte, 1<<16)
	n := 0
	for tries := 0; n == 0 && r.err == nil; tries++ {
		if n, r.err = from.Read(b); tries == 100 {
			r.err = io.ErrNoProgress
		}
	}
	r.b = b[:n]
}

// receive appends the data of a complete reading to the unread data, once.
func (in *Input) receive(r *reading) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if r.taken {
		return
	}
	r.taken, in.next = true, nil
	in.buf = append(in.buf[in.start:len(in.buf):len(in.buf)], r.b...)
	in.start = 0
	in.end = in.end || r.err != nil
}

// Fill reads more data. It returns when there is more or the reader has ended.
func (in *Input) Fill() {
	r := in.begin()
	<-r.done
	in.receive(r)
}

// Consume removes the first n unread bytes.
func (in *Input) Consume(n int) {
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

// PushBack prepends a byte to the unread data.
func (in *Input) PushBack(c byte) {
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

// Place returns the numbers of newlines consumed, and of characters since the last one.
func (in *Input) Place() (line, column int) {
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
