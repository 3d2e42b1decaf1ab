package perfetto

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/waits"
	"whorl/tracer/formats/chrome"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
	"whorl/tracer/testdata/tracertest"
)

var update = flag.Bool("update", false, "write the golden files")

func read(data []byte) (*tracer.Memory, error) {
	m := tracer.NewMemory()
	err := Read(profile.File{Name: "test", R: bytes.NewReader(data)}, m, profile.Options{})
	_ = m.Close()
	return m, err
}

// num, str and bytes of a message encode a field.
func num(field int, v uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3), v)
}

func str(field int, s string) []byte { return msg(field, []byte(s)) }

func fix(field int, v uint64) []byte {
	return binary.LittleEndian.AppendUint64(binary.AppendUvarint(nil, uint64(field)<<3|1), v)
}

// msg encodes a message in a field.
func msg(field int, parts ...[]byte) []byte {
	body := bytes.Join(parts, nil)
	b := binary.AppendUvarint(nil, uint64(field)<<3|2)
	return append(binary.AppendUvarint(b, uint64(len(body))), body...)
}

func packet(parts ...[]byte) []byte { return msg(1, parts...) }

// slice encodes a track event of a time and a track.
func slice(at, track uint64, parts ...[]byte) []byte {
	return packet(num(8, at), num(10, 1), msg(11, append([][]byte{num(11, track)}, parts...)...))
}

func begin(name string) []byte { return append(num(9, typeBegin), str(23, name)...) }

var finish = num(9, typeEnd)

// threadTrack describes the track of a thread.
func threadTrack(uuid, pid, tid uint64, name string) []byte {
	return packet(msg(60, num(1, uuid), msg(4, num(1, pid), num(2, tid), str(5, name))))
}

// small has a thread that hands a job to another one by a flow, an asynchronous track, counters, interned names, and a clock with differences.
func small() []byte {
	return bytes.Join([][]byte{
		packet(msg(6, msg(1, num(1, 6), num(2, 1000)), msg(1, num(1, 1), num(2, 1_700_000_000_000_000_000)))),
		packet(msg(60, num(1, 7), msg(3, num(1, 70), str(6, "server")))),
		threadTrack(1, 70, 71, "main"),
		packet(msg(60, num(1, 3), num(5, 7), str(2, "requests"))),
		packet(msg(60, num(1, 4), num(5, 7), str(2, "queue"), msg(8, num(4, 2)))),
		slice(1100, 1, begin("request"), msg(4, num(1, 1))),
		slice(1150, 1, num(9, typeInstant), str(23, "sends"), fix(47, 99)),
		slice(1160, 3, begin("fetch")),
		slice(1190, 4, num(9, typeCounter), num(30, 21)),
		slice(1200, 2, begin("job"), fix(48, 99)), // before the descriptor of its track
		threadTrack(2, 70, 72, "pool-1"),
		slice(1260, 2, finish),
		slice(1300, 1, finish),
		slice(1320, 3, finish),
		// another sequence, with interned names, defaults and a clock of its own
		packet(num(10, 2), num(13, 1), msg(6, msg(1, num(1, 6), num(2, 2000)), msg(1, num(1, 64), num(2, 0), num(3, 1), num(4, 10))),
			msg(59, num(58, 64), msg(11, num(11, 1))), msg(12, msg(1, num(1, 1), str(2, "net")), msg(2, num(1, 5), str(2, "reply")))),
		packet(num(10, 2), num(13, 2), num(8, 5), msg(11, num(9, typeBegin), num(10, 5), msg(3, []byte{1}))),
		packet(num(10, 2), num(13, 2), num(8, 3), msg(11, num(9, typeEnd))),
		packet(num(10, 3), num(13, 2), num(8, 5), msg(11, num(9, typeBegin), num(10, 5))), // its names are lost
	}, nil)
}

