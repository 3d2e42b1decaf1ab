package dtslog

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/internal/fault"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/testdata/tracertest"
)

func read(texts ...string) (*tracer.Memory, error) {
	m := tracer.NewMemory()
	var files []File
	for i, s := range texts {
		files = append(files, File{"node" + string(rune('0'+i)) + ".dtslog", strings.NewReader(s)})
	}
	err := Read(files, m)
	_ = m.Close()
	return m, err
}

func write(t rapid.TB, src tracer.Source) string {
	var b bytes.Buffer
	must.Do(t, Write(&b, src))
	return b.String()
}

func sample(t *testing.T) string {
	s := must.Get(os.ReadFile("../../../testdata/traces/two-nodes.dtslog"))(t)
	return string(s)
}

func TestRead(t *testing.T) {
	m, err := read(sample(t))
	if err != nil {
		t.Fatal(err)
	}
	const want = `whorl 1
meta program="shares" substrate="dts" clock="process" pes=2
pe 0 host="alpha"
pe 1 host="beta"
stream 0 name="alpha" clock="process"
stream 1 name="beta" clock="process"
code 1 type="function" name="main" file="shares.c" line=20
code 2 type="function" name="work" file="shares.c" line=5
code 3 type="line" file="shares.c" line=24
code 4 type="line" file="shares.c" line=25
code 5 type="host" name="alpha"
code 6 type="host" name="beta"
3000 Init pe=0 code=5 # alpha
5000 Start pe=0 task=1 code=1 value=1 # main
10000 Fork pe=0 task=2 ref=1 peer=0 code=2 value=16 # work
10000 Start pe=0 task=2 peer=0 code=2 value=1 # work
25000 Fork pe=0 task=3 ref=1 peer=1 code=2 value=16 # work
40000 JoinBegin pe=0 task=1 ref=3 peer=1 code=3
60000 End pe=0 task=2 code=2 # work
61000 JoinEnd pe=0 task=1 ref=3 peer=1 code=3
64000 JoinBegin pe=0 task=1 ref=2 peer=0 code=4
64000 JoinEnd pe=0 task=1 ref=2 peer=0 code=4
70000 End pe=0 task=1 code=1 # main
75000 Exit pe=0 code=5 # alpha
1000000000 Init pe=1 code=6 stream=1 # beta
1000000000 Start pe=1 task=3 peer=0 code=2 value=1 stream=1 # work
1000006000 Fork pe=1 task=4 ref=3 stream=1
1000006000 Start pe=1 task=4 peer=1 value=1 stream=1
1000008000 Fork pe=1 task=5 ref=3 stream=1
1000008000 Start pe=1 task=5 peer=1 value=1 stream=1
1000018000 End pe=1 task=3 code=2 stream=1 # work
1000028000 End pe=1 task=4 value=1 stream=1
1000029000 End pe=1 task=5 stream=1
`
	if got := tracertest.Text(t, m); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	// The same log in two files, with the words of section 2 and with CR LF line ends.
	first, second, _ := strings.Cut(sample(t), "\n\n")
	second = strings.NewReplacer(" start ", " fork ", " fork ", " start ").Replace(second)
	second = strings.Replace(second, "unit ms", "unit ms\nsection 2", 1)
	if m, err = read(first, strings.ReplaceAll(second, "\n", "\r\n")); err != nil {
		t.Fatal(err)
	}
	if got := tracertest.Text(t, m); got != want {
		t.Errorf("in two files, got\n%swant\n%s", got, want)
	}
	// Without that line, 4 and 5 would both create 3.
	if _, err = read(first, strings.Replace(second, "section 2", "section 3", 1)); err == nil {
		t.Error("the words of section 2 were read as those of section 3")
	}
}

// TestShares checks the shares of the sample that its comments give.
func TestShares(t *testing.T) {
	m := must.Get(read(sample(t)))(t)
	g := must.Get(threadgraph.Build(m))(t)
	want := []struct {
		task uint64
		run  int64
	}{{1, 5000 + 15_000/2 + 15_000/2 + 3000 + 6000}, {2, 15_000/2 + 15_000/2 + 20_000}, {3, 6000 + 1000 + 3333}}
	for _, c := range want {
		sum := int64(0)
		from, to := g.Chain(g.Numbered(c.task))
		for i := from; i < to; i++ {
			sum += g.Run[i]
		}
		if sum != c.run || !g.Shared {
			t.Errorf("thread %d ran for %d ns, want %d", c.task, sum, c.run)
		}
	}
}

