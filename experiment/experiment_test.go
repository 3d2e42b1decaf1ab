package experiment

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/report"
	"whorl/tracer/testdata/tracertest"
)

// run makes a run and returns its result and its trace.
func run(t *testing.T, r Run) (*Result, *tracer.Memory) {
	t.Helper()
	p := must.Get(r.Resolve())(t)
	return carryOut(t, context.Background(), p)
}

func carryOut(t *testing.T, ctx context.Context, p *Prepared) (*Result, *tracer.Memory) {
	t.Helper()
	trace := tracer.NewMemory()
	result := must.Get(p.Run(ctx, trace, nil))(t)
	must.Do(t, trace.Close())
	return result, trace
}

func TestPascal(t *testing.T) {
	r := Defaults("pascal")
	r.PEs = 5
	result, trace := run(t, r)
	if result.Outcome != tracer.Done || !strings.HasPrefix(result.Answer, "X = [[1,0],[35,0],[595,0],") {
		t.Errorf("%v %v: %.60s", result.Outcome, result.Err, result.Answer)
	}
	s := must.Get(report.Summarise(trace))(t)
	if s.Reductions != 2235 || *s.Height != 56 || *s.ActivePEs != 5 || *s.Outcome != "done" {
		t.Errorf("%d reductions, height %d, %d active PEs, %s", s.Reductions, *s.Height, *s.ActivePEs, *s.Outcome)
	}
	if s.SpanNs == nil || *s.SpanNs > s.ElapsedNs || s.WorkNs == nil || s.ElapsedNs >= *s.WorkNs {
		t.Fatalf("span %d, elapsed %d, work %v: the schedule lies between the two", *s.SpanNs, s.ElapsedNs, s.WorkNs)
	}
	if diff := result.Machine.Busy - *s.WorkNs; diff != 0 {
		t.Errorf("the machine was busy %d ns longer than the trace says", diff)
	}
}

// TestDescription encodes a description and decodes it again; both give the same trace.
func TestDescription(t *testing.T) {
	r := Run{
		Program: "fghc/queens", Args: []string{"4"}, PEs: 7, Policy: "steal", Machine: "cluster", Network: "hypercube", Seed: 9,
		Limits: Limits{Time: time.Hour, Reductions: 1 << 40, Memory: 1 << 50},
	}
	text := must.Get(json.Marshal(r))(t)
	var back Run
	must.Do(t, json.Unmarshal(text, &back))
	if d := cmp.Diff(r, back); d != "" {
		t.Fatal(d)
	}
	_, a := run(t, r)
	_, b := run(t, back)
	if d := cmp.Diff(tracertest.Text(t, a), tracertest.Text(t, b)); d != "" {
		t.Error(d)
	}
	back.Seed++
	if _, c := run(t, back); tracertest.Text(t, a) == tracertest.Text(t, c) {
		t.Error("another seed gives the same trace")
	}
}

// TestAgain makes a prepared run twice.
func TestAgain(t *testing.T) {
	p := must.Get(Defaults("qsort").Resolve())(t)
	_, a := carryOut(t, context.Background(), p)
	_, b := carryOut(t, context.Background(), p)
	if d := cmp.Diff(tracertest.Text(t, a), tracertest.Text(t, b)); d != "" {
		t.Error(d)
	}
}

const endless = "spin(N) :- true | N1 := N + 1, spin(N1).\nbind(X) :- true | X = 3, spin(0).\n"

