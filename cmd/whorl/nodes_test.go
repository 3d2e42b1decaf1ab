package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/cmd/whorl/internal/cli"
	"whorl/dts/cluster"
	"whorl/internal/testdata/loopback"
	"whorl/testdata/testenv"

	"whorl/testdata/must"
)

// A listening is a whorl run that other hosts can join.
type listening struct {
	url    string
	out    testenv.Buffer
	err    testenv.Buffer
	status chan int
}

var joinURL = regexp.MustCompile(`whorl node --join (\S+)\n`)

// listen starts a run without nodes of its own.
func listen(t *testing.T, args ...string) *listening {
	t.Helper()
	l := &listening{status: make(chan int, 1)}
	args = append([]string{"run"}, append(args, "--listen", "127.0.0.1:0", "--max-time", "10m")...)
	go func() { l.status <- cli.Main(args, strings.NewReader(""), &l.out, &l.err) }()
	for began := time.Now(); l.url == ""; time.Sleep(10 * time.Millisecond) {
		if m := joinURL.FindStringSubmatch(l.err.String()); m != nil {
			l.url = m[1]
		} else if time.Since(began) > enough {
			t.Fatalf("the run does not print how to join:\n%s", &l.err)
		}
	}
	return l
}

// node runs whorl node to its end.
func node(args ...string) (status int, text string) {
	var s testenv.Buffer
	status = cli.Main(append([]string{"node"}, args...), strings.NewReader(""), &s, &s)
	return status, s.String()
}

// TestNodesJoin starts a run that waits for nodes. It refuses a node with another version, another program or another secret; the messages of
// run and node name both versions. A node with the same program does the work and ends with the run.
func TestNodesJoin(t *testing.T) {
	l := listen(t, "dts/nqueens", "6")
	t.Run("another version", func(t *testing.T) {
		t.Setenv(cluster.EnvVersion, "another")
		if status, text := node("--join", l.url, "--name", "n1", "dts/nqueens"); status != 2 || strings.Count(text, "-dts_nqueens") != 2 || !strings.Contains(text, "another-dts_nqueens") {
			t.Errorf("exit status %d: %s", status, text)
		}
	})
	t.Run("another program", func(t *testing.T) {
		if status, text := node("--join", l.url, "--name", "n2", "dts/pascal"); status != 2 || !strings.Contains(text, "-dts_nqueens") || !strings.Contains(text, "-dts_pascal") {
			t.Errorf("exit status %d: %s", status, text)
		}
	})
	t.Run("another secret", func(t *testing.T) {
		wrong := regexp.MustCompile(`:[A-Z0-9]+@`).ReplaceAllString(l.url, ":GUESSED@")
		if status, text := node("--join", wrong, "dts/nqueens"); status != 2 || !strings.Contains(text, "refuses the credentials") || strings.Contains(text, "GUESSED") {
			t.Errorf("exit status %d: %s", status, text)
		}
	})
	if status, text := node("--join", l.url, "--name", "n3"); status != 0 || !strings.Contains(text, "node n3 runs dts/nqueens") || !strings.Contains(text, "the cluster is over") {
		t.Errorf("exit status %d: %s", status, text)
	}
	if status := <-l.status; status != 0 || l.out.String() != "4\n" {
		t.Errorf("exit status %d: %s%s", status, &l.out, &l.err)
	}
	for _, want := range []string{"n1 on host", "another-dts_nqueens", "n2 on host", "-dts_pascal"} {
		if !strings.Contains(l.err.String(), want) {
			t.Errorf("%q is not in the output of the run:\n%s", want, &l.err)
		}
	}
}

// TestNodesTLS lets nodes join by TLS. A node that does not trust the server's certificate fails, and one that trusts it does the work.
func TestNodesTLS(t *testing.T) {
	cert, key := loopback.Certificate(t)
	l := listen(t, "dts/nqueens", "6", "--cert", cert, "--key", key, "--ca", cert)
	if !strings.HasPrefix(l.url, "tls://") {
		t.Error(l.url)
	}
	if status, text := node("--join", l.url); status != 2 || !strings.Contains(text, "certificate") {
		t.Errorf("exit status %d: %s", status, text)
	}
	if status, text := node("--join", l.url, "--ca", cert); status != 0 {
		t.Errorf("exit status %d: %s", status, text)
	}
	if status := <-l.status; status != 0 || l.out.String() != "4\n" {
		t.Errorf("exit status %d: %s%s", status, &l.out, &l.err)
	}
}

