package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"whorl/tracer"
	"whorl/tracer/store"
)

// A traceLog is the recorder of a node. Several times a second it copies new events to a trace file in memory and
// sends the bytes of the file to a stream on the servers, in pieces. Each piece has the name of the node and a
// number, so none is lost or duplicated, and sent pieces survive the node.
type traceLog struct {
	js      jetstream.JetStream
	subject string
	header  logHeader
	log     func(format string, args ...any)

	file  *store.Writer
	bytes pieces
	next  int    // number of the next piece
	piece []byte // being sent

	mu      sync.Mutex // guards the following fields
	streams []*logStream
	closed  bool
}

// A logHeader accompanies each piece.
type logHeader struct {
	Node    string    `json:"node"` // id
	Host    string    `json:"host"`
	Number  uint64    `json:"number"` // of the node
	PEs     int       `json:"pes"`
	Started time.Time `json:"started"` // zero of the trace's times by the clock of the host
}

const (
	headerLog   = "Whorl-Log"
	headerPiece = "Whorl-Piece"

	logRows  = 64                     // events that a worker buffers
	logEvery = 100 * time.Millisecond // interval between pieces
	maxPiece = 256 << 10              // size in bytes
	mostLog  = 64 << 20               // unsent bytes at which workers have to wait
)

// A logStream is a stream and its copy in the file. The lock is held while rows are copied.
type logStream struct {
	mu    sync.Mutex
	front *tracer.Stream
	back  *tracer.Stream
	part  tracer.Segment
	sent  int // number of copied rows of part
}

// pieces buffers the bytes of the file.
type pieces struct {
	mu   sync.Mutex
	room sync.Cond
	data []byte
	gone bool // no sender is left
}

func (p *pieces) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.data) > mostLog && !p.gone {
		p.room.Wait()
	}
	p.data = append(p.data, b...)
	return len(b), nil
}

// next removes and returns the next piece.
func (p *pieces) next() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := min(len(p.data), maxPiece)
	b := append([]byte(nil), p.data[:n]...)
	p.data = append(p.data[:0], p.data[n:]...)
	p.room.Broadcast()
	return b
}

func newTraceLog(js jetstream.JetStream, subject string, h logHeader, log func(string, ...any)) *traceLog {
	l := &traceLog{js: js, subject: subject, header: h, log: log}
	l.bytes.room.L = &l.bytes.mu
	l.file = store.New(&l.bytes)
	return l
}

// Dict, SetMeta, Stream and Close implement tracer.Recorder.
func (l *traceLog) Dict() *tracer.Dict    { return l.file.Dict() }
func (l *traceLog) SetMeta(m tracer.Meta) { l.file.SetMeta(m) }

func (l *traceLog) Stream(info tracer.StreamInfo) *tracer.Stream {
	s := &logStream{part: tracer.Segment{Rows: make([]tracer.Event, logRows), Fill: &tracer.Fill{}}, back: l.file.Stream(info)}
	s.front = tracer.NewStream(s.part, func(full tracer.Segment) tracer.Segment {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.copy(len(full.Rows))
		s.sent = 0
		atomic.StoreInt64(&full.Fill.Synced, 0) // before flush sees it again and copies the old rows
		return full
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.streams = append(l.streams, s)
	return s.front
}

// copy copies the rows up to n; s.mu is held.
func (s *logStream) copy(n int) {
	for ; s.sent < n; s.sent++ {
		*s.back.Slot() = s.part.Rows[s.sent]
	}
	s.back.Sync()
}

// flush copies all complete events to the file's bytes.
func (l *traceLog) flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	for _, s := range l.streams {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.copy(max(s.sent, int(atomic.LoadInt64(&s.part.Fill.Synced))))
	}
	return l.file.Flush()
}

// Close completes the file. The workers have stopped.
func (l *traceLog) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.streams {
		s.mu.Lock()
		s.copy(len(s.front.Filled()))
		s.mu.Unlock()
	}
	l.closed = true
	return l.file.Close()
}

// ship sends pieces until ctx ends.
func (l *traceLog) ship(ctx context.Context) {
	every(ctx, logEvery, func() bool {
		if err := l.flush(); err != nil {
			l.log("the trace of this node ends here: %v", err)
			return false
		}
		_ = l.sendAll(ctx) // the rest follows later
		return true
	})
}

// sendAll sends all pieces, each until a server confirms it. It fails if ctx ends first.
func (l *traceLog) sendAll(ctx context.Context) error {
	head, err := json.Marshal(&l.header)
	if err != nil {
		return err
	}
	for {
		if len(l.piece) == 0 {
			l.piece = l.bytes.next()
		}
		b := l.piece // kept until a server has it, even if sendAll fails
		if len(b) == 0 {
			return nil
		}
		m := &nats.Msg{Subject: l.subject, Data: b, Header: nats.Header{headerLog: {string(head)}, headerPiece: {strconv.Itoa(l.next)}}}
		for {
			err := within(ctx, func(ctx context.Context) error {
				_, err := l.js.PublishMsg(ctx, m, jetstream.WithMsgID(fmt.Sprint(l.header.Node, ".", l.next)))
				return err
			})
			if err == nil {
				break
			}
			select {
			case <-time.After(logEvery):
			case <-ctx.Done():
				return fmt.Errorf("the end was not sent: %w", err)
			}
		}
		l.next, l.piece = l.next+1, nil
	}
}

// finish closes the log and sends the remaining pieces until ctx ends.
func (l *traceLog) finish(ctx context.Context) error {
	err := errors.Join(l.Close(), l.sendAll(ctx))
	l.bytes.mu.Lock()
	l.bytes.gone = true
	l.bytes.room.Broadcast()
	l.bytes.mu.Unlock()
	return err
}

var _ tracer.Recorder = (*traceLog)(nil)