// kernel has two CPUs: a thread creates another one, waits and is woken by it.
func kernel() []byte {
	on := func(cpu uint64, events ...[]byte) []byte {
		return packet(msg(1, append([][]byte{num(1, cpu)}, events...)...))
	}
	change := func(at uint64, from, state, to uint64, name string) []byte {
		return msg(2, num(1, at), num(2, from), msg(4, num(2, from), num(4, state), str(5, name), num(6, to)))
	}
	return bytes.Join([][]byte{
		packet(msg(2, msg(1, num(1, 50), str(3, "/usr/bin/make")), msg(2, num(1, 50), num(3, 50), str(2, "make")))),
		on(0, change(100, 0, 0, 50, "make"), msg(2, num(1, 150), num(2, 50), msg(235, num(1, 51), str(2, "cc"))),
			change(200, 50, 1, 0, "swapper")),
		on(1, change(160, 0, 0, 51, "cc"), msg(2, num(1, 300), num(2, 51), msg(20, str(1, "make"), num(2, 50), num(5, 0))), change(320, 51, 0, 52, "other"), change(330, 52, 2, 51, "cc"), change(350, 51, 16, 0, "swapper")),
		on(0, change(310, 0, 0, 50, "make"), change(400, 50, 16, 0, "swapper")),
		threadTrack(9, 50, 50, "make"),
		slice(110, 9, begin("wait for cc")),
		slice(390, 9, finish),
	}, nil)
}

// TestText compares whole traces with texts that were checked by hand.
func TestText(t *testing.T) {
	for name, data := range map[string][]byte{"small": small(), "kernel": kernel()} {
		got := profiletest.Text(t, must.Get(read(data))(t))
		file := "testdata/" + name + ".txt"
		if *update {
			must.Do(t, os.WriteFile(file, []byte(got), 0o600))
		}
		if d := cmp.Diff(string(must.Get(os.ReadFile(file))(t)), got); d != "" {
			t.Errorf("%s: go test -update writes it again: %s", name, d)
		}
	}
}

// TestOperations checks that operations are no work of the PEs that they are on, and that processes have the names of their programs.
func TestOperations(t *testing.T) {
	m := must.Get(read(bytes.Join([][]byte{
		packet(msg(60, num(1, 7), msg(3, num(1, 70), str(6, "/usr/lib/browser --type=renderer --lang=en")))),
		threadTrack(1, 70, 71, "main"),
		packet(msg(60, num(1, 3), num(5, 7), str(2, "Page"))),
		slice(1000, 1, begin("load")), slice(1000, 3, begin("Visible")), slice(1010, 4, begin("Focused")), slice(1100, 1, finish), slice(1900, 3, finish), slice(1950, 4, finish),
	}, nil)))(t)
	a := must.Get(account.Compute(m))(t)
	var sum account.Times
	for i := range a.Rows {
		sum.Add(&a.Rows[i].Times)
	}
	if sum[account.Work] != 100 || sum[account.Waiting] != 0 {
		t.Errorf("%v", sum)
	}
	if name := m.Meta().PEInfo[0].Process; name != "browser" {
		t.Errorf("process %q", name)
	}
}

