package projections

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/waits"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/tracertest"
)

var update = flag.Bool("update", false, "write the golden file")

const shared = "../../../testdata/projections"

// read reads the trace of a folder.
func read(t testing.TB, folder fs.FS, name string) *tracer.Memory {
	t.Helper()
	m := tracer.NewMemory()
	if err := ReadIn(folder, name, m, profile.Options{}); err != nil {
		t.Fatal(err)
	}
	must.Do(t, m.Close())
	return m
}

// files returns a folder with files.
func files(of map[string]string) fstest.MapFS {
	folder := fstest.MapFS{}
	for name, text := range of {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return folder
}

// TestText compares the text form of a small trace with a file.
func TestText(t *testing.T) {
	m := read(t, os.DirFS("testdata"), "small.sts")
	got := tracertest.Text(t, m)
	const path = "testdata/small.txt"
	if *update {
		must.Do(t, os.WriteFile(path, []byte(got), 0o644))
	}
	if diff := cmp.Diff(string(must.Get(os.ReadFile(path))(t)), got); diff != "" {
		t.Error(diff)
	}
}

// sums hold the work of a program, by a plain reading of its logs.
type sums struct {
	runs, time    map[string]int64 // by entry method: parts, and ns in them
	idle          [2]int64         // ns by PE
	bytes         int64            // of messages to one receiver
	cpu, overhead int64
	first, last   int64
}

// plainly adds up the files of a program on two PEs.
func plainly(t *testing.T, folder fs.FS, base string) *sums {
	s := &sums{runs: map[string]int64{}, time: map[string]int64{}, first: 1 << 60}
	names := map[string]string{}
	for line := range strings.Lines(string(must.Get(fs.ReadFile(folder, base+".sts"))(t))) {
		if f := strings.Split(line, `"`); strings.HasPrefix(line, "ENTRY") {
			names[strings.Fields(f[0])[2]] = strings.Fields(f[2])[0] + f[1]
		}
	}
	number := func(s string) int64 { return must.Get(strconv.ParseInt(s, 10, 64))(t) * 1000 }
	for pe := range s.idle {
		var in io.Reader = bytes.NewReader(must.Get(fs.ReadFile(folder, fmt.Sprintf("%s.%d.log.gz", base, pe)))(t))
		in = must.Get(gzip.NewReader(in))(t)
		begun, idle, packs := []string(nil), int64(0), int64(0)
		for line := range strings.Lines(string(must.Get(io.ReadAll(in))(t))) {
			f := strings.Fields(line)
			switch f[0] {
			case "1":
				s.bytes += number(f[6]) / 1000
			case "2":
				begun = f
				s.runs[names[f[2]]]++
			case "3":
				s.time[names[f[2]]] += number(f[3]) - number(begun[3])
				s.cpu += number(f[7]) - number(begun[len(begun)-1])
				begun = nil
			case "14":
				idle = number(f[1])
			case "15":
				s.idle[pe] += number(f[1]) - idle
			case "6":
				s.first = min(s.first, number(f[1]))
			case "7":
				s.last = max(s.last, number(f[1]))
				if begun != nil { // the program ends in it
					s.time[names[begun[2]]] += number(f[1]) - number(begun[3])
				}
			case "16", "18":
				packs = number(f[1])
			case "17", "19":
				if begun != nil {
					s.overhead += number(f[1]) - packs
				}
			}
		}
	}
	return s
}

// TestSums compares the sums of the trace of a real program with those of a plain reading of its logs.
func TestSums(t *testing.T) {
	want := plainly(t, os.DirFS(shared), "pingpong.prj")
	m := read(t, os.DirFS(shared), "pingpong.prj.sts")
	codes := m.Dict().Codes()
	r := &reader{symbols: must.Get(readSymbols(os.DirFS(shared), "pingpong.prj.sts"))(t)}
	r.twice = r.symbols.overloaded()
	names := map[string]string{} // of the trace, by that of the plain reading
	for id, e := range r.symbols.entries {
		names[fmt.Sprint(e.chare)+e.name] = r.symbols.fullName(id, r.twice)
	}
	got := &sums{runs: map[string]int64{}, time: map[string]int64{}}
	runs := map[string]int64{}
	contexts := m.Dict().Contexts()
	for _, e := range tracertest.Events(t, m, tracer.AllKinds) {
		name := codes[e.Code].Name
		switch {
		case e.Kind == tracer.Sample && name == tracer.RegionTime:
			got.time[codes[contexts[e.Ref].Code].Name] += e.Value
		case e.Kind == tracer.Sample && name == "cpu":
			got.cpu += e.Value
		case e.Kind == tracer.Start && name != "startup":
			runs[name]++
		case e.Kind == tracer.Wait && name == "suspended":
			runs[""]++
		case e.Kind == tracer.Send && codes[e.Code].Name == "message":
			got.bytes += e.Value
		}
	}
	parts := int64(0)
	for name, n := range want.runs {
		parts += n - runs[names[name]]
		if got, want := got.time[names[name]], want.time[name]; got != want {
			t.Errorf("%s takes %d ns, want %d", name, got, want)
		}
	}
	if parts != runs[""] {
		t.Errorf("%d times a method goes on, want %d", runs[""], parts)
	}
	if got.bytes != want.bytes-96-96 { // two of the messages pass on a broadcast
		t.Errorf("%d bytes of messages, want %d", got.bytes, want.bytes)
	}
	if got.cpu != want.cpu {
		t.Errorf("%d ns of processor time, want %d", got.cpu, want.cpu)
	}
	a := must.Get(account.Compute(m))(t)
	if a.Elapsed() != want.last-want.first {
		t.Errorf("it takes %d ns, want %d", a.Elapsed(), want.last-want.first)
	}
	work := int64(0)
	for _, ns := range want.time {
		work += ns
	}
	if total, tasks := a.Total(), must.Get(waits.Build(m, nil))(t).All; total[account.Work] != work-want.overhead || tasks.Times[waits.Running] != work-want.overhead {
		t.Errorf("%d ns of work, tasks run for %d ns, want %d", total[account.Work], tasks.Times[waits.Running], work-want.overhead)
	}
	for pe, idle := range want.idle {
		if r := a.Row(pe); r.Idle()+r.Times[account.Communication] != idle {
			t.Errorf("PE %d is idle or waits for messages for %d ns, want %d", pe, r.Idle()+r.Times[account.Communication], idle)
		}
	}
}

// small returns the small program with a log of PE 0 of its own.
func small(t testing.TB, log string) fstest.MapFS {
	return files(map[string]string{"a.sts": string(must.Get(os.ReadFile("testdata/small.sts"))(t)), "a.0.log": log})
}

// TestDamage reads damaged logs and checks the text about missing data.
func TestDamage(t *testing.T) {
	const begins = "PROJECTIONS-RECORD 9\n6 10\n"
	for _, c := range []struct{ log, missing string }{
		{begins + "7 20\n", "1 PE without a log"},
		{begins + "2 4 3 11 0 0 8 0 0 0\n", "1 PE without a log; 1 execution without an end"},
		{begins + "3 0 3 11 0 0 0\n7 20\n", "1 PE without a log; 1 end of executions without a beginning"},
		{begins + "14 15 0\n15 12 0\n7 20\n", "1 PE without a log; 1 time before the last one"},
		{begins + "77 1 2\nhello\n2 4\n2 4 3 x 0 0\n14 99999999999999999999999 0\n4 1 12 3 0\n7 20\n", "1 PE without a log; 1 record of the unknown type 77; 1 record of type ENQUEUE; 4 lines of an unknown form"},
		{begins + "99 8 12 0 0 1\n100 7 13 1 0 0\n100 7 14 2 0 0\n7 20\n", "1 PE without a log; 1 end of user events and functions without a beginning; 1 record of user events without the second one"},
		{begins + "7 2", "1 PE without a log; 1 log without an end"},
		{begins + strings.Repeat("2 4 3 11 0 0 8 0 0 0\n", 5000) + "7 20\n", "1 PE without a log; 904 executions or regions deeper than the limit"},
		{begins + "28 11 3abc" + strings.Repeat("x", 1<<17) + "\n20 1 3 12 5 0 64 0 99999 " + strings.Repeat("1 ", 1<<17) + "\n7 20\n", "1 PE without a log"},
	} {
		m := read(t, small(t, c.log), "a.sts")
		meta := m.Meta()
		if got := sorted(meta.Missing()); got != c.missing {
			t.Errorf("%.100q lacks %q, want %q", c.log, got, c.missing)
		}
		must.Get(waits.Build(m, nil))(t)
	}
	for _, c := range []struct {
		folder fs.FS
		name   string
		err    string
	}{
		{files(map[string]string{"a.sts": "VERSION 11.0\nEND\n"}), "a.sts", "there is no log beside a.sts: expected a.0.log or a.0.log.gz"},
		{files(map[string]string{"a.sts": "VERSION new\nEND\n", "a.0.log": begins}), "a.0.log", `a.sts: line 1: VERSION "new"; expected a number such as 11.0`},
		{files(map[string]string{"a.sts": "VERSION 11.0\nMACHINE " + strings.Repeat("x", longestLine), "a.0.log": begins}), "a.sts", "a.sts: line 2: more than 65536 bytes"},
		{files(map[string]string{"a.sts": "PROCESSORS -3\n", "a.0.log": begins}), "a.sts", `a.sts: line 1: PROCESSORS "-3"; expected a number of PEs`},
		{small(t, "PROJECTIONS-RECORD 0\n"), "a.sts", "the logs have no records; missing: 1 PE without a log"},
		{small(t, "\x1f\x8bno"), "a.sts", "the logs have no records; missing: 1 PE without a log; what follows in a.0.log: damaged gzip header"},
	} {
		err := ReadIn(c.folder, c.name, tracer.NewMemory(), profile.Options{})
		if err == nil || err.Error() != c.err {
			t.Errorf("%v, want %s", err, c.err)
		}
	}
	if err := ReadStream(nil); err == nil || !strings.Contains(err.Error(), "several files") {
		t.Error(err)
	}
}

func sorted(list string) string {
	parts := strings.Split(list, "; ")
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}

// TestNames reads traces by each of their files, by old names, and without their description.
func TestNames(t *testing.T) {
	sts, log0 := string(must.Get(os.ReadFile("testdata/small.sts"))(t)), string(must.Get(os.ReadFile("testdata/small.0.log"))(t))
	log1 := string(must.Get(os.ReadFile("testdata/small.1.log"))(t))
	set := map[string]string{"b.prj.sts": sts, "b.prj.0.log": log0, "b.prj.1.log": log1, "b.prj.0.sum": "", "b.prj.00.log": "", "b.prj.x.log": "", "other.0.log": ""}
	want := tracertest.Text(t, read(t, files(set), "b.prj.sts"))
	for _, name := range []string{"b.prj.0.log", "b.prj.1.log"} {
		if diff := cmp.Diff(want, tracertest.Text(t, read(t, files(set), name))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	m := read(t, files(map[string]string{"old.sts": sts, "old.log": log0}), "old.log")
	if meta := m.Meta(); meta.Program != "old" || meta.PEs != 2 || meta.Missing() != "1 PE without a log" {
		t.Errorf("%+v", meta)
	}
	m = read(t, files(map[string]string{"a.0.log": log0, "a.1.log": log1}), "a.1.log")
	meta := m.Meta()
	if !strings.Contains(meta.Missing(), "the names of entry methods: there is no a.sts in the folder") || !strings.Contains(tracertest.Text(t, m), "# entry 3\n") {
		t.Errorf("%+v", meta)
	}
}

// TestDelta reads a log with times and one with their differences, which go back at the beginning of a user event.
func TestDelta(t *testing.T) {
	plain := small(t, "PROJECTIONS-RECORD 4\n6 10\n2 4 3 12 0 0 8 0 0 0\n100 7 11 1 0 0\n100 7 15 1 0 0\n3 0 3 16 0 0 0\n7 20\n")
	delta := small(t, "PROJECTIONS-RECORD 4 DELTA\n6 10\n2 4 3 2 0 0 8 0 0 0\n100 7 18446744073709551615 1 0 0\n100 7 4 1 0 0\n3 0 3 1 0 0 0\n7 4\n")
	if diff := cmp.Diff(tracertest.Text(t, read(t, plain, "a.sts")), tracertest.Text(t, read(t, delta, "a.sts"))); diff != "" {
		t.Error(diff)
	}
}

// TestOld reads logs of version 3, which have fewer fields, and names without quotes.
func TestOld(t *testing.T) {
	m := read(t, files(map[string]string{
		"a.sts":   "VERSION 3.0\nMACHINE net-linux\nPROCESSORS 1\nTOTAL_CHARES 2\nCHARE 0 null\nCHARE 1 Hello World\nENTRY CHARE 4 SayHi(int hi, int no) 1 6\nENTRY BOC 5 done(void) 1 0\nEND\n",
		"a.0.log": "PROJECTIONS-RECORD\n6 10\n1 3 4 11 0 0 112\n2 4 4 12 0 0 112\n27 900\n3 0 4 14 0 0 0\n2 4 4 15 0 0 112\n3 0 4 16 0 0 0\n7 20\n",
	}), "a.sts")
	var got []string
	codes := m.Dict().Codes()
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Fork, tracer.Counter)) {
		got = append(got, fmt.Sprint(e.Time, " ", codes[e.Code].Name, " ", e.Value))
	}
	want := []string{"0 startup 0", "1000 Hello World::SayHi 112", "1000 Hello World::SayHi 112", "2000 memory 900"}
	if meta := m.Meta(); !slices.Equal(got, want) || meta.Machine != "net-linux" || meta.Missing() != "" {
		t.Errorf("%q, want %q; %+v", got, want, meta)
	}
}

// TestClocks reads the logs of two PEs whose clocks differ by a millisecond. The messages between them correct the difference to within some nanoseconds.
func TestClocks(t *testing.T) {
	const behind = 1000
	logs := [2]strings.Builder{}
	for pe := range logs {
		shift := 2000 - pe*behind
		fmt.Fprintf(&logs[pe], "PROJECTIONS-RECORD 0\n6 %d\n", shift)
		for i := range 50 { // each message takes from 5 to 9 microseconds
			at := shift + 100*i + 50*pe
			if i > 0 || pe > 0 {
				from := (i - 1 + pe) * 2
				fmt.Fprintf(&logs[pe], "2 4 3 %d %d %d 8 0 0 0\n", at, from, 1-pe)
			} else {
				fmt.Fprintf(&logs[pe], "2 4 1 %d 9 9 8 0 0 0 0 0 0\n", at)
			}
			fmt.Fprintf(&logs[pe], "1 21 3 %d %d %d 8 0\n3 0 %d %d 0 0 0 0\n", at+45-i%5, 2*i, pe, 3-2*min(1, (1-pe)*max(1-i, 0)), at+47)
		}
		fmt.Fprintf(&logs[pe], "7 %d\n", shift+6000)
	}
	folder := small(t, logs[0].String())
	folder["a.1.log"] = &fstest.MapFile{Data: []byte(logs[1].String())}
	m := read(t, folder, "a.sts")
	meta := m.Meta()
	if i := slices.IndexFunc(meta.Extra, func(kv tracer.KV) bool { return kv.Key == "clock of node 1" }); meta.Missing() != "" || i < 0 {
		t.Errorf("%+v", meta)
	}
	sent := map[uint64]int64{}
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Send)) {
		sent[e.Ref] = e.Time
	}
	received := 0
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Recv)) {
		if received++; e.Time < sent[e.Ref]+4990 || e.Time > sent[e.Ref]+9010 {
			t.Errorf("message %d takes %d ns", e.Ref, e.Time-sent[e.Ref])
		}
	}
	if received != 99 {
		t.Errorf("%d messages are received, want 99", received)
	}
}

