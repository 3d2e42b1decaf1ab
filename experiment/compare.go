package experiment

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"whorl/internal/figures"
	"whorl/sim/policy"
	"whorl/tracer"
	"whorl/tracer/derive/totals"
	"whorl/tracer/store"
)

// A Grid describes runs to compare: one program on one machine with one seed, under each policy on each number of PEs.
type Grid struct {
	Base     Run // its PEs and policy do not count
	PEs      []int
	Policies []string
}

// Comparison is what came of a Grid.
type Comparison struct {
	Base     Run // with its names found; its PEs and policy do not count
	PEs      []int
	Policies []string
	Cells    []Cell // policy by policy, in the order in which they were asked for
}

// A Cell is one run of a comparison. In JSON each key says its unit, and what is not known is null.
type Cell struct {
	Policy  string `json:"policy"`
	PEs     int    `json:"pes"`
	Outcome string `json:"outcome"` // done, failed, limited or interrupted
	Err     string `json:"error,omitempty"`

	TimeNs      int64    `json:"time_ns"`    // virtual, live real, until the end of the last thing that happened
	Speedup     *float64 `json:"speedup"`    // time on 1 PE under the same policy / time
	Efficiency  *float64 `json:"efficiency"` // speed-up / PEs
	Reductions  int64    `json:"reductions"`
	Suspensions int64    `json:"suspensions"`
	Messages    int64    `json:"messages"`
	Bytes       int64    `json:"bytes"`      // of the messages
	IdleShare   *float64 `json:"idle_share"` // of the time of all PEs, 0 to 1
	Threads     int64    `json:"threads"`    // of a program that forks them, the main thread among them

	Trace *store.Growing `json:"-"` // where it was to be kept
}

// maxCells is the largest number of runs in a comparison.
const maxCells = 4096

// Name is how the run of a cell is called in texts.
func (c *Cell) Name() string {
	if c.PEs == 1 {
		return c.Policy + " on 1 PE"
	}
	return c.Policy + " on " + figures.Count(int64(c.PEs)) + " PEs"
}

// At returns the cell of a policy and a number of PEs by their indices.
func (c *Comparison) At(policy, pes int) *Cell { return &c.Cells[policy*len(c.PEs)+pes] }

// Describe returns the run of a cell, to be run alone.
func (c *Comparison) Describe(cell *Cell) Run {
	r := c.Base
	r.Policy, r.PEs = cell.Policy, cell.PEs
	return r
}

// A job is a run to make.
type job struct {
	prepared *Prepared
	cell     Cell
	err      error // why it could not be made
}

// Compare carries out all runs of a grid, as many at a time as there are processors, live one at a time, and calls watch, which may be nil, when one is over. Under
// a policy for which 1 PE is not asked for that run is made as well, for the speed-up. The traces are kept if keep is set. What comes out
// does not depend on how many run at a time. The error is for a grid that cannot be run; a run that failed says so in its cell, one
// that was interrupted or never began because ctx was cancelled too.
func Compare(ctx context.Context, g Grid, keep bool, watch func(over, all int)) (*Comparison, error) {
	out, jobs, err := g.prepare()
	if err != nil {
		return nil, err
	}
	work := make(chan *job)
	var mu sync.Mutex
	over := 0
	var idle sync.WaitGroup
	atATime := min(runtime.GOMAXPROCS(0), len(jobs))
	if g.Base.Mode == Live { // one that has the cores for itself
		atATime = 1
	}
	for range atATime {
		idle.Go(func() {
			for j := range work {
				j.err = j.run(ctx, keep)
				mu.Lock()
				over++
				if watch != nil {
					watch(over, len(jobs))
				}
				mu.Unlock()
			}
		})
	}
	for _, j := range largestFirst(jobs) {
		work <- j
	}
	close(work)
	idle.Wait()
	for _, j := range jobs {
		if j.err != nil {
			return nil, fmt.Errorf("%s: %w", j.cell.Name(), j.err)
		}
	}
	base := map[string]int64{}
	for _, j := range jobs {
		if j.cell.PEs == 1 && j.cell.Outcome == Done.String() {
			base[j.cell.Policy] = j.cell.TimeNs
		}
	}
	for _, j := range jobs[:len(out.PEs)*len(out.Policies)] {
		c := &j.cell
		if c.Outcome == Done.String() && base[c.Policy] > 0 {
			if c.Speedup = ratio(base[c.Policy], c.TimeNs); c.Speedup != nil {
				e := *c.Speedup / float64(c.PEs)
				c.Efficiency = &e
			}
		}
		out.Cells = append(out.Cells, *c)
	}
	return out, nil
}