// TestPath checks that the critical path leads over the wake-up to the compiler and from there to the thread that created it.
func TestPath(t *testing.T) {
	m := must.Get(read(kernel()))(t)
	p := must.Get(must.Get(waits.Build(m, nil))(t).Path(m, 1, 300, nil))(t)
	var got []string
	for _, x := range p.Pieces {
		got = append(got, fmt.Sprintf("%d-%d %s %s", x.From, x.To, m.Dict().Code(x.Code).Name, x.Activity))
	}
	want := []string{"0-50 make runs", "50-60 cc waits for a PE", "60-200 cc runs", "200-210 make waits for a PE", "210-300 make runs"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestCompact compares switches and wake-ups in columns with the same as records of their own.
func TestCompact(t *testing.T) {
	packedNumbers := func(field int, list ...uint64) []byte {
		var b []byte
		for _, n := range list {
			b = binary.AppendUvarint(b, n)
		}
		return msg(field, b)
	}
	columns := packet(msg(1, num(1, 0), msg(4, str(5, "a"), str(5, "b"), packedNumbers(1, 100, 100, 100), packedNumbers(2, 0, 1, 2), packedNumbers(3, 8, 9, 8), packedNumbers(6, 0, 1, 0),
		packedNumbers(7, 250), packedNumbers(8, 8), packedNumbers(11, 0))))
	record := func(at, current, field uint64, parts ...[]byte) []byte {
		return msg(2, num(1, at), num(2, current), msg(int(field), parts...))
	}
	records := packet(msg(1, num(1, 0), record(100, 0, 4, num(2, 0), num(4, 0), str(5, "a"), num(6, 8)), record(200, 8, 4, num(2, 8), num(4, 1), str(5, "b"), num(6, 9)),
		record(250, 9, 20, str(1, "a"), num(2, 8)), record(300, 9, 4, num(2, 9), num(4, 2), str(5, "a"), num(6, 8))))
	want := profiletest.Text(t, must.Get(read(records))(t))
	want = strings.Replace(want, "0 Idle pe=0 code=4 # no work\n", "", 1) // columns do not tell what the CPU did before
	if d := cmp.Diff(want, profiletest.Text(t, must.Get(read(columns))(t))); d != "" || !strings.Contains(want, "Wake pe=0 task=1 ref=2") {
		t.Errorf("%s\n%s", d, want)
	}
}

// TestChrome compares random slices and flows of threads with those that the reader of Chrome's form finds in the same slices.
func TestChrome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var lines, packets []string
		for tid := uint64(1); tid <= 3; tid++ {
			name := fmt.Sprint("t", tid, "x")
			lines = append(lines, fmt.Sprintf(`{"ph":"M","pid":5,"tid":%d,"name":"thread_name","args":{"name":%q}}`, tid, name))
			packets = append(packets, string(threadTrack(tid, 5, tid, name)))
			open, at := 0, uint64(0)
			for i := range rapid.IntRange(1, 12).Draw(t, "events") {
				at += uint64(rapid.IntRange(1, 9).Draw(t, "gap"))*3 + tid - 1 // unlike those of the others modulo 3
				at -= at%3 - (tid - 1)
				if open > 0 && rapid.Bool().Draw(t, "ends") {
					open--
					lines = append(lines, fmt.Sprintf(`{"ph":"E","pid":5,"tid":%d,"ts":0.%03d}`, tid, at))
					packets = append(packets, string(slice(at, tid, finish)))
					continue
				}
				open++
				s := string(rune('a' + i%3))
				lines = append(lines, fmt.Sprintf(`{"ph":"B","pid":5,"tid":%d,"ts":0.%03d,"name":%q}`, tid, at, s))
				packets = append(packets, string(slice(at, tid, begin(s))))
			}
		}
		a := tracer.NewMemory()
		if err := chrome.Read(profile.File{R: strings.NewReader("[" + strings.Join(lines, ",") + "]")}, a, profile.Options{}); err != nil {
			t.Fatal(err)
		}
		_ = a.Close()
		b, err := read([]byte(strings.Join(packets, "")))
		if err != nil {
			t.Fatal(err)
		}
		text := func(m *tracer.Memory) string {
			return strings.NewReplacer(`substrate="chrome"`, "", `substrate="perfetto"`, "", `name="chrome"`, "", `name="perfetto"`, "").Replace(tracertest.Text(t, m))
		}
		if d := cmp.Diff(text(a), text(b)); d != "" {
			t.Fatal(d)
		}
	})
}

// TestCompressed reads packets that are compressed together.
func TestCompressed(t *testing.T) {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	_, _ = w.Write(small())
	_ = w.Close()
	want := profiletest.Text(t, must.Get(read(small()))(t))
	if d := cmp.Diff(want, profiletest.Text(t, must.Get(read(packet(msg(50, z.Bytes()))))(t))); d != "" {
		t.Error(d)
	}
}

func TestBad(t *testing.T) {
	for _, c := range []struct {
		data         []byte
		err, missing string
	}{
		{nil, "", "all: the trace has no events"},
		{[]byte("x"), "not a trace of Perfetto: a field of the number 15: expected a packet", ""},
		{append(small(), 0x0a, 5, 1), "", fmt.Sprintf("the rest from byte %d on: the file ends within a packet", len(small()))},
		{append(small(), 0x12, 1, 1), "", fmt.Sprintf("the rest from byte %d on: a field of the number 2: expected a packet", len(small()))},
		{append(packet(msg(60, num(1, 7), []byte{0xff})), small()...), "", "1 part of packets with a damaged end"},
		{[]byte{0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f}, "not a trace of Perfetto: a packet of 34359738367 bytes: expected at most 268435456", ""},
		{packet([]byte{0xff}), "", "1 packet with damage"},
		{packet(num(8, 5), msg(11, num(9, 77))), "", "1 event of other types"},
		{packet(msg(50, []byte("no"))), "", "1 bundle of compressed packets with damage"},
	} {
		m, err := read(c.data)
		meta := m.Meta()
		if (err == nil) != (c.err == "") || err != nil && err.Error() != c.err || !strings.Contains(meta.Missing(), c.missing) {
			t.Errorf("%q: %v, missing %q", c.data, err, meta.Missing())
		}
	}
}

