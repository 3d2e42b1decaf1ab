package cluster

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"whorl/dts"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

// The program of the test nodes computes Fibonacci numbers by forks that may go to other nodes.
var (
	funcs   dts.Registry
	fibFunc dts.Func[fibArg, int]
	panics  = dts.Register(&funcs, "panics", func(*dts.Worker, int) int { panic("as it should") })
	echo    = dts.Register(&funcs, "echo", func(_ *dts.Worker, n int) int { return n })
	where   = dts.Register(&funcs, "where", func(_ *dts.Worker, _ int) string { return os.Getenv(EnvNode) })
	whereOn dts.Func[string, string]
	sized   = dts.Register(&funcs, "sized", func(_ *dts.Worker, _ time.Duration) string { return os.Getenv(EnvNode) }).
		Takes(func(d time.Duration) time.Duration { return d })
	places = dts.Register(&funcs, "places", func(w *dts.Worker, sizes []time.Duration) (at []string) {
		for _, d := range sizes {
			h := sized.Fork(w, d)
			at = append(at, h.Join(w))
		}
		return append(at, os.Getenv(EnvNode))
	})
)

func init() { // fib refers to fibFunc
	fibFunc = dts.Register(&funcs, "fib", fib)
	whereOn = dts.Register(&funcs, "whereOn", func(w *dts.Worker, host string) string {
		h := where.ForkOn(w, host, 0)
		return h.Join(w)
	})
}

type fibArg struct {
	N     int
	Sleep time.Duration // at the leaves, to slow a run down
}

func fib(w *dts.Worker, a fibArg) int {
	if a.N < 2 {
		time.Sleep(a.Sleep)
		return a.N
	}
	x := fibFunc.Fork(w, fibArg{a.N - 1, a.Sleep})
	y := fib(w, fibArg{a.N - 2, a.Sleep})
	return x.Join(w) + y
}

func fibonacci(n int) int {
	a, b := 0, 1
	for range n {
		a, b = b, a+b
	}
	return a
}

// TestMain turns the processes that the tests start into nodes.
func TestMain(m *testing.M) {
	if os.Getenv(EnvNode) != "" {
		o := Options{Local: dts.Options{Funcs: &funcs, PEs: 2}, Patience: 5 * time.Second}.FromEnvironment()
		o.stage = dieAt(os.Getenv("TEST_DIE"))
		if file := os.Getenv("TEST_TAKEN"); file != "" { // exists once the node has taken a job
			o.stage = func(stage string) {
				if stage == "job taken" {
					_ = os.WriteFile(file, nil, 0o600)
				}
			}
		}
		if d, err := time.ParseDuration(os.Getenv("TEST_PATIENCE")); err == nil {
			o.Patience = d
		}
		if os.Getenv("TEST_HASTE") != "" {
			o.timing = haste
		}
		if os.Getenv("TEST_PATIENT") != "" {
			o.timing = patient
		}
		o.skew, _ = time.ParseDuration(os.Getenv("TEST_SKEW"))
		os.Exit(serveProcess(context.Background(), o))
	}
	if what := os.Getenv("TEST_SUBMIT"); what != "" {
		os.Exit(submit(what))
	}
	if store := os.Getenv("TEST_STORE"); store != "" {
		s, err := StartServer(Host{Store: store, Listen: os.Getenv("TEST_LISTEN"), Token: "test"})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(s.URL())
		select {}
	}
	goleak.VerifyTestMain(m)
}

// submit submits a Fibonacci number, or a fork on a named node that returns the node it runs on. It returns the exit
// status.
func submit(what string) int {
	ctx, cancel := context.WithTimeout(context.Background(), atMost)
	defer cancel()
	o := Options{Local: dts.Options{Funcs: &funcs}, timing: haste}
	var out any
	n, err := strconv.Atoi(what)
	if err == nil {
		out, err = Run(ctx, o, fibFunc, fibArg{n, time.Millisecond})
	} else {
		out, err = Run(ctx, o, whereOn, what)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(out)
	return 0
}

// dieAt kills the process when it reaches a stage for the n-th time: "owner stage:n:file" counts the times at which
// it owns a root, "worker stage:n:file" the others. The process creates the file first and survives if it exists, so
// that of several processes one dies.
func dieAt(what string) func(string) {
	parts := strings.SplitN(what, ":", 3)
	if len(parts) < 3 {
		return nil
	}
	left, _ := strconv.Atoi(parts[1])
	var mu sync.Mutex
	role := "worker "
	return func(stage string) {
		mu.Lock()
		defer mu.Unlock()
		if stage == "job taken" {
			role = "owner "
		}
		here := role + stage
		if stage == "job acknowledged" {
			role = "worker "
		}
		if here != parts[0] {
			return
		}
		if left--; left == 0 {
			if f, err := os.OpenFile(parts[2], os.O_CREATE|os.O_EXCL, 0o600); err == nil {
				f.Close()
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		}
	}
}

// A process is a node in a process of its own.
type process struct {
	*exec.Cmd
	name string
	url  string // of the server
	log  testenv.Buffer
	done chan error
}

// startNode starts a node with further environment variables.
func startNode(t testing.TB, url, name string, more ...string) *process {
	t.Helper()
	return startNodeIn(t, nil, url, name, more...)
}

// startNodeIn is startNode with a change of the command.
func startNodeIn(t testing.TB, change func(*process), url, name string, more ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0]), name: name, url: url, done: make(chan error, 1)}
	p.Env = append(append(os.Environ(), EnvJoin+"="+url, EnvNode+"="+name), more...)
	p.Stderr = &p.log
	if change != nil {
		change(p)
	}
	must.Do(t, p.Start())
	p.watch(t)
	return p
}

