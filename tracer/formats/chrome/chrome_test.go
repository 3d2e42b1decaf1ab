package chrome

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/waits"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
	"whorl/tracer/testdata/tracertest"
)

var update = flag.Bool("update", false, "write the golden file")

func read(text string) (*tracer.Memory, error) {
	m := tracer.NewMemory()
	err := Read(profile.File{Name: "test", R: strings.NewReader(text)}, m, profile.Options{})
	_ = m.Close()
	return m, err
}

// TestText compares the whole trace of each kind of event with a text that was checked by hand.
func TestText(t *testing.T) {
	got := profiletest.Text(t, must.Get(read(string(must.Get(os.ReadFile("testdata/small.json"))(t))))(t))
	const name = "testdata/small.txt"
	if *update {
		must.Do(t, os.WriteFile(name, []byte(got), 0o600))
	}
	if d := cmp.Diff(string(must.Get(os.ReadFile(name))(t)), got); d != "" {
		t.Errorf("go test -update writes it again: %s", d)
	}
}

// TestOwnFlow: a flow that a thread sent itself before a wait does not say why the wait ended.
func TestOwnFlow(t *testing.T) {
	m := must.Get(read(`[{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"main"}},
		{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"a","cat":"c"}, {"ph":"s","pid":1,"tid":1,"ts":5,"id":1,"name":"w","cat":"c"},
		{"ph":"X","pid":1,"tid":1,"ts":50,"dur":10,"name":"b","cat":"c"}, {"ph":"f","bp":"e","pid":1,"tid":1,"ts":50,"id":1,"name":"w","cat":"c"}]`))(t)
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Wake)) {
		if why := m.Dict().Code(e.Code).Name; why != "next slice" {
			t.Errorf("the wait ends by %s", why)
		}
	}
	if n := m.Counts()[tracer.Recv]; n != 1 || m.Counts()[tracer.Wake] != 1 {
		t.Errorf("%d messages received", n)
	}
}

// TestActions checks that the outermost slices of nameless threads are tasks, forked by the last flow to them.
func TestActions(t *testing.T) {
	m := must.Get(read(`[{"ph":"X","tid":1,"ts":0,"dur":10,"name":"a"},{"ph":"X","tid":2,"ts":0,"dur":20,"name":"b"},
		{"ph":"X","tid":1,"ts":25,"dur":5,"name":"c"},{"ph":"s","tid":1,"ts":10,"id":1},{"ph":"f","tid":1,"ts":25,"id":1,"bp":"e"},
		{"ph":"s","tid":2,"ts":20,"id":2},{"ph":"f","tid":1,"ts":25,"id":2,"bp":"e"}`))(t)
	var got []string
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Fork, tracer.Start, tracer.Send, tracer.Recv)) {
		got = append(got, fmt.Sprint(e.Kind, " ", e.Time, " ", e.Task, " ", e.Ref, " ", m.Dict().Code(e.Code).Name))
	}
	want := []string{
		"Fork 0 1 0 a", "Start 0 1 0 a", "Fork 0 2 0 b", "Start 0 2 0 b", "Send 10000 1 4 flow", "Fork 20000 3 2 c", "Send 20000 2 6 flow",
		"Start 25000 3 0 c", "Recv 25000 3 4 flow", "Recv 25000 3 6 flow",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestBazel checks that the critical path of a build by Bazel is that of its lane: 50, 600 and 150 ms of actions, and the gaps between them; around it the
// main thread.
func TestBazel(t *testing.T) {
	m := must.Get(read(string(must.Get(os.ReadFile("testdata/bazel.json"))(t))))(t)
	check(t, m)
	var got []string
	names := map[uint64]string{}
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Fork)) {
		names[e.Task] = m.Dict().Code(e.Code).Name
		got = append(got, fmt.Sprint(e.Time/1e6, " ", names[e.Task], " by ", names[e.Ref]))
	}
	if d := cmp.Diff([]string{
		"0 Main Thread by ", "100 Executing genrule //app:version by Main Thread", "150 Compiling app/table.cc by Executing genrule //app:version",
		"151 Compiling app/util.cc by ", "260 Compiling app/main.cc by ", "300 Service Thread by ", "752 Linking app/app by Compiling app/table.cc",
	}, got); d != "" {
		t.Error(d)
	}
	w := must.Get(waits.Build(m, nil))(t)
	p := must.Get(w.Path(m, 0, 0, nil))(t)
	if runs := p.Sum(waits.Runs); runs != 50e6+600e6+150e6+(100-60+30)*1e6+(960-905+20)*1e6 {
		t.Errorf("the path runs for %d: %+v", runs, p.Shares)
	}
	if n := m.Counts()[tracer.Counter]; n != 8 {
		t.Errorf("%d values of counters", n)
	}
}

