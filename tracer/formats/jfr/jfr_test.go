package jfr

import (
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
)

func read(texts ...string) (*tracer.Memory, error) {
	return profiletest.Read(Read, "rank%d.jfr", profile.Options{}, texts...)
}

// TestKafka reads a recording of async-profiler. A script in Python that goes over the lengths of its events counts 478 of the type jdk.ExecutionSample.
func TestKafka(t *testing.T) {
	m := must.Get(read(string(must.Get(os.ReadFile("../../../testdata/profiles/kafka.jfr"))(t))))(t)
	const want = `478 samples
46 110 java.util.regex.Pattern$Slice.match
45 145 java.util.regex.Pattern$CharPropertyGreedy.match
`
	if got := profiletest.Functions(t, m, "samples", 2); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	text := profiletest.Text(t, m)
	for _, part := range []string{"pes=29", `thread="prometheus-http-1-1 1370"`, `name="java.util.regex.Pattern$Slice.match" file="java/util/regex/Pattern.java"`} {
		if !strings.Contains(text, part) {
			t.Errorf("no %s", part)
		}
	}
}

// A writer makes a chunk.
type writer struct {
	table []string
	b     []byte
}

func (w *writer) long(v ...int64) {
	for _, v := range v {
		w.b = binary.AppendUvarint(w.b, uint64(v))
	}
}

func (w *writer) text(s string) { w.long(3, int64(len(s))); w.b = append(w.b, s...) }

// record adds what write writes as a record with its length before it, which takes three bytes.
func (w *writer) record(write func()) {
	at := len(w.b)
	w.b = append(w.b, 0, 0, 0)
	write()
	n := len(w.b) - at
	w.b[at], w.b[at+1], w.b[at+2] = byte(n)|0x80, byte(n>>7)|0x80, byte(n>>14)
}

// element adds an element of the metadata with attributes, given as names and values in turn.
func (w *writer) element(kind string, children int64, attributes ...string) {
	name := func(s string) int64 {
		for i := range w.table {
			if w.table[i] == s {
				return int64(i)
			}
		}
		w.table = append(w.table, s)
		return int64(len(w.table) - 1)
	}
	w.long(name(kind), int64(len(attributes)/2))
	for _, a := range attributes {
		w.long(name(a))
	}
	w.long(children)
}

func (w *writer) class(name, id string, fields ...string) {
	w.element("class", int64(len(fields)/2), "name", name, "id", id)
	for i := 0; i < len(fields); i += 2 {
		kind, flag, _ := strings.Cut(fields[i+1], " ")
		attributes := []string{"name", fields[i], "class", kind}
		if strings.Contains(flag, "pool") {
			attributes = append(attributes, "constantPool", "true")
		}
		if strings.Contains(flag, "array") {
			attributes = append(attributes, "dimension", "1")
		}
		w.element("field", 0, attributes...)
	}
}

