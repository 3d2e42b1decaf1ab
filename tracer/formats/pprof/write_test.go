package pprof

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	library "github.com/google/pprof/profile"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
)

func written(t rapid.TB, src tracer.Source) []byte {
	var b bytes.Buffer
	must.Do(t, Write(&b, src))
	return b.Bytes()
}

// TestRoundTrip checks that the sums of each processor, metric and path of lines stay as they are, the default metric first.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := profiletest.Random(t)
		data := written(t, m)
		p := must.Get(library.ParseData(data))(t)
		must.Do(t, p.CheckValid())
		o := profile.Options{}
		if m.Meta().PEs > 1 {
			o.Processor = "processor"
		}
		again := must.Get(read(o, data))(t)
		s := must.Get(profile.Sum(m, profile.LineOf))(t)
		unique := s.Unique()
		name := func(pe int32) string {
			if m.Meta().PEs == 1 {
				return "one"
			}
			return unique[pe]
		}
		renamed := func(pe int32) string {
			if m.Meta().PEs == 1 {
				return "one"
			}
			return again.Meta().PEInfo[pe].Thread
		}
		want, got := profiletest.Contexts(t, m, name, true), profiletest.Contexts(t, again, renamed, true)
		if !maps.Equal(got, want) {
			t.Fatalf("%v\nwant %v", got, want)
		}
		if again.Meta().Program != "heat" || p.DefaultSampleType != "cpu" || p.SampleType[0].Unit != "microseconds" || p.DurationNanos != s.Last {
			t.Errorf("%q, %+v", again.Meta().Program, p)
		}
		if !bytes.Equal(written(t, m), data) {
			t.Error("written twice, the files differ")
		}
	})
}

// TestLabels checks the labels of the samples of several processors.
func TestLabels(t *testing.T) {
	m := must.Get(read(profile.Options{Processor: "worker"}, packedProfile(t, small())))(t)
	p := must.Get(library.ParseData(written(t, m)))(t)
	got := map[string]bool{}
	for _, s := range p.Sample {
		got[strings.Join([]string{s.Label["process"][0], s.Label["thread"][0], s.Label["processor"][0]}, "|")] = true
	}
	want := map[string]bool{"rank0|9|rank0 9": true, "rank0|10|rank0 10": true, "rank0|no worker|rank0 no worker": true}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if p.TimeNanos != small().TimeNanos || len(p.Comments) != 1 || p.Comments[0] != "made by hand" {
		t.Errorf("time %d, comments %q", p.TimeNanos, p.Comments)
	}
}

// TestOwnLabels checks that a written profile has the labels of the samples that were read: texts, numbers with and without units, and several values
// of a key.
func TestOwnLabels(t *testing.T) {
	p := small()
	p.Sample[0].Label = map[string][]string{"worker": {"10"}, "path": {"/b", "/a"}, "thread": {"its own"}}
	p.Sample[2].NumLabel = map[string][]int64{"size": {4096, 0}, "bytes": {-7}}
	p.Sample[2].NumUnit = map[string][]string{"size": {"kilobytes", "kilobytes"}}
	labels := func(p *library.Profile) string {
		var all []string
		for _, s := range p.Sample {
			numbers := fmt.Sprint(s.NumLabel, s.NumUnit)
			delete(s.Label, "process")
			delete(s.Label, "processor")
			all = append(all, fmt.Sprint(s.Value, s.Label, strings.ReplaceAll(numbers, " bytes:[]", "")))
		}
		slices.Sort(all)
		return strings.Join(all, "\n")
	}
	again := must.Get(library.ParseData(packedProfile(t, p)))(t)
	m := must.Get(read(profile.Options{}, packedProfile(t, p)))(t)
	got := must.Get(library.ParseData(written(t, m)))(t)
	for _, s := range again.Sample { // the default value comes first
		s.Value[0], s.Value[1] = s.Value[1], s.Value[0]
	}
	if labels(got) != labels(again) {
		t.Errorf("got\n%s\nwant\n%s", labels(got), labels(again))
	}
	m = must.Get(read(profile.Options{}, packedProfile(t, p), packedProfile(t, p)))(t)
	s := must.Get(library.ParseData(written(t, m)))(t).Sample
	if k := slices.IndexFunc(s, func(s *library.Sample) bool { return s.Label["path"] != nil }); s[k].Label["thread"][0] != "its own" || s[k].Label["process"][0] != "rank0" {
		t.Errorf("%v", s[k].Label)
	}
}

// TestUnits checks that multiples of other units become whole values of the unit.
func TestUnits(t *testing.T) {
	m := tracer.NewMemory()
	w := profile.NewWriter(m, profile.Options{})
	stream := m.Stream(tracer.StreamInfo{})
	_ = must.Get(w.Processor(tracer.PE{}))(t)
	at := w.Call(0, w.Frames(profile.Place{Lines: []profile.Line{{Function: "main"}}}))
	w.Sample(stream, 0, 0, at, w.Scaled("Time", "ns", 10), 7)
	w.Sample(stream, 0, 0, at, w.Scaled("weight", "kg", 1e-6), 2_600_000)
	w.Sample(stream, 0, 0, at, w.Scaled("huge", "ns", 1e9), 1<<62)
	w.Finish()
	must.Do(t, m.Close())
	p := must.Get(library.ParseData(written(t, m)))(t)
	if s := p.Sample[0].Value; s[0] != 70 || s[1] != 3 || s[2] != 1<<62 || p.SampleType[0].Unit != "nanoseconds" || p.SampleType[1].Unit != "kg" || p.SampleType[2].Unit != "seconds" {
		t.Errorf("%v %v", s, p.SampleType)
	}
}

// TestNoSamples checks the error for a trace without samples.
func TestNoSamples(t *testing.T) {
	m := tracer.NewMemory()
	must.Do(t, m.Close())
	if err := Write(&bytes.Buffer{}, m); err == nil || !strings.Contains(err.Error(), "no samples") {
		t.Error(err)
	}
}

// TestWrittenForPprof checks that go tool pprof prints a written profile as it prints the file that the profile came from.
func TestWrittenForPprof(t *testing.T) {
	if _, err := osexec.LookPath("go"); err != nil {
		t.Skip("the go command is not installed")
	}
	const from = "../../../testdata/profiles/go.pb.gz"
	m := must.Get(read(profile.Options{}, must.Get(os.ReadFile(from))(t)))(t)
	to := filepath.Join(t.TempDir(), "written.pb.gz")
	must.Do(t, os.WriteFile(to, written(t, m), 0o600))
	if got, want := top(t, to), top(t, from); got != want || !strings.Contains(want, "100%") {
		t.Errorf("go tool pprof prints\n%s\nwant\n%s", got, want)
	}
}

// top returns the table of go tool pprof -top by line, without remarks on inlining, which traces do not have.
func top(t *testing.T, path string) string {
	t.Helper()
	cmd := osexec.Command("go", "tool", "pprof", "-top", "-lines", "-nodefraction=0", "-nodecount=100000", path)
	cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir(), "PPROF_BINARY_PATH="+t.TempDir())
	out := string(must.Get(cmd.Output())(t))
	_, table, _ := strings.Cut(out, "Showing nodes")
	return strings.NewReplacer(" (inline)", "", " (partial-inline)", "").Replace(table)
}
