package perf

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
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

// recording returns a recording in testdata as text.
func recording(t testing.TB, name string) string {
	t.Helper()
	f := must.Get(os.Open("testdata/" + name))(t)
	defer f.Close()
	if !strings.HasSuffix(name, ".gz") {
		return string(must.Get(io.ReadAll(f))(t))
	}
	return string(must.Get(io.ReadAll(must.Get(gzip.NewReader(f))(t)))(t))
}

// handover has a thread that creates another one, waits for it in a pipe, and is woken by it. The thread cc is also one whose name is hexadecimal.
const handover = `make 50/50 [000] 1.000000000: sched:sched_process_fork: comm=make pid=50 child_comm=make child_pid=51
	ffffffff81000010 kernel_clone+0x10 ([kernel.kallsyms])
	          4011e0 start+0x10 (/bin/make)

            make 50/50 [000] 1.000000100: sched:sched_switch: prev_comm=make prev_pid=50 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
	ffffffff81000020 schedule+0x20 ([kernel.kallsyms])
	ffffffff81000030 pipe_read+0x30 ([kernel.kallsyms])
	          4011f0 wait+0x10 (/bin/make)

         swapper 0/0 [001] 1.000000120: sched:sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=make next_pid=51 next_prio=120
              cc 51/51 [001] 1.000000150:  7 cycles: 
	          402000 compile+0x10 (/bin/cc)

              cc 51/51 [001] 1.000000300: sched:sched_waking: comm=make pid=50 prio=120 target_cpu=000
         swapper 0/0 [000] 1.000000310: sched:sched_wakeup: comm=make pid=50 prio=120 target_cpu=000
         swapper 0/0 [000] 1.000000320: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=make next_pid=50 next_prio=120
              cc 51/51 [001] 1.000000330: sched:sched_process_exit: comm=cc pid=51 prio=120
              :-1 -1/-1 [001] 1.000000350: sched:sched_switch: prev_comm=cc prev_pid=51 prev_prio=120 prev_state=Z ==> next_comm=swapper/1 next_pid=0 next_prio=120
            make 50/50 [000] 1.000000360: sched:sched_migrate_task: comm=other pid=60 prio=120 orig_cpu=0 dest_cpu=1
            make 50/50 [000] 1.000000400: sched:sched_switch: prev_comm=make prev_pid=50 prev_prio=120 prev_state=R+ ==> next_comm=other next_pid=60 next_prio=120
`

func TestScheduling(t *testing.T) {
	const want = `0 Init pe=0
0 Fork pe=0 task=1 peer=0 # other
0 Fork pe=0 task=2 peer=0 # make
0 Busy pe=0 task=2 # make
0 Start pe=0 task=2 value=1 # make
0 Init pe=1
0 Idle pe=1 # no work
0 Sample pe=0 task=2 ref=2 value=1 # forks
0 Fork pe=0 task=3 ref=2 peer=0 # cc
100 Wait pe=0 task=2 ref=5 # pipe read
100 Idle pe=0 # no work
120 Busy pe=1 task=3 # cc
120 Start pe=1 task=3 value=1 # cc
150 Sample pe=1 task=3 ref=6 value=1 # ticks
150 Sample pe=1 task=3 ref=6 value=7 # cycles
300 Wake pe=1 task=2 ref=3
300 Sample pe=0 task=2 ref=5 value=200 # waiting
320 Busy pe=0 task=2 # make
330 Overhead pe=1 task=3 # exit
350 End pe=1 task=3 # cc
350 Idle pe=1 # no work
360 Move pe=1 task=1 peer=0 # migrate
400 Idle pe=0 task=2 # preempted
400 Busy pe=0 task=1 # other
400 Start pe=0 task=1 value=1 # other
`
	if !Detect([]byte(handover)) {
		t.Error("Detect does not recognise the text")
	}
	m := must.Get(read(profile.Options{}, handover))(t)
	text := profiletest.Text(t, m)
	_, got, _ := strings.Cut(text, "\n0 Init")
	got = regexp.MustCompile(" code=[0-9]+").ReplaceAllString(got, "")
	if d := cmp.Diff(want, "0 Init"+got); d != "" {
		t.Errorf("%s\n%s", d, text)
	}
	p := must.Get(must.Get(waits.Build(m, nil))(t).Path(m, 2, 400, nil))(t)
	var path []string
	for _, x := range p.Pieces {
		path = append(path, fmt.Sprintf("%d-%d %s %s", x.From, x.To, m.Dict().Code(x.Code).Name, x.Activity))
	}
	if d := cmp.Diff([]string{"0-120 cc waits for a PE", "120-300 cc runs", "300-320 make waits for a PE", "320-400 make runs"}, path); d != "" {
		t.Error(d)
	}
	plain := must.Get(read(profile.Options{Processor: "thread"}, handover))(t) // samples alone
	if n := plain.Counts(); n[tracer.Busy] != 0 || n[tracer.Sample] == 0 {
		t.Errorf("samples: %v", n)
	}
}