func TestErrors(t *testing.T) {
	const head = "dtslog 1\nnode 0\n"
	for _, c := range []struct{ text, want string }{
		{"", "node0.dtslog:1:1: no log"},
		{"# nothing\n\n", "node0.dtslog:1:1: no log"},
		{"whorl 1\n", "node0.dtslog:1:1: not a log"},
		{"dtslog\n", "1:7: no version"},
		{"dtslog 2\n", `1:8: invalid version "2"`},
		{"dtslog 1 x\n", `1:10: unexpected "x"`},
		{"dtslog 1\n", "1:9: the log has no node line"},
		{"dtslog 1\n5 init\n", "2:1: an event before the node line"},
		{"dtslog 1\nnod 0\n", "2:1: unknown word \"nod\"\n    nod 0\n    ^\nexpected node;"},
		{"dtslog 1\nnode -1\n", `2:6: invalid node number "-1"`},
		{"dtslog 1\nnode 1048576\n", `2:6: invalid node number "1048576"`},
		{"dtslog 1\nnode\n", "2:5: no node number"},
		{"dtslog 1\nnode 0 a b c\n", `2:12: unexpected "c"`},
		{"dtslog 1\nnode 0 \"a\n", "2:8: unterminated"},
		{"dtslog 1\nnode 0 \"a\"b\n", "2:11: no blank after the quoted text"},
		{head + "node 0\n", "3:6: node 0 has a log at node0.dtslog:2:1"},
		{head + "clock wall\n", `3:7: unknown clock "wall"`},
		{head + "unit min\n", `3:6: unknown unit "min"`},
		{head + "section 4\n", `3:9: invalid section of the paper "4"`},
		{head + "program\n", "3:8: no name"},
		{head + "1 init\nunit ms\n", "4:1: unit after an event"},
		{head + "1x init\n", `3:1: invalid time "1x"`},
		{head + "1. init\n", `3:1: invalid time "1."`},
		{head + "--1 init\n", `3:1: invalid time "--1"`},
		{head + "9999999999999999999 init\n", `3:1: invalid time "9999999999999999999"`},
		{"dtslog 1\nunit s\nnode 0\n9999999999.5 init\n", `4:1: invalid time "9999999999.5"`},
		{head + "2 init\n1 exit\n", "4:1: the event is earlier than the one before it"},
		{head + "1\n", "3:2: no event"},
		{head + "1 stort 1\n", "3:3: unknown event \"stort\"\n    1 stort 1\n      ^\nexpected start;"},
		{head + "1 start\n", "3:8: no thread"},
		{head + "1 start 0\n", `3:9: invalid thread "0"`},
		{head + "1 start 99999999999999999999\n", `3:9: invalid thread "99999999999999999999"`},
		{head + "1 start \"a\"\n", "3:9: no thread"},
		{head + "1 fork 2\n", "3:9: no other thread"},
		{head + "1 fork 2 1 3\n", `3:12: unexpected "3"`},
		{head + "1 fork 2 1 on=x\n", `3:12: invalid node number "x"`},
		{head + "1 fork 2 1 in=4\n", `3:12: fork has no key "in"`},
		{head + "1 fork 2 1 at=\"a.c\"\n", `3:12: invalid source position "a.c"`},
		{head + "1 fork 2 1 at=\"a.c:0\"\n", `3:12: invalid source position "a.c:0"`},
		{head + "1 fork 2 1 bytes=-1\n", `3:12: invalid number of bytes "-1"`},
		{head + "1 fork 2 1 bytes=\n", "3:18: no value for bytes"},
		{head + "1 fork a=b=c 1\n", `3:11: unexpected "="`},
		{head + "1 end 1 well\n", `3:9: unknown end "well"`},
		{head + "1 exit -1\n", `3:8: invalid exit status "-1"`},
		{head + "1 init x\n", `3:8: unexpected "x"`},
		{head + "1 init pe=1\n", `3:8: invalid PE of the node "1"`},
		{head + "pes 4097\n", `3:5: invalid number of PEs "4097"`},
		{"dtslog 1\nnode 1048575\npes 2\n", "3:5: too many PEs"},
		{"dtslog 1\npes 2\nnode 1048575\n", "3:6: too many PEs"},
		{head + "1 fork 2 1 on=0:4096\n", `3:12: invalid node number "0:4096"`},
		{head + "1 fork 2 1 on=1048575:1\n", `3:12: invalid node number "1048575:1"`},
		{head + "1 idle why=\"x\"\n", `3:8: idle has no key "why"`},
		{head + "1 init " + strings.Repeat("x", mostLine), "3:1: the line is longer than 1 MiB"},
	} {
		m, err := read(c.text)
		var at *fault.Error
		if !errors.As(err, &at) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: error %v, want %s", c.text, err, c.want)
		}
		n := int64(0)
		for _, k := range m.Counts() {
			n += k
		}
		if want := strings.Contains(c.text, "init\n") && (strings.Contains(c.text, "2 init") || strings.Contains(c.text, "1 init\nunit")); want != (n == 1) {
			t.Errorf("%.60q: %d events before the error", c.text, n)
		}
	}
	// The error is in the second file; its column counts characters, not bytes.
	if _, err := read(head, "dtslog 1\nnode 1 \"Tübingen\" x y\n"); err == nil || !strings.Contains(err.Error(), "node1.dtslog:2:21: unexpected \"y\"") {
		t.Error(err)
	}
	broken := errors.New("broken")
	if err := Read([]File{{"a", failing{broken}}}, tracer.NewMemory()); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error)  { return 0, f.err }
