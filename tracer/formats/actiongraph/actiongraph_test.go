package actiongraph

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/waits"
	"whorl/tracer/testdata/tracertest"
)

func parsed(t testing.TB, text string) *tracer.Memory {
	t.Helper()
	m := tracer.NewMemory()
	must.Do(t, Read("build.json", strings.NewReader(text), m))
	must.Do(t, m.Close())
	return m
}

func TestRead(t *testing.T) {
	m := parsed(t, string(must.Get(os.ReadFile("../../../testdata/traces/build.actiongraph.json"))(t)))
	const want = `whorl 1
meta program="go build" substrate="build" mode="live" clock="monotonic" pes=2
arg text="demo"
extra key="missing" value="1 action without times, which did not run"
pe 0 process="go" thread="slot 1"
pe 1 process="go" thread="slot 2"
stream 0 name="actions"
code 1 type="reason" name="no work"
code 2 type="function" name="build fmt"
code 3 type="function" name="build demo/a"
code 4 type="function" name="build demo/b"
code 5 type="function" name="link demo"
`
	text := tracertest.Text(t, m)
	head := strings.Index(text, "0 Fork")
	if got := text[:max(head, 0)]; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	const events = `0 Fork pe=0 task=1 code=2 # build fmt
0 Busy pe=0 task=1 code=2 # build fmt
0 Start pe=0 task=1 code=2 # build fmt
20000000 Fork pe=0 task=2 ref=1 code=3 # build demo/a
20000000 Fork pe=0 task=3 ref=1 code=4 # build demo/b
20000000 End pe=0 task=1 code=2 # build fmt
20000000 Idle pe=0 code=1 # no work
20000000 Busy pe=0 task=2 code=3 # build demo/a
20000000 Start pe=0 task=2 code=3 # build demo/a
30000000 Busy pe=1 task=3 code=4 # build demo/b
30000000 Start pe=1 task=3 code=4 # build demo/b
40000000 End pe=0 task=2 code=3 # build demo/a
40000000 Idle pe=0 code=1 # no work
80000000 Fork pe=1 task=4 ref=3 code=5 # link demo
80000000 End pe=1 task=3 code=4 # build demo/b
80000000 Idle pe=1 code=1 # no work
85000000 Busy pe=0 task=4 code=5 # link demo
85000000 Start pe=0 task=4 code=5 # link demo
110000000 End pe=0 task=4 code=5 # link demo
110000000 Idle pe=0 code=1 # no work
`
	if got := text[max(head, 0):]; got != events {
		t.Errorf("got\n%swant\n%s", got, events)
	}
	w := must.Get(waits.Build(m, nil))(t)
	p := must.Get(w.Path(m, 0, 0, nil))(t)
	if p.Sum(waits.Runs) != 20e6+50e6+25e6 || p.Sum(waits.Queue) != 10e6+5e6 || p.Hops != 2 {
		t.Errorf("the path runs for %d, waits for a slot for %d, in %d hops", p.Sum(waits.Runs), p.Sum(waits.Queue), p.Hops)
	}
}