// prepare finds all that the grid names. The jobs are those of the grid in order and then those for the speed-up alone.
func (g Grid) prepare() (*Comparison, []*job, error) {
	if len(g.PEs) == 0 || len(g.Policies) == 0 {
		return nil, nil, &InputError{"a comparison needs at least one number of PEs and one policy"}
	}
	if n := len(g.PEs) * len(g.Policies); n > maxCells {
		return nil, nil, &InputError{fmt.Sprintf("%s runs in one comparison; the most is %s", figures.Count(int64(n)), figures.Count(maxCells))}
	}
	for i, n := range g.PEs {
		if slices.Contains(g.PEs[:i], n) {
			return nil, nil, &InputError{fmt.Sprintf("the number of PEs %d is listed twice", n)}
		}
	}
	for i, name := range g.Policies {
		if slices.Contains(g.Policies[:i], name) {
			return nil, nil, &InputError{"the policy " + name + " is listed twice"}
		}
		if _, err := policy.Named(name); err != nil {
			return nil, nil, Unknown("policy", name, itemNames(Policies()), "")
		}
	}
	out := &Comparison{PEs: g.PEs, Policies: g.Policies}
	var jobs []*job
	add := func(policy string, pes int) error {
		r := g.Base
		r.Policy, r.PEs = policy, pes
		p, err := r.Resolve()
		if err != nil {
			return err
		}
		if len(jobs) == 0 {
			out.Base = p.Description
		}
		jobs = append(jobs, &job{prepared: p, cell: Cell{Policy: policy, PEs: pes}})
		return nil
	}
	for _, name := range g.Policies {
		for _, n := range g.PEs {
			if n == OwnPEs {
				return nil, nil, &InputError{fmt.Sprintf("%d PEs: a machine has 1 to %d", n, MaxPEs)}
			}
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
	return out, jobs, nil
}

// largestFirst orders the jobs by their PEs: those that take longest here do not begin last.
func largestFirst(jobs []*job) []*job {
	sorted := slices.Clone(jobs)
	slices.SortStableFunc(sorted, func(a, b *job) int { return b.cell.PEs - a.cell.PEs })
	return sorted
}

// run carries the job out. The trace is kept packed while it is looked through.
func (j *job) run(ctx context.Context, keep bool) error {
	c := &j.cell
	if ctx.Err() != nil {
		c.Outcome, c.Err = Interrupted.String(), "interrupted"
		return nil
	}
	trace := store.NewGrowing()
	rec := store.New(trace)
	result, err := j.prepared.Run(ctx, rec, nil)
	if err = errors.Join(err, rec.Close()); err != nil {
		return err
	}
	t, err := totals.Of(trace)
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
	if t.Idle >= 0 {
		c.IdleShare = ratio(t.Idle, int64(c.PEs)*t.Elapsed)
	}
	return nil
}

// Failed returns the cells that are not done.
func (c *Comparison) Failed() []*Cell {
	var out []*Cell
	for i := range c.Cells {
		if c.Cells[i].Outcome != Done.String() {
			out = append(out, &c.Cells[i])
		}
	}
	return out
}
