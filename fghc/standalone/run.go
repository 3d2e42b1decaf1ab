package standalone

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"

	"whorl/fghc/check"
	"whorl/fghc/compile"
	"whorl/fghc/emulator"
	"whorl/fghc/report"
	"whorl/fghc/syntax"
	"whorl/fghc/system"
	"whorl/fghc/world"
	"whorl/internal/figures"
	"whorl/internal/memory"
	"whorl/sim"
	"whorl/sim/policy"
	"whorl/tracer"
	"whorl/tracer/store"
)

// A run is a run of a built program.
type run struct {
	*options
	name    string
	args    []string
	files   check.Files
	prog    *compile.Program
	query   *compile.Query
	native  *emulator.Native
	config  sim.Config
	world   *world.World
	machine *emulator.Machine
}

// run executes the program and prints its answer.
func (p *Program) run(ctx context.Context, o *options, stdin io.Reader, stdout, stderr io.Writer) error {
	r := &run{options: o, name: p.Name, args: p.Args, native: p.Native}
	if err := r.configure(); err != nil {
		return err
	}
	if err := r.compile(p); err != nil {
		return err
	}
	r.world = &world.World{
		Args: o.args, Stdin: stdin, Stdout: stdout, Stderr: stderr, Files: true, System: system.Sockets{AnyHost: o.anyHost}, Started: time.Now(),
	}
	r.world.Functions = p.Functions
	r.world.Now = func() time.Duration { return r.machine.Now() }
	var rec *store.Writer
	if o.trace != "" {
		var err error
		if rec, err = store.Create(o.trace); err != nil {
			return &statusError{exitFailed, fmt.Errorf("cannot write %s: %w", o.trace, err)}
		}
	}
	outcome, err := r.execute(ctx, rec)
	if written := r.world.Close(); err == nil && written != nil {
		outcome, err = tracer.Failed, written
	}
	if r.machine != nil {
		for _, b := range r.machine.Answer() {
			if b.Value != b.Name {
				if _, written := fmt.Fprintf(stdout, "%s = %s\n", b.Name, b.Value); err == nil && written != nil {
					outcome, err = tracer.Failed, written
				}
			}
		}
	}
	if rec != nil {
		if closed := rec.Close(); closed != nil && err == nil {
			outcome, err = tracer.Failed, fmt.Errorf("cannot write %s: %w", o.trace, closed)
		}
	}
	if o.stats && r.machine != nil {
		if written := r.printStats(stdout); err == nil && written != nil {
			outcome, err = tracer.Failed, written
		}
	}
	return r.exitError(outcome, err)
}

// configure sets up the machine that the flags describe.
func (r *run) configure() error {
	pol, err := policy.Unordered(r.policy)
	if err != nil {
		return err
	}
	net, err := sim.NetworkNamed("bus", r.pes)
	if err != nil {
		return err
	}
	r.config = sim.Config{PEs: r.pes, Policy: pol, PolicyName: r.policy, Network: net, Seed: r.seed}
	return nil
}

// compile compiles the query and the bytecode, to which native functions fall back. The build has checked the files.
func (r *run) compile(p *Program) error {
	files, errs := check.Read(p.Sources)
	if errs.Failed() {
		return goalError{errs}
	}
	if r.goal == "" {
		r.goal = p.Goal
	}
	r.files = files.WithLibrary(r.goal)
	goals, errs := r.files.Query("goal", r.goal)
	if errs.Failed() {
		return goalError{errs}
	}
	if r.prog, errs = compile.Compile(r.files...); errs.Failed() {
		return goalError{errs}
	}
	if r.query, errs = r.prog.Query(goals); errs.Failed() {
		return goalError{errs.Locate(r.goal)}
	}
	r.prog.Files = append(r.prog.Files[:len(r.prog.Files):len(r.prog.Files)], &syntax.File{Name: "goal", Source: r.goal})
	if r.native.Fingerprint != emulator.Fingerprint(r.prog.Code[:r.query.Entry]) {
		r.native = nil // the query needs further library modules, so that the code differs from the compiled one
	}
	return nil
}

