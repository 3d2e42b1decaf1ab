package stackprof

import (
	"os"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
)

func read(texts ...string) (*tracer.Memory, error) {
	return profiletest.Read(Read, "rank%d.json", profile.Options{}, texts...)
}

func file(t *testing.T, name string) string { return string(must.Get(os.ReadFile(name))(t)) }

// TestGraph reads a profile without stacks. Its members samples and total_samples tell the samples of its functions, and 489 of all.
func TestGraph(t *testing.T) {
	m := must.Get(read(file(t, "../../../testdata/profiles/simple-cpu.stackprof.json")))(t)
	const want = `489 samples
331 331 Object#d
79 79 Object#e
71 71 (sweeping)
8 8 (marking)
`
	if got := profiletest.Functions(t, m, "samples", 4); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	all := profiletest.Functions(t, m, "samples", 99)
	for _, part := range []string{"\n0 410 <main>\n", "\n0 410 Object#a\n", "\n0 177 Object#c\n", "\n0 154 Object#b\n", "\n0 79 (garbage collection)\n"} {
		if !strings.Contains(all, part) {
			t.Errorf("no %q in %s", part, all)
		}
	}
	if got := profiletest.Functions(t, m, "time", 0); got != "489000000 ns\n" {
		t.Error(got)
	}
}

// TestRaw reads the first 27 samples of the same run as stacks: of d 11 below b and 9 below c, 5 of e, and 2 of the garbage collector.
func TestRaw(t *testing.T) {
	m := must.Get(read(file(t, "testdata/raw.json")))(t)
	const want = `27 samples
20 20 Object#d
5 5 Object#e
2 2 (sweeping)
0 25 <main>
0 25 Object#a
0 25 block in <main>
0 11 Object#b
0 9 Object#c
`
	if got := profiletest.Functions(t, m, "samples", 8); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestTimes checks lines and times of stacks, and allocations.
func TestTimes(t *testing.T) {
	m := must.Get(read(`{"mode":"object","interval":10,"gc_samples":0,"missed_samples":2,"frames":{"1":{"name":"f","file":"a.rb","line":3},"2":{"name":"g","file":"<cfunc>"}},
		"raw":[1,1,2,2,1,2,1,1,9,1],"raw_lines":[1,4,2,2,5,0,1,1,0,1],"raw_timestamp_deltas":[7,8,9,1]}`))(t)
	got := strings.ReplaceAll(profiletest.Text(t, m), " stream=0", "")
	for _, part := range []string{
		`missing" value="2 samples that stackprof missed; 1 frame missing from the table"`, `name="f" file="a.rb" line=3`, "file=\"a.rb\" line=4", `name="g"` + "\n",
		"\n0 Sample pe=0 ref=1 code=1 value=2 # samples\n0 Sample pe=0 ref=1 code=2 value=20 # objects\n15000 Sample pe=0 ref=3 code=1 value=1 # samples\n",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, got)
		}
	}
}

// dump is {version: 1.2, mode: :cpu, interval: 1000, gc_samples: 0, frames: {4294967296 => {name: "f", file: "a.rb", line: nil, samples: 3, lines: {7 => [3, 3]}}}}
// as Marshal.dump writes it.
const dump = "\x04\x08{\x0a:\x0cversionf\x081.2:\x09mode:\x08cpu:\x0dintervali\x02\xe8\x03:\x0fgc_samplesi\x00:\x0bframes{\x06l+\x08\x00\x00\x00\x00\x01\x00" +
	"{\x0a:\x09nameI\"\x06f\x06:\x06ET:\x09fileI\"\x09a.rb\x06;\x0bT:\x09line0:\x0csamplesi\x08:\x0alines{\x06i\x0c[\x07i\x08i\x08"

func TestRuby(t *testing.T) {
	if !Detect([]byte(dump)) {
		t.Error("not detected")
	}
	m := must.Get(read(dump))(t)
	if got := profiletest.Functions(t, m, "samples", 9); got != "3 samples\n3 3 f\n" {
		t.Error(got)
	}
	if text := profiletest.Text(t, m); !strings.Contains(text, `file="a.rb" line=7`) {
		t.Error(text)
	}
	for _, c := range []struct{ text, want string }{
		{dump[:50], "rank0.json: the file is cut"},
		{"\x04\x08o:", "rank0.json: offset 2: a value of type 'o'; expected numbers, strings, arrays and hashes"},
		{"\x04\x08;\x07", "rank0.json: offset 2: an unknown symbol"},
		{"\x04\x08" + strings.Repeat("[\x06", 99), "rank0.json: offset 132: more than 64 values within each other"},
		{"\x04\x08{\x00", "rank0.json: not a profile of stackprof: no frames"},
	} {
		if _, err := read(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	profiletest.Fuzz(f, Read, Detect, dump, `{"mode":"cpu","interval":1000,"frames":{"1":{"name":"f","samples":3,"edges":{"2":1},"lines":{"3":[1,1]}},"2":{}}}`,
		`{"mode":"wall","frames":{"1":{}},"raw":[1,1,2,2,1,2,1],"raw_lines":[1,4,2,2,5,0,1],"raw_sample_timestamps":[7,8,9]}`)
}