func TestDetect(t *testing.T) {
	sts := must.Get(os.ReadFile("testdata/small.sts"))(t)
	log := must.Get(os.ReadFile(shared + "/pingpong.prj.1.log.gz"))(t)
	for _, yes := range [][]byte{sts, log, log[:200], []byte("PROJECTIONS-RECORD\n"), []byte("PROJECTIONS-RECORD 5 DELTA\n6 2\n"), []byte("VERSION 3.0\nMACHINE a\nPROCESSORS 4\nTOTAL_CHARES 3\n")} {
		if !Detect(yes) {
			t.Errorf("%.40q is not recognised", yes)
		}
	}
	for _, no := range []string{"", "VERSION 3.0\n", "PROJECTIONS", "VERSIONS 1\nPROCESSORS 4\nTOTAL_CHARES 3\n"} {
		if Detect([]byte(no)) {
			t.Errorf("%q is recognised", no)
		}
	}
}

func FuzzRead(f *testing.F) {
	sts := must.Get(os.ReadFile("testdata/small.sts"))(f)
	log0, log1 := must.Get(os.ReadFile("testdata/small.0.log"))(f), must.Get(os.ReadFile("testdata/small.1.log"))(f)
	f.Add(sts, log0, log1)
	f.Add(must.Get(os.ReadFile(shared+"/pingpong.prj.sts"))(f), must.Get(os.ReadFile(shared+"/pingpong.prj.0.log.gz"))(f), must.Get(os.ReadFile(shared+"/pingpong.prj.1.log.gz"))(f))
	f.Add([]byte("VERSION 3.0\nCHARE 0 a b\nENTRY CHARE 0 c(d) 0 0\n"), []byte("1 0 0 5 0 0 9\n20 0 0 6 1 0 9\n1 0 0 7 2 0 9\n2 0 0 8 2 0 9\n"), []byte("2 0 0 4 0 0 9\n3 0 0 3 0 0 9\n"))
	f.Fuzz(func(t *testing.T, sts, log0, log1 []byte) {
		m := tracer.NewMemory()
		folder := fstest.MapFS{"a.sts": {Data: sts}, "a.0.log": {Data: log0}, "a.1.log": {Data: log1}}
		if ReadIn(folder, "a.sts", m, profile.Options{}) != nil {
			return
		}
		must.Do(t, m.Close())
		last := map[int]int64{}
		must.Do(t, m.ScanStreams(tracer.AllKinds, func(stream int, es []tracer.Event) error {
			for _, e := range es {
				if e.Time < last[stream] {
					t.Fatalf("stream %d goes back from %d to %d", stream, last[stream], e.Time)
				}
				last[stream] = e.Time
			}
			return nil
		}))
		must.Get(waits.Build(m, nil))(t)
		must.Get(account.Compute(m))(t)
	})
}

