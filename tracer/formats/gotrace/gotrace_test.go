package gotrace

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/trace"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/gotrace/testdata/programs"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
	"whorl/tracer/testdata/tracertest"
)

var update = flag.Bool("update", false, "write the golden file")

func read(data []byte) (*tracer.Memory, error) {
	m := tracer.NewMemory()
	err := Read(profile.File{Name: "test", R: bytes.NewReader(data)}, m, profile.Options{})
	_ = m.Close()
	return m, err
}

// TestText compares the whole trace of a goroutine that is created, waits and ends with a text that was checked by hand.
func TestText(t *testing.T) {
	got := profiletest.Text(t, must.Get(read(must.Get(os.ReadFile("testdata/small-1.26.trace"))(t)))(t))
	const name = "testdata/small.txt"
	if *update {
		must.Do(t, os.WriteFile(name, []byte(got), 0o600))
	}
	if d := cmp.Diff(string(must.Get(os.ReadFile(name))(t)), got); d != "" {
		t.Errorf("go test -update writes it again: %s", d)
	}
}

// TestPacked reads a compressed trace, whole and cut.
func TestPacked(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/small-1.26.trace"))(t)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	must.Get(z.Write(data))(t)
	must.Do(t, z.Close())
	if !Detect(b.Bytes()) {
		t.Error("not detected")
	}
	if d := tracertest.Diff(must.Get(read(data))(t), must.Get(read(b.Bytes()))(t)); d != "" {
		t.Error(d)
	}
	m := must.Get(read(b.Bytes()[:b.Len()*9/10]))(t)
	if meta := m.Meta(); !strings.Contains(meta.Missing(), "unexpected EOF") && !strings.Contains(meta.Missing(), "cut") {
		t.Errorf("missing %q", meta.Missing())
	}
}

// TestManyDamaged reads a thread with many batches that are damaged, without a stack that grows with them.
func TestManyDamaged(t *testing.T) {
	const batches = 100_000
	defer debug.SetMaxStack(debug.SetMaxStack(4 << 20)) // a larger stack ends the test
	data := append([]byte("go 1.26 trace\x00\x00\x00"), bytes.Repeat([]byte{byte(eventBatch), 1, 7, 0, 1, 255}, batches)...)
	m := must.Get(read(data))(t)
	if meta := m.Meta(); !strings.Contains(meta.Missing(), "100,000 blocks with records of an unknown type") {
		t.Errorf("missing %q", meta.Missing())
	}
}

// names returns the names of the codes of events of a kind, in order, each name once.
func names(t *testing.T, m *tracer.Memory, kind tracer.Kind) (list []string) {
	seen := map[string]bool{}
	for _, e := range tracertest.Events(t, m, tracer.Kinds(kind)) {
		if name := m.Dict().Code(e.Code).Name; !seen[name] {
			seen[name] = true
			list = append(list, name)
		}
	}
	return list
}

// TestReasons checks the reasons of Wait, Wake and Overhead in traces of small programs.
func TestReasons(t *testing.T) {
	for _, c := range []struct {
		program          string
		kind             tracer.Kind
		contains, hasNot string
	}{
		{"mutex", tracer.Wait, "mutex wait group sleep", ""},
		{"grouped", tracer.Wait, "mutex wait group", ""},
		{"pool", tracer.Wait, "select", ""},
		{"pipeline", tracer.Wait, "channel receive", "chan receive"},
		{"sleep", tracer.Wake, "timer", ""},
		{"network", tracer.Wait, "network", ""},
		{"request", tracer.Wake, "inferred", ""},
		{"memory", tracer.Overhead, "gc stop the world", ""},
		{"memory", tracer.Counter, "heap live heap goal goroutines GOMAXPROCS", ""},
		{"regions", tracer.Mark, "request load parse store file: a.txt", ""},
		{"coroutines", tracer.Wait, "coroutine", ""},
	} {
		run := programs.All[c.program]
		if c.program == "grouped" {
			run = programs.Grouped
		}
		m := must.Get(read(programs.Record(run)))(t)
		got := names(t, m, c.kind)
		if list := strings.Join(got, " "); !contains(list, c.contains) || c.hasNot != "" && strings.Contains(" "+list+" ", " "+c.hasNot+" ") {
			t.Errorf("%s: %v events have %s, want %s, not %s", c.program, c.kind, list, c.contains, c.hasNot)
		}
	}
}

