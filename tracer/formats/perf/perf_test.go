package perf

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
	"whorl/tracer/derive/lineprofile"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
	"whorl/tracer/testdata/tracertest"
)

func read(o profile.Options, texts ...string) (*tracer.Memory, error) {
	return profiletest.Read(Read, "host%d.perf", o, texts...)
}

func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		line string
		want header
		ok   bool
	}{
		{"java 11020 [006] 30143.542261: cpu-clock: ", header{"java", -1, 11020, 6, 30143_542_261_000, true, 0, "cpu-clock", "", ""}, true},
		{"a 27630/27653 11900.681717:    2004008 cpu-clock: ", header{"a", 27630, 27653, -1, 11900_681_717_000, true, 2004008, "cpu-clock", "", ""}, true},
		{"            perf  1234 [000] 12.300000:     250000 cycles:u:  ffffffff8104f596 native_safe_halt+0x6 ([kernel.kallsyms])", header{
			"perf", -1, 1234, 0, 12_300_000_000, true, 250000, "cycles:u", "", "ffffffff8104f596 native_safe_halt+0x6 ([kernel.kallsyms])",
		}, true},
		{"Web Content 7 8/9 [001] 1.5: sched:sched_switch: prev=1", header{"Web Content 7", 8, 9, 1, 1_500_000_000, true, 0, "sched:sched_switch", "", "prev=1"}, true},
		{"swapper     0 [007] 30143.542288: cpu-clock: ", header{"swapper", -1, 0, 7, 30143_542_288_000, true, 0, "cpu-clock", "", ""}, true},
		{"heat 12/12  U 3.25: 1 cycles: ", header{"heat", 12, 12, -1, 3_250_000_000, true, 1, "cycles", "", ""}, true},
		{"heat 12/13", header{"heat", 12, 13, -1, 0, false, 0, "", "", ""}, true},
		{"heat 12/13 [003] cycles:", header{"heat", 12, 13, 3, 0, false, 0, "cycles", "", ""}, true},
		{"heat 12/13 [003] 99 cycles:", header{"heat", 12, 13, 3, 0, false, 99, "cycles", "", ""}, true},
		{"heat 13 99 cycles:", header{"heat", -1, 13, -1, 0, false, 99, "cycles", "", ""}, true},
		{"          <idle>-0       [001] d.h2. 123.456789: sched_waking: comm=a pid=1", header{"<idle>", -1, 0, 1, 123_456_789_000, true, 0, "sched_waking", "d.h2.", "comm=a pid=1"}, true},
		{"  Web Content-77  (   70) [000] .... 1.5: x: y", header{"Web Content", 70, 77, 0, 1_500_000_000, true, 0, "x", "....", "y"}, true},
		{"   kworker/0:1-ev-33 (-----) [000] 1.5: x: y", header{"kworker/0:1-ev", -1, 33, 0, 1_500_000_000, true, 0, "x", "", "y"}, true},
		{"heat 12/13 1.0000000000: x:", header{}, false},
		{"heat 1.5: x:", header{}, false},
		{"  a.c:12", header{}, false},
		{"hello", header{}, false},
	} {
		got, ok := parseHeader(c.line)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%q: %+v, %v, want %+v, %v", c.line, got, ok, c.want, c.ok)
		}
	}
}

func TestFrames(t *testing.T) {
	for _, c := range []struct {
		line string
		want frame
		ok   bool
	}{
		{"\t    7f08b56bffa1 [unknown] (/tmp/perf-10939.map)", frame{address: 0x7f08b56bffa1, module: "/tmp/perf-10939.map"}, true},
		{"\t            11e0 work+0x47 (/tmp/a)", frame{address: 0x11e0, symbol: "work", offset: 0x47, module: "/tmp/a"}, true},
		{"\t11e0 std::vector<int, std::allocator<int> >::push_back(int const&)+0x1 (/a (deleted))", frame{
			address: 0x11e0, symbol: "std::vector<int, std::allocator<int> >::push_back(int const&)", offset: 1, module: "/a",
		}, true},
		{"\t11e0 f(int) const", frame{address: 0x11e0, symbol: "f(int) const"}, true},
		{"\t11e0 operator()(int)", frame{address: 0x11e0, symbol: "operator()(int)"}, true},
		{"\t11e0 mean (inlined)", frame{address: 0x11e0, symbol: "mean", inlined: true}, true},
		{"\tffffffff81434750 xen_send_IPI_one ([kernel.kallsyms])", frame{address: 0xffffffff81434750, symbol: "xen_send_IPI_one", module: "[kernel.kallsyms]"}, true},
		{"\t7f08 ([unknown])", frame{address: 0x7f08}, true},
		{"\t0x7f08", frame{address: 0x7f08}, true},
		{"\t11223344556677889 f", frame{}, false},
		{"\t+12 f", frame{}, false},
		{"\ta.c:3", frame{}, false},
	} {
		got, ok := parseFrame(c.line)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%q: %+v, %v, want %+v, %v", c.line, got, ok, c.want, c.ok)
		}
	}
}