func BenchmarkRead(b *testing.B) {
	folder := files(map[string]string{"a.sts": string(must.Get(os.ReadFile("testdata/small.sts"))(b))})
	size, records := int64(0), 0
	for pe := range 4 {
		var text bytes.Buffer
		text.WriteString("PROJECTIONS-RECORD 0\n6 0\n")
		for i := range 50_000 {
			at := 20 * i
			fmt.Fprintf(&text, "14 %d %d\n15 %d %d\n2 4 3 %d %d %d 4096 0 %d %d 0\n16 %d %d\n17 %d %d\n1 21 3 %d %d %d 4096 2\n3 0 3 %d %d %d 0 %d 0\n",
				at, pe, at+5, pe, at+6, i, (pe+1)%4, i%8, at, at+8, pe, at+9, pe, at+10, i, pe, at+15, i, (pe+1)%4, at+9)
			records += 7
		}
		text.WriteString("7 1000000\n")
		folder[fmt.Sprintf("a.%d.log", pe)] = &fstest.MapFile{Data: text.Bytes()}
		size += int64(text.Len())
	}
	b.SetBytes(size)
	for b.Loop() {
		must.Do(b, ReadIn(folder, "a.sts", tracer.NewMemory(), profile.Options{}))
	}
	b.ReportMetric(float64(records)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}
