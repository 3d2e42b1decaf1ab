package store_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whorl/internal/figures"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/tracer/testdata/tracertest"
)

const smallTrace = `whorl 1
meta program="small" seed=3 pes=2
source name="a.fghc"
| a :- true.
stream 0 name="a"
stream 1 name="b" offset=5
code 1 type="procedure" name="a/0"
code 2 type="clause" name="a/0" parent=1
context 1 code=1
0 Reduce pe=0 task=1 code=2 value=300
10 Busy pe=1 stream=1
20 Reduce pe=0 task=2 ref=1 peer=0 code=2 value=200
25 Sample pe=1 ref=1 value=7 stream=1
30 Kind(99) pe=-1 task=18446744073709551615 value=-9223372036854775808
`

// small returns the bytes of a small trace and the trace.
func small(t testing.TB) ([]byte, *tracer.Memory) {
	m := tracer.NewMemory()
	must.Do(t, tracer.ReadText(strings.NewReader(smallTrace), m))
	var b bytes.Buffer
	copyOf(t, m, store.New(&b))
	return b.Bytes(), m
}

// readAll reads everything in the file.
func readAll(f *store.File) (perStream [][]tracer.Event, err error) {
	perStream = make([][]tracer.Event, len(f.Streams()))
	err = f.ScanStreams(tracer.AllKinds, func(s int, es []tracer.Event) error {
		perStream[s] = append(perStream[s], es...)
		return nil
	})
	f.Span()
	f.Counts()
	return perStream, err
}

func TestTruncationAtEveryByte(t *testing.T) {
	data, m := small(t)
	whole := must.Get(store.OpenBytes(data))(t)
	want := must.Get(readAll(whole))(t)
	if diff := tracertest.Diff(m, whole); diff != "" {
		t.Fatal(diff)
	}
	seen := map[int]bool{}
	for n := 1; n < len(data); n++ {
		f, err := store.OpenBytes(data[:n])
		if err != nil {
			t.Fatalf("cut at %d of %d: %v", n, len(data), err)
		}
		if !f.Missing().Unclosed || f.Missing().String() == "" {
			t.Fatalf("cut at %d of %d: nothing is missing", n, len(data))
		}
		got, err := readAll(f)
		if err != nil {
			t.Fatalf("cut at %d of %d: %v", n, len(data), err)
		}
		seen[checkStart(t, want, got)] = true
	}
	if !seen[0] || !seen[5] || len(seen) != 3 {
		t.Errorf("numbers of events read: %v, want 0, the events of one block, and 5", seen)
	}
	if _, err := store.OpenBytes(nil); err == nil {
		t.Error("an empty file opens without an error")
	}
}

// checkStart checks that each stream of got is a prefix of the stream of want.
func checkStart(t *testing.T, want, got [][]tracer.Event) (total int) {
	t.Helper()
	for s := range got {
		total += len(got[s])
		if len(got[s]) > len(want[s]) || !slices.Equal(got[s], want[s][:len(got[s])]) {
			t.Fatalf("stream %d is\n%+v\nnot a prefix of\n%+v", s, got[s], want[s])
		}
	}
	return total
}

func TestEveryBitFlipIsNoticed(t *testing.T) {
	data, m := small(t)
	whole := must.Get(store.OpenBytes(data))(t)
	want := must.Get(readAll(whole))(t)
	for i := range data {
		for bit := range 8 {
			bad := bytes.Clone(data)
			bad[i] ^= 1 << bit
			f, err := store.OpenBytes(bad)
			if err == nil {
				var got [][]tracer.Event
				if got, err = readAll(f); err == nil && f.Missing().Unclosed {
					checkStart(t, want, got)
					continue
				}
			}
			if err == nil {
				if diff := tracertest.Diff(m, f); diff != "" {
					t.Fatalf("bit %d of byte %d flipped: read without an error, but it differs:\n%s", bit, i, diff)
				}
				continue
			}
			var damage *store.DamageError
			var foreign *store.ForeignError
			if !errors.As(err, &damage) && !errors.As(err, &foreign) {
				t.Fatalf("bit %d of byte %d flipped: error %v lacks a block and an offset", bit, i, err)
			}
			if damage != nil && damage.Offset > int64(i) {
				t.Fatalf("bit %d of byte %d flipped: error %v is at a later offset", bit, i, err)
			}
		}
	}
}