// TestNodesLimit stops runs on nodes by --max-time, before the nodes have joined and during the job. The message says whether there is a trace.
func TestNodesLimit(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "a.whorl")
	early := func(limit string) string {
		return "whorl: stopped after " + limit + ", before the nodes had joined; there is no trace\n"
	}
	during := func(limit string) string {
		return "whorl: stopped after " + limit + "; the trace until then is in " + trace + "\n"
	}
	for _, limit := range []string{"1ms", "1s", "4s", "16s", "1m0s"} { // a busy host takes a while to start the nodes
		run := exec.Command(whorlPath(t), "run", "dts/fibonacci", "28", "--nodes", "2", "--max-time", limit, "-o", trace)
		out, err := run.CombinedOutput()
		text := string(out)
		if run.ProcessState == nil || run.ProcessState.ExitCode() != 3 || text != early(limit) && text != during(limit) {
			t.Fatalf("%s: %v, want exit status 3\n%s", limit, err, text)
		}
		if _, err := os.Stat(trace); (err == nil) != (text == during(limit)) {
			t.Errorf("%s: %v\n%s", limit, err, text)
		}
		if text == during(limit) {
			return
		}
	}
	t.Error("the nodes have not joined")
}

// TestOneProgram runs the program of docs/dts.md in all three modes: as it stands there, with cluster.Run in place of
// dts.Run, and in a module of its own. It prints its answer once.
func TestOneProgram(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	root := moduleRoot(t)
	text := string(must.Get(os.ReadFile(filepath.Join(root, "docs/dts.md")))(t))
	program := codeAfter(text, "`primes/main.go`:")
	call := strings.TrimSpace(codeAfter(text, "it needs a registered function:"))
	begin, end := strings.Index(program, "    n, err := dts.Run("), strings.Index(program, "    if err != nil {")
	if begin < 0 || end < begin || !strings.Contains(call, "cluster.Run(") {
		t.Fatalf("docs/dts.md has the program %q and the call %q", program, call)
	}
	imports := strings.NewReplacer("\"whorl/dts\"", "\"whorl/dts\"\n\"whorl/dts/cluster\"")
	moved := imports.Replace(program[:begin] + call + "\n" + program[end:])
	whorls := "\nrequire whorl v0.0.0\n\nreplace whorl => " + root + "\n"
	_, requires, _ := strings.Cut(string(must.Get(os.ReadFile(filepath.Join(root, "go.mod")))(t)), "\n")
	sums := string(must.Get(os.ReadFile(filepath.Join(root, "go.sum")))(t))
	dir := t.TempDir()
	for _, f := range []struct{ name, text string }{
		{"dts/main.go", program},
		{"cluster/main.go", moved},
		{"module/main.go", program},
		{"module/go.mod", "module mine\n\ngo 1.26\n" + whorls},
		// In a module of its own a program is built with the flags of the tests, and the server of package cluster, half a minute of
		// compiling, is found in the cache.
		{"clusters/main.go", moved},
		{"clusters/go.mod", "module mine\n" + requires + whorls},
		{"clusters/go.sum", sums},
	} {
		path := filepath.Join(dir, f.name)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, []byte(f.text), 0o600))
	}
	nodes := []string{"--nodes", "3"}
	for _, c := range []struct {
		folder string
		flags  []string
	}{
		{"dts", []string{"--pes", "8"}},
		{"dts", []string{"--mode", "live"}},
		{"dts", nodes},
		{"clusters", []string{"--pes", "8"}},
		{"clusters", []string{"--mode", "live"}},
		{"cluster", nodes},
		{"module", nodes},
	} {
		t.Run(c.folder+strings.Join(c.flags, ""), func(t *testing.T) {
			t.Parallel()
			trace := filepath.Join(t.TempDir(), "run.whorl")
			run := exec.Command(whorlPath(t), append([]string{"run", filepath.Join(dir, c.folder), "-o", trace}, c.flags...)...)
			run.Env = append(os.Environ(), "WHORL_SOURCE="+root, "WHORL_JOIN=nats://127.0.0.1:1")
			var log testenv.Buffer
			run.Stderr = &log
			if out, err := run.Output(); err != nil || string(out) != "78498\n" {
				t.Errorf("%v, %q: %s", err, out, &log)
			}
			dump := must.Get(exec.Command(whorlPath(t), "dump", trace).Output())(t)
			for _, name := range []string{"node1", "node2", "node3"} {
				if want := slices.Equal(c.flags, nodes); strings.Contains(string(dump), "process=\""+name) != want {
					t.Errorf("%s is in the trace: %v, want %v", name, !want, want)
				}
			}
		})
	}
}