// execute runs the program and returns its outcome.
func (r *run) execute(ctx context.Context, rec *store.Writer) (tracer.Outcome, error) {
	o := emulator.Options{
		PEs: r.pes, Policy: r.config.Policy, Network: r.config.Network, Seed: r.seed, Native: r.native, World: r.world,
		MaxWords: int(r.memory / 8 * 15 / 16), // the machine itself needs the rest
		Lost:     report.LostWarner(r.prog, r.world.Warn),
	}
	if rec != nil {
		o.Recorder = rec
	}
	m, err := emulator.New(r.prog, r.query, o)
	if err != nil {
		return tracer.Failed, &statusError{exitUsage, err}
	}
	r.machine = m
	if rec != nil {
		meta := r.meta()
		rec.SetMeta(meta)
		defer func() {
			if e, ok := m.CostError(); ok {
				meta.SetCostError(e)
				rec.SetMeta(meta)
			}
		}()
	}
	const slice = 20 * time.Millisecond // between checks of the limits
	for more := m.Start() == nil; more; {
		stop := context.AfterFunc(ctx, r.world.Interrupt)
		more = m.Advance(ctx, r.reductions-m.Reductions(), slice)
		stop()
		r.world.Flush()
		if !more {
			break
		}
		if ctx.Err() != nil {
			return r.stop(tracer.Interrupted, errors.New("interrupted"))
		}
		if err := r.exceeded(); err != nil {
			return r.stop(tracer.Limited, err)
		}
	}
	err = m.Err()
	var full *emulator.MemoryError
	switch status, exited := r.world.Exited(); {
	case exited && status == 0, err == nil:
		return tracer.Done, nil
	case errors.As(err, &full) && r.memory > 0:
		return tracer.Limited, errors.New(figures.OutOfMemory(r.memory))
	case full != nil:
		return tracer.Limited, err
	case exited:
		return tracer.Failed, &statusError{int(status), err}
	}
	return tracer.Failed, err
}

func (r *run) stop(o tracer.Outcome, why error) (tracer.Outcome, error) {
	r.machine.Stop(o, why)
	return o, why
}

// exceeded returns an error if a limit has been reached.
func (r *run) exceeded() error {
	switch n := r.machine.Reductions(); {
	case n >= r.reductions:
		return fmt.Errorf("stopped after %s reductions", figures.Count(n))
	case r.time > 0 && r.machine.Now() >= r.time:
		return fmt.Errorf("stopped after %s", r.time)
	case memory.Exceeds(r.memory):
		return errors.New(figures.OutOfMemory(r.memory))
	}
	return nil
}

// exitError returns the error of an outcome with its exit status, or nil for success.
func (r *run) exitError(o tracer.Outcome, err error) error {
	if o == tracer.Done {
		return nil
	}
	var own *statusError
	if errors.As(err, &own) {
		return err
	}
	status := [...]int{tracer.Failed: exitFailed, tracer.Limited: exitLimit, tracer.Interrupted: exitInterrupted}[o]
	if r.trace != "" && o != tracer.Failed {
		err = fmt.Errorf("%w; the trace until then is in %s", err, r.trace)
	}
	return &statusError{status, err}
}

// meta returns the description of the run in the trace.
func (r *run) meta() tracer.Meta {
	m := r.config.Meta()
	m.Mode, m.Clock = "live", tracer.Monotonic
	m.Program, m.Args, m.Substrate, m.Goal = r.name, r.args, "fghc", r.goal
	for _, f := range r.files {
		m.Source = append(m.Source, tracer.SourceFile{Name: f.Name, Text: f.Source})
	}
	return m
}

// printStats prints the statistics of the run. whorl stats prints those that need a trace.
func (r *run) printStats(w io.Writer) error {
	s := r.machine.Stats()
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) { fmt.Fprintf(t, name+"\t"+format+"\n", args...) }
	row("program", "%s", r.name)
	row("goal", "%s", r.goal)
	row("policy", "%s, seed %d", r.policy, r.seed)
	row("PEs", "%s", figures.Count(int64(r.pes)))
	row("reductions", "%s", figures.Count(s.Reductions))
	row("suspensions", "%s", figures.Count(s.Suspensions))
	row("steals", "%s", figures.Count(s.Steals))
	row("collections", "%s", figures.Count(s.Collections))
	row("elapsed", "%s", figures.Duration(int64(s.Elapsed)))
	if s.Elapsed > 0 {
		row("reductions/s", "%s", figures.Count(int64(math.Round(float64(s.Reductions)/s.Elapsed.Seconds()))))
	}
	return t.Flush()
}
