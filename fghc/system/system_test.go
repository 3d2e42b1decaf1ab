package system

import (
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"whorl/fghc/world"
	"whorl/testdata/must"
)

// TestSockets connects to a port of this machine, and to a path.
func TestSockets(t *testing.T) {
	for _, c := range []struct {
		to     world.Address
		server Sockets
	}{
		{world.Address{Path: filepath.Join(t.TempDir(), "socket")}, Sockets{}},
		{world.Address{Host: "127.0.0.1"}, Sockets{}},
		{world.Address{Host: "localhost"}, Sockets{AnyHost: true}},
	} {
		l := must.Get(c.server.Listen(world.Address{Path: c.to.Path}))(t)
		if at, ok := l.(listener).Addr().(*net.TCPAddr); ok {
			c.to.Port = at.Port
			if at.IP.IsLoopback() == c.server.AnyHost {
				t.Errorf("bound to %v", at)
			}
		}
		go func() {
			if conn, err := l.Accept(); err == nil {
				_, _ = io.WriteString(conn, "hello")
				conn.Close()
			}
		}()
		conn := must.Get(Sockets{}.Dial(c.to))(t)
		if text, err := io.ReadAll(conn); err != nil || string(text) != "hello" {
			t.Errorf("%v: %q, %v", c.to, text, err)
		}
		conn.Close()
		l.Close()
	}
}

// TestOtherHosts checks that sockets reach other hosts only if they may.
func TestOtherHosts(t *testing.T) {
	for _, host := range []string{"192.0.2.1", "example.org", "10.0.0.1", "::", "localhost.example.org"} {
		if _, err := (Sockets{}).Dial(world.Address{Host: host, Port: 80}); !errors.Is(err, world.ErrRefused) {
			t.Errorf("%s: %v", host, err)
		}
	}
	if _, err := (Sockets{AnyHost: true}).Dial(world.Address{Host: "no such host", Port: 80}); err == nil || errors.Is(err, world.ErrRefused) {
		t.Error(err)
	}
}

// TestSignals reads signals until the reader is closed, and refuses those that programs cannot take.
func TestSignals(t *testing.T) {
	r := must.Get(Sockets{}.Signals(int(syscall.SIGUSR1)))(t)
	must.Do(t, syscall.Kill(syscall.Getpid(), syscall.SIGUSR1))
	b := make([]byte, 10)
	if n, err := r.Read(b); n != 1 || err != nil || b[0] != byte(syscall.SIGUSR1) {
		t.Errorf("%d bytes, %v: %v", n, err, b)
	}
	must.Do(t, r.Close())
	must.Do(t, r.Close())
	if n, err := r.Read(b); n != 0 || err != io.EOF {
		t.Errorf("%d bytes, %v", n, err)
	}
	for _, c := range []struct {
		number int
		want   string
	}{
		{0, "0 is not a signal; expected 1 to 31"},
		{64, "64 is not a signal; expected 1 to 31"},
		{2, "a program cannot take signal 2 (interrupt)"},
	} {
		if _, err := (Sockets{}).Signals(c.number); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d: %v", c.number, err)
		}
	}
}