// TestFlipsInALargerFile flips bits in every part of a file with a summary and many blocks. A scan of all events and Verify find each flip.
func TestFlipsInALargerFile(t *testing.T) {
	testenv.Sequential(t)
	var b bytes.Buffer
	w := store.New(&b)
	recordMany(w, store.FGHCLike(1<<14, 16, 1), 1<<16)
	must.Do(t, w.Close())
	data := b.Bytes()
	if !hasSummary(t, data) {
		t.Fatal("there is no summary")
	}
	noticed := func(err error, f *store.File) bool { return err != nil || f.Missing().Unclosed }
	for i := 0; i < len(data); i += 1 + len(data)/200 {
		data[i] ^= 1 << (i % 8)
		f, err := store.OpenBytes(data)
		if err == nil {
			if _, err := readAll(f); !noticed(err, f) {
				t.Errorf("bit %d of byte %d flipped: all events are read without an error", i%8, i)
			}
			if !noticed(f.Verify(), f) {
				t.Errorf("bit %d of byte %d flipped: verified", i%8, i)
			}
		}
		data[i] ^= 1 << (i % 8)
	}
	f, err := store.OpenBytes(data)
	if err == nil {
		err = f.Verify()
	}
	if _, all := readAll(f); err != nil || all != nil {
		t.Errorf("undamaged: %v, %v", err, all)
	}
}

// hasSummary reports whether the file has a summary block.
func hasSummary(t *testing.T, data []byte) bool {
	t.Helper()
	for at := 32; at < len(data); at += 16 + int(binary.LittleEndian.Uint32(data[at+8:])) {
		if data[at+4] == 4 {
			return true
		}
	}
	return false
}

// TestShortTracesHaveNoSummary checks that a short trace has no summary block, and that Summary returns the same without it.
func TestShortTracesHaveNoSummary(t *testing.T) {
	for _, n := range []int{1<<16 - 1, 1 << 16} {
		var b bytes.Buffer
		w := store.New(&b)
		recordMany(w, store.FGHCLike(1<<14, 16, 1), n)
		must.Do(t, w.Close())
		if got := hasSummary(t, b.Bytes()); got != (n == 1<<16) {
			t.Errorf("%d events: summary %v", n, got)
		}
		f := must.Get(store.OpenBytes(b.Bytes()))(t)
		sum, err := f.Summary()
		total := int64(0)
		for _, counts := range sum.Counts {
			for _, c := range counts {
				total += c
			}
		}
		if err != nil || total != int64(n) {
			t.Errorf("%d events: the summary counts %d, %v", n, total, err)
		}
	}
}

// TestACutTraceKeepsItsBeginning checks that even a short trace has several blocks.
func TestACutTraceKeepsItsBeginning(t *testing.T) {
	var b bytes.Buffer
	w := store.New(&b)
	recordMany(w, store.FGHCLike(1<<14, 16, 1), 3000)
	must.Do(t, w.Close())
	read := func(part float64) int {
		f := must.Get(store.OpenBytes(b.Bytes()[:int(float64(b.Len())*part)]))(t)
		es := must.Get(readAll(f))(t)
		return len(es[0])
	}
	for _, c := range []struct {
		part float64
		want int
	}{{0.25, 256}, {0.5, 256 + 512}, {0.75, 256 + 512 + 1024}, {1, 3000}} {
		if got := read(c.part); got != c.want {
			t.Errorf("%g of the bytes give %d events, want %d", c.part, got, c.want)
		}
	}
}

func TestDamageNamesBlockAndOffset(t *testing.T) {
	data, _ := small(t)
	at := bytes.LastIndex(data[:len(data)/2], []byte("wblk"))
	number := bytes.Count(data[:at], []byte("wblk"))
	bad := bytes.Clone(data)
	bad[at+20] ^= 1
	path := filepath.Join(t.TempDir(), "bad.whorl")
	must.Do(t, os.WriteFile(path, bad, 0o666))
	f, err := store.Open(path)
	if err == nil {
		_, err = readAll(f)
		f.Close()
	}
	var damage *store.DamageError
	if !errors.As(err, &damage) || damage.Block != number || damage.Offset != int64(at) || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("error %v, want the checksum of block %d at offset %d", err, number, at)
	}
}