// TestMainKilled runs a program whose first attempt kills itself between two outputs. Each output appears once.
func TestMainKilled(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	t.Parallel()
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(mortal), 0o600))
	run := exec.Command(whorlPath(t), "run", dir, "--nodes", "2", filepath.Join(t.TempDir(), "mark"))
	run.Env = append(os.Environ(), "WHORL_SOURCE="+moduleRoot(t))
	run.Stdin = strings.NewReader("6\n7\n")
	var log testenv.Buffer
	run.Stderr = &log
	if out, err := run.Output(); err != nil || string(out) != "begin\n42\n" || !strings.Contains(log.String(), "node1, which runs main of "+dir+", was killed: the program begins again (attempt 2)") {
		t.Errorf("%v, %q: %s", err, out, &log)
	}
}

const mortal = `package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"whorl/dts"
)

func main() {
	var a, b int
	fmt.Println("begin")
	fmt.Scan(&a, &b)
	var funcs dts.Registry
	times := dts.Register(&funcs, "times", func(_ *dts.Worker, x [2]int) int { return x[0] * x[1] })
	n, err := dts.Run(context.Background(), dts.Options{}, func(w *dts.Worker) int {
		h := times.ForkOn(w, "node2", [2]int{a, b})
		if f, err := os.OpenFile(os.Args[1], os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			f.Close()
			p, _ := os.FindProcess(os.Getpid())
			p.Kill()
			select {}
		}
		return h.Join(w)
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n)
}
`

// TestNodesOfFolders accepts a node whose program was built from a copy of the folder, and refuses one whose source differs.
func TestNodesOfFolders(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	clone := moduleRoot(t)
	t.Setenv("WHORL_SOURCE", clone)
	folder := func(path, word string) string {
		dir := filepath.Join(t.TempDir(), path)
		must.Do(t, os.MkdirAll(dir, 0o755))
		must.Do(t, os.WriteFile(filepath.Join(dir, "main.go"), fmt.Appendf(nil, greeter, word), 0o600))
		return dir
	}
	trace := filepath.Join(t.TempDir(), "greet.whorl")
	l := listen(t, folder("here", "hello"), "you", "-o", trace)
	if status, text := node("--join", l.url, folder("here", "bye"), "x"); status != 2 || !strings.Contains(text, "has version") {
		t.Errorf("exit status %d: %s", status, text)
	}
	if status, text := node("--join", l.url, "--trace", folder("a/longer/path", "hello"), "x"); status != 0 {
		t.Errorf("exit status %d: %s", status, text)
	}
	if status := <-l.status; status != 0 || l.out.String() != "hello you\n" {
		t.Errorf("exit status %d: %s%s", status, &l.out, &l.err)
	}
	var dump testenv.Buffer
	if status := cli.Main([]string{"dump", trace}, strings.NewReader(""), &dump, &dump); status != 0 || !strings.Contains(dump.String(), `return "hello "`) {
		t.Errorf("the source is not in the trace:\n%s", &dump)
	}
}

const greeter = `package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"whorl/dts"
	"whorl/dts/cluster"
)

func main() {
	var funcs dts.Registry
	greet := dts.Register(&funcs, "greet", func(_ *dts.Worker, name string) string {
		return "%s " + name
	})
	text, err := cluster.Run(context.Background(), cluster.Options{}, greet, os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text)
}
`
