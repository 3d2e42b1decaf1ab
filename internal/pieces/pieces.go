// Package pieces reads files that are somewhere else in pieces, which it keeps.
package pieces

import (
	"errors"
	"fmt"
	"io"
	"sync"
)

// Size is the number of bytes that are read at a time. While pieces are read one after the other, up to mostAhead of them are read
// in one request.
const (
	Size      = 256 << 10
	mostAhead = 16
)

// A File is a file whose pieces are read when they are needed, once. Its methods are safe for concurrent use.
type File struct {
	r    io.ReaderAt
	size int64

	mu     sync.Mutex
	pieces map[int64]*piece // by number
	ahead  int64            // pieces of the next request, if it follows the last one
}

// New returns the file behind r, which has size bytes. It reads nothing yet.
func New(r io.ReaderAt, size int64) *File { return &File{r: r, size: size, pieces: map[int64]*piece{}} }

// Len returns the size of the file in bytes.
func (m *File) Len() int64 { return m.size }

// A piece is read when done is closed.
type piece struct {
	done chan struct{}
	b    []byte
	err  error
}

// Bytes returns n bytes from an offset on, and waits for them. The caller has checked the bounds.
func (m *File) Bytes(at, n int64) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	first, last := at/Size, (at+n-1)/Size
	var whole []byte
	for k := first; k <= last; k++ {
		p := m.piece(k, last)
		if <-p.done; p.err != nil {
			return nil, p.err
		}
		from, to := max(at-k*Size, 0), min(at+n-k*Size, int64(len(p.b)))
		if first == last {
			return p.b[from:to:to], nil
		}
		whole = append(whole, p.b[from:to]...)
	}
	return whole, nil
}

// piece returns a piece, which it begins to read with those up to last if it has to.
func (m *File) piece(k, last int64) *piece {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.pieces[k]; p != nil {
		return p
	}
	if m.ahead = min(2*m.ahead, mostAhead); k == 0 || m.pieces[k-1] == nil {
		m.ahead = 1
	}
	m.ahead = max(m.ahead, 1)
	var run []*piece
	for i := k; i < k+max(m.ahead, last-k+1) && i*Size < m.size && m.pieces[i] == nil; i++ {
		p := &piece{done: make(chan struct{})}
		m.pieces[i] = p
		run = append(run, p)
	}
	go m.read(k, run)
	return run[0]
}

// read reads pieces that follow each other. Those that cannot be read can be asked for again.
func (m *File) read(k int64, run []*piece) {
	at := k * Size
	b := make([]byte, min(int64(len(run))*Size, m.size-at))
	n, err := m.r.ReadAt(b, at)
	if n == len(b) {
		err = nil
	} else if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	for i, p := range run {
		if from := i * Size; err == nil {
			p.b = b[from:min(from+Size, len(b))]
		} else {
			p.err = fmt.Errorf("bytes %d to %d cannot be read: %w", at, at+int64(len(b)), err)
			m.mu.Lock()
			delete(m.pieces, k+int64(i))
			m.mu.Unlock()
		}
		close(p.done)
	}
}
