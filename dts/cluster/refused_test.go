package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"whorl/dts/launch"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

func TestRefused(t *testing.T) {
	s := startServer(t, Host{})
	c := dial(t, Options{Server: s})
	startNode(t, s.URL(), "a")
	awaitNodes(t, c, 1)
	t.Run("version", func(t *testing.T) {
		log, err := startNode(t, s.URL(), "b", EnvVersion+"=another").ended(t)
		mine, _ := ProgramVersion()
		if exitCode(err) != 2 || !strings.Contains(log, "another") || !strings.Contains(log, mine) {
			t.Errorf("%v: %s", err, log)
		}
	})
	t.Run("name", func(t *testing.T) {
		log, err := startNode(t, s.URL(), "a").ended(t)
		if exitCode(err) != 2 || !strings.Contains(log, "a node named a") {
			t.Errorf("%v: %s", err, log)
		}
	})
	t.Run("credentials", func(t *testing.T) {
		wrong := strings.Replace(s.URL(), s.host.Token, "guessed", 1)
		log, err := startNode(t, wrong, "c").ended(t)
		if err == nil || !strings.Contains(log, "refuses the credentials") || strings.Contains(log, "guessed") {
			t.Errorf("%v: %s", err, log)
		}
	})
	t.Run("no credentials", func(t *testing.T) {
		if _, err := Dial(t.Context(), Options{URL: "nats://" + s.Addr()}); err == nil || !strings.Contains(err.Error(), "refuses the credentials") {
			t.Error(err)
		}
	})
	t.Run("no server", func(t *testing.T) {
		if _, err := Dial(t.Context(), Options{URL: "nats://127.0.0.1:1"}); err == nil || !strings.Contains(err.Error(), "no server answers") {
			t.Error(err)
		}
	})
	if n := len(c.Nodes()); n != 1 {
		t.Errorf("there are %d nodes", n)
	}
}

// A program is refused that differs from the program of a client with a job, although there are no nodes yet. Both
// report the two versions. A node of the right program is accepted.
func TestRefusedBeforeNodes(t *testing.T) {
	t.Parallel()
	s := startServer(t, Host{})
	var said testenv.Buffer
	c := dial(t, Options{Server: s, timing: haste, Log: func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) }})
	mine, _ := ProgramVersion()
	running, err := RunningVersion(t.Context(), Options{Server: s})
	if err != nil || running != mine {
		t.Errorf("the cluster runs version %q, %v; expected %s", running, err, mine)
	}
	time.Sleep(3 * haste.lease) // without renewal the version would expire
	log, err := startNode(t, s.URL(), "n", EnvVersion+"=another", "TEST_HASTE=1").ended(t)
	if exitCode(err) != 2 || !strings.Contains(log, "another") || !strings.Contains(log, mine) {
		t.Errorf("%v: %s", err, log)
	}
	if text := said.String(); !strings.Contains(text, "n on host") || !strings.Contains(text, "another") || !strings.Contains(text, mine) {
		t.Errorf("the client logs %q", text)
	}
	_, err = Dial(t.Context(), Options{Server: s, Version: "third"})
	var refused *RefusedError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "third") || !strings.Contains(err.Error(), mine) {
		t.Errorf("client of another program: %v", err)
	}
	startNode(t, s.URL(), "n", "TEST_HASTE=1")
	rightAnswer(t, c, 8)
}

// A node of another program takes the place of one that was cut off for long. The first one ends.
func TestRefusedLater(t *testing.T) {
	t.Parallel()
	s := startServer(t, Host{})
	k := newLink(t, s.URL())
	n := startNode(t, k.url, "n", "TEST_HASTE=1", "TEST_PATIENCE=1m")
	c := dial(t, Options{Server: s, timing: haste})
	awaitNodes(t, c, 1)
	c.Close() // it would renew the version
	k.set(true)
	var other *Conn
	for began := time.Now(); other == nil; time.Sleep(50 * time.Millisecond) {
		var err error
		if other, err = Dial(t.Context(), Options{Server: s, Version: "another", timing: haste}); time.Since(began) > atMost {
			t.Fatal(err)
		}
	}
	t.Cleanup(other.Close)
	k.set(false)
	if log, err := n.ended(t); exitCode(err) != 2 || !strings.Contains(log, "another") {
		t.Errorf("%v: %s", err, log)
	}
}

