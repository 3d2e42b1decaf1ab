package pprof

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	library "github.com/google/pprof/profile"
	"pgregory.net/rapid"

	"whorl/internal/protobuf"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/gzipped"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
	"whorl/tracer/testdata/tracertest"
)

func read(o profile.Options, files ...[]byte) (*tracer.Memory, error) {
	m := tracer.NewMemory()
	var all []File
	for i, b := range files {
		all = append(all, File{Name: fmt.Sprintf("rank%d", i), R: bytes.NewReader(b)})
	}
	err := Read(all, m, o)
	_ = m.Close()
	return m, err
}

// small returns a profile of two functions, one inlined into the other, with two value types and labels.
func small() *library.Profile {
	main := &library.Mapping{ID: 1, Start: 0x400000, Limit: 0x500000, File: "/bin/heat"}
	lib := &library.Mapping{ID: 2, Start: 0x7f0000001000, Limit: 0x7f0000009000, Offset: 0x1000, File: "/lib/libm.so"}
	sweep := &library.Function{ID: 1, Name: "sweep", Filename: "heat.c", StartLine: 10}
	add := &library.Function{ID: 2, Name: "add", Filename: "heat.c", StartLine: 3}
	at := &library.Location{ID: 1, Mapping: main, Address: 0x401020, Line: []library.Line{{Function: add, Line: 4}, {Function: sweep, Line: 12, Column: 7}}}
	caller := &library.Location{ID: 2, Mapping: main, Address: 0x401100, Line: []library.Line{{Function: sweep, Line: 15}}}
	sqrt := &library.Location{ID: 3, Mapping: lib, Address: 0x7f0000001010}
	return &library.Profile{
		SampleType: []*library.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "microseconds"}},
		Mapping:    []*library.Mapping{main, lib}, Function: []*library.Function{sweep, add}, Location: []*library.Location{at, caller, sqrt},
		Sample: []*library.Sample{
			{Location: []*library.Location{at, caller}, Value: []int64{3, 30}, Label: map[string][]string{"worker": {"10"}}},
			{Location: []*library.Location{sqrt, caller}, Value: []int64{2, 0}, NumLabel: map[string][]int64{"worker": {9}}},
			{Location: []*library.Location{caller}, Value: []int64{-1, 10}},
		},
		DurationNanos: 5_000, TimeNanos: 1_700_000_000_000_000_000, Comments: []string{"made by hand"},
	}
}

func packedProfile(t testing.TB, p *library.Profile) []byte {
	var b bytes.Buffer
	must.Do(t, p.Write(&b))
	return b.Bytes()
}

func plain(t testing.TB, p *library.Profile) []byte {
	var b bytes.Buffer
	must.Do(t, p.WriteUncompressed(&b))
	return b.Bytes()
}

