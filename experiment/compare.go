package experiment

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"whorl/internal/figures"
	"whorl/sim/policy"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/totals"
	"whorl/tracer/report"
	"whorl/tracer/store"
)

// A Grid describes runs to compare: one program on one machine with one seed, under each policy on each number of PEs.
type Grid struct {
	Base     Run // its PEs and its policy are not used
	PEs      []int
	Policies []string
}

// maxCells is the largest number of runs in a comparison.
const maxCells = 4096

// A job is one run of a grid.
type job struct {
	prepared *Prepared
	cell     report.Cell
}

// Compare executes all runs of a grid: simulated runs on all processors, live runs one at a time. It calls watch, which may be nil, at the end of
// each run. For the speedup it also runs the program on 1 PE under each policy. With keep it keeps the traces. The result does not depend on how
// many runs execute at a time. The error is for a grid that cannot be run; the cell of a run has the outcome and the error of that run.
func Compare(ctx context.Context, g Grid, keep bool, watch func(over, all int)) (*report.Comparison, error) {
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
		group.Go(func() error {
			if err := j.run(ctx, keep); err != nil {
				return fmt.Errorf("%s: %w", j.cell.Name(), err)
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
	onePE := map[string]int64{} // the time on 1 PE, by policy
	for _, j := range jobs {
		if j.cell.PEs == 1 && j.cell.Done() {
			onePE[j.cell.Policy] = j.cell.TimeNs
		}
	}
	for _, j := range jobs[:len(out.PEs)*len(out.Policies)] {
		c := &j.cell
		if c.Done() && onePE[c.Policy] > 0 {
			if c.Speedup = report.Ratio(onePE[c.Policy], c.TimeNs); c.Speedup != nil {
				e := *c.Speedup / float64(c.PEs)
				c.Efficiency = &e
			}
		}
		out.Cells = append(out.Cells, *c)
	}
	return out, nil
}

// prepare resolves all runs of the grid. The jobs are the cells in order, followed by the runs that only the speedup needs.
func (g Grid) prepare() (*report.Comparison, []*job, error) {
	if err := g.check(); err != nil {
		return nil, nil, err
	}
	var jobs []*job
	add := func(policy string, pes int) error {
		r := g.Base
		r.Policy, r.PEs = policy, pes
		p, err := r.Resolve()
		if err == nil {
			jobs = append(jobs, &job{prepared: p, cell: report.Cell{Policy: policy, PEs: pes}})
		}
		return err
	}
	for _, name := range g.Policies {
		for _, n := range g.PEs {
			if err := add(name, n); err != nil {
				return nil, nil, err
			}
		}
	}
	if !slices.Contains(g.PEs, 1) {
		for _, name := range g.Policies {
			if err := add(name, 1); err != nil {
				return nil, nil, err
			}
		}
	}
	r := jobs[0].prepared.Description
	if !jobs[0].prepared.HasPolicy() && !slices.Equal(g.Policies, []string{policy.Default}) {
		return nil, nil, errors.New("--policy is for programs in FGHC and of threads, and " + r.Program + " is in HPF")
	}
	return &report.Comparison{
		Program: r.Program, Args: append([]string{}, r.Args...), Goal: r.Goal, Mode: string(r.Mode), Machine: r.Machine, Network: r.Network, Seed: r.Seed,
		PEs: g.PEs, Policies: g.Policies,
	}, jobs, nil
}

func (g Grid) check() error {
	if len(g.PEs) == 0 || len(g.Policies) == 0 {
		return errors.New("a comparison needs at least one number of PEs and one policy")
	}
	if n := len(g.PEs) * len(g.Policies); n > maxCells {
		return fmt.Errorf("%s runs in one comparison; the most is %s", figures.Count(int64(n)), figures.Count(maxCells))
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
		if _, err := policy.Named(name); err != nil {
			return err
		}
	}
	return nil
}

// largestFirst orders jobs by their PEs, so that the longest runs do not begin last.
func largestFirst(jobs []*job) []*job {
	sorted := slices.Clone(jobs)
	slices.SortStableFunc(sorted, func(a, b *job) int { return b.cell.PEs - a.cell.PEs })
	return sorted
}

// run executes the job and fills in its cell.
func (j *job) run(ctx context.Context, keep bool) error {
	c := &j.cell
	if ctx.Err() != nil {
		c.Outcome, c.Err = tracer.Interrupted.String(), "interrupted"
		return nil
	}
	trace := store.NewGrowing()
	rec := store.New(trace)
	result, err := j.prepared.Run(ctx, rec, nil)
	if err = errors.Join(err, rec.Close()); err != nil {
		return err
	}
	t, err := totals.Compute(trace)
	if err != nil {
		return err
	}
	if keep {
		c.Trace = trace
	}
	c.Outcome = result.Outcome.String()
	if result.Err != nil {
		c.Err = result.Err.Error()
	}
	c.TimeNs, c.Reductions, c.Suspensions, c.Messages, c.Bytes = t.Elapsed, t.Reductions, t.Suspensions, t.Messages, t.Bytes
	if forks := trace.Counts()[tracer.Fork]; forks > 0 {
		c.Threads = forks + 1
	}
	times, err := account.Compute(trace)
	if err != nil || !times.Known() || times.Basis == account.Instants {
		return err
	}
	total := times.Total()
	c.IdleShare = report.Ratio(total.Idle(), total.Sum())
	return nil
}