const small = `# hostname : alpha
# cmdline : /usr/bin/perf record -g -- ./heat 40
heat 10/10 [000] 1.000000: PERF_RECORD_MMAP2 10/10: [0x560000000000(0x2000) @ 0x1000 fe:00 1 2]: r-xp /bin/heat
sh 10/12 [001] 2.000002000:  5 cycles: 
	    5600000001f5 mean (inlined)
  heat.c:4
	    5600000001f5 sweep+0x25 (/bin/heat)
  heat.c:7 (discriminator 2)
	    560000000247 main+0x47 (/bin/heat)

heat 10/10 [000] 2.000001000:  7 cycles: 
	    560000000247 main+0x47 (/bin/heat)
	nonsense of a field that is not read

heat 10/12 [001] 2.000003000:  5 cycles: 
nonsense
heat 10/10 [001] 2.000004000: PERF_RECORD_LOST lost 17
swapper 0/0 [001] 2.000004000:  1 cycles: ffffffff81000010 halt ([kernel.kallsyms])
`

func TestRead(t *testing.T) {
	const want = `whorl 1
meta program="./heat" substrate="perf" clock="aligned" pes=3
arg text="40"
extra key="missing" value="1 sample without a stack; 17 samples lost by perf; 1 line outside a sample"
pe 0 host="alpha" process="swapper 0" thread="swapper/1"
pe 1 host="alpha" process="heat 10" thread="heat 10"
pe 2 host="alpha" process="heat 10" thread="heat 12"
stream 0 name="host0"
code 1 type="function" name="main" file="/bin/heat"
code 2 type="instruction" name="1247" parent=1
code 3 type="function" name="sweep" file="heat.c"
code 4 type="line" file="heat.c" line=7 parent=3
code 5 type="function" name="mean" file="heat.c"
code 6 type="line" file="heat.c" line=4 parent=5
code 7 type="instruction" name="11f5" parent=6
code 8 type="function" name="[unknown]"
code 9 type="function" name="halt" file="[kernel.kallsyms]"
code 10 type="instruction" name="ffffffff81000010" parent=9
code 11 type="metric" name="ticks" unit="ticks" scale=1
code 12 type="metric" name="cycles" unit="cycles" scale=1
context 1 code=2
context 2 parent=1 code=4
context 3 parent=2 code=7
context 4 code=8
context 5 code=10
0 Init pe=1
0 Sample pe=1 ref=1 code=11 value=1 # ticks
0 Sample pe=1 ref=1 code=12 value=7 # cycles
1000 Init pe=2
1000 Sample pe=2 ref=3 code=11 value=1 # ticks
1000 Sample pe=2 ref=3 code=12 value=5 # cycles
2000 Sample pe=2 ref=4 code=11 value=1 # ticks
2000 Sample pe=2 ref=4 code=12 value=5 # cycles
3000 Init pe=0
3000 Sample pe=0 ref=5 code=11 value=1 # ticks
3000 Sample pe=0 ref=5 code=12 value=1 # cycles
`
	if !Detect([]byte(small)) {
		t.Error("Detect does not recognise the text")
	}
	for _, s := range []string{small, strings.ReplaceAll(small, "\n", "\r\n")} {
		m := must.Get(read(profile.Options{}, s))(t)
		if got := profiletest.Text(t, m); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
}

// TestMappings compares the modules of addresses with those of a search for the last mapping, and reads very many mappings.
func TestMappings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all spans
		last := map[uint64]*profile.Module{}
		for range rapid.IntRange(1, 20).Draw(t, "mappings") {
			from, m := rapid.Uint64Range(0, 40).Draw(t, "from"), &profile.Module{}
			to := from + rapid.Uint64Range(1, 20).Draw(t, "length")
			all = all.with(taken{from, to, m})
			for at := from; at < to; at++ {
				last[at] = m
			}
		}
		f := file{mapped: map[image]spans{{1, "a"}: all}, modules: map[string]*profile.Module{"a": nil}}
		for at := range uint64(70) {
			if got := f.module(1, at, "a"); got != last[at] {
				t.Fatalf("address %d: %p, want %p of %v", at, got, last[at], all)
			}
		}
	})
	profiletest.Linear(t, 2000, func(n int) {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "p 1/1 1.000000: PERF_RECORD_MMAP2 1/1: [0x%x(0x1000) @ 0 08:01 1 1]: r-xp /bin/p\n", 0x100000+i<<12)
		}
		for i := range n {
			fmt.Fprintf(&b, "p 1/1 [000] 2.000000: 1 cycles:\n\t%x f+0x0 (/bin/p)\n\n", 0x100000+i<<12)
		}
		must.Get(read(profile.Options{}, b.String()))(t)
	})
}