// A node logs which jobs wait for another program.
func TestWaitingForAnother(t *testing.T) {
	t.Parallel()
	s := startServer(t, Host{})
	c := dial(t, Options{Server: s, Version: "old", timing: haste})
	must.Do(t, c.Submit(t.Context(), Job{ID: "left", Function: "fib"}))
	c.Close()
	n := startNode(t, s.URL(), "n", "TEST_HASTE=1")
	for began := time.Now(); !strings.Contains(n.log.String(), "job left waits for a program of version old"); time.Sleep(50 * time.Millisecond) {
		if time.Since(began) > atMost {
			t.Fatal(n.log.String())
		}
		if exited(n) { // refused, since the old version has not expired
			n = startNode(t, s.URL(), "n", "TEST_HASTE=1")
		}
	}
}

// exited reports whether a process has ended.
func exited(p *process) bool {
	select {
	case err := <-p.done:
		p.done <- err
		return true
	default:
		return false
	}
}

// Dismissed nodes leave in good order before the server closes. Nodes of another cluster stay.
func TestDismissed(t *testing.T) {
	t.Parallel()
	s := startServer(t, Host{})
	c := dial(t, Options{Server: s, timing: haste})
	other := dial(t, Options{Server: s, timing: haste, Cluster: "other"})
	var nodes []*process
	for _, name := range []string{"a", "b"} {
		nodes = append(nodes, startNode(t, s.URL(), name, "TEST_HASTE=1"))
	}
	stays := startNode(t, s.URL(), "c", "TEST_HASTE=1", EnvCluster+"=other")
	awaitNodes(t, c, 2)
	awaitNodes(t, other, 1)
	if err := c.Dismiss(soon(t)); err != nil {
		t.Error(err)
	}
	if left := c.Nodes(); len(left) != 0 {
		t.Errorf("%v are left", left)
	}
	for _, n := range nodes {
		if log, err := n.ended(t); err != nil || !strings.Contains(log, "the cluster is over") {
			t.Errorf("%s: %v: %s", n.name, err, log)
		}
	}
	rightAnswer(t, other, 5)
	s.Close()
	if log := stays.log.String(); strings.Contains(log, "over") {
		t.Error(log)
	}
}

// A node ends at a limit. Its unfinished work is done elsewhere.
func TestLimit(t *testing.T) {
	t.Parallel()
	s := startServer(t, Host{})
	c := dial(t, Options{Server: s, timing: haste})
	n := startNode(t, s.URL(), "short", "TEST_HASTE=1", launch.EnvMaxTime+"=300ms")
	must.Do(t, c.Submit(t.Context(), Job{ID: "long", Function: "fib", Arg: encoded(t, fibArg{9, 20 * time.Millisecond})}))
	if log, err := n.ended(t); exitCode(err) != 3 || !strings.Contains(log, "stopped after 300ms") {
		t.Errorf("%v: %s", err, log)
	}
	startNode(t, s.URL(), "long", "TEST_HASTE=1")
	r := must.Get(c.Wait(soon(t), "long"))(t)
	if got, err := fibFunc.Decode(r.Value); err != nil || got != fibonacci(9) || r.Node != "long" || r.Failure != "" {
		t.Errorf("%d, %v: %+v", got, err, r)
	}
}

// A node reserves its name a second time, as after a lost answer of the server. Another node of that name is refused.
func TestEntersTwice(t *testing.T) {
	s := startServer(t, Host{})
	o := must.Get(Options{Server: s, Name: "n", timing: haste}.checked())(t)
	enter := func(id string, times int) (err error) {
		n := &Node{self: beat{ID: id, Version: o.Version}}
		if n.Conn, err = open(t.Context(), o, &n.self); err != nil {
			t.Fatal(err)
		}
		defer n.Close()
		for range times {
			err = errors.Join(err, n.enter(t.Context()))
		}
		return err
	}
	if err := enter("n~1", 2); err != nil {
		t.Error(err)
	}
	var refused *RefusedError
	if err := enter("n~2", 1); !errors.As(err, &refused) {
		t.Error(err)
	}
}

// within repeats a request without an answer, and fails in the end.
func TestWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			silent int
			want   error
		}{{0, nil}, {3, nil}, {9, context.DeadlineExceeded}} {
			asked := 0
			began := time.Now()
			err := within(t.Context(), func(ctx context.Context) error {
				if asked++; asked > c.silent {
					return nil
				}
				<-ctx.Done()
				return ctx.Err()
			})
			if !errors.Is(err, c.want) || time.Since(began) != min(enough, time.Duration(c.silent)*again) {
				t.Errorf("after %d requests without an answer: %v, in %s", c.silent, err, time.Since(began))
			}
		}
	})
}
