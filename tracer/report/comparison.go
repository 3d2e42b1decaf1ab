package report

import (
	"slices"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/efficiency"
	"whorl/tracer/derive/totals"
)

// A Comparison holds runs of one program on one machine: for each policy and each number of PEs one run, or one for each of several seeds.
// Speedups of all runs are against Best, the least time on 1 PE.
type Comparison struct {
	Program  string
	Args     []string
	Goal     string
	Mode     string
	Machine  string
	Network  string
	Seed     uint64 // the first
	Seeds    int    // their number
	PEs      []int
	Policies []string // one empty name for a program that no policy touches
	Best     Baseline
	Cells    []Cell // policy by policy, in the order of Policies and PEs
}

// A Baseline is the mean time on 1 PE under a policy.
type Baseline struct {
	Policy string
	TimeNs float64 // 0 if there is none
}

// A Cell holds the numbers of the runs under a policy on a number of PEs.
type Cell struct {
	Policy  string
	PEs     int
	Outcome string // done, or how the first run that is not done ended: failed, limited or interrupted
	Err     string
	Runs    int // that are done
	Total   int // of all runs
	Numbers [NumNumbers]Estimate
}

// A Number names a number of a run in a comparison.
type Number uint8

// The numbers. BestSpeedup, OwnSpeedup and SpeedupEfficiency compare a run with others; the rest are of the run alone.
const (
	ElapsedTime        Number = iota // ns: virtual time, or real time of live runs, until the last event
	BestSpeedup                      // the least mean time on 1 PE in the comparison / time
	OwnSpeedup                       // the mean time on 1 PE under the same policy / time
	SpeedupEfficiency                // speedup / PEs
	ParallelEfficiency               // this and the next three: the factors of tracer/derive/efficiency, in their order
	LoadBalance
	SerialisationFactor
	TransferFactor
	ReductionCount
	SuspensionCount
	ThreadCount // including the main thread; 0 for programs that fork none
	MessageCount
	ByteCount // of the messages
	IdleShare // share of the time of all PEs
	NumNumbers
)

// A Run is one run of a comparison.
type Run struct {
	Policy       string
	PEs          int
	Seed         uint64
	Outcome, Err string
	Numbers      [NumNumbers]*float64 // nil if unknown
}

// Done reports whether the run completed.
func (r *Run) Done() bool { return r.Outcome == tracer.Done.String() }

// RunOf returns the run that the metadata of a trace describe. Its numbers and its outcome are unknown.
func RunOf(m tracer.Meta) *Run { return &Run{Policy: m.Policy, PEs: m.PEs, Seed: m.Seed} }

// MeasureRun returns the run of a trace with an account. It reads src once. The numbers that compare the run with others are unknown. tick, which
// may be nil, gets the progress; its error ends the work.
func MeasureRun(src tracer.Source, a *account.Account, tick func(done, total int64) error) (*Run, error) {
	r := RunOf(src.Meta())
	t, err := totals.Sum(src, tick)
	if err != nil {
		return nil, err
	}
	set := func(n Number, value int64) {
		x := float64(value)
		r.Numbers[n] = &x
	}
	if t.Exits > 0 {
		r.Outcome = tracer.Outcome(min(max(t.Status, 0), int64(tracer.Interrupted))).String()
	}
	set(ElapsedTime, a.Elapsed())
	set(ReductionCount, t.Reductions)
	set(SuspensionCount, t.Suspensions)
	set(MessageCount, t.Messages)
	set(ByteCount, t.Bytes)
	set(ThreadCount, 0)
	if forks := src.Counts()[tracer.Fork]; forks > 0 {
		set(ThreadCount, forks+1)
	}
	if !a.Known() || a.Basis == account.Instants {
		return r, nil
	}
	all := a.Total()
	r.Numbers[IdleShare] = Ratio(all.Idle(), all.Sum())
	e := efficiency.Compute(src, a)
	for f := range efficiency.NumFactors {
		if x, ok := e.Factor(f); ok {
			r.Numbers[ParallelEfficiency+Number(f)] = &x
		}
	}
	return r, nil
}

// Compare fills in Best and Cells for the Policies and PEs of c. Runs that belong to no cell, on 1 PE, only serve as baselines.
func (c *Comparison) Compare(runs []*Run) {
	own := map[string]float64{} // mean time on 1 PE by policy
	for _, r := range runs {
		if _, known := own[r.Policy]; known || r.PEs != 1 || !r.Done() {
			continue
		}
		if t := estimate(numbers(runs, r.Policy, 1, ElapsedTime)).Mean; t > 0 {
			own[r.Policy] = t
			if c.Best.TimeNs == 0 || t < c.Best.TimeNs {
				c.Best = Baseline{r.Policy, t}
			}
		}
	}
	for _, r := range runs {
		t := r.Numbers[ElapsedTime]
		if !r.Done() || t == nil || *t <= 0 {
			continue
		}
		ratio := func(n Number, part, whole float64) {
			if part > 0 {
				x := part / whole
				r.Numbers[n] = &x
			}
		}
		ratio(BestSpeedup, c.Best.TimeNs, *t)
		ratio(OwnSpeedup, own[r.Policy], *t)
		ratio(SpeedupEfficiency, c.Best.TimeNs, *t*float64(r.PEs))
	}
	for _, policy := range c.Policies {
		for _, pes := range c.PEs {
			c.Cells = append(c.Cells, cellOf(runs, policy, pes))
		}
	}
}

// cellOf summarises the runs under a policy on a number of PEs: those that are done, or all if none is.
func cellOf(runs []*Run, policy string, pes int) Cell {
	cell := Cell{Policy: policy, PEs: pes, Outcome: tracer.Done.String()}
	for _, r := range runs {
		if r.Policy != policy || r.PEs != pes {
			continue
		}
		cell.Total++
		if r.Done() {
			cell.Runs++
		} else if cell.Err == "" {
			cell.Outcome, cell.Err = r.Outcome, r.Err
		}
	}
	for n := range NumNumbers {
		cell.Numbers[n] = estimate(numbers(runs, policy, pes, n))
	}
	return cell
}

// numbers returns the known numbers of the runs under a policy on a number of PEs: of those that are done, or of all if none is.
func numbers(runs []*Run, policy string, pes int, n Number) (known []float64) {
	done := slices.ContainsFunc(runs, func(r *Run) bool { return r.Policy == policy && r.PEs == pes && r.Done() })
	for _, r := range runs {
		if x := r.Numbers[n]; r.Policy == policy && r.PEs == pes && x != nil && r.Done() == done {
			known = append(known, *x)
		}
	}
	return known
}

// Done reports whether all runs of the cell completed.
func (c *Cell) Done() bool { return c.Runs == c.Total }

// Name returns the policy and the number of PEs: "steal on 4 PEs".
func (c *Cell) Name() string {
	if c.Policy == "" {
		return figures.Counted(int64(c.PEs), "PE")
	}
	return c.Policy + " on " + figures.Counted(int64(c.PEs), "PE")
}

// Failed returns the cells with runs that did not complete.
func (c *Comparison) Failed() []*Cell {
	var out []*Cell
	for i := range c.Cells {
		if !c.Cells[i].Done() {
			out = append(out, &c.Cells[i])
		}
	}
	return out
}
