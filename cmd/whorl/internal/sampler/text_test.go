package sampler

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"whorl/testdata/must"
)

// TestText checks the text of records: names of threads, mappings that programs and their children have, and functions that no binary names.
func TestText(t *testing.T) {
	root := t.TempDir()
	must.Do(t, os.MkdirAll(filepath.Join(root, "proc"), 0o700))
	must.Do(t, os.MkdirAll(filepath.Join(root, "tmp"), 0o700))
	must.Do(t, os.WriteFile(filepath.Join(root, "proc", "kallsyms"), []byte("ffffffff81000200 T schedule\nffffffff81000100 t wake\nffffffff81000300 d data\n"), 0o600))
	must.Do(t, os.WriteFile(filepath.Join(root, "tmp", "perf-7.map"), []byte("f000 20 JS:fib a.js:1\nbad\n"), 0o600))
	var b bytes.Buffer
	w := newWriter(&b, newSymbols(root))
	w.round([]record{
		{kind: recordComm, pid: 7, tid: 7, time: 1, text: "sh"},
		{kind: recordMmap2, pid: 7, tid: 7, time: 2, from: 0x1000, length: 0x3000, text: "/bin/sh"},
		{kind: recordComm, exec: true, pid: 7, tid: 7, time: 3, text: "a\x1bb c"},
		{kind: recordMmap2, pid: 7, tid: 7, time: 4, from: 0x4000, length: 0x3000, offset: 0x200, text: "/bin/heat 2"},
		{kind: recordMmap2, pid: 7, tid: 7, time: 5, from: 0x5000, length: 0x1000, text: "/lib/m.so"},
		{kind: recordFork, pid: 7, parent: 7, tid: 8, time: 6},
		{kind: recordSample, pid: 7, tid: 8, cpu: 3, time: 1_000_000_007, period: 1003009, callers: []uint64{mark + 500, 0xffffffff81000204, mark, 0x4010, 0x5020, 0x6030, 0xf00f, 0xf020, 0x1000}},
		{kind: recordFork, pid: 9, parent: 7, tid: 9, time: 1_000_000_008},
		{kind: recordSample, pid: 9, tid: 9, time: 1_000_000_009, callers: []uint64{0x4010}},
		{kind: recordLost, pid: 9, tid: 9, time: 1_000_000_010, lost: 12},
		{kind: recordSample, pid: 10, tid: 10, time: 1_000_000_011},
	}, true)
	must.Do(t, w.out.Flush())
	if diff := cmp.Diff(strings.TrimPrefix(`
sh 7/7 [000] 0.000000002: PERF_RECORD_MMAP2 7/7: [0x1000(0x3000) @ 0x0 00:00 0 0]: r-xp /bin/sh
a?b c 7/7 [000] 0.000000004: PERF_RECORD_MMAP2 7/7: [0x4000(0x3000) @ 0x200 00:00 0 0]: r-xp /bin/heat 2
a?b c 7/7 [000] 0.000000005: PERF_RECORD_MMAP2 7/7: [0x5000(0x1000) @ 0x0 00:00 0 0]: r-xp /lib/m.so
a?b c 7/8 [003] 1.000000007: 1003009 cpu-clock:
	ffffffff81000204 schedule+0x4 ([kernel.kallsyms])
	4010 [unknown] (/bin/heat 2)
	5020 [unknown] (/lib/m.so)
	6030 [unknown] (/bin/heat 2)
	f00f JS:fib a.js:1+0xf (/tmp/perf-7.map)
	f020 [unknown] ([unknown])
	1000 [unknown] ([unknown])

:9 9/9 [000] 1.000000008: PERF_RECORD_MMAP2 9/9: [0x4000(0x1000) @ 0x200 00:00 0 0]: r-xp /bin/heat 2
:9 9/9 [000] 1.000000008: PERF_RECORD_MMAP2 9/9: [0x5000(0x1000) @ 0x0 00:00 0 0]: r-xp /lib/m.so
:9 9/9 [000] 1.000000008: PERF_RECORD_MMAP2 9/9: [0x6000(0x1000) @ 0x2200 00:00 0 0]: r-xp /bin/heat 2
a?b c 9/9 [000] 1.000000009: 0 cpu-clock:
	4010 [unknown] (/bin/heat 2)

a?b c 9/9 [000] 1.000000010: PERF_RECORD_LOST lost 12
:10 10/10 [000] 1.000000011: 0 cpu-clock:

`, "\n"), b.String()); diff != "" {
		t.Error(diff)
	}
}

// TestOrder checks that records come in the order of their times, if those of a CPU do and all buffers are read in each round.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var b bytes.Buffer
	w := newWriter(&b, newSymbols(t.TempDir()))
	clock, count := uint64(0), 0
	for round := range 50 {
		from := clock
		clock += 1000
		var records []record
		for cpu := range uint32(3) {
			var times []uint64
			for range r.IntN(4) {
				// A record may come a round late: it was written after its buffer was read.
				times = append(times, max(from, 500)-500+r.Uint64N(1500))
			}
			slices.Sort(times)
			for _, at := range times {
				records = append(records, record{kind: recordSample, cpu: cpu, time: at})
			}
		}
		count += len(records)
		w.round(records, round == 49)
	}
	must.Do(t, w.out.Flush())
	last, seen := "", 0
	for line := range strings.Lines(b.String()) {
		if fields := strings.Fields(line); len(fields) > 3 {
			if fields[3] < last {
				t.Fatalf("%s comes after %s", fields[3], last)
			}
			last = fields[3]
			seen++
		}
	}
	if seen != count || count == 0 {
		t.Errorf("%d of %d records", seen, count)
	}
}

// sampleBytes returns the bytes of a sample as the kernel writes them.
func sampleBytes(pid, tid uint32, at uint64, stack ...uint64) []byte {
	n := binary.NativeEndian
	b := n.AppendUint64(nil, 0x4010)
	b = n.AppendUint32(n.AppendUint32(b, pid), tid)
	b = n.AppendUint64(b, at)
	b = n.AppendUint32(n.AppendUint32(b, 2), 0)
	b = n.AppendUint64(n.AppendUint64(b, 99), uint64(len(stack)))
	for _, a := range stack {
		b = n.AppendUint64(b, a)
	}
	head := n.AppendUint16(n.AppendUint16(n.AppendUint32(nil, recordSample), 1), uint16(8+len(b)))
	return append(head, b...)
}

func FuzzRecord(f *testing.F) {
	f.Add(sampleBytes(1, 2, 3, 4, 5))
	for kind := range byte(12) {
		f.Add(append([]byte{kind, 0, 0, 0, 0, 0, 100, 0}, make([]byte, 92)...))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 8 {
			return
		}
		if r, ok := parse(b); ok {
			w := newWriter(&bytes.Buffer{}, newSymbols("/nowhere"))
			w.round([]record{r}, true)
		}
	})
}

func TestRecord(t *testing.T) {
	r, ok := parse(sampleBytes(1, 2, 3, 4, 5))
	if want := (record{kind: recordSample, pid: 1, tid: 2, time: 3, cpu: 2, period: 99, callers: []uint64{4, 5}}); !ok || !cmp.Equal(r, want, cmp.AllowUnexported(record{})) {
		t.Errorf("%+v, want %+v", r, want)
	}
	short := sampleBytes(1, 2, 3, 4, 5)
	if _, ok := parse(short[:len(short)-8]); ok {
		t.Error("a sample whose stack is cut is read")
	}
}