func TestProcessors(t *testing.T) {
	for _, c := range []struct{ by, want string }{
		{"process", `pe 0 host="alpha" process="swapper 0"|pe 1 host="alpha" process="heat 10"`},
		{"cpu", `pe 0 host="alpha" thread="cpu 0"|pe 1 host="alpha" thread="cpu 1"`},
	} {
		m := must.Get(read(profile.Options{Processor: c.by}, small))(t)
		var pes []string
		for line := range strings.Lines(profiletest.Text(t, m)) {
			if strings.HasPrefix(line, "pe ") {
				pes = append(pes, strings.TrimSpace(line))
			}
		}
		if got := strings.Join(pes, "|"); got != c.want {
			t.Errorf("%s: %s, want %s", c.by, got, c.want)
		}
	}
	if _, err := read(profile.Options{Processor: "threads"}, small); err == nil || !strings.HasSuffix(err.Error(), `"threads"; did you mean thread?`) {
		t.Error(err)
	}
	// The clocks of two hosts are unrelated. Two files of one host share a clock.
	later := strings.ReplaceAll(small, "] 2.", "] 3.")
	for _, c := range []struct{ host, want string }{{"alpha", "1000001000 "}, {"beta", "1000 "}} {
		m := must.Get(read(profile.Options{}, small, strings.Replace(later, "alpha", c.host, 1)))(t)
		if got := profiletest.Text(t, m); !strings.Contains(got, "\n"+c.want+"Sample pe=5 ref=3 code=11 value=1 stream=1 # ticks") {
			t.Errorf("%s: there is no %s in\n%s", c.host, c.want, got)
		}
	}
}

// TestFiles compares recordings of a real program with counts made line by line.
func TestFiles(t *testing.T) {
	for _, c := range []struct {
		name    string
		samples string // suffix of the first line of a sample
		pes     int
	}{{"heat", " cpu-clock: ", 2}, {"numa", " cpu-clock: ", 16}} {
		b := must.Get(os.ReadFile("../../../testdata/profiles/" + c.name + ".perf"))(t)
		m := must.Get(read(profile.Options{}, string(b)))(t)
		p := must.Get(lineprofile.Grow(m, nil, nil))(t)
		n := int64(strings.Count(string(b), c.samples+"\n"))
		if p.PEs != c.pes || p.Metrics[0].Name != "ticks" || p.Metrics[0].Total != n || n == 0 || p.Dropped != 0 {
			t.Errorf("%s: %d PEs, %v, %d dropped, want %d PEs and %d ticks", c.name, p.PEs, p.Metrics, p.Dropped, c.pes, n)
		}
		if s := m.Meta().Extra; len(s) > 0 {
			t.Errorf("%s: %v", c.name, s)
		}
	}
}

