package vista

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// program returns the code table of the quick sort of Figure 2: six clauses, entered from last to first.
func program() *tracer.Dict {
	d := &tracer.Dict{}
	procs := map[string]uint32{}
	for _, p := range []string{"qsort/2", "qsort/3", "part/4"} {
		procs[p] = d.Add(tracer.Code{Type: tracer.Procedure, Name: p, File: "qsort.fghc"})
	}
	clauses := []struct {
		proc     string
		children int32
	}{{"qsort/2", 1}, {"qsort/3", 0}, {"qsort/3", 3}, {"part/4", 0}, {"part/4", 1}, {"part/4", 1}}
	for i := len(clauses) - 1; i >= 0; i-- {
		c := clauses[i]
		d.Add(tracer.Code{
			Type: tracer.Clause, Name: c.proc, File: "qsort.fghc", Line: int32(i + 1), Parent: procs[c.proc], Children: c.children,
		})
	}
	return d
}

func read(text string, clauses *tracer.Dict) (*tracer.Memory, error) {
	m := tracer.NewMemory()
	err := Read(strings.NewReader(text), m, clauses)
	_ = m.Close()
	return m, err
}

func write(t rapid.TB, src tracer.Source) string {
	var b bytes.Buffer
	must.Do(t, Write(&b, src))
	return b.String()
}

func quickSort(t *testing.T) string {
	text := must.Get(os.ReadFile("../../../testdata/traces/quicksort.vista"))(t)
	return string(text)
}

func TestReadQuickSort(t *testing.T) {
	text := quickSort(t)
	m := must.Get(read(text, program()))(t)
	es := tracertest.Events(t, m, tracer.AllKinds)
	if meta := m.Meta(); meta.Resolution() != msec {
		t.Errorf("times are rounded down to %d ns, want 1 ms", meta.Resolution())
	}
	if len(es) != 23 || m.Meta().PEs != 4 || m.Meta().Substrate != "vista" {
		t.Fatalf("%d events, %+v; want 23 on 4 PEs", len(es), m.Meta())
	}
	// Record 7 is E: qsort/3 on PE 2, a child of B, record 2 on PE 0.
	if got, want := es[6], (tracer.Event{Kind: tracer.Reduce, Time: 5_000_000, Task: 7, Ref: 2, PE: 2, Peer: 0, Code: es[1].Code}); got != want {
		t.Errorf("seventh record %+v, want %+v", got, want)
	}
	if es[0].Peer != tracer.None || es[0].Ref != 0 {
		t.Errorf("root %+v, want no parent", es[0])
	}
	c := m.Dict().Code(es[6].Code)
	if c.Name != "qsort/3" || c.Children != 3 || c.Line != 3 || m.Dict().Code(c.Parent).Type != tracer.Procedure {
		t.Errorf("clause %+v, want the third, with three children", c)
	}
	if got := write(t, m); got != text {
		t.Errorf("written again:\n%s", got)
	}

	m = must.Get(read(text, nil))(t)
	for i, e := range tracertest.Events(t, m, tracer.AllKinds) { // the counts match the program's
		n := strings.Fields(strings.Split(text, "\n")[i+1])[1]
		want := map[string]int32{"1": 1, "2": 0, "3": 3, "4": 0, "5": 1, "6": 1}[n]
		if c := m.Dict().Code(e.Code); c.Name != "clause "+n || c.Children != want || c.Type != tracer.Clause {
			t.Errorf("record %d: %+v, want clause %s with %d children", i+1, c, n, want)
		}
	}
	if got := write(t, m); got != text {
		t.Errorf("written again without the program:\n%s", got)
	}
}

