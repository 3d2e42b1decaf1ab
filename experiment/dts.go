package experiment

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"whorl/benchmarks"
	"whorl/benchmarks/threads"
	"whorl/dts"
	"whorl/sim"
	"whorl/tracer"
)

// A dtsProgram is a benchmark of threads, with its sizes.
type dtsProgram struct {
	benchmark benchmarks.DTS
	sizes     []int64
}

// begin gets the run ready. It goes on by itself with the first advance.
func (d *dtsProgram) begin(p *Prepared, rec tracer.Recorder) (c course, booted, err error) {
	r := p.Description
	if r.Slice > 0 {
		return nil, nil, &InputError{"goals of FGHC take turns, threads do not: " + r.Program + " runs without --slice"}
	}
	env := &threads.Env{Funcs: &dts.Registry{}}
	mode := dts.Live
	if r.Mode != Live {
		mode, env.InstructionPs = dts.Sim, p.config.Model.InstructionPs
	}
	t := &threadRun{pes: r.PEs, done: make(chan struct{})}
	program := d.benchmark.Make(env)
	if program.Prepare != nil {
		program.Prepare(d.sizes)
	}
	t.run = func(ctx context.Context) (string, error) { return program.Main.Run(ctx, t.options, d.sizes) }
	t.options = dts.Options{
		PEs: r.PEs, Policy: r.Policy, Mode: mode, Machine: r.Machine, Network: r.Network, Seed: r.Seed,
		Limits:   dts.Limits{Threads: r.Limits.Reductions},
		Recorder: rec, Program: r.Program, Args: r.Args,
		Sources: []tracer.SourceFile{{Name: d.benchmark.File, Text: d.benchmark.Text()}},
		Funcs:   env.Funcs, Stats: &t.numbers,
	}
	if p.verify != nil {
		t.options.Check = func(answer any) error { return p.verify(answer.(string)) }
	}
	return t, nil, nil
}

// A threadRun is a run of threads. Package dts carries it out as a whole: it can be cut short, but not stand still.
type threadRun struct {
	run     func(context.Context) (answer string, err error)
	options dts.Options
	pes     int

	began  atomic.Int64 // when, in ns; 0 before
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when it is over; what follows is not touched before
	result string
	err    error
	// numbers are filled in at the end.
	numbers dts.Stats
}

func (t *threadRun) advance(ctx context.Context, _ uint64) (more bool, err error) {
	if t.cancel == nil {
		var own context.Context
		own, t.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
		t.began.Store(time.Now().UnixNano())
		go func() {
			defer close(t.done)
			t.result, t.err = t.run(own)
		}()
	}
	slice := time.NewTimer(liveSlice)
	defer slice.Stop()
	select {
	case <-t.done:
		return false, t.why()
	case <-ctx.Done():
		return true, ctx.Err()
	case <-slice.C:
		return true, nil
	}
}

// why is why the run failed or met a limit, nil for neither.
func (t *threadRun) why() error {
	var limit *dts.LimitError
	switch {
	case errors.As(t.err, &limit):
		return &limitError{limit}
	}
	return t.err
}

func (t *threadRun) over() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

func (t *threadRun) pausable() bool { return false }

func (t *threadRun) progress() Progress {
	switch at := t.began.Load(); {
	case at == 0:
		return Progress{}
	case t.over():
		return Progress{Virtual: int64(t.numbers.Elapsed)}
	case t.options.Mode == dts.Live:
		return Progress{Virtual: time.Now().UnixNano() - at}
	}
	return Progress{}
}

func (t *threadRun) answer() string {
	if t.over() {
		return t.result
	}
	return ""
}

func (t *threadRun) snapshot() *Snapshot { return &Snapshot{TotalPEs: t.pes} }

// exit ends the run before its time and waits until its threads have seen it.
func (t *threadRun) exit(o Outcome) {
	if t.cancel == nil {
		return
	}
	why := context.Canceled
	if o == Limited {
		why = &dts.LimitError{Text: o.String()}
	}
	t.cancel(why)
	<-t.done
}

func (t *threadRun) close() (status uint8, exited bool, err error) {
	if t.cancel != nil {
		t.cancel(nil)
	}
	return 0, false, nil
}

func (t *threadRun) stats() sim.Stats {
	if !t.over() {
		return sim.Stats{PEs: t.pes}
	}
	return sim.Stats{PEs: t.pes, Steals: uint64(t.numbers.Steals), Elapsed: int64(t.numbers.Elapsed)}
}