// TestObserved reads logs of package observe, and logs that only look like them, which do not change.
func TestObserved(t *testing.T) {
	ctx := context.Background()
	m := must.Get(read(programs.Record(func() {
		for _, log := range [][2]string{
			{"observe lock 17", ""},
			{"observe send 4294967295 8", "3"},
			{"observe send 4294967295 8", "4"},
			{"observe drained 2 0", ""},
			{"observe", "lock 17"},
			{"observe lock 0", ""},
			{"observe lock 17", "x"},
			{"observe lock 17 1", ""},
			{"observe fly 17", ""},
			{"observe make 2 8", ""},
			{"observe send 2", "1"},
		} {
			trace.Log(ctx, log[0], log[1])
		}
	})))(t)
	var got []string
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Mark)) {
		if c := m.Dict().Code(e.Code); c.Type == tracer.Name && strings.HasPrefix(c.Name, "observe") {
			got = append(got, fmt.Sprintf("%s %d", c.Name, e.Value))
		}
	}
	want := []string{
		"observe lock 17", "observe make 38654705663", "observe send 17179869183", "observe send 21474836479", "observe make 2", "observe drained 2",
		"observe: lock 17 -1", "observe lock 0:  -1", "observe lock 17: x -1", "observe lock 17 1:  -1", "observe fly 17:  -1", "observe make 2 8:  -1", "observe send 2: 1 -1",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestRequest: the request that records a trace waits until it is recorded.
func TestRequest(t *testing.T) {
	w := httptest.NewRecorder()
	pprof.Trace(w, httptest.NewRequest(http.MethodGet, "/?seconds=0.02", nil))
	m := must.Get(read(w.Body.Bytes()))(t)
	if list := names(t, m, tracer.Wait); !slices.Contains(list, "tracing") {
		t.Errorf("tasks wait for %v", list)
	}
}

// contains reports whether every word is in a list.
func contains(list, words string) bool {
	for _, w := range strings.Fields(words) {
		if !strings.Contains(" "+list+" ", " "+w) {
			return false
		}
	}
	return true
}

// TestFunctions checks that goroutines have the functions of the program, not those of the libraries that start them.
func TestFunctions(t *testing.T) {
	data := programs.Record(func() {
		programs.All["forkjoin"]()
		programs.Grouped()
	})
	m := must.Get(read(data))(t)
	list := strings.Join(names(t, m, tracer.Fork), " ")
	if !strings.Contains(list, "programs.tree.func1") || !strings.Contains(list, "programs.Grouped.func1") || strings.Contains(list, "WaitGroup") {
		t.Error(list)
	}
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Fork)) {
		if name := m.Dict().Code(e.Code).Name; e.Ref > 0 && strings.Contains(name, "unknown") { // those without a parent began before the trace
			t.Errorf("task %d has started task %d with the function %s", e.Ref, e.Task, name)
		}
	}
	meta := m.Meta()
	if meta.PEs != 2 || len(meta.PEInfo) != 2 || meta.PEInfo[1].Thread != "P 1" || meta.Substrate != "go" || meta.Program != "gotrace.test" {
		t.Errorf("%+v", meta)
	}
}

// TestNetwork checks that most wakers of waits for the network are inferred where one client asks one server, and that each is another task.
func TestNetwork(t *testing.T) {
	m := must.Get(read(programs.Record(func() {
		for range 3 {
			programs.All["request"]()
		}
	})))(t)
	inferred, unknown := 0, 0
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Wake)) {
		switch m.Dict().Code(e.Code).Name {
		case whyNetwork:
			unknown++
		case "inferred":
			if inferred++; e.Ref == 0 || e.Ref == e.Task {
				t.Errorf("task %d is woken by %d", e.Task, e.Ref)
			}
		}
	}
	if inferred < unknown {
		t.Errorf("%d wakers are inferred, %d are not", inferred, unknown)
	}
}