// TestEnabled checks that the states of CPUs before perf began to record them and after it ended are unknown: perf does so for one after the other,
// and runs on each of them.
func TestEnabled(t *testing.T) {
	const text = `perf 9/9 [000] 1.000000100: sched:sched_switch: prev_comm=perf prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=a next_pid=1 next_prio=120
a 1/1 [001] 1.000000300: sched:sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120
a 1/1 [000] 1.000000400: sched:sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=perf next_pid=9 next_prio=120
b 2/2 [001] 1.000000900: sched:sched_switch: prev_comm=b prev_pid=2 prev_prio=120 prev_state=R ==> next_comm=perf next_pid=9 next_prio=120
`
	m := must.Get(read(profile.Options{}, text))(t)
	ran, since, on := map[string]int64{}, [2]int64{}, [2]string{}
	must.Do(t, m.Scan(tracer.Kinds(tracer.Busy, tracer.Idle), func(events []tracer.Event) error {
		for _, e := range events {
			name := m.Dict().Code(e.Code).Name
			if e.Kind == tracer.Idle && e.Task != 0 {
				continue // and on to the next thread
			}
			ran[on[e.PE]] += e.Time - since[e.PE]
			since[e.PE], on[e.PE] = e.Time, name
		}
		return nil
	}))
	want := map[string]int64{"": 0, "perf": 0, "not recorded": 200, "a": 300, "b": 600}
	meta := m.Meta()
	if d := cmp.Diff(want, ran); d != "" || on != [2]string{"not recorded", "perf"} || !strings.HasPrefix(meta.Missing(), "CPU 0 after 300 ns; CPU 1 before 200 ns") {
		t.Errorf("%s: %q, %s", d, on, meta.Missing())
	}
}

// TestDamagedFile reads a compressed file up to the place where it is cut.
func TestDamagedFile(t *testing.T) {
	packed := string(must.Get(os.ReadFile("testdata/duo-6.1.perf.gz"))(t))
	m := must.Get(read(profile.Options{}, packed[:len(packed)/2]))(t)
	if meta := m.Meta(); m.Counts()[tracer.Busy] == 0 || !strings.Contains(meta.Missing(), " lines: unexpected EOF") {
		t.Errorf("%d states, missing %q", m.Counts()[tracer.Busy], meta.Missing())
	}
	if _, err := read(profile.Options{}, packed[:20]); err == nil {
		t.Error("a file without a line is read")
	}
}