func TestReadErrors(t *testing.T) {
	const head = "2\n0 1 0 1 0 0\n"
	for _, c := range []struct{ text, want string }{
		{"", `line 1: 0 fields: expected one, PEmax`},
		{"\n\n", `line 2: 0 fields: expected one, PEmax`},
		{"2 3\n", `line 1: 2 fields: expected one, PEmax`},
		{"0\n", `line 1: PEmax "0": expected 1 to 1048576`},
		{"9999999\n", `line 1: PEmax "9999999": expected 1 to 1048576`},
		{"x\n", `line 1: PEmax "x": expected 1 to 1048576`},
		{head + "1 1 1 1 0\n", `line 3: 5 fields: expected 6: time clause# pe index ppe pindex`},
		{head + "\n1 1 1 1 0 1 7\n", `line 4: 7 fields: expected 6: time clause# pe index ppe pindex`},
		{head + "-1 1 1 1 0 1\n", `line 3: time (the records stand in the order of time) "-1": expected 0 to 9223372036854`},
		{"2\n5 1 0 1 0 0\n4 1 0 2 0 1", `line 3: time (the records stand in the order of time) "4": expected 5 to`},
		{head + "99999999999999999999999999999999999 1 1 1 0 1", `"999999999999999999999999999999...": expected 0 to`},
		{head + "9223372036855 1 1 1 0 1", `line 3: time`},
		{head + "1 0 1 1 0 1\n", `line 3: clause# "0": expected 1 to 2147483647`},
		{head + "1 7 1 1 0 1\n", `line 3: clause# 7: expected a clause of the program, 1 to 6`},
		{head + "1 1 2 1 0 1\n", `line 3: pe "2": expected 0 to 1`},
		{head + "1 1 1 2 0 1\n", `line 3: index (the next of PE 1) "2": expected 1`},
		{head + "1 1 0 1 0 1\n", `line 3: index (the next of PE 0) "1": expected 2`},
		{head + "1 1 1 1 2 1\n", `line 3: ppe "2": expected 0 to 1`},
		{head + "1 1 1 1 0 2\n", `line 3: pindex (an earlier record of PE 0, or 0 0 for none) "2": expected 0 to 1`},
		{head + "1 1 1 1 1 0\n", `line 3: ppe 1 with pindex 0: expected 0 0`},
		{head + strings.Repeat("1", 70_000), `line 3: more than 65,536 bytes: expected six numbers`},
	} {
		m, err := read(c.text, program())
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: error %v, want %s", c.text, err, c.want)
		}
		if strings.HasPrefix(c.text, head) && len(tracertest.Events(t, m, tracer.AllKinds)) != 1 {
			t.Errorf("%.60q: %d events before the error, want 1", c.text, len(tracertest.Events(t, m, tracer.AllKinds)))
		}
	}
	if m, err := read(head+"x\n", nil); err == nil || len(tracertest.Events(t, m, tracer.AllKinds)) != 1 {
		t.Errorf("without a program: error %v after %d events, want 1", err, len(tracertest.Events(t, m, tracer.AllKinds)))
	}
	for _, clauses := range []*tracer.Dict{program(), nil} { // the file is cut
		m := must.Get(read(head+"1 1 1 1 0", clauses))(t)
		if meta := m.Meta(); meta.Missing() != "the rest from line 3 on: the line is cut: 5 fields; expected 6: time clause# pe index ppe pindex" || meta.PEs != 2 || m.Counts()[tracer.Reduce] != 1 {
			t.Errorf("%d events; missing %q", m.Counts()[tracer.Reduce], meta.Missing())
		}
	}
	broken := errors.New("broken")
	if err := Read(failing{broken}, tracer.NewMemory(), nil); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error)  { return 0, f.err }
func (f failing) Write([]byte) (int, error) { return 0, f.err }

func traceOf(es ...tracer.Event) *tracer.Memory {
	m := tracer.NewMemory()
	m.Dict().Add(tracer.Code{Type: tracer.Clause, Name: "p/1"})
	m.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: "p/1"})
	s := m.Stream(tracer.StreamInfo{})
	for _, e := range es {
		e.Kind = tracer.Reduce
		*s.Slot() = e
	}
	_ = m.Close()
	return m
}