func TestRead(t *testing.T) {
	const want = `whorl 1
meta program="heat" substrate="pprof" clock="aligned" pes=1
extra key="comment" value="made by hand"
extra key="recorded" value="2023-11-14T22:13:20Z"
extra key="label" value="worker"
pe 0 process="rank0"
stream 0 name="rank0"
code 1 type="metric" name="cpu" unit="ns" scale=1000
code 2 type="metric" name="samples" unit="count" scale=1
code 3 type="function" name="sweep" file="heat.c" line=10
code 4 type="line" file="heat.c" line=12 column=7 parent=3
code 5 type="function" name="add" file="heat.c" line=3
code 6 type="line" file="heat.c" line=4 parent=5
code 7 type="instruction" name="401020" parent=6
code 8 type="line" file="heat.c" line=15 parent=3
code 9 type="instruction" name="401100" parent=8
code 10 type="function" name="[libm.so]" file="/lib/libm.so"
code 11 type="instruction" name="1010" parent=10
code 12 type="label" name="worker"
code 13 type="label" name="worker:10" parent=12
code 14 type="label" name="worker:9" parent=12 scale=1
context 1 code=13
context 2 code=9
context 3 parent=2 code=4
context 4 parent=3 code=7
context 5 code=14
context 6 parent=2 code=11
0 Init pe=0
5000 Sample pe=0 ref=4 peer=1 code=1 value=30 # cpu
5000 Sample pe=0 ref=2 code=1 value=10 # cpu
5000 Sample pe=0 ref=4 peer=1 code=2 value=3 # samples
5000 Sample pe=0 ref=6 peer=5 code=2 value=2 # samples
5000 Sample pe=0 ref=2 code=2 value=-1 # samples
`
	for _, data := range [][]byte{packedProfile(t, small()), plain(t, small())} {
		if !Detect(data) {
			t.Error("Detect does not recognise the profile")
		}
		m := must.Get(read(profile.Options{}, data))(t)
		if got := profiletest.Text(t, m); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
}

// TestShownFirst checks that the value that a profile names to be shown is the first metric; without a name it is the last value.
func TestShownFirst(t *testing.T) {
	for _, c := range []struct{ named, want string }{{"", "cpu"}, {"samples", "samples"}, {"cpu", "cpu"}, {"other", "cpu"}} {
		p := small()
		p.DefaultSampleType = c.named
		m := must.Get(read(profile.Options{}, packedProfile(t, p)))(t)
		first := tracertest.Events(t, m, tracer.Kinds(tracer.Sample))[0]
		if got := m.Dict().Code(first.Code).Name; got != c.want || m.Dict().Code(1).Name != c.want {
			t.Errorf("%q: %s comes first, want %s", c.named, got, c.want)
		}
	}
}

// TestLabel checks that the values of a label become processors in natural order, with one processor for samples without the label, for two
// processes.
func TestLabel(t *testing.T) {
	data := packedProfile(t, small())
	m, err := read(profile.Options{Processor: "worker"}, data, data)
	if err != nil {
		t.Fatal(err)
	}
	got := profiletest.Text(t, m)
	for _, want := range []string{
		`pe 0 process="rank0" thread="no worker"`, `pe 1 process="rank0" thread="9"`, `pe 2 process="rank0" thread="10"`, `pe 5 process="rank1" thread="10"`,
		"5000 Sample pe=2 ref=4 peer=1 code=2 value=3", "5000 Sample pe=1 ref=6 peer=5 code=2 value=2", "5000 Sample pe=5 ref=4 peer=1 code=2 value=3 stream=1",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
	if _, err = read(profile.Options{Processor: "workers"}, data); err == nil || !strings.Contains(err.Error(), "unknown label \"workers\"; did you mean worker?") {
		t.Errorf("with an unknown label: %v", err)
	}
}

// TestBroken checks that damaged profiles are read as far as possible and that the lost data is counted.
func TestBroken(t *testing.T) {
	whole := small()
	for _, c := range []struct {
		name    string
		change  func(p *library.Profile, b []byte) []byte
		missing string // part of it
		samples int64  // the sum of the metric samples
	}{
		{"nothing", func(_ *library.Profile, b []byte) []byte { return b }, "", 4},
		{"no mapping", func(p *library.Profile, _ []byte) []byte { return without(t, p, 3) }, "5 frames whose module is missing", 4},
		{"no functions", func(p *library.Profile, _ []byte) []byte { return without(t, p, 5) }, "4 frames whose function is missing", 4},
		{"no locations", func(p *library.Profile, _ []byte) []byte { return without(t, p, 4) }, "5 frames whose location is missing", 4},
		{"no strings", func(p *library.Profile, _ []byte) []byte { return without(t, p, 6) }, "names missing from the string table", 4},
		{"no kinds", func(p *library.Profile, _ []byte) []byte { return without(t, p, 1) }, "3 samples with the wrong number of values", 0},
		{"twice", func(p *library.Profile, b []byte) []byte { return append(b, plain(t, p)...) }, "7 ids missing or duplicate", 8},
		{"no stack", func(p *library.Profile, _ []byte) []byte {
			p.Sample[0].Location = nil
			return plain(t, p)
		}, "1 sample without a stack", 4},
		{"cut", func(_ *library.Profile, b []byte) []byte { return b[:len(b)-3] }, "rank0 is truncated or damaged", 4},
	} {
		p := whole.Copy()
		m, err := read(profile.Options{}, c.change(p, plain(t, p)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		missing := ""
		for _, kv := range m.Meta().Extra {
			if kv.Key == "missing" {
				missing = kv.Value
			}
		}
		sum := int64(0)
		_ = m.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
			for i := range es {
				if es[i].Code == 2 {
					sum += es[i].Value
				}
			}
			return nil
		})
		if !strings.Contains(missing, c.missing) || c.missing == "" && missing != "" || sum != c.samples {
			t.Errorf("%s: missing %q with %d samples, want %q with %d", c.name, missing, sum, c.missing, c.samples)
		}
	}
}

// without returns a profile without the fields of a number.
func without(t testing.TB, p *library.Profile, number int) []byte {
	var out []byte
	m := protobuf.Message{Rest: plain(t, p)}
	for rest := m.Rest; m.Next(); rest = m.Rest {
		if m.Number != number {
			out = append(out, rest[:len(rest)-len(m.Rest)]...)
		}
	}
	return out
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		want string
		data []byte
	}{
		{"rank0: the file is empty", nil},
		{"damaged gzip header", []byte("\x1f\x8b\x08\xff")},
		{"not a profile", []byte("hello, world\n")},
		{"more than 64 value types", bytes.Repeat([]byte{0x0a, 0}, 65)},
	} {
		if _, err := read(profile.Options{}, c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// TestTooLong checks the bound on the unpacked size of a file.
func TestTooLong(t *testing.T) {
	zeros := make([]byte, 3<<20)
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	must.Get(z.Write(zeros))(t)
	must.Do(t, z.Close())
	var u unpacker
	if _, _, err := u.unpack(bytes.NewReader(bomb.Bytes()), 2<<20); !errors.Is(err, profile.ErrTooLong) || !strings.Contains(err.Error(), "2 MiB") {
		t.Error(err)
	}
	if got, cut, err := u.unpack(bytes.NewReader(bomb.Bytes()), 3<<20); err != nil || cut || !bytes.Equal(got, zeros) {
		t.Errorf("%d bytes within the bound: %v", len(got), err)
	}
}

// TestTotals compares the totals of each function and leaf with the library, for any profile that the library writes.
func TestTotals(t *testing.T) {
	for _, name := range []string{"../../../testdata/profiles/go.pb.gz", "../../../testdata/profiles/gobench.cpu"} {
		data := must.Get(os.ReadFile(name))(t)
		if !Detect(data[:min(len(data), 4096)]) {
			t.Errorf("%s is not recognised", name)
		}
		p := must.Get(library.ParseData(data))(t)
		same(t, p, data)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := drawn(t)
		var b bytes.Buffer
		must.Do(t, p.Write(&b))
		same(t, p, b.Bytes())
	})
}

func same(t rapid.TB, p *library.Profile, data []byte) {
	want := map[string]int64{}
	for _, s := range p.Sample {
		name := "[unknown]"
		if len(s.Location) > 0 {
			l := s.Location[0]
			switch {
			case len(l.Line) > 0:
				name = l.Line[0].Function.Name
			case l.Mapping != nil && l.Mapping.File != "":
				name = "[" + strings.Trim(l.Mapping.File[strings.LastIndexByte(l.Mapping.File, '/')+1:], "[]") + "]"
			}
		}
		for i, v := range s.Value {
			want[fmt.Sprint(p.SampleType[i].Type, " ", name, " ", len(s.Location))] += v
		}
	}
	m := must.Get(read(profile.Options{}, data))(t)
	got := map[string]int64{}
	codes, contexts := m.Dict().Codes(), m.Dict().Contexts()
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Sample)) {
		leaf := contexts[e.Ref].Code
		for codes[leaf].Parent != 0 {
			leaf = codes[leaf].Parent
		}
		depth := 0
		for c := uint32(e.Ref); c != 0; c = contexts[c].Parent {
			if i := codes[contexts[c].Code]; i.Type == tracer.Instruction { // one instruction for each place
				depth++
			}
		}
		got[fmt.Sprint(codes[e.Code].Name, " ", codes[leaf].Name, " ", depth)] += e.Value
	}
	for key, v := range want {
		if got[key] != v {
			t.Errorf("%s: %d, want %d", key, got[key], v)
		}
		delete(got, key)
	}
	if len(got) > 0 {
		t.Errorf("there is more: %v", got)
	}
}

// drawn draws a profile that the library can write.
func drawn(t *rapid.T) *library.Profile {
	p := &library.Profile{SampleType: []*library.ValueType{{Type: "samples", Unit: "count"}, {Type: "space", Unit: "bytes"}}}
	m := &library.Mapping{ID: 1, Start: 0x1000, Limit: 1 << 40, File: "/bin/a"}
	p.Mapping = []*library.Mapping{m}
	for i := range rapid.IntRange(1, 5).Draw(t, "functions") {
		p.Function = append(p.Function, &library.Function{ID: uint64(i + 1), Name: fmt.Sprint("f", i), Filename: "a.c"})
	}
	for i := range rapid.IntRange(1, 8).Draw(t, "places") {
		l := &library.Location{ID: uint64(i + 1), Mapping: m, Address: uint64(0x2000 + i)}
		for range rapid.IntRange(0, 3).Draw(t, "inlined") {
			l.Line = append(l.Line, library.Line{Function: rapid.SampledFrom(p.Function).Draw(t, "function"), Line: rapid.Int64Range(0, 9).Draw(t, "line")})
		}
		p.Location = append(p.Location, l)
	}
	for range rapid.IntRange(0, 12).Draw(t, "samples") {
		s := &library.Sample{Value: []int64{rapid.Int64Range(-3, 9).Draw(t, "n"), rapid.Int64Range(1, 9).Draw(t, "bytes")}}
		for range rapid.IntRange(1, 5).Draw(t, "depth") {
			s.Location = append(s.Location, rapid.SampledFrom(p.Location).Draw(t, "place"))
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

func FuzzRead(f *testing.F) {
	f.Add(plain(f, small()))
	f.Add(packedProfile(f, small()))
	f.Add(without(f, small(), 4))
	if old, err := os.ReadFile("../../../testdata/profiles/gobench.cpu"); err == nil {
		f.Add(old[:400])
	}
	f.Add([]byte("heap profile: 1: 2 [3: 4] @ heap/512\n1: 2 [3: 4] @ 0x1 0x2\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		Detect(data)
		for _, o := range []profile.Options{{}, {Processor: "worker"}} {
			m, err := read(o, data)
			if err != nil {
				continue
			}
			if n := m.Counts()[tracer.Sample]; n > int64(len(data)) && !old(data) && !gzipped.Is(data) {
				t.Errorf("%d samples of %d bytes", n, len(data))
			}
		}
	})
}

// TestProgramOf checks which module names a profile.
func TestProgramOf(t *testing.T) {
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{nil, ""},
		{[]string{"/bin/heat", "/lib/libc.so.6"}, "heat"},
		{[]string{"[vdso]", "/lib/libc.so.6", "/bin/heat"}, "heat"},
		{[]string{"[vdso]", "/lib/libc.so.6", ""}, "libc.so.6"},
		{[]string{"[kernel.kallsyms]", "[heap]"}, ""},
	} {
		var modules []profile.Module
		for _, p := range c.paths {
			modules = append(modules, profile.Module{Path: p})
		}
		if got := programOf(modules); got != c.want {
			t.Errorf("%q: %q, want %q", c.paths, got, c.want)
		}
	}
}

// TestJava reads a CPU profile of Java in the older form, which has 7 samples of 10 ms, as the file java.cpu.string beside it in pprof's sources tells, and
// one in words of 32 bits, in either order.
func TestJava(t *testing.T) {
	java := must.Get(os.ReadFile("testdata/java.cpu"))(t)
	if !Detect(java) {
		t.Error("java.cpu is not detected")
	}
	m := must.Get(profiletest.Read(Read, "rank%d.cpu", profile.Options{}, string(java)))(t)
	if got := profiletest.Functions(t, m, "cpu", 1); got != "70000000 ns\n20000000 20000000 VM\n" {
		t.Error(got)
	}
	whole := must.Get(os.ReadFile("../../../testdata/profiles/gobench.cpu"))(t)
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		var short []byte
		for at := 0; at+8 <= len(whole); at += 8 {
			short = order.AppendUint32(short, uint32(binary.LittleEndian.Uint64(whole[at:])))
		}
		if !Detect(short) {
			t.Errorf("%v is not detected", order)
		}
		m := must.Get(profiletest.Read(Read, "rank%d.cpu", profile.Options{}, string(short)))(t)
		if got := profiletest.Functions(t, m, "samples", 0); got != "305 count\n" {
			t.Errorf("%v: %s", order, got)
		}
	}
}
