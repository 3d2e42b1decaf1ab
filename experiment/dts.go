package experiment

import (
	"context"
	"errors"

	"whorl/benchmarks"
	"whorl/benchmarks/threads"
	"whorl/dts"
	"whorl/sim/policy"
	"whorl/tracer"
)

// A dtsProgram is a benchmark of threads with its sizes.
type dtsProgram struct {
	benchmark benchmarks.DTS
	sizes     []int64
}

func (d *dtsProgram) refuse(r *Run) error {
	if r.Slice > 0 {
		return errors.New("goals of FGHC take turns, threads do not: " + r.Program + " runs without --slice")
	}
	if _, err := policy.Unordered(r.Policy); err != nil {
		return err
	}
	return r.checkHPF()
}

// begin prepares the run. It starts with the first advance.
func (d *dtsProgram) begin(p *Prepared, rec tracer.Recorder) (c course, failed, err error) {
	r := p.Description
	env := &threads.Env{Funcs: &dts.Registry{}}
	mode := dts.Live
	if r.Mode != Live {
		mode, env.InstructionPs = dts.Sim, p.config.Model.InstructionPs
	}
	t := &threadRun{pes: r.PEs, done: make(chan struct{})}
	program := threads.Make(d.benchmark.File, env)
	if program.Prepare != nil {
		program.Prepare(d.sizes)
	}
	t.run = func(ctx context.Context) (string, error) { return program.Main.Run(ctx, t.options, d.sizes) }
	t.options = dts.Options{
		PEs: r.PEs, Policy: r.Policy, Mode: mode, Machine: r.Machine, Network: r.Network, Seed: r.Seed, Speeds: p.config.Speeds,
		Limits:   dts.Limits{Threads: r.Limits.Reductions},
		Recorder: rec, Watched: p.Watched, Program: r.Program, Args: r.Args,
		Sources: []tracer.SourceFile{{Name: d.benchmark.File, Text: d.benchmark.Text()}},
		Funcs:   env.Funcs, Stats: &t.numbers,
	}
	if mode == dts.Sim || rec != nil { // forks are faster without
		t.options.Control = &dts.Control{}
	}
	if p.verify != nil {
		t.options.Check = func(answer any) error { return p.verify(answer.(string)) }
	}
	return t, nil, nil
}
