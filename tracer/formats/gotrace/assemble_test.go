package gotrace

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"whorl/testdata/must"
	"whorl/tracer/testdata/profiletest"
)

// recordNames are the names of records by number.
var recordNames = strings.Fields(`None EventBatch Stacks Stack Strings String CPUSamples CPUSample Frequency ProcsChange ProcStart ProcStop ProcSteal ProcStatus
	GoCreate GoCreateSyscall GoStart GoDestroy GoDestroySyscall GoStop GoBlock GoUnblock GoSyscallBegin GoSyscallEnd GoSyscallEndBlocked GoStatus STWBegin STWEnd
	GCActive GCBegin GCEnd GCSweepActive GCSweepBegin GCSweepEnd GCMarkAssistActive GCMarkAssistBegin GCMarkAssistEnd HeapAlloc HeapGoal GoLabel UserTaskBegin
	UserTaskEnd UserRegionBegin UserRegionEnd UserLog GoSwitch GoSwitchDestroy GoCreateBlocked GoStatusStack ExperimentalBatch Sync ClockSnapshot EndOfGeneration`)

// assemble makes a trace of a text, in the form in which the tests of Go have traces: the line "Trace Go1.26", then a line for each record with the
// names and values of its numbers. The sizes of batches are computed.
func assemble(t testing.TB, text string) []byte {
	var out, body []byte
	var head []uint64
	flush := func() {
		if head != nil {
			for _, v := range append(head, uint64(len(body))) {
				out = binary.AppendUvarint(out, v)
			}
		}
		out = append(out, body...)
		head, body = nil, body[:0]
	}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if f[0] == "Trace" {
			out = append(out, "go "+strings.TrimPrefix(f[1], "Go")+" trace\x00\x00\x00"...)
			continue
		}
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "data="); ok { // of a string
			s, err := strconv.Unquote(text)
			if err != nil {
				t.Fatal(err)
			}
			body = append(binary.AppendUvarint(body, uint64(len(s))), s...)
			continue
		}
		var values []uint64
		fields := f[1:]
		if strings.Contains(f[0], "=") { // of a frame
			fields = f
		}
		for _, a := range fields {
			_, value, _ := strings.Cut(a, "=")
			v, err := strconv.ParseUint(value, 0, 64)
			if err != nil {
				t.Fatal(line, err)
			}
			values = append(values, v)
		}
		kind := -1
		for i, n := range recordNames {
			if n == f[0] {
				kind = i
			}
		}
		switch {
		case kind == int(eventBatch):
			flush()
			out, head = append(out, byte(kind)), values[:3]
			continue
		case kind == int(endOfGeneration):
			flush()
			out = append(out, byte(kind))
			continue
		case kind >= 0:
			body = append(body, byte(kind))
		}
		for _, v := range values {
			body = binary.AppendUvarint(body, v)
		}
	}
	flush()
	return out
}

// tables are the batches without which no generation is complete.
const tables = `EventBatch gen=1 m=0xffffffffffffffff time=0
Frequency freq=15625000
EventBatch gen=1 m=0xffffffffffffffff time=0
Strings
String id=1
	data="main.work"
String id=2
	data="main.go"
String id=3
	data="chan receive"
EventBatch gen=1 m=0xffffffffffffffff time=0
Stacks
Stack id=1 nframes=1
	pc=1 func=1 file=2 line=7
`

