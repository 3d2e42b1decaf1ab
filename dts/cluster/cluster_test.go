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
)

// The program that the nodes of the tests run: Fibonacci numbers, by forks that may go to other nodes.
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

func init() { // it refers to itself
	fibFunc = dts.Register(&funcs, "fib", fib)
	whereOn = dts.Register(&funcs, "whereOn", func(w *dts.Worker, host string) string {
		h := where.ForkOn(w, host, 0)
		return h.Join(w)
	})
}

type fibArg struct {
	N     int
	Sleep time.Duration // at the leaves, so that a run takes a while
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

// TestMain makes nodes of the processes that the tests start.
func TestMain(m *testing.M) {
	if os.Getenv(EnvNode) != "" {
		o := Options{Local: dts.Options{Funcs: &funcs, PEs: 2}, Patience: 5 * time.Second}.FromEnvironment()
		o.stage = dieAt(os.Getenv("TEST_DIE"))
		if d, err := time.ParseDuration(os.Getenv("TEST_PATIENCE")); err == nil {
			o.Patience = d
		}
		if os.Getenv("TEST_HASTE") != "" {
			o.timing = haste
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

// submit has a Fibonacci number computed, or asks where what is forked on a node runs. It returns the exit status.
func submit(what string) int {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
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

// dieAt makes the process kill itself when it comes to a stage for the n-th time, "owner stage:n:file" or "worker stage:n:file" with those times
// counted at which it owns a root or none, unless there is that file, which it makes: of several processes one dies.
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
	log  logged
	done chan error
}

// startNode starts a node; more are variables of its environment.
func startNode(t testing.TB, url, name string, more ...string) *process {
	t.Helper()
	return startNodeIn(t, nil, url, name, more...)
}

// startNodeIn starts a node by another command, which change makes of that of the process.
func startNodeIn(t testing.TB, change func(*process), url, name string, more ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0]), name: name, url: url, done: make(chan error, 1)}
	p.Env = append(append(os.Environ(), EnvJoin+"="+url, EnvNode+"="+name), more...)
	p.Stderr = &p.log
	if change != nil {
		change(p)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
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
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
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

// A logged is what a process says, which may still be saying more.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// soon bounds what a test waits for.
func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("it takes too long"))
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
	case <-time.After(30 * time.Second):
		t.Fatalf("%s does not end", p.name)
		return "", nil
	}
}