// recording returns a chunk that begins at a Unix time in ns: one thread with a sample of f in main at tick 20, and allocations of 64, 100 and 7 bytes in
// main. Its clock has 1e8 ticks in a second.
func recording(start int64) string {
	w := &writer{b: make([]byte, headSize)}
	for _, e := range []struct{ kind, tick, stack, amount int64 }{{100, 20, 2, 0}, {101, 30, 1, 64}, {102, 35, 1, 100}, {103, 40, 1, 7}} {
		w.record(func() {
			w.long(e.kind, e.tick, 1, e.stack)
			if e.kind != 100 {
				w.long(e.amount)
			}
		})
	}
	pools := len(w.b)
	w.record(func() {
		w.long(1, 0, 0, 0)
		w.b = append(w.b, 1)
		w.long(6)
		w.long(13, 1, 1) // a thread
		w.text("main")
		w.long(77)
		w.long(12, 2, 1) // stacks
		w.b = append(w.b, 0)
		w.long(1, 1, 3, 2)
		w.b = append(w.b, 1)
		w.long(2, 2, 5, 1, 3)
		w.long(14, 2, 1, 1, 1, 2, 1, 2) // methods
		w.long(15, 1, 1, 1)             // a class
		w.long(16, 1, 1)
		w.text("org/x/Main$1")
		w.long(17, 2, 1)
		w.text("main")
		w.long(2)
		w.text("f")
	})
	metadata := len(w.b)
	names := &writer{}
	names.element("root", 1)
	names.element("metadata", 14)
	names.class("long", "10")
	names.class("boolean", "11")
	names.class("jdk.types.StackTrace", "12", "truncated", "11", "frames", "18 array")
	names.class("java.lang.Thread", "13", "javaName", "19", "osThreadId", "10")
	names.class("jdk.types.Method", "14", "type", "15 pool", "name", "17 pool")
	names.class("java.lang.Class", "15", "name", "16 pool")
	names.class("jdk.types.Symbol", "16", "string", "19")
	names.class("jdk.types.Symbol", "17", "string", "19")
	names.class("jdk.types.StackFrame", "18", "method", "14 pool", "lineNumber", "10")
	names.class("java.lang.String", "19")
	names.class("jdk.ExecutionSample", "100", "startTime", "10", "sampledThread", "13 pool", "stackTrace", "12 pool")
	names.class("jdk.ObjectAllocationInNewTLAB", "101", "startTime", "10", "eventThread", "13 pool", "stackTrace", "12 pool", "tlabSize", "10")
	names.class("jdk.ObjectAllocationOutsideTLAB", "102", "startTime", "10", "eventThread", "13 pool", "stackTrace", "12 pool", "allocationSize", "10")
	names.class("jdk.ObjectAllocationSample", "103", "startTime", "10", "eventThread", "13 pool", "stackTrace", "12 pool", "weight", "10")
	w.record(func() {
		w.long(0, 0, 0, 0, int64(len(names.table)))
		for _, s := range names.table {
			w.text(s)
		}
		w.b = append(w.b, names.b...)
	})
	copy(w.b, magic+"\x00\x02\x00\x01")
	for i, v := range []int64{int64(len(w.b)), int64(pools), int64(metadata), start, 0, 10, 1e8} {
		binary.BigEndian.PutUint64(w.b[8+8*i:], uint64(v))
	}
	w.b[67] = 1
	return string(w.b)
}

// TestRecording reads two chunks, the second of which begins 1 µs after the first.
func TestRecording(t *testing.T) {
	m := must.Get(read(recording(1e18) + recording(1e18+1000)))(t)
	if got := profiletest.Functions(t, m, "samples", 9); got != "2 samples\n2 2 org.x.Main$1.f\n0 2 org.x.Main$1.main\n" {
		t.Error(got)
	}
	if got := profiletest.Functions(t, m, "allocated", 1); got != "342 bytes\n342 342 org.x.Main$1.main\n" {
		t.Error(got)
	}
	text := profiletest.Text(t, m)
	for _, part := range []string{
		`missing" value="2 stacks without their outermost frames"`, `pe 0 process="rank0" thread="main 77"`, `file="org/x/Main.java" line=5`, `recorded" value="2001-09-09T01:46:40Z"`,
		"\n100 Sample pe=0 ref=2 code=1 value=1 # samples\n200 Sample pe=0 ref=1 code=6 value=64 ", "\n1100 Sample pe=0 ref=2 ",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

func TestDamaged(t *testing.T) {
	whole := recording(1e18)
	m := must.Get(read(whole + whole[:300]))(t)
	meta := m.Meta()
	if got := meta.Missing(); !strings.Contains(got, "of rank0.jfr, and what follows: the file is cut") {
		t.Error(got)
	}
	for _, c := range []struct{ text, want string }{
		{whole[:300], "rank0.jfr: chunk at offset 0: the file is cut"},
		{"", "rank0.jfr: the file is empty"},
		{"hello" + whole, "rank0.jfr: chunk at offset 0: expected a chunk that begins with FLR"},
		{whole[:5] + "\x07" + whole[6:], "rank0.jfr: chunk at offset 0: version 7 of the format; known are 1 and 2"},
		{whole[:67] + "\x00" + whole[68:], "rank0.jfr: chunk at offset 0: numbers that are not packed; known are packed ones"},
		{whole[:68] + "\xff\xff\x7f" + whole[71:], "rank0.jfr: chunk at offset 0: offset 68: an event of 2097151 bytes"},
	} {
		if _, err := read(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%.20q: %v, want %s", c.text, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	profiletest.Fuzz(f, Read, Detect, recording(1e18))
}
