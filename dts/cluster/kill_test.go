package cluster

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whorl/dts"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

// Stages at which nodes kill themselves. An owner owns the root of a job; only owners reach the stages of jobs.
var stages = []string{
	"owner job taken:1", "owner job done:1", "owner job stored:1", "owner job acknowledged:1",
	"owner fork sent:1", "owner fork sent:5", "owner result received:2", "owner call taken:1", "owner call done:1", "owner result sent:1",
	"worker fork sent:1", "worker fork sent:3", "worker result received:1",
	"worker call taken:1", "worker call taken:4", "worker call done:1", "worker call done:3", "worker result sent:2",
}

// One of three processes kills itself at each of the stages, and the answer is right.
func TestKilled(t *testing.T) {
	for _, stage := range stages {
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			killedAt(t, stage, 1)
		})
	}
}

// TestSoakKilled repeats the tests of killed processes and lost messages.
func TestSoakKilled(t *testing.T) {
	testenv.OnlySoak(t)
	for _, stage := range stages {
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			killedAt(t, stage, 100)
		})
	}
	t.Run("bad net", func(t *testing.T) { badNet(t, 100) })
	t.Run("any time", func(t *testing.T) {
		t.Parallel()
		killedAnyTime(t, 100)
	})
	t.Run("server", func(t *testing.T) {
		t.Parallel()
		serverKilled(t, 100)
	})
}

func killedAt(t *testing.T, stage string, times int) {
	rounds(t, times, func(t *testing.T) {
		mark := filepath.Join(t.TempDir(), "died")
		c, nodes := threeNodes(t, "TEST_DIE="+stage+":"+mark)
		for began := time.Now(); ; time.Sleep(10 * time.Millisecond) { // a run may end before any node reaches the stage
			rightAnswer(t, c, 13)
			if _, err := os.Stat(mark); err == nil || t.Failed() {
				break
			} else if time.Since(began) > atMost {
				t.Fatalf("no node reached the stage %s", stage)
			}
		}
		rightAnswer(t, c, 10) // by the remaining nodes
		for _, n := range nodes {
			n.kill()
		}
	})
}

// rounds repeats a round until it fails, each time with fresh resources.
func rounds(t *testing.T, times int, round func(t *testing.T)) {
	for i := range times {
		if !t.Run(fmt.Sprint(i), round) {
			return
		}
	}
}

func rightAnswer(t *testing.T, c *Conn, n int) {
	t.Helper()
	got, err := Do(soon(t), c, "", fibFunc, fibArg{n, 200 * time.Microsecond})
	if err != nil || got != fibonacci(n) {
		t.Errorf("fib(%d) = %d, %v; expected %d", n, got, err, fibonacci(n))
	}
}

// One of three nodes is killed at any time, and another one joins.
func TestKilledAnyTime(t *testing.T) {
	t.Parallel()
	killedAnyTime(t, 2)
}

func killedAnyTime(t *testing.T, times int) {
	rounds(t, times, func(t *testing.T) {
		c, nodes := threeNodes(t)
		victim := nodes[rand.IntN(3)]
		time.AfterFunc(rand.N(100*time.Millisecond), func() { _ = victim.Process.Kill() })
		nodes = append(nodes, startNode(t, nodes[0].url, "late", "TEST_HASTE=1"))
		rightAnswer(t, c, 14)
		for _, n := range nodes {
			n.kill()
		}
	})
}

// All nodes are killed. The job is done when there are nodes again.
func TestAllKilled(t *testing.T) {
	t.Parallel()
	taken := filepath.Join(t.TempDir(), "taken")
	c, nodes := threeNodes(t, "TEST_TAKEN="+taken)
	must.Do(t, c.Submit(t.Context(), Job{ID: "long", Function: "fib", Arg: encoded(t, fibArg{15, 5 * time.Millisecond})}))
	awaitFile(t, taken)
	for _, n := range nodes {
		n.kill()
	}
	startNode(t, nodes[0].url, "late", "TEST_HASTE=1")
	r := must.Get(c.Wait(soon(t), "long"))(t)
	if got, err := fibFunc.Decode(r.Value); err != nil || got != fibonacci(15) || r.Attempt < 2 || r.Node != "late" {
		t.Errorf("%d, %v on node %s in attempt %d", got, err, r.Node, r.Attempt)
	}
}

// awaitFile waits until a file exists.
func awaitFile(t *testing.T, path string) {
	t.Helper()
	for end := time.Now().Add(atMost); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s does not exist", path)
		}
	}
}

func encoded(t *testing.T, a fibArg) []byte {
	t.Helper()
	return must.Get(fibFunc.Encode(a))(t)
}

