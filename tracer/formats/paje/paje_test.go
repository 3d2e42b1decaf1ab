package paje

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/waits"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
	"whorl/tracer/testdata/tracertest"
)

var update = flag.Bool("update", false, "write the golden file")

const shared = "../../../testdata/"

// real are files of SimGrid and StarPU.
var real = []string{shared + "simgrid/stencil.paje", shared + "starpu/cholesky.paje"}

func parse(t testing.TB, b []byte) (*tracer.Memory, error) {
	t.Helper()
	m := tracer.NewMemory()
	err := Read(profile.File{Name: "a.paje", R: bytes.NewReader(b)}, m, profile.Options{})
	must.Do(t, m.Close())
	return m, err
}

func parsed(t testing.TB, b []byte) *tracer.Memory {
	t.Helper()
	return must.Get(parse(t, b))(t)
}

func file(t testing.TB, path string) []byte { return must.Get(os.ReadFile(path))(t) }

// TestMessages: SimGrid's stencil sends 24 messages from each rank, and each that is received is matched.
func TestMessages(t *testing.T) {
	m := parsed(t, file(t, real[0]))
	sent, received := map[uint64]int32{}, 0
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Send)) {
		sent[e.Ref] = e.PE
	}
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Recv)) {
		received++
		if from, ok := sent[e.Ref]; !ok || from != e.Peer {
			t.Errorf("message %d from PE %d is not among those sent", e.Ref, e.Peer)
		}
	}
	if len(sent) != 96 || received != 48 { // the tracing of SimGrid leaves out the ends of MPI_Waitall
		t.Errorf("%d messages are sent, %d received", len(sent), received)
	}
	w := must.Get(waits.Build(m, nil))(t)
	if len(w.Tasks) != 4 || w.All.Times[waits.Blocked] == 0 {
		t.Errorf("%d tasks, times %v", len(w.Tasks), w.All.Times)
	}
}

// TestJobs reads the tasks of StarPU: with tasks.rec beside the file, each waits for the last of its dependences, and that one has ended by then.
func TestJobs(t *testing.T) {
	read := func(t *testing.T, dir string) *tracer.Memory {
		m := tracer.NewMemory()
		must.Do(t, ReadIn(os.DirFS(dir), "cholesky.paje", m, profile.Options{}))
		must.Do(t, m.Close())
		return m
	}
	m := read(t, shared+"starpu")
	ends, woken := map[uint64]int64{}, 0
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.End)) {
		ends[e.Task] = e.Time
	}
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Wake)) {
		if e.Ref == 0 || e.Code != 0 {
			continue
		}
		woken++
		if ends[e.Ref] != e.Time {
			t.Errorf("task %d is woken at %d by task %d, which ends at %d", e.Task, e.Time, e.Ref, ends[e.Ref])
		}
	}
	text := string(file(t, shared+"starpu/tasks.rec"))
	if dependent := strings.Count(text, "DependsOn:"); woken < 20 || woken > dependent || woken >= len(ends) {
		t.Errorf("%d wake-ups of %d tasks with dependences, %d ends", woken, dependent, len(ends))
	}
	waker := uint64(0) // of the last wait for all tasks
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Wake)) {
		if m.Dict().Code(e.Code).Name == "inferred" {
			if waker = e.Ref; ends[waker] != e.Time {
				t.Errorf("the thread that submits is woken at %d by task %d, which ends at %d", e.Time, waker, ends[waker])
			}
		}
	}
	if waker == 0 {
		t.Error("no task ends the wait for all tasks")
	}
	for i, info := range m.Meta().PEInfo {
		if strings.HasPrefix(info.Thread, "MEMMANAGER") {
			t.Errorf("PE %d is a manager of memory, which has variables alone", i)
		}
	}
	alone := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(alone, "cholesky.paje"), file(t, real[1]), 0o600))
	if n := read(t, alone).Counts()[tracer.Wait]; n >= m.Counts()[tracer.Wait] {
		t.Errorf("without tasks.rec there are %d waits", n)
	}
	for _, c := range []struct{ text, missing string }{{text[:8000], "the end of tasks.rec: the file is cut within task \"24\"; 12 tasks missing in tasks.rec"}, {"", "tasks.rec, which has no tasks"}} {
		must.Do(t, os.WriteFile(filepath.Join(alone, "tasks.rec"), []byte(c.text), 0o600))
		if meta := read(t, alone).Meta(); meta.Missing() != c.missing {
			t.Errorf("a file tasks.rec of %d bytes: missing %q, want %q", len(c.text), meta.Missing(), c.missing)
		}
	}
}

