package cluster

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"whorl/testdata/must"
)

// TestBusyServer connects to a server that is too busy to answer the first connection.
func TestBusyServer(t *testing.T) {
	t.Parallel()
	s := startServer(t, Host{})
	u := must.Get(url.Parse(s.URL()))(t)
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	to := u.Host
	u.Host = l.Addr().String()
	var wait sync.WaitGroup
	defer wait.Wait()
	wait.Go(func() {
		silent, err := l.Accept()
		if err != nil {
			return
		}
		defer silent.Close()
		client, err := l.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", to)
		if err != nil {
			return
		}
		for _, d := range [][2]net.Conn{{client, server}, {server, client}} {
			wait.Go(func() {
				defer d[0].Close()
				defer d[1].Close()
				_, _ = io.Copy(d[1], d[0])
			})
		}
		_, _ = l.Accept() // until the end of the test
	})
	c, err := Dial(soon(t), Options{URL: u.String(), Log: t.Logf})
	l.Close()
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

// A link forwards connections to a server. While it is cut, nothing arrives in either direction and no connection is
// closed.
type link struct {
	url string // of the server through the link

	mu   sync.Mutex
	open sync.Cond
	cut  bool
}

func newLink(t *testing.T, server string) *link {
	t.Helper()
	u := must.Get(url.Parse(server))(t)
	to := u.Host
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	u.Host = l.Addr().String()
	k := &link{url: u.String()}
	k.open.L = &k.mu
	var wait sync.WaitGroup
	t.Cleanup(func() {
		k.set(false)
		l.Close()
		wait.Wait()
	})
	wait.Go(func() {
		for {
			a, err := l.Accept()
			if err != nil {
				return
			}
			b, err := net.Dial("tcp", to)
			if err != nil {
				a.Close()
				continue
			}
			for _, d := range [][2]net.Conn{{a, b}, {b, a}} {
				wait.Go(func() {
					defer d[0].Close()
					defer d[1].Close()
					_, _ = io.Copy(gate{k, d[1]}, d[0])
				})
			}
		}
	})
	return k
}

// A gate holds back writes while its link is cut.
type gate struct {
	*link
	io.Writer
}

func (g gate) Write(b []byte) (int, error) {
	g.mu.Lock()
	for g.cut {
		g.open.Wait()
	}
	g.mu.Unlock()
	return g.Writer.Write(b)
}

func (l *link) set(cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = cut
	l.open.Broadcast()
}

// Nodes are cut off while a job runs, for less and for more than the time after which a connection counts as dead.
// The answer is right, and the node returns.
func TestCutOff(t *testing.T) {
	for _, outage := range []struct {
		length time.Duration
		nodes  int // cut off one after the other
	}{{1500 * time.Millisecond, 2}, {4 * time.Second, 1}} {
		t.Run(outage.length.String(), func(t *testing.T) {
			t.Parallel()
			s := startServer(t, Host{})
			c := dial(t, Options{Server: s, timing: haste})
			var links []*link
			for i := range 3 {
				links = append(links, newLink(t, s.URL()))
				startNode(t, links[i].url, fmt.Sprint("n", i), "TEST_HASTE=1")
			}
			awaitNodes(t, c, 3)
			for i := range outage.nodes {
				time.AfterFunc(50*time.Millisecond, func() { links[i].set(true) })
				healed := time.AfterFunc(50*time.Millisecond+outage.length, func() { links[i].set(false) })
				rightAnswer(t, c, 16)
				for began := time.Now(); len(c.Nodes()) == 3 && time.Since(began) < outage.length; time.Sleep(10 * time.Millisecond) {
				}
				if n := len(c.Nodes()); n == 3 && healed.Stop() {
					t.Errorf("node %d is cut off, but %d nodes are known", i, n)
					links[i].set(false)
				}
				awaitNodes(t, c, 3)
				name := fmt.Sprint("n", i)
				for began := time.Now(); ; time.Sleep(50 * time.Millisecond) { // until the other nodes know it too
					got, err := Do(soon(t), c, "", whereOn, name)
					if err == nil && got == name {
						break
					} else if err != nil || time.Since(began) > atMost {
						t.Fatalf("fork on %s ran on %q, %v", name, got, err)
					}
				}
			}
		})
	}
}

// A node in a network namespace of its own loses its network for a while.
func TestNetworkCut(t *testing.T) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("network namespaces need root on Linux; TestCutOff does without")
	}
	t.Parallel()
	a, b := fmt.Sprintf("whorl-a-%d", os.Getpid()), fmt.Sprintf("whorl-b-%d", os.Getpid())
	ip := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
			t.Skipf("ip %s: %v: %s", strings.Join(args, " "), err, out)
		}
	}
	ip("netns", "add", a)
	t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", a).Run() })
	ip("netns", "add", b)
	t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", b).Run() })
	ip("-n", a, "link", "add", "va", "type", "veth", "peer", "name", "vb", "netns", b)
	for _, c := range []struct{ ns, dev string }{{a, "va"}, {b, "vb"}} {
		address := map[string]string{a: "10.213.77.1/24", b: "10.213.77.2/24"}[c.ns]
		ip("-n", c.ns, "addr", "add", address, "dev", c.dev)
		ip("-n", c.ns, "link", "set", c.dev, "up")
		ip("-n", c.ns, "link", "set", "lo", "up")
	}
	in := func(ns string) func(p *process) {
		return func(p *process) {
			p.Cmd.Args = append([]string{"ip", "netns", "exec", ns}, p.Cmd.Path)
			p.Cmd.Path, p.Cmd.Err = exec.LookPath("ip")
		}
	}
	_, server := startServerProcess(t, t.TempDir(), "10.213.77.1:0", in(a))
	startNodeIn(t, in(a), server, "n0", "TEST_HASTE=1")
	startNodeIn(t, in(b), server, "n1", "TEST_HASTE=1")
	reached := func() { // returns when n1 is one of the nodes
		t.Helper()
		for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
			submit := exec.Command("ip", "netns", "exec", a, os.Args[0])
			submit.Env = append(os.Environ(), EnvJoin+"="+server, "TEST_SUBMIT=n1")
			out, err := submit.Output()
			if err == nil && strings.TrimSpace(string(out)) == "n1" {
				return
			}
			if time.Since(began) > atMost {
				t.Fatalf("fork on n1 ran on %q, %v", out, err)
			}
		}
	}
	reached()
	time.AfterFunc(300*time.Millisecond, func() { _ = exec.Command("ip", "-n", b, "link", "set", "vb", "down").Run() })
	up := make(chan struct{})
	time.AfterFunc(4*time.Second, func() {
		_ = exec.Command("ip", "-n", b, "link", "set", "vb", "up").Run()
		close(up)
	})
	submit := exec.Command("ip", "netns", "exec", a, os.Args[0])
	submit.Env = append(os.Environ(), EnvJoin+"="+server, "TEST_SUBMIT=16")
	var log bytes.Buffer
	submit.Stderr = &log
	out, err := submit.Output()
	if got, _ := strconv.Atoi(strings.TrimSpace(string(out))); err != nil || got != fibonacci(16) {
		t.Errorf("fib(16) = %s, %v: %s", out, err, log.String())
	}
	<-up
	reached() // after the network is back
}