// TestSchedules reads small traces of cases that programs meet seldom.
func TestSchedules(t *testing.T) {
	for _, c := range []struct{ name, trace, want, missing string }{
		{"a thread of C calls Go, and its P is stolen after it has gone", `EventBatch gen=1 m=7 time=0
GoCreateSyscall dt=1 new_g=4
GoSyscallEndBlocked dt=1
ProcStatus dt=1 p=0 pstatus=2
ProcStart dt=1 p=0 p_seq=1
GoStatus dt=1 g=4 m=0xffffffffffffffff gstatus=1
GoStart dt=1 g=4 g_seq=1
GoSyscallBegin dt=1 p_seq=2 stack=1
GoDestroySyscall dt=1
EventBatch gen=1 m=8 time=10
ProcStatus dt=1 p=1 pstatus=2
ProcStart dt=1 p=1 p_seq=1
ProcSteal dt=1 p=0 p_seq=3 m=7
`, `0 Init pe=0
0 Idle pe=0 # no work
0 Init pe=1
0 Idle pe=1 # no work
64 Fork pe=0 task=1 peer=0 # main.work
64 Wait pe=0 task=1 ref=2 # system call
128 Wake pe=0 task=1 # system call
128 Sample pe=0 task=1 ref=2 value=64 # waiting
256 Busy pe=0
384 Busy pe=0 task=1 # main.work
384 Start pe=0 task=1 value=1 # main.work
448 Overhead pe=0 task=1 # system call
512 End pe=0 task=1 # main.work
512 Idle pe=0 # no work
768 Busy pe=1
832 Idle pe=0 # no work
`, ""},
		{"a goroutine loses its P in a system call that takes long", `EventBatch gen=1 m=7 time=0
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=7 gstatus=2
GoSyscallBegin dt=9 p_seq=1 stack=1
GoSyscallEndBlocked dt=30
EventBatch gen=1 m=8 time=20
ProcSteal dt=1 p=0 p_seq=2 m=7
ProcStart dt=1 p=0 p_seq=3
GoStart dt=30 g=1 g_seq=1
`, `0 Init pe=0
0 Busy pe=0
0 Fork pe=0 task=1 peer=0 # main.work
0 Busy pe=0 task=1 # main.work
0 Start pe=0 task=1 value=1 # main.work
704 Overhead pe=0 task=1 # system call
1344 Wait pe=0 task=1 ref=1 # system call
1344 Idle pe=0 # no work
1408 Busy pe=0
2624 Wake pe=0 task=1 # system call
2624 Sample pe=0 task=1 ref=1 value=1280 # waiting
3328 Busy pe=0 task=1 # main.work
`, ""},
		{"clocks disagree: a goroutine runs before it is woken, and after that waits", `EventBatch gen=1 m=7 time=0
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=7 gstatus=2
GoCreate dt=1 new_g=2 new_stack=1 stack=1
GoUnblock dt=30 g=2 g_seq=2 stack=0
EventBatch gen=1 m=8 time=2
ProcStatus dt=1 p=1 pstatus=1
GoStart dt=2 g=2 g_seq=1
GoBlock dt=5 reason_string=3 stack=1
GoStart dt=10 g=2 g_seq=3
`, `0 Init pe=0
0 Busy pe=0
0 Init pe=1
0 Busy pe=1
0 Fork pe=0 task=1 peer=0 # main.work
0 Busy pe=0 task=1 # main.work
0 Start pe=0 task=1 value=1 # main.work
192 Sample pe=0 task=1 ref=1 value=1 # forks
192 Fork pe=0 task=2 ref=1 peer=0 # main.work
320 Busy pe=1 task=2 # main.work
320 Start pe=1 task=2 value=1 # main.work
640 Wait pe=1 task=2 ref=1 # channel receive
2112 Wake pe=0 task=2 ref=1
2112 Sample pe=0 task=2 ref=1 value=1472 # waiting
2112 Busy pe=1 task=2 # main.work
`, ""},
		{"records are lost, and others have no beginning", `EventBatch gen=1 m=7 time=0
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=7 gstatus=2
GoBlock dt=9 reason_string=3 stack=1
GoStart dt=9 g=1 g_seq=2
STWEnd dt=1
GCMarkAssistEnd dt=1
GCSweepEnd dt=1 swept=1 reclaimed=1
GCEnd dt=1 seq=4
UserTaskEnd dt=1 task=9 stack=0
GoUnblock dt=1 g=99 g_seq=7 stack=0
None
GoDestroy dt=1
`, `0 Init pe=0
0 Busy pe=0
0 Fork pe=0 task=1 peer=0 # main.work
0 Busy pe=0 task=1 # main.work
0 Start pe=0 task=1 value=1 # main.work
704 Wait pe=0 task=1 ref=1 # channel receive
1280 Wake pe=0 task=1 # something outside
1280 Sample pe=0 task=1 ref=1 value=576 # waiting
1280 Busy pe=0 task=1 # main.work
1408 Busy pe=0 task=1 # main.work
1664 Fork pe=0 task=2 peer=0 # [unknown]
`, "2 records out of order; 5 ends without a beginning; 1 block with records of an unknown type"},
	} {
		m := must.Get(read(assemble(t, "Trace Go1.22\n"+c.trace+tables)))(t)
		var lines []string
		for line := range strings.Lines(profiletest.Text(t, m)) {
			if line[0] < '0' || line[0] > '9' || strings.Contains(line, " Counter ") {
				continue
			}
			fields := slices.DeleteFunc(strings.Fields(line), func(s string) bool { return strings.HasPrefix(s, "code=") })
			lines = append(lines, strings.Join(fields, " "))
		}
		if d := cmp.Diff(strings.TrimSpace(c.want), strings.Join(lines, "\n")); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
		if meta := m.Meta(); meta.Missing() != c.missing {
			t.Errorf("%s: missing %q, want %q", c.name, meta.Missing(), c.missing)
		}
	}
}
