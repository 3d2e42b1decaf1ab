package experiment

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/open"
)

// A program of processes, written as a schedule, takes the same time as the replay of its trace: of MPI where messages take no time, of HPF on every
// machine.
func TestScheduleOfTrace(t *testing.T) {
	testenv.Sequential(t)
	free := "loggopsim:overhead=0ns:latency=0ns:gap=0ns:byte=0ns"
	for _, c := range []struct {
		name     string
		machines []string
	}{
		{"stencil.otf2", []string{free}},
		{"transpose.otf2", []string{free}},
		{"workers.otf2", []string{free}},
		{"ring.otf2", []string{free}},
		{"hybrid.otf2", []string{free}},
		{"hpf/jacobi", []string{"symmetry", "cluster", "cenju3"}},
	} {
		var src tracer.Source
		if strings.HasPrefix(c.name, "hpf/") {
			_, src = run(t, Defaults(c.name))
		} else {
			trace := must.Get(open.File(filepath.Join("../testdata/mpi", c.name)))(t)
			defer trace.Close()
			src = trace
		}
		d := must.Get(ReadRecorded(src))(t)
		path := filepath.Join(t.TempDir(), "x.goal")
		f := must.Get(os.Create(path))(t)
		must.Do(t, d.WriteGOAL(f))
		must.Do(t, f.Close())
		format := FindSchedule(path)
		if format == nil {
			t.Fatalf("%s: the schedule is not known as one", c.name)
		}
		again := must.Get(format.Read(path, ScheduleOptions{}))(t)
		for _, machine := range c.machines {
			took := map[bool]int64{}
			for _, x := range []*Recorded{d, again} {
				r := Run{Program: c.name, PEs: x.PEs, Policy: x.Policy(), Machine: machine, Network: "all", Seed: 1, Recorded: x}
				result, _ := run(t, r)
				took[x == d] = result.Machine.Elapsed
			}
			if took[true] != took[false] || took[true] == 0 {
				t.Errorf("%s on %s: the trace takes %d ns, its schedule %d ns", c.name, machine, took[true], took[false])
			}
		}
	}
	_, src := run(t, Defaults("dts/fibonacci"))
	if err := must.Get(ReadRecorded(src))(t).WriteGOAL(nil); err == nil || !strings.Contains(err.Error(), "a schedule is for processes") {
		t.Errorf("threads: error %v", err)
	}
}