// TestLinear reads files whose slices, ends, flows or components are many at one place.
func TestLinear(t *testing.T) {
	const named = `{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"main"}}`
	slice := func(at, duration int) string {
		return fmt.Sprintf(`,{"ph":"X","pid":1,"tid":1,"ts":%d,"dur":%d,"name":"a"}`, at, duration)
	}
	for name, c := range map[string]struct {
		length int
		head   string
		each   func(i, n int) string
	}{
		"actions without a length": {2000, `{"ph":"C"}`, func(_, _ int) string { return slice(5, 0) }},
		"ends without a beginning": {4000, named, func(i, n int) string {
			return slice(i, 10*n-2*i) + fmt.Sprintf(`,{"ph":"E","pid":1,"tid":1,"ts":%d}`, n+i)
		}},
		"ends without a beginning among actions": {3000, `{"ph":"C"}`, func(i, n int) string {
			return slice(i, 10*n-2*i) + fmt.Sprintf(`,{"ph":"E","pid":1,"tid":1,"ts":%d}`, n+i)
		}},
		"slices that end where others begin": {2000, named, func(i, n int) string { return slice(i, n-i) + slice(n, 1) }},
		"slices that end where flows do": {2000, named, func(i, n int) string {
			return slice(i, n-i) + fmt.Sprintf(`,{"ph":"s","pid":1,"tid":2,"ts":%d,"id":%d,"name":"f"},{"ph":"f","pid":1,"tid":1,"ts":%d,"id":%d,"name":"f"}`, i, i, n, i)
		}},
		"components of one name": {2000, named, func(i, _ int) string {
			return fmt.Sprintf(`,{"ph":"X","pid":1,"tid":2,"ts":%d,"dur":8,"name":"a","cat":"action processing"},`+
				`{"ph":"X","pid":1,"tid":3,"ts":%d,"dur":8,"name":"action 'a'","cat":"critical path component"}`, 10*i, 10*i)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			profiletest.Linear(t, c.length, func(n int) {
				var b strings.Builder
				b.WriteString(`{"otherData":{"build_id":"1"},"traceEvents":[` + c.head)
				for i := range n {
					b.WriteString(c.each(i, n))
				}
				b.WriteString("]}")
				must.Get(read(b.String()))(t)
			})
		})
	}
}

// TestSampledThreads reads samples that name threads without their processes: they belong to the process with the lowest number.
func TestSampledThreads(t *testing.T) {
	m := must.Get(read(`{"traceEvents":[{"ph":"i","pid":9,"tid":5,"ts":1},{"ph":"i","pid":3,"tid":5,"ts":2},{"ph":"i","pid":4,"tid":6,"ts":3}],
		"stackFrames":{"1":{"name":"main"}},"samples":[{"tid":5,"ts":10,"sf":"1"},{"tid":6,"ts":20,"sf":"1"},{"tid":5,"ts":30,"sf":"1"}]}`))(t)
	info := m.Meta().PEInfo
	var got []string
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Sample)) {
		got = append(got, info[e.PE].Process+", "+info[e.PE].Thread)
	}
	if d := cmp.Diff([]string{"process 3, thread 5", "process 4, thread 6", "process 3, thread 5"}, got); d != "" {
		t.Error(d)
	}
}

// TestV8 reads a profile of V8: each sample stands for the time until the next one.
func TestV8(t *testing.T) {
	m := must.Get(read(`[{"ph":"P","name":"Profile","id":"0x1","pid":1,"tid":1,"ts":12,"args":{"data":{"startTime":10}}},
		{"ph":"P","name":"ProfileChunk","id":"0x1","pid":1,"tid":2,"ts":90,"args":{"data":{"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}},
		{"id":2,"parent":1,"callFrame":{"functionName":"main","url":"a.js","lineNumber":4}},{"id":3,"parent":2,"callFrame":{"functionName":""}},
		{"id":4,"parent":1,"callFrame":{"functionName":"(idle)"}}],"samples":[2,3,4]},"timeDeltas":[1,5,7]}}},
		{"ph":"P","name":"ProfileChunk","id":"0x1","pid":1,"tid":2,"ts":95,"args":{"data":{"cpuProfile":{"samples":[3,2]},"timeDeltas":[2,4]}}}]`))(t)
	var got []string
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Sample)) {
		got = append(got, fmt.Sprint(e.Time, " ", e.Value, " ", m.Dict().Code(e.Code).Name, " ", path(m, uint32(e.Ref))))
	}
	if d := cmp.Diff([]string{"0 5000 profile main", "5000 7000 profile main;(anonymous)", "14000 4000 profile main;(anonymous)"}, got); d != "" {
		t.Error(d)
	}
	check(t, m)
}