// TestForms checks that the forms of other versions and tools say the same.
func TestForms(t *testing.T) {
	lines := func(switches, waking string) string {
		return strings.NewReplacer("SWITCH", switches, "WAKING", waking).Replace(`  a b-8  [000] d..2  1.000001: SWITCH a b:8 [120] S ==> c:9 [120]
      c-9  [000] d..2  1.000002: WAKING a b:8 [120] CPU:001
      c-9  [000] d..2  1.000003: SWITCH c:9 [120] D ==> a b:8 [120]
`)
	}
	fields := func(s string) string {
		s = regexp.MustCompile(`: +(a b|c):(\d+) \[120\] ([SD]) ==> (a b|c):(\d+) \[120\]`).ReplaceAllString(s,
			": prev_comm=$1 prev_pid=$2 prev_prio=120 prev_state=$3 ==> next_comm=$4 next_pid=$5 next_prio=120")
		return regexp.MustCompile(`: +(a b|c):(\d+) \[120\] CPU`).ReplaceAllString(s, ": comm=$1 pid=$2 prio=120 success=1 target_cpu")
	}
	perf := func(s string) string {
		return regexp.MustCompile(`(?m)^ *(a b|c)-(\d+) +(\[000\]) d..2 `).ReplaceAllString(s, "$1 $2 $3")
	}
	traceCmd := lines("sched_switch:        ", "sched_waking:        ")
	forms := []string{
		"cpus=2\n" + traceCmd, fields(traceCmd), "# tracer: nop\n#\n" + fields(traceCmd),
		perf(lines("sched:sched_switch:", "sched:sched_waking:")), perf(fields(lines("sched:sched_switch:", "sched:sched_waking:"))),
		strings.ReplaceAll(strings.ReplaceAll(perf(fields(traceCmd)), "prev_state=D ", "prev_state=D|W "), "prev_state=S ", "prev_state=1 "),
	}
	want := ""
	for i, s := range forms {
		if !Detect([]byte(s)) {
			t.Errorf("form %d is not recognised: %s", i, s)
		}
		m := must.Get(read(profile.Options{}, s))(t)
		got := profiletest.Text(t, m)
		if want == "" {
			want = got
		}
		if d := cmp.Diff(want, got); d != "" || m.Counts()[tracer.Wake] != 1 {
			t.Errorf("form %d: %s\n%s", i, s, d)
		}
	}
}

// TestTimes compares the times that threads run in real recordings with those of a simple reader of the switches.
func TestTimes(t *testing.T) {
	change := regexp.MustCompile(`\[(\d+)\].* (\d+)\.(\d+): +(?:sched:)?sched_switch: prev_comm=.* prev_pid=(\d+) .* ==> next_comm=.* next_pid=(\d+)`)
	for _, name := range []string{"duo-6.1.perf.gz", "duo.ftrace"} {
		s := recording(t, name)
		want, got := map[string]int64{}, map[string]int64{}
		since, last := map[string]int64{}, int64(0)
		for line := range strings.Lines(s) {
			m := change.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			at := must.Get(strconv.ParseInt(m[2]+m[3], 10, 64))(t) * 1000
			if from, ok := since[m[1]]; ok && m[4] != "0" {
				want[m[1]] += at - from
			}
			since[m[1]], last = at, at
		}
		tr := must.Get(read(profile.Options{}, s))(t)
		busy, began, seen := map[int32]bool{}, map[int32]int64{}, map[int32]bool{}
		base := int64(-1)
		for line := range strings.Lines(s) {
			if h, ok := parseHeader(strings.TrimRight(line, "\n")); ok && h.timed {
				base = h.time
				break
			}
		}
		firsts := map[int32]int64{}
		for line := range strings.Lines(s) {
			if m := change.FindStringSubmatch(line); m != nil {
				pe := int32(must.Get(strconv.Atoi(m[1]))(t))
				if _, ok := firsts[pe]; !ok {
					firsts[pe] = must.Get(strconv.ParseInt(m[2]+m[3], 10, 64))(t)*1000 - base
				}
			}
		}
		for _, e := range tracertest.Events(t, tr, tracer.Kinds(tracer.Busy, tracer.Idle)) {
			cpu := fmt.Sprintf("%03d", e.PE)
			if busy[e.PE] && e.Time >= firsts[e.PE] {
				got[cpu] += e.Time - max(began[e.PE], firsts[e.PE])
			}
			busy[e.PE], began[e.PE], seen[e.PE] = e.Kind == tracer.Busy, e.Time, true
		}
		if d := cmp.Diff(want, got); d != "" || len(want) != 2 || last == 0 {
			t.Errorf("%s: time of threads on CPUs: %s", name, d)
		}
	}
}