// TestCutFile reads the sentence about a file without its last byte.
func TestCutFile(t *testing.T) {
	data, _ := small(t)
	path := filepath.Join(t.TempDir(), "cut.whorl")
	must.Do(t, os.WriteFile(path, data[:len(data)-1], 0o666))
	f := must.Get(store.Open(path))(t)
	defer f.Close()
	missing := f.Missing()
	want := fmt.Sprintf("the trace was not closed: its newest events are missing, because the end of the file was cut off or never written;"+
		" the last %d bytes of the file cannot be read; all earlier events can be used", missing.Bytes)
	if got := missing.String(); got != want || missing.Bytes == 0 {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestUnknownBlocksAreSkipped(t *testing.T) {
	data, m := small(t)
	// A block of type 200 after the header. The index no longer matches, so the reader walks the blocks.
	more := append(bytes.Clone(data[:32]), store.Frame(200, []byte("from the future"))...)
	f := must.Get(store.OpenBytes(append(more, data[32:]...)))(t)
	if diff := tracertest.Diff(m, f); diff != "" {
		t.Errorf("the trace differs:\n%s", diff)
	}
	if _, err := store.OpenBytes(append(more[:len(more):len(more)], append([]byte("junk"), data[32:]...)...)); err == nil {
		t.Error("junk between blocks is not detected")
	}
}

func TestForeignFiles(t *testing.T) {
	for _, c := range []struct{ name, head, want string }{
		{"text form", "whorl 1\nmeta\n", "a trace in text form"},
		{"gzip", "\x1f\x8b\x08\x00", "a gzip file, perhaps a pprof profile"},
		{"vista", "5\n1 2 3 4 5 6\n", `text that begins with "5"`},
		{"binary", "\x00\x01\x02\xff", `binary data that begins with "\x00\x01\x02\xff"`},
		{"empty", "", "an empty file"},
	} {
		path := filepath.Join(t.TempDir(), "x")
		must.Do(t, os.WriteFile(path, []byte(c.head), 0o666))
		_, err := store.Open(path)
		var foreign *store.ForeignError
		if !errors.As(err, &foreign) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), `expected a file that begins with "\x89WHORL\r\n"`) {
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		}
	}
	if _, err := store.Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	data, _ := small(f)
	f.Add(data)
	f.Add(data[:len(data)-40])
	f.Add(data[:40])
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, open := range []func([]byte) (*store.File, error){store.OpenBytes, store.SalvageBytes} {
			if file, err := open(data); err == nil {
				_, _ = readAll(file)
			}
		}
	})
}

// TestSalvage damages each block of a trace. Of events it loses those of that block alone, and says which block it was and how many they are.
func TestSalvage(t *testing.T) {
	var b bytes.Buffer
	w := store.New(&b)
	recordMany(w, store.FGHCLike(1<<14, 16, 1), 1<<16)
	must.Do(t, w.Close())
	whole := must.Get(store.OpenBytes(b.Bytes()))(t)
	want := must.Get(readAll(whole))(t)
	events := 0
	for number, at := 0, 32; at < b.Len(); number++ {
		bad := bytes.Clone(b.Bytes())
		size, kind := 16+int(binary.LittleEndian.Uint32(bad[at+8:])), bad[at+4]
		bad[at+16+size/2-8] ^= 1
		f := must.Get(store.SalvageBytes(bad))(t)
		got, err := readAll(f)
		if err == nil {
			err = f.Verify()
		}
		m := f.Missing()
		said := m.String()
		if err != nil || m.Blocks != 1 || !strings.HasPrefix(said, fmt.Sprintf("damaged file: block %d at offset %d: its checksum is ", number, at)) {
			t.Fatalf("block %d of type %d: %v, %s", number, kind, err, said)
		}
		switch kind {
		case 3:
			events++
			first, count := int(binary.LittleEndian.Uint64(bad[at+24:])), int(binary.LittleEndian.Uint32(bad[at+20:]))
			lost := fmt.Sprintf("this block is left out; %s or more are lost; all other events can be used", figures.Counted(int64(count), "event"))
			rest := slices.Concat(want[0][:first], want[0][first+count:])
			if !slices.Equal(got[0], rest) || !strings.HasSuffix(said, lost) {
				t.Fatalf("block %d: %d events of %d without %d; %s", number, len(got[0]), len(want[0]), count, said)
			}
		case 1, 2:
			if checkStart(t, want, got); !strings.Contains(said, "of the file cannot be read") {
				t.Errorf("block %d of type %d: %s", number, kind, said)
			}
		default:
			if !slices.Equal(got[0], want[0]) {
				t.Errorf("block %d of type %d: %d events of %d", number, kind, len(got[0]), len(want[0]))
			}
		}
		at += size
	}
	if events < 10 {
		t.Errorf("%d blocks of events were damaged", events)
	}
}

// TestSalvageAnything salvages a trace with each bit flipped: it opens unless the header is wrong, and every event that it has is one of the trace.
func TestSalvageAnything(t *testing.T) {
	data, _ := small(t)
	want := must.Get(readAll(must.Get(store.OpenBytes(data))(t)))(t)
	for i := 32; i < len(data); i++ {
		for bit := range 8 {
			bad := bytes.Clone(data)
			bad[i] ^= 1 << bit
			f, err := store.SalvageBytes(bad)
			if err != nil {
				t.Fatalf("bit %d of byte %d flipped: %v", bit, i, err)
			}
			got, err := readAll(f)
			if err != nil {
				t.Fatalf("bit %d of byte %d flipped: %v", bit, i, err)
			}
			for s := range got {
				for _, e := range got[s] {
					if !slices.Contains(want[s], e) {
						t.Fatalf("bit %d of byte %d flipped: stream %d has %+v", bit, i, s, e)
					}
				}
			}
			if f.Missing().String() == "" {
				t.Fatalf("bit %d of byte %d flipped: nothing is missing", bit, i)
			}
		}
	}
}
