package firefox

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

// TestSamply reads a profile of samply, whose threads have samples of weights 60 and 22, and 11,339 and 8 µs of processor time.
func TestSamply(t *testing.T) {
	for _, name := range []string{"testdata/samply.json", "testdata/shared.json"} {
		m := must.Get(read(file(t, name)))(t)
		const samples = "82 samples\n60 60 __ulock_wait\n22 22 __semwait_signal\n0 60 _pthread_join\n0 60 main\n"
		if got := profiletest.Functions(t, m, "samples", 4); got != samples {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, samples)
		}
		if got := profiletest.Functions(t, m, "cpu", 1); got != "11347000 ns\n11339000 11339000 __ulock_wait\n" {
			t.Errorf("%s: %s", name, got)
		}
		text := profiletest.Text(t, m)
		for _, part := range []string{
			"pe 0 process=\"a.out 56127\" thread=\"a.out 6274156\"\npe 1 process=\"a.out 56127\" thread=\"Thread <6274162> 6274162\"\n",
			`recorded" value="2024-09-15T20:51:35.88028`, `name="main" file="` + map[bool]string{true: `src/main.cc" line=7`, false: `/usr/helloworld/a.out"`}[name == "testdata/shared.json"],
			"\n240520375 Sample pe=0 ref=4 code=1 value=1 # samples\n240520375 Sample pe=0 ref=4 code=2 value=11273000 # cpu\n",
			"\n299779500 Sample pe=0 ref=4 code=1 value=12 # samples\n", `instruction" name="3ec3"`,
		} {
			if !strings.Contains(text, part) {
				t.Errorf("%s: no %q in\n%s", name, part, text)
			}
		}
	}
}

// TestOld reads a profile of version 1: 7 samples in each of three threads, of (root) in 1, 0x100000f84 in 2, 0x100001a45 in 2, Startup::XRE_Main in 1 and
// frobnicate in 1. The names that are addresses are left to the file of the program.
func TestOld(t *testing.T) {
	m := must.Get(read(file(t, "../../../testdata/profiles/processed-1.firefox.json")))(t)
	const want = `21 samples
8 12 [firefox]
4 6 [firefox-webcontent]
3 21 (root)
3 3 Startup::XRE_Main
3 3 frobnicate (chrome://blargh:34)
`
	if got := profiletest.Functions(t, m, "samples", 9); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	meta := m.Meta()
	if meta.Missing() != "21 markers" {
		t.Error(meta.Missing())
	}
}

const small = `{"meta":{"interval":1,"preprocessedProfileVersion":40},"threads":[{"name":"main","stringArray":["f","g"],"stackTable":{"frame":[0,1],"prefix":[null,0]},
"frameTable":{"func":[0,1]},"funcTable":{"name":[0,1]},"samples":{"stack":[0,1,null],"time":[1,2,3],"weight":[0.5,2.25,3],"weightType":"tracing-ms"},
"nativeAllocations":{"stack":[1],"time":[1.5],"weight":[-64]}}]}`

func TestWeights(t *testing.T) {
	m := must.Get(read(small))(t)
	if got := profiletest.Functions(t, m, "time", 9); got != "2750000 ns\n2250000 2250000 g\n500000 2750000 f\n" {
		t.Error(got)
	}
	if got := profiletest.Functions(t, m, "native allocations", 1); !strings.HasPrefix(got, "-64 bytes\n") {
		t.Error(got)
	}
}

func TestDamaged(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"prefix":[null,0]`, `"prefix":[1,0]`, "1 circle of stacks"},
		{`"stack":[0,1,null]`, `"stack":[0,1,7]`, "1 sample of unknown stacks"},
		{`"func":[0,1]`, `"func":[0]`, "1 frame missing from the table"},
		{`"time":[1,2,3]`, `"time":[1,0.5,3]`, "1 sample out of order"},
		{`"time":[1,2,3]`, `"time":[1,null,3]`, "1 time of samples"},
		{`"weight":[-64]}}]}`, `"we`, "the rest of rank0.json from byte 348 on: the file is cut"},
	} {
		text := strings.Replace(small, c.old, c.new, 1)
		m, err := read(text)
		meta := m.Meta()
		if err != nil || !strings.HasPrefix(meta.Missing(), c.want) {
			t.Errorf("%s: %v, missing %q", c.new, err, meta.Missing())
		}
	}
	for _, c := range []struct{ text, want string }{
		{`{"meta":{}}`, "rank0.json: not a profile of the Firefox Profiler: no member threads"},
		{`{"threads":[{"name":"x","samples":{"stack":[1]}}]}`, `rank0.json: thread 1 ("x"): no stacks and no strings; profiler.firefox.com saves profiles of this format`},
		{"{\"threads\":\n[{\"name\":3}]}", "rank0.json: line 2, column 10: threads.name is a number"},
	} {
		if _, err := read(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	profiletest.Fuzz(f, Read, Detect, small)
}