// TestGarbled: bytes of no text in a record of ftrace, in its first line, its stack or a line of its own, are counted.
func TestGarbled(t *testing.T) {
	const first, stack = "       duo-10 [000] d..2. 1.000001: sched_switch: prev_comm=duo prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=a next_pid=11 next_prio=120\n", " => schedule\n"
	const head = "         a-11 [001] d..2. 1.000000: sched_switch: prev_comm=a prev_pid=11 prev_prio=120 prev_state=S ==> next_comm=b next_pid=12 next_prio=120\n"
	const above = "       duo-10 [000] d..2. 1.000001: <stack trace>\n"
	for text, want := range map[string]string{
		head + first + above + stack:                                           "",
		head + first + "   \xf0\x8c\xfe\n" + above + stack:                     "1 line outside a sample",
		head + first + "   duo-10 [000] d..2. 1.0\x8c001: x\n" + above + stack: "1 line outside a sample",
		head + first + "   duo-10 [000] d..2. 1.000001: \x8c\xfe\n":            "1 line outside a sample",
		head + first + "   duo-10 [000] d..2. 1.000001: s\x8c: x\n":            "1 line outside a sample",
		head + first + above + " => sched\x8cule\n":                            "1 name of functions with bytes that are no text",
		head + strings.Replace(first, "==>", "\x8c\x8c\x8c", 1):                "1 record of the scheduler of other kinds",
	} {
		m := must.Get(read(profile.Options{}, text))(t)
		if meta := m.Meta(); meta.Missing() != want {
			t.Errorf("%q: missing %q, want %q", text[len(head):], meta.Missing(), want)
		}
	}
}

// TestCauses checks the reasons and the wakers of waits in real recordings.
func TestCauses(t *testing.T) {
	for name, want := range map[string][]string{
		"duo-6.1.perf.gz": {"duo waits for futex, woken by duo", "duo waits for nanosleep, woken by timer", "perf waits for poll, woken by duo", "duo waits for child, woken by true"},
		"duo.ftrace":      {"duo waits for futex, woken by duo", "duo waits for nanosleep, woken by timer", "bash waits for child, woken by duo"},
		"duo.calls":       {"duo waits for futex, woken by duo inferred", "duo waits for clock_nanosleep, woken by timer", "duo waits for wait4, woken by something outside"},
	} {
		s := recording(t, name)
		if !Detect([]byte(s)[:4096]) {
			t.Errorf("%s is not recognised", name)
		}
		m := must.Get(read(profile.Options{}, s))(t)
		if regions := slices.ContainsFunc(m.Dict().Codes(), func(c tracer.Code) bool { return c.Name == tracer.RegionTime }); regions != (name == "duo.calls") {
			t.Errorf("%s: times of regions: %v, those of system calls alone are known", name, regions)
		}
		names, why := map[uint64]string{}, map[uint64]string{}
		found := map[string]bool{}
		for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Fork, tracer.Wait, tracer.Wake)) {
			code := m.Dict().Code(e.Code).Name
			switch e.Kind {
			case tracer.Fork:
				names[e.Task] = code
			case tracer.Wait:
				why[e.Task] = code
			case tracer.Wake:
				found[names[e.Task]+" waits for "+why[e.Task]+", woken by "+strings.TrimSpace(names[e.Ref]+" "+code)] = true
			}
		}
		for _, w := range want {
			if !found[w] {
				t.Errorf("%s: no %q in %v", name, w, found)
			}
		}
	}
}

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		line string
		want call
	}{
		{"     1.338 ( 0.021 ms): worker 1/15319 futex(uaddr: 0x55, op: WAIT)   = 0", call{1_338_000, 21_000, "worker 1", 15319, "futex", "uaddr: 0x55, op: WAIT", "0", false, false}},
		{"     2.003 ( 0.010 ms): brk()        = 0x55", call{2_003_000, 10_000, "", -1, "brk", "", "0x55", false, false}},
		{"         ? (         ): sh/12  ... [continued]: execve())     = 0", call{-1, -1, "sh", 12, "execve", ")", "0", false, true}},
		{"  3858.000 (         ): sh/15321 vfork()               ...", call{3_858_000_000, -1, "sh", 15321, "vfork", ")               ...", "", true, false}},
		{"     3.918 (         ): duo/2 exit_group()      = ?", call{3_918_000, -1, "duo", 2, "exit_group", "", "?", false, false}},
	} {
		got, ok := parseCall(c.line)
		if !ok || strings.TrimSpace(strings.TrimSuffix(got.args, ")")) != strings.TrimSpace(strings.TrimSuffix(c.want.args, ")")) {
			t.Errorf("%q: %+v, %v", c.line, got, ok)
		}
		if got.args = c.want.args; got != c.want {
			t.Errorf("%q: %+v, want %+v", c.line, got, c.want)
		}
	}
	for _, line := range []string{"a 1/1 1.5: x: y", "\tffffffff81 a (b): c", "12 (a): b", "1.x ( 0.1 ms): a()", "x"} {
		if c, ok := parseCall(line); ok {
			t.Errorf("%q: %+v", line, c)
		}
	}
}