// The process of the server is killed. Wait reports which job is lost and how to go on with it, which works.
func TestServerKilled(t *testing.T) {
	t.Parallel()
	serverKilled(t, 1)
}

func serverKilled(t *testing.T, times int) {
	rounds(t, times, func(t *testing.T) {
		store := t.TempDir()
		server, url := startServerProcess(t, store, "127.0.0.1:0")
		c, err := Dial(t.Context(), Options{URL: url, Patience: time.Second, timing: haste, Log: t.Logf})
		if err != nil {
			t.Fatal(err)
		}
		var nodes []*process
		for i := range 2 {
			nodes = append(nodes, startNode(t, url, fmt.Sprint("n", i), "TEST_HASTE=1"))
		}
		awaitNodes(t, c, 2)
		must.Do(t, c.Submit(t.Context(), Job{ID: "kept", Function: "fib", Arg: encoded(t, fibArg{14, time.Millisecond})}))
		time.Sleep(rand.N(100 * time.Millisecond))
		server.kill()
		_, err = c.Wait(soon(t), "kept")
		var lost *LostError
		if !errors.As(err, &lost) || lost.Job != "kept" || !strings.Contains(err.Error(), "--job kept") || !strings.Contains(err.Error(), "--store") {
			t.Fatalf("the error is %v", err)
		}
		// At the same address, so that waiting nodes find it.
		server, _ = startServerProcess(t, store, strings.SplitN(url, "@", 2)[1])
		c.Close()
		patient := must.Get(Dial(t.Context(), Options{URL: url, timing: haste, Log: t.Logf}))(t)
		if got, err := Do(soon(t), patient, "kept", fibFunc, fibArg{N: 14}); err != nil || got != fibonacci(14) {
			t.Errorf("fib(14) = %d, %v", got, err)
		}
		patient.Close()
		for _, p := range append(nodes, server) {
			p.kill()
		}
	})
}

// A node ends after Patience without a server and reports its job.
func TestPatience(t *testing.T) {
	t.Parallel()
	server, url := startServerProcess(t, t.TempDir(), "127.0.0.1:0")
	c := dial(t, Options{URL: url, timing: haste})
	taken := filepath.Join(t.TempDir(), "taken")
	n := startNode(t, url, "n", "TEST_HASTE=1", "TEST_PATIENCE=1s", "TEST_TAKEN="+taken)
	awaitNodes(t, c, 1)
	must.Do(t, c.Submit(t.Context(), Job{ID: "long", Function: "fib", Arg: encoded(t, fibArg{2, 3 * time.Second})}))
	awaitFile(t, taken)
	server.kill()
	if log, err := n.ended(t); exitCode(err) != 1 || !strings.Contains(log, "job long") || !strings.Contains(log, "--job long") {
		t.Errorf("%v: %s", err, log)
	}
}

// patient is a timing in which the lease of a job does not end during a test.
var patient = func() timing {
	t := defaultTiming
	t.lease = 2 * atMost
	return t
}()

// TestJobReturned kills the node of a job. Another node gets the job although its lease goes on.
func TestJobReturned(t *testing.T) {
	s := startServer(t, Host{})
	c := dial(t, Options{Server: s, timing: patient})
	taken := filepath.Join(t.TempDir(), "taken")
	first := startNode(t, s.URL(), "first", "TEST_PATIENT=1", "TEST_TAKEN="+taken)
	awaitNodes(t, c, 1)
	must.Do(t, c.Submit(t.Context(), Job{ID: "long", Function: "fib", Arg: encoded(t, fibArg{2, 2 * time.Second})}))
	awaitFile(t, taken)
	startNode(t, s.URL(), "second", "TEST_PATIENT=1")
	awaitNodes(t, c, 2)
	heard := func() (at time.Time) {
		for _, m := range c.members.list() {
			if m.name == "first" {
				at = m.seen
			}
		}
		return at
	}
	for range 3 { // the second node hears of the job in a beat
		for last := heard(); heard().Equal(last); time.Sleep(time.Millisecond) {
		}
	}
	first.kill()
	r, err := c.Wait(soon(t), "long")
	if err != nil || r.Node != "second" || r.Attempt != 2 || r.Err() != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestWholeRun runs Run in this process: server, node and job.
func TestWholeRun(t *testing.T) {
	t.Setenv(EnvListen, "127.0.0.1:0")
	got, err := Run(soon(t), Options{Local: dts.Options{PEs: 2}, Log: t.Logf}, fibFunc, fibArg{N: 12})
	if err != nil || got != fibonacci(12) {
		t.Errorf("fib(12) = %d, %v", got, err)
	}
}
