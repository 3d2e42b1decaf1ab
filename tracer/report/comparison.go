package report

import (
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/efficiency"
	"whorl/tracer/derive/totals"
)

// A Comparison holds runs: for each setting one run, or one for each of several seeds. Speedups are against the least mean time on 1 PE of
// the same program, arguments, machine, network and mode.
type Comparison struct {
	Program  string
	Args     []string
	Goal     string
	Mode     string
	Machine  string
	Network  string
	Note     string // what else is to say of all runs; "" for nothing
	Seed     uint64 // the first
	Seeds    int    // their number
	PEs      []int
	Policies []string // one empty name for a program that no policy touches
	Best     Baseline // of all speedups; unknown if they have several
	Cells    []Cell   // in the order of the first run of each
}

// A Setting holds the properties that the runs of a cell have in common.
type Setting struct {
	Program, Args, Goal, Mode, Machine, Network string // Args are separated by blanks
	Policy                                      string
	PEs                                         int
}

// on1PE returns the settings of the baselines: of the best speedup, which any policy can give, and of the own speedup.
func (s Setting) on1PE() (best, own Setting) {
	s.PEs = 1
	best, own = s, s
	best.Policy = ""
	return best, own
}

// A Baseline is the mean time on 1 PE under a policy.
type Baseline struct {
	Policy string
	TimeNs float64 // 0 if there is none
}

// A Cell holds the numbers of the runs with a setting.
type Cell struct {
	Setting
	Seed    uint64 // the first
	Outcome string // done, or how the first run that is not done ended: failed, limited or interrupted
	Err     string
	Runs    int // that are done
	Total   int // of all runs
	Numbers [allNumbers]Estimate
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
	ByteCount  // of the messages
	IdleShare  // share of the time of all PEs
	LeastTime  // ns that no schedule falls below: max(work / PEs, span)
	AboveLeast // time / that - 1
	NumNumbers
)

// Further numbers are in the tables of viewers alone: CSV and JSON keep their columns.
const (
	WorkTime   = NumNumbers + iota // ns that PEs worked
	SpanTime                       // ns of the longest chain of parts of tasks that waited for each other
	allNumbers                     // the length of an array of all numbers
)

// A Run is one run of a comparison.
type Run struct {
	Setting
	Seed         uint64
	Baseline     bool // belongs to no cell and only serves for speedups
	Outcome, Err string
	Numbers      [allNumbers]*float64 // nil if unknown
}

// Done reports whether the run completed.
func (r *Run) Done() bool { return r.Outcome == tracer.Done.String() }

// RunOf returns the run that the metadata of a trace describe. Its numbers and its outcome are unknown.
func RunOf(m tracer.Meta) *Run {
	return &Run{Seed: m.Seed, Setting: Setting{m.Program, strings.Join(m.Args, " "), m.Goal, m.Mode, m.Machine, m.Network, m.Policy, m.PEs}}
}

// SetBounds sets the work and the span of a run in ns, nil if they are unknown, and the least time of any schedule that follows from both.
func (r *Run) SetBounds(work, span *int64) {
	number := func(n Number, ns *int64) {
		if ns != nil {
			x := float64(*ns)
			r.Numbers[n] = &x
		}
	}
	number(WorkTime, work)
	number(SpanTime, span)
	if work == nil || span == nil {
		return
	}
	pes := int64(max(1, r.PEs))
	least := *work / pes
	if *work%pes > 0 {
		least++
	}
	least = max(least, *span)
	number(LeastTime, &least)
	if t := r.Numbers[ElapsedTime]; t != nil && least > 0 && r.Done() {
		above := *t/float64(least) - 1
		r.Numbers[AboveLeast] = &above
	}
}

// MeasureRun returns the run of the trace src, whose account is a. It reads src once. The numbers that compare the run with others are unknown. tick, which
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
	set(WorkTime, all[account.Work])
	if t.Span > 0 {
		set(SpanTime, t.Span)
	}
	r.Numbers[IdleShare] = Ratio(all.Idle(), all.Sum())
	e := efficiency.Compute(src, a)
	for f := range efficiency.NumFactors {
		if x, ok := e.Factor(f); ok {
			r.Numbers[ParallelEfficiency+Number(f)] = &x
		}
	}
	return r, nil
}

// Compare fills in Best and Cells, with a cell for each setting.
func (c *Comparison) Compare(runs []*Run) {
	best := Speedups(runs)
	for _, r := range runs {
		if r.Baseline || slices.ContainsFunc(c.Cells, func(x Cell) bool { return x.Setting == r.Setting }) {
			continue
		}
		c.Cells = append(c.Cells, cellOf(runs, r))
	}
	c.setBest(best)
}

// CompareEach fills in Best and Cells, with a cell for each run.
func (c *Comparison) CompareEach(runs []*Run) {
	best := Speedups(runs)
	for _, r := range runs {
		c.Cells = append(c.Cells, cellOf([]*Run{r}, r))
	}
	c.setBest(best)
}

// setBest sets the baseline of all speedups if they have only one.
func (c *Comparison) setBest(best map[Setting]Baseline) {
	if len(best) == 1 && len(c.Cells) > 0 {
		group, _ := c.Cells[0].on1PE()
		c.Best = best[group]
	}
}

// cellOf summarises the runs with the setting of first: those that are done, or all if none is.
func cellOf(runs []*Run, first *Run) Cell {
	cell := Cell{Setting: first.Setting, Seed: first.Seed, Outcome: tracer.Done.String()}
	for _, r := range runs {
		if r.Setting != cell.Setting {
			continue
		}
		cell.Total++
		if r.Done() {
			cell.Runs++
		} else if cell.Err == "" {
			cell.Outcome, cell.Err = r.Outcome, r.Err
		}
	}
	for n := range allNumbers {
		cell.Numbers[n] = estimate(numbers(runs, cell.Setting, n))
	}
	return cell
}

// Speedups sets the speedups and the efficiencies of runs. It returns the least mean time on 1 PE for each setting without a policy.
func Speedups(runs []*Run) (best map[Setting]Baseline) {
	on1PE := map[Setting][]float64{}
	var settings []Setting // in the order of their first runs
	for _, r := range runs {
		t := r.Numbers[ElapsedTime]
		if r.PEs != 1 || !r.Done() || t == nil {
			continue
		}
		if on1PE[r.Setting] == nil {
			settings = append(settings, r.Setting)
		}
		on1PE[r.Setting] = append(on1PE[r.Setting], *t)
	}
	best = map[Setting]Baseline{}
	own := map[Setting]float64{}
	for _, s := range settings {
		if t := estimate(on1PE[s]).Mean; t > 0 {
			own[s] = t
			if group, _ := s.on1PE(); best[group].TimeNs == 0 || t < best[group].TimeNs {
				best[group] = Baseline{s.Policy, t}
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
		group, same := r.on1PE()
		ratio(BestSpeedup, best[group].TimeNs, *t)
		ratio(OwnSpeedup, own[same], *t)
		ratio(SpeedupEfficiency, best[group].TimeNs, *t*float64(r.PEs))
	}
	return best
}

// numbers returns the known numbers of the runs with a setting: of those that are done, or of all if none is.
func numbers(runs []*Run, s Setting, n Number) (known []float64) {
	done := slices.ContainsFunc(runs, func(r *Run) bool { return r.Setting == s && r.Done() })
	for _, r := range runs {
		if x := r.Numbers[n]; r.Setting == s && x != nil && r.Done() == done {
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
