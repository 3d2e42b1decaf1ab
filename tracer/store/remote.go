package store

import (
	"errors"
	"fmt"
	"io"
	"sync"
)

// ErrNoIndex reports that a file was not closed. It can only be read from its beginning.
var ErrNoIndex = errors.New("the file has no index")

// OpenAt opens a closed trace of size bytes in a file that is somewhere else. It reads the header and the end, with the index, the lines and what was
// derived. Scans read the blocks that they need, in pieces that they keep. Damage is found where it is read.
func OpenAt(r io.ReaderAt, size int64) (*File, error) {
	if size < headSize+endSize {
		return nil, ErrNoIndex
	}
	p := parser{f: &File{remote: &remote{r: r, size: size, pieces: map[int64]*piece{}}}}
	head, err := p.f.bytes(0, headSize)
	if err != nil {
		return nil, err
	}
	if err := checkHeader(head); err != nil {
		return nil, err
	}
	if _, err := p.f.bytes(max(size-pieceSize, 0), min(size, pieceSize)); err != nil { // in one request
		return nil, err
	}
	return p.file(nil, "")
}

// pieceSize is the number of bytes of a remote file that are read at a time. While pieces are read one after the other, up to mostAhead of them are read
// in one request.
const (
	pieceSize = 256 << 10
	mostAhead = 16
)

// A remote is a file whose pieces are read when they are needed, once.
type remote struct {
	r    io.ReaderAt
	size int64

	mu     sync.Mutex
	pieces map[int64]*piece // by number
	ahead  int64            // pieces of the next request, if it follows the last one
}

// A piece is read when done is closed.
type piece struct {
	done chan struct{}
	b    []byte
	err  error
}

// bytes returns n bytes from an offset on, and waits for them. The caller has checked the bounds.
func (m *remote) bytes(at, n int64) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	first, last := at/pieceSize, (at+n-1)/pieceSize
	var whole []byte
	for k := first; k <= last; k++ {
		p := m.piece(k, last)
		if <-p.done; p.err != nil {
			return nil, p.err
		}
		from, to := max(at-k*pieceSize, 0), min(at+n-k*pieceSize, int64(len(p.b)))
		if first == last {
			return p.b[from:to:to], nil
		}
		whole = append(whole, p.b[from:to]...)
	}
	return whole, nil
}

// piece returns a piece, which it begins to read with those up to last if it has to.
func (m *remote) piece(k, last int64) *piece {
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
	for i := k; i < k+max(m.ahead, last-k+1) && i*pieceSize < m.size && m.pieces[i] == nil; i++ {
		p := &piece{done: make(chan struct{})}
		m.pieces[i] = p
		run = append(run, p)
	}
	go m.read(k, run)
	return run[0]
}

// read reads pieces that follow each other. Those that cannot be read can be asked for again.
func (m *remote) read(k int64, run []*piece) {
	at := k * pieceSize
	b := make([]byte, min(int64(len(run))*pieceSize, m.size-at))
	n, err := m.r.ReadAt(b, at)
	if n == len(b) {
		err = nil
	} else if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	for i, p := range run {
		if from := i * pieceSize; err == nil {
			p.b = b[from:min(from+pieceSize, len(b))]
		} else {
			p.err = fmt.Errorf("bytes %d to %d cannot be read: %w", at, at+int64(len(b)), err)
			m.mu.Lock()
			delete(m.pieces, k+int64(i))
			m.mu.Unlock()
		}
		close(p.done)
	}
}
