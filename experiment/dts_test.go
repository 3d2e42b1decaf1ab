package experiment

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/report"
	"whorl/tracer/store"
)

// TestThreadsLive runs programs of threads on real cores and checks the metadata of their traces.
func TestThreadsLive(t *testing.T) {
	for _, name := range []string{"dts/fibonacci", "dts/rsa", "dts/nqueens", "dts/stencil"} {
		r := Defaults(name)
		r.Args, r.Mode = small[name], Live
		result, trace := run(t, r)
		if result.Outcome != tracer.Done || result.Answer == "" {
			t.Errorf("%s: %v, %q", name, result.Err, result.Answer)
		}
		s := must.Get(report.Summarise(trace))(t)
		if *s.Program != name || *s.Substrate != "dts" || *s.Mode != "live" || *s.Outcome != "done" || s.PEs != 4 || len(s.Args) == 0 || s.Args[0] != small[name][0] {
			t.Errorf("%s: the trace is of %s %v, %s, %s on %d PEs: %s", name, *s.Program, s.Args, *s.Substrate, *s.Mode, s.PEs, *s.Outcome)
		}
	}
}

// TestThreadsWrong checks that a run with a wrong answer and its trace have the outcome failed.
func TestThreadsWrong(t *testing.T) {
	for _, mode := range []Mode{Sim, Live} {
		r := Defaults("dts/nqueens")
		r.Mode = mode
		p := must.Get(r.Resolve())(t)
		p.verify = func(answer string) error { return errors.New("not " + answer) }
		trace := tracer.NewMemory()
		result, err := p.Run(context.Background(), trace, nil)
		if err != nil || result.Outcome != tracer.Failed || result.Err == nil || result.Err.Error() != "not 92" {
			t.Errorf("%s: %v, %+v", mode, err, result)
		}
		s, err := report.Summarise(trace)
		if err != nil || *s.Outcome != "failed" {
			t.Errorf("%s: %v, the trace says %s", mode, err, *s.Outcome)
		}
	}
}

// TestThreadsSimulated compares elapsed times on machines of different speeds and on several PEs.
func TestThreadsSimulated(t *testing.T) {
	elapsed := func(machine string, pes int) int64 {
		r := Defaults("dts/rsa")
		r.Args, r.Machine, r.PEs = small["dts/rsa"], machine, pes
		result, _ := run(t, r)
		if result.Outcome != tracer.Done {
			t.Fatal(result.Err)
		}
		return result.Machine.Elapsed
	}
	// A thread of 128 bits sends a few words for each 500 instructions. The machine of 1990 is 500 times slower than that of today.
	if slow, fast := elapsed("symmetry", 1), elapsed("modern", 1); slow < 400*fast || slow > 600*fast {
		t.Errorf("%d ns on symmetry, %d on modern", slow, fast)
	}
	if one, three := elapsed("symmetry", 1), elapsed("symmetry", 3); one < 2*three || one > 3*three {
		t.Errorf("%d ns on 1 PE, %d on 3", one, three)
	}
}

// TestThreadsBad checks the errors for wrong arguments of a benchmark of threads.
func TestThreadsBad(t *testing.T) {
	for _, c := range []struct {
		change func(r *Run)
		want   string
	}{
		{func(r *Run) { r.Goal = "fib(3, X)" }, "dts/fibonacci is a program of threads, which has sizes and no goal"},
		{func(r *Run) { r.Args = []string{"29"} }, "size n of dts/fibonacci is a whole number from 0 to 28"},
		{func(r *Run) { r.Args = []string{"3", "4"} }, "is one too many"},
	} {
		r := Defaults("dts/fibonacci")
		c.change(&r)
		if _, err := r.Resolve(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestThreadsLimited ends runs of threads by limits and by an interrupt, and checks the outcome in the trace.
func TestThreadsLimited(t *testing.T) {
	for _, mode := range []Mode{Sim, Live} {
		for _, c := range []struct {
			name   string
			args   []string
			limits Limits
			cancel bool
			want   tracer.Outcome
		}{
			{"dts/fibonacci", []string{"25"}, Limits{Reductions: 1000}, false, tracer.Limited},
			{"dts/rsa", []string{"1000", "2048"}, Limits{Time: 30 * time.Millisecond}, false, tracer.Limited},
			{"dts/rsa", []string{"1000", "2048"}, Limits{}, true, tracer.Interrupted},
		} {
			r := Defaults(c.name)
			r.Args, r.Mode, r.Limits = c.args, mode, c.limits
			p := must.Get(r.Resolve())(t)
			ctx, cancel := context.WithCancel(context.Background())
			if c.cancel {
				time.AfterFunc(30*time.Millisecond, cancel)
			}
			trace := store.NewGrowing()
			rec := store.New(trace)
			result, err := p.Run(ctx, rec, nil)
			cancel()
			if err = errors.Join(err, rec.Close()); err != nil {
				t.Fatal(err)
			}
			if result.Outcome != c.want {
				t.Errorf("%s, %s, %+v: %v: %v", c.name, mode, c.limits, result.Outcome, result.Err)
			}
			if mode == Live {
				if exits := trace.Counts()[tracer.Exit]; exits == 0 {
					t.Errorf("%s, %+v: the trace has no end", c.name, c.limits)
				} else if s, err := report.Summarise(trace); err != nil || *s.Outcome != c.want.String() {
					t.Errorf("%s, %+v: the trace says %v, %v", c.name, c.limits, s, err)
				}
			}
		}
	}
}