const header = `%EventDef PajeDefineContainerType 0
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineStateType 1
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineVariableType 2
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineLinkType 3
% Alias string
% Type string
% StartContainerType string
% EndContainerType string
% Name string
%EndEventDef
%EventDef PajeCreateContainer 4
% Time date
% Alias string
% Type string
% Container string
% Name string
%EndEventDef
%EventDef PajePushState 5
% Time date
% Type string
% Container string
% Value string
%EndEventDef
%EventDef PajePopState 6
% Time date
% Type string
% Container string
%EndEventDef
%EventDef PajeSetVariable 7
% Time date
% Type string
% Container string
% Value double
%EndEventDef
%EventDef PajeStartLink 8
% Time date
% Type string
% Container string
% StartContainer string
% Value string
% Key string
%EndEventDef
%EventDef PajeEndLink 9
% Time date
% Type string
% Container string
% EndContainer string
% Value string
% Key string
%EndEventDef
%EventDef PajeDestroyContainer 10
% Time date
% Type string
% Name string
%EndEventDef
0 T 0 Thread
1 S T State
2 V T Load
3 L 0 T T Link
4 0 a T 0 "thread a"
4 0 b T 0 "thread b"
`

func TestText(t *testing.T) {
	const events = `5 0.000001 S a work
7 0.0000015 V a 2.5
5 0.000002 S a inner
6 0.000003 S a
8 0.000003 L 0 a x 1
5 0.000001 S b waiting
9 0.000004 L 0 b x 1
6 0.000004 S b
5 0.000004 S b work
6 0.000005 S a
6 0.000006 S b
10 0.000006 T a
10 0.000007 T b
99 0 what
5 x S a work
5 0.1 S nobody work
`
	got := tracertest.Text(t, parsed(t, []byte(header+events)))
	const path = "testdata/small.txt"
	if *update {
		must.Do(t, os.WriteFile(path, []byte(got), 0o600))
	}
	if d := cmp.Diff(string(file(t, path)), got); d != "" {
		t.Error(d)
	}
}

// TestDamage cuts real files at many places and damages them: the readable part is read, and the missing part is named.
func TestDamage(t *testing.T) {
	for _, path := range real {
		b := file(t, path)
		whole := tracertest.Events(t, parsed(t, b), tracer.AllKinds)
		before := 0
		for n := 0; n < len(b); n += len(b) / 40 {
			m, err := parse(t, b[:n])
			if err != nil && before > 0 {
				t.Errorf("%s: %d bytes: %v", path, n, err)
			}
			events := len(tracertest.Events(t, m, tracer.AllKinds))
			if events < before/2 || events > len(whole)+100 {
				t.Errorf("%s: %d events in %d bytes, %d in fewer bytes", path, events, n, before)
			}
			before = events
		}
		for i := 0; i < len(b); i += len(b) / 200 {
			c := slices.Clone(b)
			c[i] ^= 0x15
			_, _ = parse(t, c)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"", "a.paje: the trace has no states, links, variables or events"},
		{header, "a.paje: the trace has no states, links, variables or events"},
		{"noise\n", "a.paje: the trace has no states, links, variables or events; missing: 1 record without a definition"},
		{header + "5 1 S a work\n", ""},
		{header + "6 1 S a\n", "1 end of states without a beginning"},
		{header + "8 1 L 0 a x 1\n", "1 link without an end"},
		{header + "9 1 L 0 a x 1\n", "1 end of links without a beginning"},
		{"%EventDef \"Paje\x1b[2J\xff\" 50\n%EndEventDef\n50\n" + header + "5 1 S a work\n", `1 record of type "Paje\x1b[2J\xff"`},
		{header + strings.Repeat("x", longestLine+10) + "\n5 1 S a work\n", "1 line longer than the limit"},
	} {
		m, err := parse(t, []byte(c.text))
		meta := m.Meta()
		got := meta.Missing()
		if err != nil {
			got = err.Error()
		}
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%.60q: %q, expected %q", c.text, got, c.want)
		}
	}
}