// TestFiles reads files of tools.
func TestFiles(t *testing.T) {
	for _, c := range []struct {
		name                     string
		tasks, messages, samples int64
		missing                  string
	}{
		{"testdata/go-build.json.gz", 60, 150, 0, ""},
		{"testdata/chromium.json.gz", 5, 50, 100, "arguments"},
		{"../../../testdata/traces/node.trace.json", 1, 0, 1, "arguments of events"},
	} {
		m := must.Get(read(string(must.Get(os.ReadFile(c.name))(t))))(t)
		n, meta := m.Counts(), m.Meta()
		if n[tracer.Fork] < c.tasks || n[tracer.Send] < c.messages || n[tracer.Sample] < c.samples || !strings.Contains(meta.Missing(), c.missing) {
			t.Errorf("%s: %d tasks, %d messages, %d samples, missing %q", c.name, n[tracer.Fork], n[tracer.Send], n[tracer.Sample], meta.Missing())
		}
		check(t, m)
	}
}

func TestBad(t *testing.T) {
	for _, c := range []struct{ text, err, missing string }{
		{"", "not a trace in JSON: expected { or [", ""},
		{"[", "", "all: the trace has no events"},
		{`[{"ph":"X","ts":1,"dur":2,"name":"a"},`, "", ""},
		{`[{"ph":"X","ts":1,"dur":2,"name":"a"},{"ph":"X",`, "", "the rest from byte 48 on: the text ends within a value"},
		{`{"traceEvents":[{"ph":"X","ts":1,"dur":2,"name":"a"},{]`, "", `the rest from byte 54 on: byte 54: ']'; expected a name in quotes or }`},
		{
			`[{"ph":"X","ts":"x","name":"a"},7,{"ph":"E","ts":3},{"ph":"Z","ts":1},{"ts":4}]`, "",
			"1 event without a time; 1 element other than events; 1 event of the phase 'Z'; 1 event without a phase; 1 end without a beginning",
		},
		{
			`[{"ph":"X","ts":5,"dur":-2},{"ph":"B","ts":7},{"ph":"f","ts":7,"id":1},{"ph":"s","ts":7},{"ph":"b","ts":7}]`, "",
			"1 slice of negative length; 1 flow without an id; 1 event of operations without an id; 1 end of flows without a beginning; 1 slice without an end",
		},
		{
			`[{"ph":"X","ts":1,"dur":5},{"ph":"X","ts":3,"dur":5},{"ph":"X","ts":9e300,"dur":5},{"ph":"C","ts":2,"name":"n","args":{"a":"x","b":1e300}}]`, "",
			"1 event without a time; 1 value of counters without a number; 1 value of counters out of range; 1 slice cut at the end of the slice around",
		},
		{`[{"ph":"X","ts":1,"dur":2,"name":"a"}] [{"ph":"X","ts":9,"dur":2,"name":"b"}]`, "", "the rest from byte 39 on: it follows the end of the trace"},
		{`[{"ph":"X","ts":1,"dur":2,"name":"a"}]` + "\x00", "", "the rest from byte 38 on: it follows the end of the trace"},
		{`{"traceEvents":[{"ph":"X","ts":1,"dur":2,"name":"a"}]}` + "\n", "", ""},
		{"\x1f\x8b\x08", "damaged gzip header", ""},
	} {
		m, err := read(c.text)
		meta := m.Meta()
		if (err == nil) != (c.err == "") || err != nil && err.Error() != c.err || meta.Missing() != c.missing {
			t.Errorf("%s: %v, missing %q", c.text, err, meta.Missing())
		}
		if err == nil {
			check(t, m)
		}
	}
}

// TestNames reads more names than are kept. The rest are counted, and are one function.
func TestNames(t *testing.T) {
	const over = 3
	var b strings.Builder
	for i := range profile.MostNames + over {
		fmt.Fprintf(&b, `{"ph":"X","ts":%d,"dur":1,"name":"n%d"},`, 2*i, i)
	}
	m := must.Get(read("[" + b.String()))(t)
	functions := 0
	for _, c := range m.Dict().Codes() {
		if c.Type == tracer.Function {
			functions++
		}
	}
	meta := m.Meta()
	if want := "records with names beyond the first 131,072, which are shown as [other names]"; functions > profile.MostNames+1 || !strings.HasSuffix(meta.Missing(), want) {
		t.Errorf("%d functions; missing %q", functions, meta.Missing())
	}
}