func startServer(t *testing.T, h Host) *Server {
	t.Helper()
	s, err := StartServer(h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func dial(t *testing.T, o Options) *Conn {
	t.Helper()
	if o.Log == nil {
		o.Log = t.Logf
	}
	c, err := Dial(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// haste makes the protocols see sooner that something is wrong.
var haste = timing{
	beat: 50 * time.Millisecond, silence: time.Second, accept: 300 * time.Millisecond, accepts: 20 * time.Millisecond,
	ask: 300 * time.Millisecond, keep: 30 * time.Second, lease: 500 * time.Millisecond,
}

// threeNodes starts a server and three nodes n0, n1, n2, in haste; more are variables of their environments.
func threeNodes(t *testing.T, more ...string) (*Conn, []*process) {
	t.Helper()
	s := startServer(t, Host{})
	c := dial(t, Options{Server: s, timing: haste})
	var nodes []*process
	for i := range 3 {
		nodes = append(nodes, startNode(t, s.URL(), fmt.Sprint("n", i), append(more, "TEST_HASTE=1")...))
	}
	if err := c.AwaitNodes(soon(t), 3); err != nil {
		t.Fatal(err)
	}
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
		for _, n := range []int{9, 12} { // the second is the first job again
			if got, err := Do(soon(t), c, "again", fibFunc, fibArg{N: n}); err != nil || got != fibonacci(9) {
				t.Errorf("fib(%d) as job again = %d, %v", n, got, err)
			}
		}
	})
	t.Run("named node", func(t *testing.T) {
		for _, name := range []string{"n0", "n1", "n2"} {
			if got, err := Do(soon(t), c, "", whereOn, name); err != nil || got != name {
				t.Errorf("forked on %s it ran on %q, %v", name, got, err)
			}
		}
	})
	t.Run("estimates", func(t *testing.T) { // what is said to be small stays, and what is said to be large goes
		for began := time.Now(); ; {
			at, err := Do(soon(t), c, "", places, []time.Duration{1, time.Hour, -1, time.Hour})
			if err != nil || len(at) != 5 || at[0] != at[4] || at[2] != at[4] {
				t.Fatalf("they ran on %v, forked on the last; %v", at, err)
			}
			if at[1] != at[4] && at[3] != at[4] {
				break
			} else if time.Since(began) > 10*time.Second { // until a node that was slow to be heard of is
				t.Fatalf("they ran on %v, forked on the last", at)
			}
		}
	})
	t.Run("unknown function", func(t *testing.T) {
		if err := c.Submit(t.Context(), Job{ID: "unknown", Function: "fob"}); err != nil {
			t.Fatal(err)
		}
		r, err := c.Wait(soon(t), "unknown")
		if err != nil || r.Err() == nil || !strings.Contains(r.Err().Error(), `"fob"`) {
			t.Errorf("%v, %v", r, err)
		}
	})
}

func TestRefused(t *testing.T) {
	s := startServer(t, Host{})
	c := dial(t, Options{Server: s})
	startNode(t, s.URL(), "a")
	if err := c.AwaitNodes(soon(t), 1); err != nil {
		t.Fatal(err)
	}
	t.Run("version", func(t *testing.T) {
		log, err := startNode(t, s.URL(), "b", EnvVersion+"=another").ended(t)
		mine, _ := ProgramVersion()
		if exitCode(err) != 2 || !strings.Contains(log, "another") || !strings.Contains(log, mine) {
			t.Errorf("%v: %s", err, log)
		}
	})
	t.Run("name", func(t *testing.T) {
		log, err := startNode(t, s.URL(), "a").ended(t)
		if exitCode(err) != 2 || !strings.Contains(log, "a node called a") {
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

// TestRefusedBeforeNodes has a program refused that is not that of who has a job, though there is no node yet: both are told which versions they
// are of. A node of the right one is taken.
func TestRefusedBeforeNodes(t *testing.T) {
	t.Parallel()
	s := startServer(t, Host{})
	var said logged
	c := dial(t, Options{Server: s, timing: haste, Log: func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) }})
	mine, _ := ProgramVersion()
	running, err := RunningVersion(t.Context(), Options{Server: s})
	if err != nil || running != mine {
		t.Errorf("the cluster runs version %q, %v; expected %s", running, err, mine)
	}
	time.Sleep(3 * haste.lease) // which is forgotten where nobody renews it
	log, err := startNode(t, s.URL(), "n", EnvVersion+"=another", "TEST_HASTE=1").ended(t)
	if exitCode(err) != 2 || !strings.Contains(log, "another") || !strings.Contains(log, mine) {
		t.Errorf("%v: %s", err, log)
	}
	if text := said.String(); !strings.Contains(text, "n on host") || !strings.Contains(text, "another") || !strings.Contains(text, mine) {
		t.Errorf("who has the job is told %q", text)
	}
	_, err = Dial(t.Context(), Options{Server: s, Version: "third"})
	var refused *RefusedError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "third") || !strings.Contains(err.Error(), mine) {
		t.Errorf("someone with a job for another program: %v", err)
	}
	startNode(t, s.URL(), "n", "TEST_HASTE=1")
	rightAnswer(t, c, 8)
}

// TestRefusedLater has a node of another program take the place of one that has been cut off for so long that it is forgotten: it ends.
func TestRefusedLater(t *testing.T) {
	t.Parallel()
	s := startServer(t, Host{})
	k := newLink(t, s.URL())
	n := startNode(t, k.url, "n", "TEST_HASTE=1", "TEST_PATIENCE=1m")
	c := dial(t, Options{Server: s, timing: haste})
	if err := c.AwaitNodes(soon(t), 1); err != nil {
		t.Fatal(err)
	}
	c.Close() // or it would keep the version
	k.set(true)
	var other *Conn
	for began := time.Now(); other == nil; time.Sleep(50 * time.Millisecond) {
		var err error
		if other, err = Dial(t.Context(), Options{Server: s, Version: "another", timing: haste}); time.Since(began) > 20*time.Second {
			t.Fatal(err)
		}
	}
	t.Cleanup(other.Close)
	k.set(false)
	if log, err := n.ended(t); exitCode(err) != 2 || !strings.Contains(log, "another") {
		t.Errorf("%v: %s", err, log)
	}
}

// TestWaitingForAnother tells the user of a node which jobs wait for another program.
func TestWaitingForAnother(t *testing.T) {
	t.Parallel()
	s := startServer(t, Host{})
	c := dial(t, Options{Server: s, Version: "old", timing: haste})
	if err := c.Submit(t.Context(), Job{ID: "left", Function: "fib"}); err != nil {
		t.Fatal(err)
	}
	c.Close()
	n := startNode(t, s.URL(), "n", "TEST_HASTE=1")
	for began := time.Now(); time.Since(began) < 10*time.Second && exited(n); time.Sleep(50 * time.Millisecond) { // until the old one is forgotten
		n = startNode(t, s.URL(), "n", "TEST_HASTE=1")
	}
	for began := time.Now(); !strings.Contains(n.log.String(), "job left waits for a program of version old"); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			t.Fatal(n.log.String())
		}
	}
}

// exited says whether a process ends within a second.
func exited(p *process) bool {
	select {
	case err := <-p.done:
		p.done <- err
		return true
	case <-time.After(time.Second):
		return false
	}
}

// TestDismissed has the nodes leave in good order before the server closes, and not those of another cluster.
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
	if err := errors.Join(c.AwaitNodes(soon(t), 2), other.AwaitNodes(soon(t), 1)); err != nil {
		t.Fatal(err)
	}
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

// TestLimit ends a node at a limit of its own: what it was at is done elsewhere.
func TestLimit(t *testing.T) {
	t.Parallel()
	s := startServer(t, Host{})
	c := dial(t, Options{Server: s, timing: haste})
	n := startNode(t, s.URL(), "short", "TEST_HASTE=1", dts.EnvMaxTime+"=300ms")
	if err := c.Submit(t.Context(), Job{ID: "long", Function: "fib", Arg: encoded(t, fibArg{9, 20 * time.Millisecond})}); err != nil {
		t.Fatal(err)
	}
	if log, err := n.ended(t); exitCode(err) != 3 || !strings.Contains(log, "stopped after 300ms") {
		t.Errorf("%v: %s", err, log)
	}
	startNode(t, s.URL(), "long", "TEST_HASTE=1")
	r, err := c.Wait(soon(t), "long")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := fibFunc.Decode(r.Value); err != nil || got != fibonacci(9) || r.Node != "long" || r.Failure != "" {
		t.Errorf("%d, %v: %+v", got, err, r)
	}
}

func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}