// TestDamagedPacket damages the content of each packet of a real trace in turn. The others are read, and the damage is counted.
func TestDamagedPacket(t *testing.T) {
	data := must.Get(os.ReadFile("../../../testdata/traces/chromium.pftrace"))(t)
	events := func(m *tracer.Memory) (n int64) {
		for _, c := range m.Counts() {
			n += c
		}
		return n
	}
	all := events(must.Get(read(data))(t))
	for at, n := 0, 0; at < len(data); n++ {
		size, k := binary.Uvarint(data[at+1:])
		from := at + 1 + k
		at = from + int(size)
		if n%7 > 0 { // each of them takes a while
			continue
		}
		b := bytes.Clone(data)
		copy(b[from:at], bytes.Repeat([]byte{0xff}, int(size)))
		m := must.Get(read(b))(t)
		if meta := m.Meta(); events(m) < all/2 || !strings.Contains(meta.Missing(), "1 packet with damage") {
			t.Errorf("packet %d: %d of %d events, missing %q", n, events(m), all, meta.Missing())
		}
		if n > 0 && !Detect(b[:4096]) {
			t.Errorf("packet %d is damaged, and the file is no trace", n)
		}
	}
}

// check checks what every trace promises: times that do not go back, PEs of the machine, and codes of the dictionary.
func check(t testing.TB, m *tracer.Memory) {
	t.Helper()
	pes, codes, contexts := int32(m.Meta().PEs), len(m.Dict().Codes()), uint64(len(m.Dict().Contexts()))
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
		case tracer.Wake, tracer.End:
			delete(waiting, e.Task)
		}
		last = e.Time
	}
}

// TestChromium reads the trace of a page in Chromium.
func TestChromium(t *testing.T) {
	m := must.Get(read(must.Get(os.ReadFile("../../../testdata/traces/chromium.pftrace"))(t)))(t)
	check(t, m)
	n, meta := m.Counts(), m.Meta()
	if n[tracer.Send] < 15 || n[tracer.Sample] < 200 || n[tracer.Fork] < 5 || !strings.Contains(fmt.Sprint(meta.PEInfo), "CrRendererMain") {
		t.Errorf("%v %+v", n, meta)
	}
}

// TestDamage changes bytes of traces at random.
func TestDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, data := range [][]byte{small(), kernel()} {
		for range 2000 {
			b := bytes.Clone(data)
			for range 1 + r.IntN(4) {
				b[r.IntN(len(b))] = byte(r.IntN(256))
			}
			if m, err := read(b[:r.IntN(len(b))+1]); err == nil {
				check(t, m)
			}
		}
	}
}

// TestResume damages the frames of packets: the reading goes on with the next packet that is found.
func TestResume(t *testing.T) {
	chromium := must.Get(os.ReadFile("../../../testdata/traces/chromium.pftrace"))(t)
	whole := must.Get(read(chromium))(t)
	all := len(tracertest.Events(t, whole, tracer.Kinds(tracer.Sample)))
	at := 0 // the first packet after the middle
	for at < len(chromium)/2 {
		size, n := binary.Uvarint(chromium[at+1:])
		at += 1 + n + int(size)
	}
	for name, damage := range map[string][]byte{
		"zeros": make([]byte, 100), "text": bytes.Repeat([]byte("*\nlorem ipsum"), 10_000), "a long packet": binary.AppendUvarint([]byte{packetTag}, 1<<40),
	} {
		m := must.Get(read(slices.Concat(chromium[:at], damage, chromium[at:])))(t)
		meta := m.Meta()
		want := fmt.Sprintf("from byte %d on in which no packet was found", at)
		if got := len(tracertest.Events(t, m, tracer.Kinds(tracer.Sample))); got != all || !strings.Contains(meta.Missing(), want) {
			t.Errorf("%s: %d samples, not %d; missing %q", name, got, all, meta.Missing())
		}
		check(t, m)
	}
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]bool{
		string(small()): true, string(kernel()): true, string(small()[:40]): false, "": false, "\x0a": false, "\x0a\x04\x08\x01\x10\x02": false,
		"\x0a\x02\x0a\x00\x0a\x02\x0a\x00": false,
	} {
		if Detect([]byte(text)) != want {
			t.Errorf("%q", text)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(small())
	f.Add(kernel())
	f.Fuzz(func(t *testing.T, b []byte) {
		Detect(b)
		if m, err := read(b); err == nil {
			check(t, m)
		}
	})
}
