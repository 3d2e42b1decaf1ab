package sweep

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whorl/dts"
	"whorl/dts/cluster"
	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
)

// onHosts makes the runs of a grid on three nodes, all in this process.
func onHosts(t *testing.T, text, folder string) *Sweep {
	t.Helper()
	server := must.Get(cluster.StartServer(cluster.Host{}))(t)
	defer server.Close()
	for _, name := range []string{"node2", "node3"} {
		n := must.Get(cluster.Join(t.Context(), cluster.Options{
			Server: server, Name: name, Version: "v", Local: dts.Options{PEs: 1, Funcs: Functions(), Wall: true},
		}))(t)
		defer n.Leave()
	}
	s := must.Get(Open(must.Get(Read("small.toml", text))(t), folder, 1))(t)
	t.Cleanup(func() { must.Do(t, s.Close()) })
	must.Do(t, s.RunOn(t.Context(), cluster.Options{Server: server, Name: "node1", Version: "v", Local: dts.Options{PEs: 1}}))
	must.Do(t, s.Write())
	return s
}

// timeless returns the text of a table without the times by the clock.
func timeless(t *testing.T, folder string) string {
	t.Helper()
	var b strings.Builder
	for _, row := range table(t, folder, csvName) {
		for i := range columns {
			if name := columns[i].name; name != "wall_ns" {
				b.WriteString(row[name] + "\t")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestRunOn: several nodes make the table and keep the traces that one host makes, and files of the program and of the machine reach them.
func TestRunOn(t *testing.T) {
	t.Chdir(t.TempDir())
	must.Do(t, os.WriteFile("own.fghc", []byte("main :- true | p(300).\np(0).\np(N) :- N > 0 | M := N - 1, p(M).\n"), 0o600))
	must.Do(t, os.WriteFile("mine.toml", []byte(`name = "mine"
pes = 4
network = "bus"
instruction_ns = 3
overhead_ns = 300
latency_ns = 1000
gap_ns = 100
byte_ns = 0.1
`), 0o600))
	const grid = `programs = ["own.fghc", "dts/fibonacci 5", "hpf/jacobi 8 2", "pascal 6"]
machines = ["mine.toml", "symmetry"]
policies = ["on-demand", "steal"]
pes      = [1, 3]
seeds    = 2
traces   = 3000
`
	swept(t, grid, "one")
	s := onHosts(t, grid, "several")
	if one, several := timeless(t, "one"), timeless(t, "several"); one != several || !strings.Contains(one, "own.fghc") || !strings.Contains(one, traceFolder) {
		t.Errorf("one host:\n%s\nseveral:\n%s", one, several)
	}
	if s.pes != 3 {
		t.Errorf("the sweep knows %d PEs", s.pes)
	}
	for _, r := range s.Results() {
		if r.Trace == "" {
			continue
		}
		a, b := must.Get(os.ReadFile(filepath.Join("one", r.Trace)))(t), must.Get(os.ReadFile(filepath.Join("several", r.Trace)))(t)
		if string(a) != string(b) {
			t.Errorf("the traces %s differ", r.Trace)
		}
	}
}

// TestLacking: a node leaves a run that needs a file which was not sent to the host that has it.
func TestLacking(t *testing.T) {
	t.Chdir(t.TempDir())
	must.Do(t, os.WriteFile("whole.hpf", []byte("program whole\ninteger i\ninclude 'part.inc'\nprint *, i\nend program whole\n"), 0o600))
	must.Do(t, os.WriteFile("part.inc", []byte("i = 7\n"), 0o600))
	const grid = "programs = [\"whole.hpf\"]\n"
	s := must.Get(Open(must.Get(Read("small.toml", grid))(t), "alone", 1))(t)
	defer s.Close()
	for _, c := range []struct {
		files map[string]string
		known bool
	}{
		{map[string]string{}, false},
		{map[string]string{"whole.hpf": string(must.Get(os.ReadFile("whole.hpf"))(t))}, false},
		{map[string]string{"whole.hpf": "program whole\nend program whole\n"}, true},
	} {
		sent := must.Get(json.Marshal(sentTask{task: s.task(0), Files: c.files}))(t)
		answer := must.Get(dts.Run(t.Context(), dts.Options{PEs: 1, Mode: dts.Live}, func(w *dts.Worker) []byte { return newRemote().measureSent(w, sent) }))(t)
		var r reply
		must.Do(t, json.Unmarshal(answer, &r))
		if known := r.Measured != nil; known != c.known || r.Err != "" {
			t.Errorf("with the files %v: %s", c.files, answer)
		}
	}
	onHosts(t, grid, "several")
	if rows := table(t, "several", csvName); len(rows) != 1 || rows[0]["outcome"] != "done" {
		t.Errorf("%v", rows)
	}
}

// TestInterruptedOnHosts checks that the results that are known when a sweep on several hosts is interrupted count when it goes on.
func TestInterruptedOnHosts(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "small")
	server := must.Get(cluster.StartServer(cluster.Host{}))(t)
	defer server.Close()
	s := must.Get(Open(must.Get(Read("small.toml", small))(t), folder, 1))(t)
	ctx, stop := context.WithCancel(t.Context())
	s.Say = func(known, _ int64, _ time.Duration) {
		if known == 3 {
			stop()
		}
	}
	o := cluster.Options{Server: server, Name: "node1", Version: "v", Local: dts.Options{PEs: 1}}
	if err := s.RunOn(ctx, o); err == nil {
		t.Error("the sweep is not interrupted")
	}
	must.Do(t, s.Close())
	s = must.Get(Open(must.Get(Read("small.toml", small))(t), folder, 1))(t)
	defer s.Close()
	if known := s.Known(); known < 3 || known > 5 {
		t.Errorf("%d runs are known", known)
	}
	o.Name = "node2"
	must.Do(t, s.RunOn(t.Context(), o))
	if s.Known() != 32 {
		t.Errorf("%d runs are known at the end", s.Known())
	}
}

func TestCheckHosts(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"programs = [\"pascal 3\"]\n", ""},
		{"programs = [\"pascal 3\"]\nmode = \"live\"\n", "small.toml: runs on real cores are made one at a time on this host"},
		{"programs = [\"pascal 3\"]\ntraces = 100000000\n", "small.toml: nodes send traces of at most 4194304 bytes: traces = 100000000 is more"},
	} {
		err := must.Get(Read("small.toml", c.text))(t).CheckHosts()
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

// TestReplaysOnHosts replays a trace on several hosts, which gives the table of one. A host whose file of the trace is another one leaves the run.
func TestReplaysOnHosts(t *testing.T) {
	trace := must.Get(os.ReadFile(experimenttest.File(t, "fib", "dts/fibonacci", 1)))(t)
	t.Chdir(t.TempDir())
	must.Do(t, os.WriteFile("fib.whorl", trace, 0o600))
	const grid = "programs = [\"fib.whorl\"]\npes = [2, 8]\npolicies = [\"steal\", \"oracle\"]\nlatency = [\"1us\"]\n"
	swept(t, grid, "one")
	s := onHosts(t, grid, "several")
	if one, several := timeless(t, "one"), timeless(t, "several"); one != several {
		t.Errorf("one host:\n%s\nseveral:\n%s", one, several)
	}
	rows := table(t, "one", csvName)
	if len(rows) != 4 || rows[0]["outcome"] != "done" || rows[2]["command"] != "whorl replay fib.whorl --pes 2 --policy oracle --seed 1 --machine symmetry:latency=1us --net bus -o run.whorl" {
		t.Errorf("%v", rows)
	}
	sent := sentTask{task: s.task(0), Digest: []byte("another")}
	answer := must.Get(dts.Run(t.Context(), dts.Options{PEs: 1, Mode: dts.Live}, func(w *dts.Worker) []byte {
		return newRemote().measureSent(w, must.Get(json.Marshal(sent))(t))
	}))(t)
	if string(answer) != "{}" {
		t.Errorf("of another trace: %s", answer)
	}
	if _, err := Read("a.toml", "programs = [\"fib.whorl 3\"]\n"); err == nil || !strings.Contains(err.Error(), "is a trace, whose program has its arguments") {
		t.Errorf("with arguments: %v", err)
	}
}
