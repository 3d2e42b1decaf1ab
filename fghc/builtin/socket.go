package builtin

import (
	"errors"
	"io"
	"strconv"
	"sync"
	"time"

	"whorl/fghc/syntax"
	"whorl/fghc/term"
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

// connection returns the files of a connection: one for both directions, or one each for input and output.
func (w *World) connection(conn io.ReadWriteCloser, n int) []*File {
	out := newSender(conn, n)
	w.mu.Lock()
	w.senders = append(w.senders, out)
	w.mu.Unlock()
	in := NewInput(conn)
	in.slow = true
	files := []*File{{world: w, name: "socket", in: in, out: newOutput(w, out), closer: out, ops: syntax.Streams}}
	if n == 2 {
		f := *files[0]
		f.in, files[0].out = nil, nil
		files = append(files, &f)
	}
	return files
}

// connect returns a command with the arguments (address, normal(n streams)).
func connect(n int) func(s *service, a []term.Word) Verdict {
	return func(s *service, a []term.Word) Verdict {
		handle := s.Raw(s.box + streamPending).Value()
		if handle <= 0 {
			to, ok := s.address(a[0], true)
			if !ok {
				return s.bad(a[0], "connect", `unix(Path), inet("host", Port) or inet({127,0,0,1}, Port)`)
			}
			in := NewInput(&dialer{system: s.World().System, to: to})
			if s.World().System == nil {
				return s.Fault(-1, noSystem)
			}
			in.slow = true
			handle = int64(s.World().register(&File{world: s.World(), name: "socket", in: in, ops: syntax.Streams}))
			s.Store(s.box+streamPending, term.MakeInt(handle))
		}
		f := s.World().file(int(handle))
		if !f.in.Ended() && !s.Await(f.in) {
			return Unknown
		}
		d := f.in.r.(*dialer)
		if errors.Is(d.err, ErrRefused) {
			return s.Fault(-1, "%v", d.err)
		}
		return s.openAll(a[1], n, func() ([]int, error) {
			s.World().release(int(handle))
			return s.connected(d.conn, d.err, n)
		})
	}
}

// connected registers the files of a connection.
func (s *service) connected(conn io.ReadWriteCloser, err error, n int) (handles []int, _ error) {
	if err != nil {
		return nil, err
	}
	for _, f := range s.World().connection(conn, n) {
		handles = append(handles, s.World().register(f))
	}
	return handles, nil
}

const noSystem = "this run has no sockets and signals"

// bind has the arguments (address, normal(stream)).
func bind(s *service, a []term.Word) Verdict {
	at, ok := s.address(a[0], false)
	if !ok {
		return s.bad(a[0], "bind", "unix(Path) or inet(Port)")
	}
	w := s.World()
	if w.System == nil {
		return s.Fault(-1, noSystem)
	}
	return s.open(a[1], func() (int, error) {
		l, err := w.System.Listen(at)
		if err != nil {
			return 0, err
		}
		server := &server{Listener: l}
		in := NewInput(server)
		in.slow = true
		return w.register(&File{world: w, name: "bound socket", in: in, closer: l, server: server}), nil
	})
}

// accept returns a command with the argument (normal(n streams)).
func accept(n int) func(s *service, a []term.Word) Verdict {
	return func(s *service, a []term.Word) Verdict {
		b, v := s.available()
		if v != Yes {
			return v
		}
		return s.openAll(a[0], n, func() ([]int, error) {
			if len(b) == 0 {
				return nil, io.EOF
			}
			s.file.in.consume(1)
			return s.connected(s.file.server.next(), nil, n)
		})
	}
}

// SocketCommands lists the commands of the streams of bound sockets.
var SocketCommands = []Command{
	{"accept", "o", "accept(R) waits for a connection; R is normal(S), where S is a stream that reads and writes it, or abnormal", accept(1)},
	{"accept2", "o", "accept2(R), as accept; R is normal(I, O), where I and O are streams that read and write the connection", accept(2)},
	{"sync", "o", "sync(R): R is 0 when all earlier commands have been executed", done},
}

// address converts unix(Path), inet(Port) and, if remote, inet(Host, Port).
func (s *service) address(w term.Word, remote bool) (a Address, ok bool) {
	f, n := functorOf(s, w)
	if w.Tag() != term.Str {
		return a, false
	}
	args := structureArgs(s, w, n)
	for k := range args {
		args[k] = s.Deref(args[k])
	}
	switch kind := s.Symbols().Name(f.Index()); {
	case kind == "unix" && n == 1:
		path, isText := Text(s, args[0])
		full, err := s.World().path(string(path))
		return Address{Path: full}, isText && err == nil && full != ""
	case kind != "inet" || remote != (n == 2) || n > 2:
		return a, false
	}
	port := args[n-1]
	if port.Tag() != term.Int || port.Value() < 0 || port.Value() > 0xffff {
		return a, false
	}
	a.Port = int(port.Value())
	if !remote {
		return a, true
	}
	a.Host, ok = s.hostName(args[0])
	return a, ok
}

// hostName converts a string, or a vector of four bytes.
func (s *service) hostName(w term.Word) (name string, ok bool) {
	if b, ok := Text(s, w); ok {
		return string(b), len(b) > 0
	}
	if n, ok := Size(s, w); !ok || n != 4 {
		return "", false
	}
	for k, e := range Elements(s, w) {
		if e = s.Deref(e); !isByte(e) {
			return "", false
		}
		if k > 0 {
			name += "."
		}
		name += strconv.FormatInt(e.Value(), 10)
	}
	return name, true
}