func TestErrors(t *testing.T) {
	if _, err := read(profile.Options{}, "package main\n\nfunc main() {}\n"); err == nil || !strings.HasPrefix(err.Error(), "host0.perf: not the output of perf script") {
		t.Error(err)
	}
	if m, err := read(profile.Options{}, ""); err != nil || m.Meta().PEs != 0 {
		t.Errorf("nothing: %v", err)
	}
	broken := errors.New("broken")
	if err := Read([]File{{Name: "a", R: failing{broken}}}, tracer.NewMemory(), profile.Options{}); !errors.Is(err, broken) {
		t.Error(err)
	}
	long := strings.Replace(small, "nonsense\n", strings.Repeat("x", mostLine+9)+"\n", 1)
	if m, err := read(profile.Options{}, long); err != nil || m.Counts()[tracer.Sample] != 8 {
		t.Errorf("with a long line: %v, %v", err, m.Counts())
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestOrder checks that samples in any order are counted once for their threads.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		want := map[string]int{}
		for range rapid.IntRange(0, 20).Draw(t, "samples") {
			who := rapid.SampledFrom([]string{"a 1/1", "a 1/2", "b c 3/3"}).Draw(t, "who")
			at := rapid.SampledFrom([]string{"1.5", "1.25", "2.000000001"}).Draw(t, "time")
			b.WriteString(who + " " + at + ": cycles:\n")
			for range rapid.IntRange(1, 3).Draw(t, "depth") {
				b.WriteString("\t4011e0 f (/bin/a)\n")
			}
			b.WriteString("\n")
			name, _, _ := strings.Cut(who, "/")
			want[name]++
		}
		m := must.Get(read(profile.Options{Processor: "process"}, b.String()))(t)
		got := map[string]int{}
		for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Sample)) {
			got[m.Meta().PEInfo[e.PE].Process]++
		}
		for name, n := range want {
			if got[name] != n {
				t.Errorf("%s: %d samples, want %d", name, got[name], n)
			}
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add(small)
	if b, err := os.ReadFile("../../../testdata/profiles/heat.perf"); err == nil {
		f.Add(string(b[:1500]))
	}
	f.Fuzz(func(t *testing.T, s string) {
		Detect([]byte(s))
		for _, by := range processors {
			m, err := read(profile.Options{Processor: by}, s)
			if err != nil {
				continue
			}
			if n, lines := m.Counts()[tracer.Sample], strings.Count(s, "\n")+1; n > int64(2*lines) {
				t.Errorf("%d samples in %d lines", n, lines)
			}
		}
	})
}

// TestProgram checks the name of a recording: its command, unless that only tells how long to record other processes.
func TestProgram(t *testing.T) {
	const samples = "swapper 0 [000] 1.0: cycles:\n\t1 halt (k)\n\nswapper 0 [000] 1.1: cycles:\n\t1 halt (k)\n\njava 5 [000] 1.2: cycles:\n\t1 f (j)\n\n"
	for _, c := range []struct{ line, want string }{
		{"", "java"},
		{"perf record -F 99 -g ./heat 40", "./heat 40"},
		{"/usr/bin/perf record -g -o a.data -- ./heat -a 40", "./heat -a 40"},
		{"perf record -F 99 -a -g sleep 20", "java"},
		{"perf record -ag -F 99 -- sleep 20", "java"},
		{"perf record -F99 -p 5 sleep 20", "java"},
		{"perf record --pid=5 sleep 20", "java"},
		{"perf record -e cpu-clock --call-graph dwarf java -a", "java -a"},
	} {
		m := must.Get(read(profile.Options{}, "# cmdline : "+c.line+"\n"+samples))(t)
		meta := m.Meta()
		if got := strings.Join(append([]string{meta.Program}, meta.Args...), " "); got != c.want {
			t.Errorf("%q is named %q, want %q", c.line, got, c.want)
		}
	}
}

// TestDetectOld checks headers without a time, as older versions of perf write them: a frame has to follow.
func TestDetectOld(t *testing.T) {
	for _, c := range []struct {
		head string
		want bool
	}{
		{"java 25607 cycles: \n\t    7f7e4f6a main (/tmp/perf-1.map)\n", true},
		{"java 25607 [003] cycles:u:\n\t    7f7e4f6a main (/tmp/perf-1.map)\n\n", true},
		{"java 25607 cycles: \nhello\n", false},
		{"java 25607 cycles: \n\thello world\n", false},
		{"java 25607 cycles: \n", false},
		{"java 25607\n\t7f7e4f6a main (/tmp/perf-1.map)\n", false},
	} {
		if Detect([]byte(c.head)) != c.want {
			t.Errorf("%q: %v", c.head, !c.want)
		}
	}
}
