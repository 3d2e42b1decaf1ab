package experiment

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/open"
)

// A program of processes, written as a schedule, takes the same time as the replay of its trace where messages take no time.
func TestScheduleOfTrace(t *testing.T) {
	testenv.Sequential(t)
	const free = ":overhead=0ns:latency=0ns:gap=0ns:byte=0ns"
	for _, c := range []struct{ name, machine string }{
		{"stencil.otf2", "loggopsim"},
		{"transpose.otf2", "loggopsim"},
		{"workers.otf2", "loggopsim"},
		{"ring.otf2", "loggopsim"},
		{"hybrid.otf2", "loggopsim"},
		{"hpf/jacobi", "symmetry"},
	} {
		var src tracer.Source
		if strings.HasPrefix(c.name, "hpf/") {
			_, src = run(t, Defaults(c.name))
		} else {
			trace := must.Get(open.File(filepath.Join("../testdata/mpi", c.name)))(t)
			defer trace.Close()
			src = trace
		}
		d := must.Get(ReadRecorded(src, RecordedOptions{}))(t)
		path := filepath.Join(t.TempDir(), "x.goal")
		f := must.Get(os.Create(path))(t)
		must.Do(t, d.WriteGOAL(f))
		must.Do(t, f.Close())
		format := FindSchedule(path)
		if format == nil {
			t.Fatalf("%s: the schedule is not known as one", c.name)
		}
		again := must.Get(format.Read(path, ScheduleOptions{}))(t)
		took := map[bool]int64{}
		for _, x := range []*Recorded{d, again} {
			r := Run{Program: c.name, PEs: x.PEs, Policy: x.Policy(), Machine: c.machine + free, Network: "all", Seed: 1, Recorded: x}
			result, _ := run(t, r)
			took[x == d] = result.Machine.Elapsed
		}
		if took[true] != took[false] || took[true] == 0 {
			t.Errorf("%s: the trace takes %d ns, its schedule %d ns", c.name, took[true], took[false])
		}
	}
	_, src := run(t, Defaults("dts/fibonacci"))
	if err := must.Get(ReadRecorded(src, RecordedOptions{}))(t).WriteGOAL(nil); err == nil || !strings.Contains(err.Error(), "a schedule is for processes") {
		t.Errorf("threads: error %v", err)
	}
}

// The files of the ranks of an execution trace are found by one of them or by their folder.
func TestRankFiles(t *testing.T) {
	for _, c := range []struct {
		files, path string
		want        string // their names, or the error
	}{
		{"a.0.et a.1.et b.txt", "", "a.0.et a.1.et"},
		{"a.0.et a.1.et b.0.et", "a.1.et", "a.0.et a.1.et"},
		{"a.0.et a.1.et b.0.et", "", "found a.0.et and b.0.et, expected the files of one program: name one of them"},
		{"a.0.et a.2.et", "", "found 2 files, and none of rank 1"},
		{"a.0.et a.-1.et", "", "a.0.et"},
		{"a.-1.et", "a.-1.et", "found no file of a rank, expected PREFIX.RANK.et"},
		{"a.et", "", "found no file of a rank"},
		{"a.et", "a.et", "a.et"},
	} {
		folder := filepath.Join(t.TempDir(), "[1]*")
		must.Do(t, os.Mkdir(folder, 0o777))
		for _, name := range strings.Fields(c.files) {
			must.Do(t, os.WriteFile(filepath.Join(folder, name), []byte("\x07\x0a\x050.0.4\x02\x08\x01"), 0o666))
		}
		path := filepath.Join(folder, c.path)
		if f := FindSchedule(path); f == nil || f.Name != "an execution trace of Chakra" {
			t.Errorf("%s: found %+v", path, f)
		}
		names, err := rankFiles(path)
		for i := range names {
			names[i] = filepath.Base(names[i])
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%s of %s: %s, want %s", c.path, c.files, got, c.want)
		}
	}
}

// goalProgram returns the program of a schedule in GOAL.
func goalProgram(t *testing.T, text string) *Recorded {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.goal")
	must.Do(t, os.WriteFile(path, []byte(text), 0o666))
	return must.Get(FindSchedule(path).Read(path, ScheduleOptions{}))(t)
}

// A file places processes on PEs, also as many as a machine has.
func TestMapFile(t *testing.T) {
	testenv.Sequential(t)
	const ranks = 20_000
	var text, pes strings.Builder
	fmt.Fprintf(&text, "num_ranks %d\n", ranks)
	for i := range ranks {
		fmt.Fprintf(&text, "rank %d {\ncalc 1000\n}\n", i)
		fmt.Fprintf(&pes, "%d\n", i/2)
	}
	d := goalProgram(t, text.String())
	r := d.Run("x.goal")
	for _, c := range []struct{ pes, want string }{
		{pes.String(), ""},
		{"0 1", "found 2 PEs, expected a PE for each of 20,000 processes"},
		{"0 x", `process 1 has PE "x": expected a number from 0 to 19999`},
		{"20000", `process 0 has PE "20000": expected a number from 0 to 19999`},
		{"-1", `process 0 has PE "-1"`},
	} {
		r.Map = filepath.Join(t.TempDir(), "map")
		must.Do(t, os.WriteFile(r.Map, []byte(c.pes), 0o666))
		took, _, err := r.replayed(t.Context())
		if c.want == "" && (err != nil || took != 2000) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%.20q: %d ns, %v, want %q", c.pes, took, err, c.want)
		}
	}
	r.Map = "fuond"
	if _, _, err := r.replayed(t.Context()); err == nil || !strings.Contains(err.Error(), `--map "fuond": expected block, cyclic, found, or a file`) {
		t.Errorf("error %v", err)
	}
}