// startServerProcess starts a server in a process of its own and returns its URL.
func startServerProcess(t *testing.T, store, listen string, change ...func(*process)) (*process, string) {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0]), name: "the server", done: make(chan error, 1)}
	p.Env = append(os.Environ(), "TEST_STORE="+store, "TEST_LISTEN="+listen)
	p.Stderr = &p.log
	for _, f := range change {
		f(p)
	}
	out := must.Get(p.StdoutPipe())(t)
	must.Do(t, p.Start())
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err, p.log.String())
	}
	p.watch(t)
	return p, strings.TrimSpace(url)
}

func (p *process) watch(t testing.TB) {
	go func() { p.done <- p.Wait() }()
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("%s says:\n%s", p.name, p.log.String())
		}
	})
}

// atMost bounds how long a test waits. It is long because the machine may be busy.
const atMost = 4 * time.Minute

// soon returns a context that bounds a wait.
func soon(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), atMost, errors.New("it takes too long"))
	t.Cleanup(cancel)
	return ctx
}

func (p *process) kill() {
	_ = p.Process.Kill()
	p.done <- <-p.done
}

// ended waits for the process to end by itself.
func (p *process) ended(t *testing.T) (log string, err error) {
	t.Helper()
	select {
	case err := <-p.done:
		p.done <- err
		return p.log.String(), err
	case <-time.After(atMost):
		t.Fatalf("%s does not end", p.name)
		return "", nil
	}
}

func startServer(t *testing.T, h Host) *Server {
	t.Helper()
	s := must.Get(StartServer(h))(t)
	t.Cleanup(s.Close)
	return s
}

func dial(t *testing.T, o Options) *Conn {
	t.Helper()
	if o.Log == nil {
		o.Log = t.Logf
	}
	if o.Patience == 0 {
		o.Patience = atMost // the server is in this process, which may be busy
	}
	c := must.Get(Dial(t.Context(), o))(t)
	t.Cleanup(c.Close)
	return c
}

// haste makes the protocols notice failures sooner.
var haste = timing{
	beat: 50 * time.Millisecond, silence: time.Second, accept: 300 * time.Millisecond, accepts: 20 * time.Millisecond,
	ask: 300 * time.Millisecond, keep: 30 * time.Second, lease: 1500 * time.Millisecond, still: time.Second,
}

// awaitNodes waits until a cluster has a number of nodes.
func awaitNodes(t testing.TB, c *Conn, count int) {
	t.Helper()
	must.Do(t, c.AwaitNodes(soon(t), func() int { return count }))
}

// threeNodes starts a server and three nodes n0, n1, n2 with the timing haste and further environment variables.
func threeNodes(t *testing.T, more ...string) (*Conn, []*process) {
	t.Helper()
	s := startServer(t, Host{})
	c := dial(t, Options{Server: s, timing: haste})
	var nodes []*process
	for i := range 3 {
		nodes = append(nodes, startNode(t, s.URL(), fmt.Sprint("n", i), append(more, "TEST_HASTE=1")...))
	}
	for ctx := soon(t); len(c.Nodes()) < 3 && ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
		for _, n := range nodes {
			if exited(n) {
				t.Fatalf("%s has ended before it joined", n.name)
			}
		}
	}
	awaitNodes(t, c, 3)
	return c, nodes
}

func TestThreeNodes(t *testing.T) {
	c, _ := threeNodes(t)
	for _, n := range []int{0, 1, 10, 16} {
		got, err := Do(soon(t), c, "", fibFunc, fibArg{N: n})
		if err != nil || got != fibonacci(n) {
			t.Fatalf("fib(%d) = %d, %v", n, got, err)
		}
	}
	t.Run("failure", func(t *testing.T) {
		_, err := Do(soon(t), c, "", panics, 0)
		if err == nil || !strings.Contains(err.Error(), "as it should") || !strings.Contains(err.Error(), "cluster_test.go") {
			t.Errorf("the error of a panic is %v", err)
		}
	})
	t.Run("same job", func(t *testing.T) {
		for _, n := range []int{9, 12} { // the second time it is the same job
			if got, err := Do(soon(t), c, "again", fibFunc, fibArg{N: n}); err != nil || got != fibonacci(9) {
				t.Errorf("fib(%d) as job again = %d, %v", n, got, err)
			}
		}
	})
	t.Run("named node", func(t *testing.T) {
		for _, name := range []string{"n0", "n1", "n2"} {
			if got, err := Do(soon(t), c, "", whereOn, name); err != nil || got != name {
				t.Errorf("fork on %s ran on %q, %v", name, got, err)
			}
		}
	})
	t.Run("estimates", func(t *testing.T) { // short calls stay, long ones go
		for began := time.Now(); ; {
			at, err := Do(soon(t), c, "", places, []time.Duration{1, time.Hour, -1, time.Hour})
			if err != nil || len(at) != 5 || at[0] != at[4] || at[2] != at[4] {
				t.Fatalf("forks ran on %v, wanted the last; %v", at, err)
			}
			if at[1] != at[4] && at[3] != at[4] {
				break
			} else if time.Since(began) > atMost { // until the other nodes have been heard of
				t.Fatalf("forks ran on %v, wanted the last", at)
			}
		}
	})
	t.Run("unknown function", func(t *testing.T) {
		must.Do(t, c.Submit(t.Context(), Job{ID: "unknown", Function: "fob"}))
		r, err := c.Wait(soon(t), "unknown")
		if err != nil || r.Err() == nil || !strings.Contains(r.Err().Error(), `"fob"`) {
			t.Errorf("%v, %v", r, err)
		}
	})
}

func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}