func TestVersions(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/small-1.26.trace"))(t)
	for _, c := range []struct{ header, err, missing string }{
		{"go 1.21 trace\x00\x00\x00", "a trace of Go 1.21: expected one of Go 1.22 or later", ""},
		{"go 1.27 trace\x00\x00\x00", "", "what traces of Go 1.27 have beyond those of Go 1.26"},
		{"go 1.26 trace\x00\x00\x01", "not a Go execution trace", ""},
		{"go 1.26 tra", "not a Go execution trace", ""},
		{"go 1.26 trace\x00\x00\x00", "", ""},
	} {
		m, err := read(append([]byte(c.header), data[headerLen:]...))
		meta := m.Meta()
		if (err == nil) != (c.err == "") || err != nil && !strings.HasPrefix(err.Error(), c.err) || meta.Missing() != c.missing {
			t.Errorf("%q: %v, missing %q", c.header, err, meta.Missing())
		}
	}
	if m, err := read([]byte("go 1.26 trace\x00\x00\x00")); err != nil || m.Meta().Extra == nil {
		t.Error(err)
	}
}

// network is a trace of Go 1.23 that tests of other packages read too.
const network = "../../../testdata/traces/network.trace"

// TestCut cuts a trace at many places. The events before the cut are read, and the metadata name the loss.
func TestCut(t *testing.T) {
	data := must.Get(os.ReadFile(network))(t)
	whole := must.Get(read(data))(t).Counts()
	for n := headerLen + 1; n < len(data); n += 37 {
		m := must.Get(read(data[:n]))(t)
		meta, counts := m.Meta(), m.Counts()
		if meta.Missing() == "" {
			t.Errorf("%d bytes: nothing is missing", n)
		}
		if n > len(data)*9/10 && counts[tracer.Wait]*10 < whole[tracer.Wait]*8 {
			t.Errorf("%d bytes: %d waits of %d", n, counts[tracer.Wait], whole[tracer.Wait])
		}
		check(t, m)
	}
}

// check checks what every trace promises: times that do not go back, PEs of the machine, and codes of the dictionary.
func check(t *testing.T, m *tracer.Memory) {
	t.Helper()
	pes, codes, contexts := int32(m.Meta().PEs), len(m.Dict().Codes()), uint64(len(m.Dict().Contexts()))
	last := int64(0)
	for _, e := range tracertest.Events(t, m, tracer.AllKinds) {
		if e.Time < last || e.PE < 0 || e.PE >= max(pes, 1) || int(e.Code) >= codes || (e.Kind == tracer.Wait || e.Kind == tracer.Sample) && e.Ref >= contexts {
			t.Fatalf("%+v after %d on %d PEs", e, last, pes)
		}
		last = e.Time
	}
}

// TestDamage changes bytes of traces at random.
func TestDamage(t *testing.T) {
	files := append(must.Get(filepath.Glob("testdata/*-1.2[36].trace"))(t), network)
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range files {
		data := must.Get(os.ReadFile(name))(t)
		for range 300 {
			b := bytes.Clone(data)
			for range 1 + r.IntN(4) {
				b[headerLen+r.IntN(len(b)-headerLen)] = byte(r.IntN(256))
			}
			check(t, must.Get(read(b))(t))
		}
	}
}

// TestThreads reads a trace in which every thread of many waits for another one that is lost.
func TestThreads(t *testing.T) {
	var b strings.Builder
	for m := range 3000 {
		fmt.Fprintf(&b, "EventBatch gen=1 m=%d time=%d\nProcStatus dt=1 p=%d pstatus=1\nGoStart dt=1 g=7 g_seq=5\nGoStart dt=1 g=8 g_seq=5\n", m, m, m%4)
	}
	m := must.Get(read(assemble(t, "Trace Go1.22\n"+b.String()+tables)))(t)
	if meta := m.Meta(); !strings.HasPrefix(meta.Missing(), "6,000 records out of order") {
		t.Errorf("missing %q", meta.Missing())
	}
	check(t, m)
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]bool{
		"go 1.26 trace\x00\x00\x00x": true, "go 1.9 trace\x00\x00\x00x": false, "go 1.27 trace\x00\x00\x00": true, "go 1.26 tracE\x00\x00\x00": false, "go 1.": false, "": false,
	} {
		if Detect([]byte(text)) != want {
			t.Errorf("%q", text)
		}
	}
}

func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.trace")
	for _, name := range append(files, network) {
		if b, err := os.ReadFile(name); err == nil && len(b) < 20_000 {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		Detect(b)
		if m, err := read(b); err == nil {
			check(t, m)
			if n := m.Counts(); n[tracer.End] > n[tracer.Fork] || n[tracer.Wake] > n[tracer.Wait] {
				t.Errorf("%d forks and %d ends, %d waits and %d wakes", n[tracer.Fork], n[tracer.End], n[tracer.Wait], n[tracer.Wake])
			}
		}
	})
}
