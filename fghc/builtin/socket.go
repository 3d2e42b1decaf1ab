package builtin

import (
	"errors"
	"io"
	"strconv"

	"whorl/fghc/term"
	"whorl/fghc/world"
)

// connect returns a command with the arguments (address, normal(n streams)).
func connect(n int) func(s *service, a []term.Word) Verdict {
	return func(s *service, a []term.Word) Verdict {
		handle := s.Raw(s.box + streamPending).Value()
		if handle <= 0 {
			to, ok := s.address(a[0], true)
			if !ok {
				return s.bad(a[0], "connect", `unix(Path), inet("host", Port) or inet({127,0,0,1}, Port), a port from 0 to 65535`)
			}
			if s.World().System == nil {
				return s.Fault(-1, noSystem)
			}
			handle = int64(s.World().Register(s.World().Dial(to)))
			s.Store(s.box+streamPending, term.MakeInt(handle))
		}
		f := s.World().File(int(handle))
		if !f.In.Ended() && !s.Await(f.In) {
			return Unknown
		}
		conn, err := f.Dialed()
		if errors.Is(err, world.ErrRefused) {
			return s.Fault(-1, "%v", err)
		}
		return s.openAll(a[1], n, func() ([]int, error) {
			s.World().Release(int(handle))
			return s.connected(conn, err, n)
		})
	}
}

// connected registers the files of a connection.
func (s *service) connected(conn io.ReadWriteCloser, err error, n int) (handles []int, _ error) {
	if err != nil {
		return nil, err
	}
	for _, f := range s.World().Connection(conn, n) {
		handles = append(handles, s.World().Register(f))
	}
	return handles, nil
}

const noSystem = "this run has no sockets and signals"

// bind has the arguments (address, normal(stream)).
func bind(s *service, a []term.Word) Verdict {
	at, ok := s.address(a[0], false)
	if !ok {
		return s.bad(a[0], "bind", "unix(Path) or inet(Port), a port from 0 to 65535")
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
		return w.Register(w.Bound(l)), nil
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
			return s.connected(s.file.Accept(), nil, n)
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
func (s *service) address(w term.Word, remote bool) (a world.Address, ok bool) {
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
		full, err := s.World().Path(string(path))
		return world.Address{Path: full}, isText && err == nil && full != ""
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