// source writes a program to a file and returns its path.
func source(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.fghc")
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func TestLimits(t *testing.T) {
	for _, reductions := range []int64{1, 2, 1000, 123_457} {
		r := Defaults(source(t, endless))
		r.Goal, r.Limits.Reductions = "bind(X)", reductions
		result, trace := run(t, r)
		s := must.Get(report.Summarise(trace))(t)
		if result.Outcome != tracer.Limited || result.Err == nil || s.Reductions != reductions || *s.Outcome != "limited" {
			t.Errorf("limit %d: %v, %v, %d reductions, %s", reductions, result.Outcome, result.Err, s.Reductions, *s.Outcome)
		}
		if result.Answer != "X = 3" {
			t.Errorf("limit %d: the answer so far is %q", reductions, result.Answer)
		}
	}
	r := Defaults("pascal")
	r.Limits.Reductions = 1 << 40
	if result, _ := run(t, r); result.Outcome != tracer.Done {
		t.Errorf("a limit that is not met: %v, %v", result.Outcome, result.Err)
	}
}

func TestInterrupt(t *testing.T) {
	r := Defaults(source(t, endless))
	r.Goal = "spin(0)"
	p := must.Get(r.Resolve())(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	trace := tracer.NewMemory()
	result := must.Get(p.Run(ctx, trace, func(at Progress) {
		if at.Reductions > 50_000 {
			cancel()
		}
	}))(t)
	s := must.Get(report.Summarise(trace))(t)
	if result.Outcome != tracer.Interrupted || s.Reductions <= 50_000 || *s.Outcome != "interrupted" {
		t.Errorf("%v after %d reductions, %s", result.Outcome, s.Reductions, *s.Outcome)
	}
}

// TestWrongAnswer gives a benchmark another program. The run and its trace must have the outcome failed.
func TestWrongAnswer(t *testing.T) {
	p := must.Get(Defaults("fghc/nrev").Resolve())(t)
	right := p.verify
	p.verify = func(answer string) error { return right(strings.Replace(answer, "X = [", "X = [0,", 1)) }
	result, trace := carryOut(t, context.Background(), p)
	if result.Outcome != tracer.Failed || result.Err == nil {
		t.Errorf("%v, %v", result.Outcome, result.Err)
	}
	if s, err := report.Summarise(trace); err != nil || s.Outcome == nil || *s.Outcome != "failed" {
		t.Errorf("the trace: %v, %v", s, err)
	}
}

// TestResolveErrors checks the errors of invalid descriptions.
func TestResolveErrors(t *testing.T) {
	for _, c := range []struct {
		want string
		run  Run
	}{
		{"a run needs a program", Run{}},
		{"2,000,000 PEs: a machine has 1 to 1,048,576", Run{Program: "pascal", PEs: 2_000_000}},
		{"a limit is a positive number", Run{Program: "pascal", PEs: 1, Limits: Limits{Time: -1}}},
		{`unknown policy "fair"`, Run{Program: "pascal", PEs: 1, Policy: "fair", Machine: "symmetry"}},
		{"policy on-demand:home=binder: home=binder is for shared memory, as on the network bus; the network fattree has none", Run{Program: "pascal", PEs: 2, Policy: "on-demand:home=binder", Machine: "cluster"}},
		{"policy on-demand:home=binder: body, resume and home are options of simulated runs of FGHC", Run{Program: "pascal", PEs: 2, Mode: Live, Policy: "on-demand:home=binder", Machine: "symmetry"}},
		{"threads and live runs have only ask", Run{Program: "dts/pascal", PEs: 2, Policy: "on-demand:resume=last", Machine: "symmetry"}},
		{"sizes or a goal, not both", Run{Program: "pascal", PEs: 1, Policy: "steal", Machine: "symmetry", Goal: "go(3,X)", Args: []string{"3"}}},
		{`p.fghc: no such file`, Run{Program: "nowhere/p.fghc", PEs: 1, Policy: "steal", Machine: "symmetry"}},
		{"nowhere/m.toml: no such file", Run{Program: "pascal", PEs: 1, Policy: "steal", Machine: "nowhere/m.toml"}},
		{`unknown benchmark "dts/pascals"`, Run{Program: "dts/pascals", PEs: 1, Policy: "steal", Machine: "symmetry"}},
		{`unknown benchmark "dtss/pascals"`, Run{Program: "dtss/pascals", PEs: 1, Policy: "steal", Machine: "symmetry"}},
		{"pascal.whorl: no such file", Run{Program: "pascal.whorl", PEs: 1, Policy: "steal", Machine: "symmetry"}},
		{"nowhere/pascal: no such file", Run{Program: "nowhere/pascal", PEs: 1, Policy: "steal", Machine: "symmetry"}},
	} {
		_, err := c.run.Resolve()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.run, err, c.want)
		}
	}
}

// Each listed option of a policy is a policy of runs, and has a line about it.
func TestPolicyOptions(t *testing.T) {
	options := PolicyOptions()
	for _, it := range options {
		r := Defaults("fghc/pascal")
		r.Policy = it.Name
		if _, err := r.Resolve(); err != nil || it.Doc == "" {
			t.Errorf("%s (%s): %v", it.Name, it.Doc, err)
		}
	}
	if len(options) != 6 {
		t.Errorf("%d options, want 6", len(options))
	}
}

// Each listed option of a machine has the value of the machine, and is part of its name in the trace.
func TestMachineOptions(t *testing.T) {
	plain := must.Get(Defaults("fghc/pascal").Resolve())(t).config
	options := MachineOptions()
	for _, it := range options {
		r := Defaults("fghc/pascal")
		r.Machine = it.Name
		p, err := r.Resolve()
		if err != nil || it.Doc == "" || p.config.Model != plain.Model || p.config.Meta().Machine != it.Name {
			t.Errorf("%s (%s): %v", it.Name, it.Doc, err)
		}
	}
	if len(options) != 9 {
		t.Errorf("%d options, want 9", len(options))
	}
}
