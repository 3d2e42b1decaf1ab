package world

import (
	"errors"
	"io"
	"sync"
	"time"
)

// A System gives programs sockets and signals. Package system implements it.
type System interface {
	Dial(a Address) (io.ReadWriteCloser, error)
	Listen(a Address) (Listener, error)
	// Signals returns a reader of the signals with a number: one byte for each, the number.
	Signals(number int) (io.ReadCloser, error)
}

// An Address is the address of a socket: a path of the file system, or a host and a port. To Listen, Host is "".
type Address struct {
	Path string
	Host string
	Port int
}

// A Listener accepts connections.
type Listener interface {
	Accept() (io.ReadWriteCloser, error)
	io.Closer
}

// ErrRefused marks errors of a System that tell the user how to allow what the program has tried.
var ErrRefused = errors.New("refused")

// A server is the reader of a bound socket. It delivers one byte for each connection.
type server struct {
	Listener
	mu       sync.Mutex
	accepted []io.ReadWriteCloser
}

func (l *server) Read(b []byte) (int, error) {
	conn, err := l.Accept()
	if err != nil {
		return 0, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.accepted = append(l.accepted, conn)
	b[0] = '.'
	return 1, nil
}

// next returns the connection that has waited longest.
func (l *server) next() io.ReadWriteCloser {
	l.mu.Lock()
	defer l.mu.Unlock()
	conn := l.accepted[0]
	l.accepted = l.accepted[1:]
	return conn
}

// A dialer is a reader that ends when its connection is made or refused.
type dialer struct {
	system System
	to     Address
	conn   io.ReadWriteCloser
	err    error
}

func (d *dialer) Read([]byte) (int, error) {
	d.conn, d.err = d.system.Dial(d.to)
	return 0, io.EOF
}

// Dial returns a file whose input ends when the connection to an address is made or refused.
func (w *World) Dial(to Address) *File { return w.reader("socket", &dialer{system: w.System, to: to}) }

// Dialed returns the connection of a file of dial whose input has ended.
func (f *File) Dialed() (io.ReadWriteCloser, error) {
	d := f.In.r.(*dialer)
	return d.conn, d.err
}

// Bound returns a file with a byte of input for each connection to the socket of a Listener.
func (w *World) Bound(l Listener) *File {
	server := &server{Listener: l}
	f := w.reader("bound socket", server)
	f.closer, f.Server = l, server
	return f
}

// Accept returns the connection to a bound socket that has waited longest.
func (f *File) Accept() io.ReadWriteCloser {
	f.In.Consume(1)
	return f.Server.next()
}

// Signals returns a file with a byte of input for each signal.
func (w *World) Signals(r io.ReadCloser) *File {
	f := w.reader("signals", r)
	f.closer, f.Signals = r, true
	return f
}

// A sender writes to a connection without making the program wait.
type sender struct {
	conn io.ReadWriteCloser
	mu   sync.Mutex
	cond sync.Cond
	rest []byte
	err  error
	over bool // no more follows
	done chan struct{}
	uses int // streams of the connection
}

// lingering is the time that a sender has at the end of a program.
const lingering = 5 * time.Second

func newSender(conn io.ReadWriteCloser, uses int) *sender {
	s := &sender{conn: conn, done: make(chan struct{}), uses: uses}
	s.cond.L = &s.mu
	go s.send()
	return s
}

func (s *sender) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	s.rest = append(s.rest, b...)
	s.cond.Signal()
	return len(b), nil
}

// Close closes one stream of the connection. The last one closes the connection when everything is sent.
func (s *sender) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.uses--; s.uses <= 0 {
		s.over = true
		s.cond.Signal()
	}
	return nil
}

func (s *sender) send() {
	defer close(s.done)
	defer s.conn.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.err == nil {
		for len(s.rest) == 0 {
			if s.over {
				return
			}
			s.cond.Wait()
		}
		b := s.rest
		s.rest = nil
		s.mu.Unlock()
		_, err := s.conn.Write(b)
		s.mu.Lock()
		s.err = err
	}
}

// finish closes the connection, at the latest after a while.
func (s *sender) finish(while time.Duration) {
	s.mu.Lock()
	s.uses = 0
	s.over = true
	s.cond.Signal()
	s.mu.Unlock()
	timer := time.NewTimer(while)
	defer timer.Stop()
	select {
	case <-s.done:
	case <-timer.C:
		s.conn.Close()
	}
}

// Connection returns the files of a connection: one for both directions, or one each for input and output.
func (w *World) Connection(conn io.ReadWriteCloser, n int) []*File {
	out := newSender(conn, n)
	w.mu.Lock()
	w.senders = append(w.senders, out)
	w.mu.Unlock()
	f := w.reader("socket", conn)
	f.Out, f.closer = newOutput(w, out), out
	files := []*File{f}
	if n == 2 {
		second := *f
		second.In, f.Out = nil, nil
		files = append(files, &second)
	}
	return files
}