func TestWrite(t *testing.T) {
	got := write(t, traceOf(
		tracer.Event{Time: 999_999, Task: 5, Code: 1, PE: 1},
		tracer.Event{Time: 1_999_999, Task: 1 << 50, Ref: 5, Code: 1, PE: 0},
		tracer.Event{Time: 2_000_000, Task: 5, Code: 1, PE: 0},               // again
		tracer.Event{Time: 2_000_000, Task: 6, Ref: 77, Code: 1, PE: 1},      // an orphan
		tracer.Event{Time: 2_000_000, Task: 0, Ref: 5, Code: 1, PE: 1},       // no task
		tracer.Event{Time: 3_000_000, Task: 7, Ref: 1 << 50, Code: 1, PE: 1}, //
	))
	if want := "2\n0 1 1 1 0 0\n1 1 0 1 1 1\n2 1 1 2 0 0\n3 1 1 3 0 1\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	m := traceOf(tracer.Event{Task: 1, Code: 1})
	m.SetMeta(tracer.Meta{PEs: 9})
	if got, want := write(t, m), "9\n0 1 0 1 0 0\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	m.SetMeta(tracer.Meta{PEs: 1 << 60})
	if got, want := write(t, m), "1048576\n0 1 0 1 0 0\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, c := range []struct {
		want string
		e    tracer.Event
	}{
		{"PE -1", tracer.Event{Task: 1, Code: 1, PE: -1}},
		{"PE 1048576", tracer.Event{Task: 1, Code: 1, PE: 1 << 20}},
		{"at -5 ns", tracer.Event{Task: 1, Code: 1, Time: -5}},
		{"code entry 2: expected a", tracer.Event{Task: 1, Code: 2}},
		{"code entry 4000000000: expected", tracer.Event{Task: 1, Code: 4_000_000_000}},
	} {
		var b bytes.Buffer
		if err := Write(&b, traceOf(c.e)); err == nil || !strings.Contains(err.Error(), c.want) || b.Len() > 0 {
			t.Errorf("%+v: error %v after %q, want %s", c.e, err, b.String(), c.want)
		}
	}
	if err := Write(&bytes.Buffer{}, traceOf()); !errors.Is(err, ErrNoReductions) {
		t.Errorf("no reductions: %v", err)
	}
	broken := errors.New("broken")
	if err := Write(failing{broken}, m); !errors.Is(err, broken) {
		t.Errorf("a writer that fails: %v", err)
	}
}

// files draws VISTA files with arbitrary trees and schedules.
func files() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		pes := rapid.IntRange(1, 4).Draw(t, "pes")
		var b strings.Builder
		fmt.Fprintln(&b, pes)
		count := make([]int, pes)
		time := 0
		for range rapid.IntRange(1, 30).Draw(t, "records") {
			time += rapid.IntRange(0, 2).Draw(t, "ms")
			ppe := rapid.IntRange(0, pes-1).Draw(t, "ppe")
			pindex := rapid.IntRange(0, count[ppe]).Draw(t, "pindex")
			if pindex == 0 {
				ppe = 0
			}
			pe := rapid.IntRange(0, pes-1).Draw(t, "pe")
			count[pe]++
			fmt.Fprintln(&b, time, rapid.IntRange(1, 6).Draw(t, "clause"), pe, count[pe], ppe, pindex)
		}
		return b.String()
	})
}

// TestRoundTrip checks that reading and writing a file gives the same file, with and without the program.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := files().Draw(t, "file")
		for _, clauses := range []*tracer.Dict{program(), nil} {
			m := must.Get(read(text, clauses))(t)
			if got := write(t, m); got != text {
				t.Fatalf("got\n%swant\n%s", got, text)
			}
			for _, e := range tracertest.Events(t, m, tracer.AllKinds) {
				children := int32(0)
				for _, c := range tracertest.Events(t, m, tracer.AllKinds) {
					if c.Ref == e.Task {
						children++
					}
				}
				if most := m.Dict().Code(e.Code).Children; clauses == nil && children > most {
					t.Fatalf("task %d has %d children, its clause %d", e.Task, children, most)
				}
			}
		}
	})
}