func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestWriteErrors(t *testing.T) {
	if err := Write(&bytes.Buffer{}, tracertest.Trace(tracer.Event{Kind: tracer.Reduce, Task: 1})); !errors.Is(err, ErrNoThreads) {
		t.Errorf("no threads: %v", err)
	}
	for _, c := range []struct {
		want string
		e    tracer.Event
	}{
		{"PE -1: expected 0", tracer.Event{Kind: tracer.Start, Task: 1, PE: -1}},
		{"PE 1048576: expected 0", tracer.Event{Kind: tracer.Start, Task: 1, PE: 1 << 20}},
		{"thread 9223372036854775808: expected ", tracer.Event{Kind: tracer.Start, Task: 1 << 63}},
	} {
		var b bytes.Buffer
		if err := Write(&b, tracertest.Trace(c.e)); err == nil || !strings.Contains(err.Error(), c.want) || b.Len() > 0 {
			t.Errorf("%+v: error %v after %q, want %s", c.e, err, b.String(), c.want)
		}
	}
	broken := errors.New("broken")
	if err := Write(failing{broken}, tracertest.Trace(tracer.Event{Kind: tracer.Start, Task: 1})); !errors.Is(err, broken) {
		t.Errorf("a writer that fails: %v", err)
	}
	// The join of a thread that ran on its parent's stack is written; events without a thread are omitted.
	got := write(t, tracertest.Trace(
		tracer.Event{Kind: tracer.Start, Task: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.Fork, Time: 1, Task: 2, Ref: 1},
		tracer.Event{Kind: tracer.Fork, Time: 1, Task: 3},
		tracer.Event{Kind: tracer.Start, Time: 2, Task: 2, Peer: tracer.Inline},
		tracer.Event{Kind: tracer.End, Time: 3, Task: 2, Peer: tracer.Inline, Value: 2},
	))
	const want = "dtslog 1\nnode 0\nclock virtual\n0 start 1\n1 fork 2 1 on=0\n2 bjoin 1 2\n2 start 2\n3 end 2 cancelled\n3 ajoin 1 2\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// events draws arbitrary events of threads on three nodes.
func events(t *rapid.T) *tracer.Memory {
	m := tracer.NewMemory()
	processes := []string{"", "p", "q"}
	info := make([]tracer.PE, 3)
	for i := range info {
		info[i] = tracer.PE{Host: "h", Process: rapid.SampledFrom(processes).Draw(t, "process")}
	}
	m.SetMeta(tracer.Meta{Program: rapid.String().Draw(t, "program"), PEs: 3, Clock: tracer.Virtual, PEInfo: info})
	s := m.Stream(tracer.StreamInfo{})
	function := m.Dict().Add(tracer.Code{Type: tracer.Function, Name: rapid.String().Draw(t, "function")})
	line := m.Dict().Add(tracer.Code{Type: tracer.Line, File: "a b.go", Line: 7})
	reason := m.Dict().Add(tracer.Code{Type: tracer.Reason, Name: "off cpu"})
	now := rapid.Int64Range(-5, 5).Draw(t, "begin")
	*s.Slot() = tracer.Event{Kind: tracer.Start, Time: now, Task: 1, Peer: tracer.None, Value: 1}
	for range rapid.IntRange(0, 30).Draw(t, "events") {
		now += rapid.Int64Range(0, 100).Draw(t, "ns")
		e := tracer.Event{
			Kind: rapid.SampledFrom([]tracer.Kind{
				tracer.Init, tracer.Exit, tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd, tracer.Send,
				tracer.Busy, tracer.Idle, tracer.Overhead,
			}).Draw(t, "kind"),
			Time: now, Task: rapid.Uint64Range(0, 9).Draw(t, "task"), Ref: rapid.Uint64Range(0, 9).Draw(t, "ref"),
			PE: rapid.Int32Range(0, 2).Draw(t, "pe"), Peer: rapid.Int32Range(-2, 2).Draw(t, "peer"), Value: rapid.Int64Range(0, 2).Draw(t, "value"),
		}
		switch e.Kind {
		case tracer.Fork, tracer.Start:
			e.Code = function
		case tracer.JoinBegin, tracer.JoinEnd:
			e.Code = line
		case tracer.Idle, tracer.Overhead:
			e.Code = reason
		}
		*s.Slot() = e
	}
	_ = m.Close()
	return m
}

// TestWriteJoiner checks that the join of a thread that ran on the stack of a thread other than its parent belongs to that thread.
func TestWriteJoiner(t *testing.T) {
	m := tracer.NewMemory()
	stream := m.Stream(tracer.StreamInfo{})
	for _, e := range []tracer.Event{
		{Kind: tracer.Start, Task: 1, Peer: tracer.None, Value: 1},
		{Kind: tracer.Fork, Time: 10, Task: 2, Ref: 1},
		{Kind: tracer.Fork, Time: 20, Task: 3, Ref: 1},
		{Kind: tracer.Start, Time: 30, Task: 3, Peer: tracer.Inline, Value: 1},
		{Kind: tracer.Start, Time: 40, Task: 2, Ref: 3, Peer: tracer.Inline, Value: 1},
		{Kind: tracer.End, Time: 50, Task: 2, Ref: 3, Peer: tracer.Inline},
		{Kind: tracer.End, Time: 60, Task: 3, Peer: tracer.Inline},
		{Kind: tracer.End, Time: 70, Task: 1, Peer: tracer.None},
	} {
		*stream.Slot() = e
	}
	_ = m.Close()
	got := write(t, m)
	for _, want := range []string{"bjoin 1 3", "bjoin 3 2", "ajoin 3 2", "ajoin 1 3"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := write(t, events(t))
		m, err := read(first)
		if err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		second := write(t, m)
		if m, err = read(second); err != nil {
			t.Fatalf("%v\n%s", err, second)
		}
		if third := write(t, m); third != second {
			t.Fatalf("first\n%ssecond\n%sthird\n%s", first, second, third)
		}
	})
}

func FuzzRead(f *testing.F) {
	s := must.Get(os.ReadFile("../../../testdata/traces/two-nodes.dtslog"))(f)
	f.Add(s)
	f.Add([]byte("dtslog 1\nsection 2\nunit s\nnode 1048575\n-1.5 start 2 1 at=\"x:1\"\n0 fork 2\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m := tracer.NewMemory()
		err := Read([]File{{"f", bytes.NewReader(text)}}, m)
		_ = m.Close()
		must.Get(threadgraph.Build(m))(t)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, m); err != nil {
			if errors.Is(err, ErrNoThreads) || strings.Contains(err.Error(), "thread ") {
				return
			}
			t.Fatal(err)
		}
		if _, err := read(b.String()); err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
	})
}
