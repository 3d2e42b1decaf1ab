package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/report"
	"whorl/tracer/store"
)

// A Grid describes runs to compare: one program on one machine, under each policy on each number of PEs with each seed.
type Grid struct {
	Base     Run // its PEs and its policy are not used; its seed is the first
	PEs      []int
	Policies []string
	Seeds    int    // their number, which counts up from the seed of Base; 0 is 1
	Note     string // a further note on all runs for the table
}

// maxRuns is the largest number of runs in a comparison.
const maxRuns = 4096

// A job is one run of a grid.
type job struct {
	prepared *Prepared
	run      *report.Run
	trace    *store.Growing
}

// Compare executes all runs of a grid: simulated runs on all processors, live runs one at a time. It calls watch, which may be nil, at the end of
// each run. For speedups it also runs the program on 1 PE under each policy. The policies do not touch a program in HPF: it runs once on each number
// of PEs. keep, which may be nil, gets the trace of each cell's first seed, in the order of the cells. The result does not depend on how many runs
// execute at a time. The error is for a grid that cannot be run; the cell of a run has the outcome and the error of that run.
func Compare(ctx context.Context, g Grid, keep *[]*store.Growing, watch func(over, all int)) (*report.Comparison, error) {
	out, jobs, err := g.prepare()
	if err != nil {
		return nil, err
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	if g.Base.Mode == Live { // a live run needs the cores for itself
		group.SetLimit(1)
	}
	var mu sync.Mutex
	over := 0
	for _, j := range largestFirst(jobs) {
		kept := keep != nil && j.run.Seed == g.Base.Seed
		group.Go(func() error {
			if err := j.execute(ctx, kept); err != nil {
				cell := report.Cell{Setting: j.run.Setting}
				return fmt.Errorf("%s: %w", cell.Name(), err)
			}
			mu.Lock()
			defer mu.Unlock()
			over++
			if watch != nil {
				watch(over, len(jobs))
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	runs := make([]*report.Run, len(jobs))
	for i, j := range jobs {
		runs[i] = j.run
	}
	out.Compare(runs)
	if keep != nil {
		for i := range out.Cells {
			*keep = append(*keep, jobs[i*out.Seeds].trace)
		}
	}
	return out, nil
}

// prepare resolves all runs of the grid. The jobs are those of the cells in order, seed by seed, followed by those that only speedups need.
func (g Grid) prepare() (*report.Comparison, []*job, error) {
	g.Seeds = max(g.Seeds, 1)
	if err := g.check(); err != nil {
		return nil, nil, err
	}
	r := g.Base
	r.Policy, r.PEs = g.Policies[0], g.PEs[0]
	first, err := r.Resolve()
	if err != nil {
		return nil, nil, err
	}
	policies := g.Policies
	if !first.HasPolicy() {
		policies = []string{""}
	}
	var jobs []*job
	add := func(name string, pes int) error {
		for i := range g.Seeds {
			r := g.Base
			r.PEs, r.Seed = pes, g.Base.Seed+uint64(i)
			if name != "" {
				r.Policy = name
			}
			p, err := r.Resolve()
			if err != nil {
				return err
			}
			m := p.meta()
			if p.fghc != nil {
				p.fghc.describe(&m)
			}
			m.Mode = string(cmp.Or(p.Description.Mode, Sim))
			run := report.RunOf(m)
			run.Policy, run.Baseline = name, !slices.Contains(g.PEs, pes)
			jobs = append(jobs, &job{prepared: p, run: run})
		}
		return nil
	}
	for _, name := range policies {
		for _, n := range g.PEs {
			if err := add(name, n); err != nil {
				return nil, nil, err
			}
		}
	}
	if !slices.Contains(g.PEs, 1) {
		for _, name := range policies {
			if err := add(name, 1); err != nil {
				return nil, nil, err
			}
		}
	}
	d := first.Description
	return &report.Comparison{
		Program: d.Program, Args: append([]string{}, d.Args...), Goal: d.Goal, Mode: string(d.Mode), Machine: d.Machine, Network: d.Network,
		Note: g.Note, Seed: g.Base.Seed, Seeds: g.Seeds, PEs: g.PEs, Policies: policies,
	}, jobs, nil
}

func (g Grid) check() error {
	if len(g.PEs) == 0 || len(g.Policies) == 0 {
		return errors.New("a comparison needs at least one number of PEs and one policy")
	}
	if last := g.Base.Seed + uint64(g.Seeds) - 1; last < g.Base.Seed {
		return fmt.Errorf("seeds from %d on: there are fewer than %s", g.Base.Seed, figures.Count(int64(g.Seeds)))
	}
	if n := len(g.PEs) * len(g.Policies); n > maxRuns || g.Seeds > maxRuns/n {
		return fmt.Errorf("%s runs in one comparison; the most is %s", figures.Count(int64(n)*int64(g.Seeds)), figures.Count(maxRuns))
	}
	for i, n := range g.PEs {
		if slices.Contains(g.PEs[:i], n) {
			return fmt.Errorf("the number of PEs %d is listed twice", n)
		}
		if n == OwnPEs {
			return CheckPEs(n)
		}
	}
	for i, name := range g.Policies {
		if slices.Contains(g.Policies[:i], name) {
			return errors.New("the policy " + name + " is listed twice")
		}
		if _, err := g.Base.policyNamed(name); err != nil {
			return err
		}
	}
	return nil
}

// largestFirst orders jobs by their PEs, so that the longest runs do not begin last.
func largestFirst(jobs []*job) []*job {
	sorted := slices.Clone(jobs)
	slices.SortStableFunc(sorted, func(a, b *job) int { return b.run.PEs - a.run.PEs })
	return sorted
}

// execute makes the run of the job and measures it.
func (j *job) execute(ctx context.Context, keep bool) error {
	r := j.run
	measured, trace, err := j.prepared.Measure(ctx, nil)
	if err != nil {
		return err
	}
	if keep {
		j.trace = trace
	}
	r.Numbers, r.Outcome, r.Err = measured.Numbers, measured.Outcome, measured.Err
	return nil
}

// Measure makes a run and returns its numbers, without those that compare it with others, and its trace. The bytes of the trace also go to file, which
// may be nil. An interrupted run has no trace if it did not begin.
func (p *Prepared) Measure(ctx context.Context, file io.Writer) (*report.Run, *store.Growing, error) {
	if ctx.Err() != nil {
		r := report.RunOf(p.meta())
		r.Outcome, r.Err = tracer.Interrupted.String(), "interrupted"
		return r, nil, nil
	}
	trace := store.NewGrowing()
	var out io.Writer = trace
	if file != nil {
		out = io.MultiWriter(trace, file)
	}
	rec := store.New(out)
	result, err := p.Run(ctx, rec, nil)
	if err = errors.Join(err, rec.Close()); err != nil {
		return nil, nil, err
	}
	times, err := account.Compute(trace)
	if err != nil {
		return nil, nil, err
	}
	r, err := report.MeasureRun(trace, times, nil)
	if err != nil {
		return nil, nil, err
	}
	if r.Outcome = result.Outcome.String(); result.Err != nil {
		r.Err = result.Err.Error()
	}
	return r, trace, p.bound(r, trace)
}