// TestWriteRead checks that any trace, written, read and written again, gives the same file and keeps each reduction.
func TestWriteRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "reductions")
		tasks := rapid.Permutation(func() (ts []uint64) {
			for i := range n {
				ts = append(ts, uint64(3*i+1))
			}
			return ts
		}()).Draw(t, "tasks")
		es := make([]tracer.Event, n)
		time := int64(0)
		for i := range es {
			time += rapid.Int64Range(0, 3_000_000).Draw(t, "ns")
			es[i] = tracer.Event{Time: time, Task: tasks[i], Code: 1, PE: rapid.Int32Range(0, 3).Draw(t, "pe"), Peer: tracer.None}
			if p := rapid.IntRange(-1, i-1).Draw(t, "parent"); p >= 0 {
				es[i].Ref, es[i].Peer = tasks[p], es[p].PE
			}
		}
		m := traceOf(es...)
		text := write(t, m)
		back := must.Get(read(text, m.Dict()))(t)
		got := tracertest.Events(t, back, tracer.AllKinds)
		if len(got) != n {
			t.Fatalf("%d events, want %d", len(got), n)
		}
		number := map[uint64]uint64{0: 0}
		for i, e := range es {
			number[e.Task] = uint64(i + 1)
			want := tracer.Event{
				Kind: tracer.Reduce, Time: e.Time / 1_000_000 * 1_000_000, Task: uint64(i + 1), Ref: number[e.Ref], PE: e.PE, Peer: e.Peer, Code: 1,
			}
			if got[i] != want {
				t.Fatalf("event %d: %+v, want %+v", i, got[i], want)
			}
		}
		back = must.Get(read(text, back.Dict()))(t)
		if again := write(t, back); again != text {
			t.Fatalf("got\n%swant\n%s", again, text)
		}
	})
}

func TestDetect(t *testing.T) {
	text := quickSort(t)
	for _, c := range []struct {
		head string
		want bool
	}{
		{text, true},
		{text[:40], true},
		{"4\n", false},
		{"4\n1 2", true},
		{"4\n\n1 2", true},
		{" 4 \r\n", false},
		{" 4 \r\n 1 2 3 4 5 6 \r\n", true},
		{"", false},
		{"4", false},
		{"4 5\n", false},
		{"4\n1 2 3\n", false},
		{"whorl 1\n", false},
		{"4\n1 2 3 4 5 x\n", false},
		{"main;f 12\n", false},
	} {
		if got := Detect([]byte(c.head)); got != c.want {
			t.Errorf("%.30q: %v, want %v", c.head, got, c.want)
		}
	}
}

func TestClauses(t *testing.T) {
	d := &tracer.Dict{}
	for _, c := range []tracer.Code{
		{Name: "c", File: "b", Line: 3},
		{Name: "d", File: "a", Line: 2, Column: 9},
		{Name: "e", File: "a", Line: 2, Column: 1},
		{Name: "b", File: "b", Line: 1},
		{Name: "f"},
		{Name: "g"},
	} {
		c.Type = tracer.Clause
		d.Add(c)
		c.Type = tracer.Procedure
		d.Add(c)
	}
	got := ""
	for _, id := range Clauses(d) {
		got += d.Code(id).Name
	}
	if want := "bcedfg"; got != want {
		t.Errorf("order %s, want %s", got, want)
	}
}

func FuzzRead(f *testing.F) {
	text := must.Get(os.ReadFile("../../../testdata/traces/quicksort.vista"))(f)
	f.Add(text, true)
	f.Add(text, false)
	f.Add([]byte("2\n0 1 0 1 0 0\n1 2 1 1 0 1\n1 2 0 2 1 1\n"), false)
	f.Add([]byte("1048576\n0 2147483647 1048575 1 0 0\n9223372036854 1 1 1 1048575 1"), false)
	f.Add([]byte("1\n0 1 0 1 0 0\n0 1 0 1 0 1\n"), true)
	f.Fuzz(func(t *testing.T, text []byte, withProgram bool) {
		var clauses *tracer.Dict
		if withProgram {
			clauses = program()
		}
		m, err := read(string(text), clauses)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Line < 1 {
				t.Fatalf("error without a line: %v", err)
			}
			return
		}
		if len(tracertest.Events(t, m, tracer.AllKinds)) == 0 {
			return
		}
		first := write(t, m)
		again := must.Get(read(first, clauses))(t)
		if second := write(t, again); second != first {
			t.Fatalf("written\n%sthen\n%s", first, second)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("1\n")
	const n = 1_000_000
	for i := range n {
		fmt.Fprintln(&text, i/1000, 1, 0, i+1, 0, i/2)
	}
	for _, c := range []struct {
		name    string
		clauses *tracer.Dict
	}{{"program", program()}, {"none", nil}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				must.Do(b, Read(bytes.NewReader(text.Bytes()), tracer.NewMemory(), c.clauses))
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}