// TestLinear reads files with very many types of variables and of states in a container, and with very many containers in each other.
func TestLinear(t *testing.T) {
	for name, line := range map[string]func(i int) string{
		"variables": func(i int) string { return fmt.Sprintf("2 V%d T v%d\n7 0.%09d V%d a 1\n", i, i, i, i) },
		"states":    func(i int) string { return fmt.Sprintf("1 S%d T s%d\n5 0.%09d S%d a x\n", i, i, i, i) },
		"containers": func(i int) string {
			return fmt.Sprintf("0 C%d C%d c%d\n4 0.%09d c%d C%d c%d c%d\n2 V%d C%d v%d\n7 0.%09d V%d c%d 1\n", i+1, i, i+1, i, i+1, i+1, i, i+1, i, i+1, i, i, i, i+1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			profiletest.Linear(t, 5000, func(n int) {
				var b strings.Builder
				b.WriteString(header + "0 C0 0 Box\n4 0 c0 C0 0 c0\n5 0 S a work\n")
				for i := range n {
					b.WriteString(line(i))
				}
				parsed(t, []byte(b.String()))
			})
		})
	}
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "%EventDef PajeX 1\n": true, "# SimGrid\n\n%\tEventDef PajeX 1": true, "%PDF-1.4\n": false, "main;a 3\n": false, "#comment": false,
	} {
		if Detect([]byte(text)) != want {
			t.Errorf("%q", text)
		}
	}
}

// TestVariables: a variable keeps its value where a record has none that can be used.
func TestVariables(t *testing.T) {
	const added = "%EventDef PajeAddVariable 50\n% Time date\n% Type string\n% Container string\n% Value double\n%EndEventDef\n"
	m := parsed(t, []byte(added+header+"7 1 V a 4\n50 2 V a x\n50 3 V a 1e30\n50 4 V a 1e999\n50 5 V a NaN\n7 6 V a\n50 7 V a 1.5\n"))
	var got []int64
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Counter)) {
		got = append(got, e.Value)
	}
	if want := []int64{4_000_000, 5_500_000}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
	meta := m.Meta()
	if got, want := meta.Missing(), "2 values of variables that are not numbers; 3 values of variables out of range"; got != want {
		t.Errorf("missing %q, expected %q", got, want)
	}
}

func TestNanoseconds(t *testing.T) {
	for _, c := range []struct {
		text   string
		places int
		want   int64
		ok     bool
	}{
		{"0", 9, 0, true},
		{"1.5", 9, 1_500_000_000, true},
		{"0.0000000014", 9, 1, true},
		{"0.0000000015", 9, 2, true},
		{"93.005636", 6, 93_005_636, true},
		{"1e-6", 9, 1000, true},
		{"", 9, 0, false},
		{"x", 9, 0, false},
		{"-1", 9, -1_000_000_000, true},
		{"1e30", 9, 0, false},
		{"NaN", 9, 0, false},
		{"99999999999999999999", 9, 0, false},
		{"1.00000000000000000000000000001", 9, 1_000_000_000, true},
	} {
		if got, ok := nanoseconds([]byte(c.text), c.places); got != c.want || ok != c.ok {
			t.Errorf("%q: %d, %v, expected %d, %v", c.text, got, ok, c.want, c.ok)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("\""))
	f.Add([]byte("%EventDef \"\" 1\n%EndEventDef\n"))
	f.Add([]byte(header + "5 1 S a work\n8 2 L 0 a x 1\n9 3 L 0 b x 1\n6 4 S a\n"))
	for _, path := range real {
		f.Add(file(f, path))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, _ := parse(t, b)
		must.Get(waits.Build(m, nil))(t)
	})
}

func BenchmarkRead(b *testing.B) {
	var text bytes.Buffer
	text.WriteString(header)
	for i := range 200_000 {
		fmt.Fprintf(&text, "5 %d.%06d S %c work%d\n6 %d.%06d S %c\n", i/1000, i%1000*1000, 'a'+i%2, i%20, i/1000, i%1000*1000+999, 'a'+i%2)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		must.Do(b, Read(profile.File{Name: "a", R: bytes.NewReader(text.Bytes())}, tracer.NewMemory(), profile.Options{}))
	}
}