// check checks what every trace promises: times that do not go back, PEs of the machine, and codes of the dictionary.
func check(t rapid.TB, m *tracer.Memory) {
	t.Helper()
	meta := m.Meta()
	pes, codes, contexts := int32(meta.PEs), len(m.Dict().Codes()), uint64(len(m.Dict().Contexts()))
	last, waiting := int64(0), map[uint64]bool{}
	for _, e := range tracertest.Events(t, m, tracer.AllKinds) {
		if e.Time < last || e.PE < 0 || e.PE >= max(pes, 1) || int(e.Code) >= codes || (e.Kind == tracer.Wait || e.Kind == tracer.Sample) && e.Ref >= contexts {
			t.Fatalf("%+v after %d on %d PEs", e, last, pes)
		}
		if e.Kind == tracer.Sample && e.Value < 0 || e.Kind == tracer.Wake && !waiting[e.Task] || e.Kind == tracer.Wait && waiting[e.Task] {
			t.Fatalf("%+v", e)
		}
		switch e.Kind {
		case tracer.Wait:
			waiting[e.Task] = true
		case tracer.Wake:
			delete(waiting, e.Task)
		}
		last = e.Time
	}
	if len(meta.PEInfo) != meta.PEs {
		t.Errorf("%d PEs, %d of them described", meta.PEs, len(meta.PEInfo))
	}
}

// TestThreads: threads of one name in a process have their numbers in the names of their PEs, and one function.
func TestThreads(t *testing.T) {
	m := must.Get(read(`[
		{"ph": "M", "pid": 1, "tid": 7, "name": "thread_name", "args": {"name": "Worker"}},
		{"ph": "M", "pid": 1, "tid": 8, "name": "thread_name", "args": {"name": "Worker"}},
		{"ph": "M", "pid": 1, "tid": 9, "name": "thread_name", "args": {"name": "Main"}},
		{"ph": "M", "pid": 2, "tid": 7, "name": "thread_name", "args": {"name": "Worker"}},
		{"ph": "X", "pid": 1, "tid": 7, "ts": 0, "dur": 5, "name": "task"},
		{"ph": "X", "pid": 1, "tid": 8, "ts": 0, "dur": 5, "name": "task"},
		{"ph": "X", "pid": 1, "tid": 9, "ts": 0, "dur": 5, "name": "task"},
		{"ph": "X", "pid": 2, "tid": 7, "ts": 0, "dur": 5, "name": "task"}]`))(t)
	var names []string
	for _, pe := range m.Meta().PEInfo {
		names = append(names, pe.Process+" "+pe.Thread)
	}
	if want := []string{"process 1 Worker 7", "process 1 Worker 8", "process 1 Main", "process 2 Worker"}; !slices.Equal(names, want) {
		t.Errorf("PEs %q, want %q", names, want)
	}
	workers := 0
	for _, c := range m.Dict().Codes() {
		if c.Type == tracer.Function && c.Name == "Worker" {
			workers++
		}
	}
	if workers != 2 { // one for each process
		t.Errorf("%d functions of workers", workers)
	}
}

// TestDamage changes bytes of traces at random.
func TestDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"testdata/small.json", "../../../testdata/traces/node.trace.json"} {
		text := must.Get(os.ReadFile(name))(t)
		for range 300 {
			b := bytes.Clone(text)
			for range 1 + r.IntN(4) {
				b[r.IntN(len(b))] = "0{}[]\",:x"[r.IntN(9)]
			}
			if m, err := read(string(b[:r.IntN(len(b))+1])); err == nil {
				check(t, m)
			}
		}
	}
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]bool{
		`{"traceEvents":[`: true, ` [ {"name":"a","ph":"X"`: true, `[{"a":1}]`: false, `[1]`: false, `{"nodes":[]}`: false, "": false, "{": false,
		"\ufeff{\"traceEvents\": [": true, `{"schemaVersion": 1, "deviceProperties": [`: true,
	} {
		if Detect([]byte(text)) != want {
			t.Errorf("%q", text)
		}
	}
	if !Detect(must.Get(os.ReadFile("testdata/go-build.json.gz"))(t)[:4096]) {
		t.Error("a compressed trace is not detected")
	}
}

func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.json*")
	for _, name := range append(files, "../../../testdata/traces/node.trace.json") {
		if b, err := os.ReadFile(name); err == nil && len(b) < 20_000 {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		Detect(b)
		if m, err := read(string(b)); err == nil {
			check(t, m)
			if n := m.Counts(); n[tracer.End] > n[tracer.Fork] {
				t.Errorf("%d forks and %d ends", n[tracer.Fork], n[tracer.End])
			}
		}
	})
}
