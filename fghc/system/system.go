// Package system gives KL1 programs the sockets and signals of the operating system. It is apart from package builtin because programs that run in
// the browser have neither.
package system

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"whorl/fghc/world"
)

// Sockets reach and accept programs on the same machine. With AnyHost they reach and accept all hosts.
type Sockets struct{ AnyHost bool }

var _ world.System = Sockets{}

// patience bounds how long a host may take to answer.
const patience = 30 * time.Second

// Dial connects to a server.
func (s Sockets) Dial(a world.Address) (io.ReadWriteCloser, error) {
	if a.Path != "" {
		return net.DialTimeout("unix", a.Path, patience)
	}
	if !s.AnyHost && !local(a.Host) {
		return nil, fmt.Errorf("connection to %s: %w: sockets reach only this machine; --any-host allows others", a.Host, world.ErrRefused)
	}
	return net.DialTimeout("tcp", net.JoinHostPort(a.Host, strconv.Itoa(a.Port)), patience)
}

// local reports whether a host name or address denotes this machine. It asks no name server.
func local(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// Listen binds a socket.
func (s Sockets) Listen(a world.Address) (world.Listener, error) {
	if a.Path != "" {
		l, err := net.Listen("unix", a.Path)
		return listener{l}, err
	}
	host := "127.0.0.1"
	if s.AnyHost {
		host = ""
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(a.Port)))
	return listener{l}, err
}

type listener struct{ net.Listener }

func (l listener) Accept() (io.ReadWriteCloser, error) { return l.Listener.Accept() }

// Signals returns a reader of the signals with a number.
func (Sockets) Signals(number int) (io.ReadCloser, error) {
	const last = 31 // real-time signals follow
	if number < 1 || number > last {
		return nil, fmt.Errorf("%d is not a signal; expected 1 to %d", number, last)
	}
	if s := syscall.Signal(number); slices.Contains(own, s) {
		return nil, fmt.Errorf("a program cannot take signal %d (%v)", number, s)
	}
	r := &signals{arrivals: make(chan os.Signal, 64), over: make(chan struct{})}
	signal.Notify(r.arrivals, syscall.Signal(number))
	return r, nil
}

// A signals reader delivers one byte for each signal, its number.
type signals struct {
	arrivals chan os.Signal
	once     sync.Once
	over     chan struct{}
}

func (r *signals) Read(b []byte) (int, error) {
	select {
	case s := <-r.arrivals:
		b[0] = byte(s.(syscall.Signal))
		return 1, nil
	case <-r.over:
		return 0, io.EOF
	}
}

// Close ends the reader.
func (r *signals) Close() error {
	r.once.Do(func() {
		signal.Stop(r.arrivals)
		close(r.over)
	})
	return nil
}