func TestDamaged(t *testing.T) {
	whole := string(must.Get(os.ReadFile("../../../testdata/traces/build.actiongraph.json"))(t))
	for _, c := range []struct{ text, want string }{
		{"", "offset 0: not a list"},
		{"{}", "offset 1: not a list"},
		{"[]", "nothing to do"},
		{`[{"ID": "x"}]`, "expected an action with ID"},
		{`[{"ID": 1, "TimeStart": "noon"}]`, "expected an action with ID"},
		{`[{"ID": 1, "Mode": "build"}]`, "nothing to do"},
	} {
		if err := Read("build.json", strings.NewReader(c.text), tracer.NewMemory()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	for _, c := range []struct {
		text, missing string
		tasks         int64
	}{
		{whole[:strings.Index(whole, `"ID": 3`)-2], "the actions from offset ", 3},
		{whole[:strings.Index(whole, `"ID": 3`)+20], "the actions from offset ", 3},
		{strings.Replace(whole, `"ID": 1`, `"ID": true`, 1), "an action: offset ", 3},
		{whole + whole, "the text from offset ", 4},
		{whole + "\n\x00", "the text from offset ", 4},
	} {
		m := parsed(t, c.text)
		meta := m.Meta()
		if n := m.Counts()[tracer.Start]; n != c.tasks || !strings.HasPrefix(meta.Missing(), c.missing) {
			t.Errorf("%d tasks, missing %q", n, meta.Missing())
		}
	}
	// Dependencies that are unknown, that form a circle, or that end later do not fork.
	m := parsed(t, `[{"ID":1,"Deps":[2,9,1],"TimeStart":"2026-01-01T00:00:01Z","TimeDone":"2026-01-01T00:00:02Z"},
		{"ID":2,"Deps":[1],"TimeStart":"2026-01-01T00:00:01Z","TimeDone":"2026-01-01T00:00:03Z"}]`)
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Fork)) {
		if e.Ref != 0 {
			t.Errorf("%v is forked by %d", e.Task, e.Ref)
		}
	}
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]bool{
		"[\n\t{\n\t\t\"ID\": 0,\n\t\t\"Mode\": \"link\", \"Deps\": [": true,
		`[{"ph": "X", "name": "Mode"}]`:                               false,
		`{"Mode": 1, "Deps": 2}`:                                      false,
		"[":                                                           false,
	} {
		if Detect([]byte(text)) != want {
			t.Errorf("%q is detected as %t", text, !want)
		}
	}
}

// TestGo builds a program anew, and compares its graph with the records of the file one by one.
func TestGo(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module demo\n\ngo 1.22\n"), 0o600))
	must.Do(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nimport \"errors\"\n\nfunc main() { println(errors.New(\"demo\").Error()) }\n"), 0o600))
	file := filepath.Join(dir, "graph.json")
	build := exec.Command("go", "build", "-debug-actiongraph="+file, "-o", filepath.Join(dir, "demo"), ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text := must.Get(os.ReadFile(file))(t)
	if !Detect(text[:min(len(text), 4096)]) {
		t.Error("the graph of the go command is not detected")
	}
	m := parsed(t, string(text))
	var records []struct {
		Mode, Package       string
		TimeStart, TimeDone time.Time
	}
	must.Do(t, json.Unmarshal(text, &records))
	want := map[string]int{}
	for _, r := range records {
		if !r.TimeStart.IsZero() {
			want[fmt.Sprint((&action{Mode: r.Mode, Package: r.Package}).name(), r.TimeDone.Sub(r.TimeStart).Nanoseconds())]++
		}
	}
	started := map[uint64]int64{}
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Start, tracer.End)) {
		if e.Kind == tracer.Start {
			started[e.Task] = e.Time
			continue
		}
		want[fmt.Sprint(m.Dict().Code(e.Code).Name, e.Time-started[e.Task])]--
	}
	for name, n := range want {
		if n != 0 {
			t.Errorf("%s: %d more in the file than in the trace", name, n)
		}
	}
	if len(want) < 3 {
		t.Errorf("the build had %d actions", len(want))
	}
}

func FuzzRead(f *testing.F) {
	whole, err := os.ReadFile("../../../testdata/traces/build.actiongraph.json")
	must.Do(f, err)
	f.Add(whole)
	f.Add(whole[:300])
	f.Fuzz(func(t *testing.T, b []byte) {
		Detect(b)
		m := tracer.NewMemory()
		if Read("x", strings.NewReader(string(b)), m) == nil {
			must.Do(t, m.Close())
			last := int64(0)
			for _, e := range tracertest.Events(t, m, tracer.AllKinds) {
				if e.Time < last {
					t.Fatalf("%v after %d", e, last)
				}
				last = e.Time
			}
		}
	})
}