// TestSystemCalls checks that records of system calls become calling contexts and time of the system.
func TestSystemCalls(t *testing.T) {
	const text = `a 8 [000] 1.000001: syscalls:sys_enter_read: fd: 0x00000003
a 8 [000] 1.000002: sched:sched_switch: prev_comm=a prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=b next_pid=9 next_prio=120
b 9 [000] 1.000003: sched:sched_waking: comm=a pid=8 prio=120 target_cpu=000
b 9 [000] 1.000004: sched:sched_switch: prev_comm=b prev_pid=9 prev_prio=120 prev_state=R ==> next_comm=a next_pid=8 next_prio=120
a 8 [000] 1.000005: syscalls:sys_exit_read: 0x1
a 8 [000] 1.000006: irq:softirq_raise: vec=1
`
	m := must.Get(read(profile.Options{}, text))(t)
	got := profiletest.Text(t, m)
	for _, want := range []string{
		"\n0 Overhead pe=0 task=2 code=", " # system call\n", "\n1000 Wait pe=0 task=2 ref=3 code=", " # read\n", "\n2000 Wake pe=0 task=2 ref=1\n",
		"\n3000 Overhead pe=0 task=2", "\n4000 Busy pe=0 task=2", "\n5000 Mark pe=0 task=2", " # irq:softirq_raise\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// check checks what every trace promises: times that do not go back, PEs of the machine, entries of the dictionary, and a Wait before each Wake.
func check(t testing.TB, m *tracer.Memory) {
	t.Helper()
	pes, codes, contexts := int32(m.Meta().PEs), len(m.Dict().Codes()), uint64(len(m.Dict().Contexts()))
	last, waiting := int64(0), map[uint64]bool{}
	for _, e := range tracertest.Events(t, m, tracer.AllKinds) {
		if e.Time < last || e.PE < 0 || e.PE >= max(pes, 1) || int(e.Code) >= codes || (e.Kind == tracer.Wait || e.Kind == tracer.Sample) && e.Ref >= contexts {
			t.Fatalf("%+v after %d on %d PEs", e, last, pes)
		}
		if e.Kind == tracer.Wake && !waiting[e.Task] || e.Kind == tracer.Wait && waiting[e.Task] {
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

func FuzzScheduling(f *testing.F) {
	f.Add(handover)
	f.Add(recording(f, "duo.ftrace")[:3000])
	f.Add(recording(f, "duo.calls"))
	f.Add(recording(f, "duo-6.1.perf.gz")[:4000])
	f.Fuzz(func(t *testing.T, s string) {
		Detect([]byte(s))
		if m, err := read(profile.Options{}, s); err == nil && m.Meta().Mode == tracer.Live {
			check(t, m)
		}
	})
}
