// Package calibrate finds the costs of the simulated machine that is most like this one.
//
// It measures in rounds. Each round runs the programs of probes.go once, live, and takes one value of each cost from their times:
//
//   - instruction and fork: the costs with which programs on one PE take as long on the simulated machine as live, by the least squares of the logarithms
//     of the ratios (fit.go). The simulated time of such a program is its number of instructions times the one and its number of forks times the other.
//     In FGHC alone, where each program has one fork for some thirty instructions, the fork is a part of the instructions.
//   - latency, overhead, gap: the cost with which a program that sends work from PE to PE takes as long on the simulated machine as live, given the costs
//     found before. The latency comes first and includes the overhead, which then becomes its part. In HPF, where values are in one memory and processors
//     wait for each other after each loop, this wait is the latency.
//   - steal: as above, of a program whose second half is always stolen.
//   - byte: the time to read bytes that another PE has written, beyond that of reading them again.
//
// The value of a cost is the median over the rounds; its interval is that of the median by the bootstrap. All benchmarks then run live and on the
// simulated machine with these costs. They have other sizes than the programs of the rounds, and most of them are other programs.
package calibrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"whorl/experiment"
	"whorl/internal/bootstrap"
	"whorl/internal/nearest"
	"whorl/sim/machines"
)

// Substrates are those whose programs can be measured.
var Substrates = []string{"fghc", "dts", "hpf"}

// Options configure a calibration.
type Options struct {
	Substrate string            // whose programs the machine is fitted to, one of Substrates; "" for all of them, with equal weights
	Limit     time.Duration     // of all measurements
	Say       func(text string) // called with the name of the next measurement; nil for none

	cores  int // 0 for those of this machine
	rounds int // the largest number of rounds; 0 for mostRounds
	runs   int // the largest number of runs of a benchmark; 0 for mostRuns
}

// A Report holds the measurements of a calibration.
type Report struct {
	Machine   machines.Preset
	Substrate string  // of the options
	Cores     int     // PEs of live runs
	Lost      float64 // share of the cores that other programs had
	Figures   []Figure
	Rows      []Row
}

// Overloaded reports whether other programs had so much of the cores that the costs are partly theirs.
func (r *Report) Overloaded() bool { return r.Lost > 0.1 }

// A Figure is a measured cost.
type Figure struct {
	Name      string
	Doc       string
	Part      bool               // it is computed from the costs of a machine
	Live      bootstrap.Interval // ns; of a cost that was not measured, the value that the machine has instead
	Rounds    int                // number of measurements
	Simulated float64            // ns with the costs of the machine, of a part
}

// A Row compares the times of a benchmark.
type Row struct {
	Program   string
	PEs       int
	Live      bootstrap.Interval // ns
	Runs      int                // number of live runs; 0 if there was no time
	Simulated float64            // ns; 0 if there was no time
	Err       string             // why there are no times
}

// Error returns the simulated time divided by the live one, less 1: 0.1 if it is 10 % longer. ok is false if one of the two is unknown.
func (r *Row) Error() (share float64, ok bool) {
	if r.Runs == 0 || r.Simulated == 0 || r.Live.Value <= 0 {
		return 0, false
	}
	return r.Simulated/r.Live.Value - 1, true
}

// ErrTooShort is the error of a calibration whose limit of time does not suffice for one value of each cost.
var ErrTooShort = errors.New("the time is too short to measure each cost once")

// other is the machine whose costs replace those that cannot be measured on one core.
const other = "modern"

// The largest numbers of measurements.
const (
	mostRounds = 25
	mostRuns   = 15
)

// A calibration is a Report that is being made.
type calibration struct {
	Options
	ctx    context.Context
	report Report
	host   string // "" for this computer; in tests a simulated machine in its place

	paces []paced
	wires []wired
	parts []part
	known map[string]sample    // instructions and forks of paced programs, by name
	taken map[string][]float64 // ns, by the names of figures
}

// Measure measures this machine. If ctx is cancelled when the costs are known, it returns the measured costs and the error of ctx.
func Measure(ctx context.Context, o Options) (*Report, error) {
	if o.Substrate != "" && !slices.Contains(Substrates, o.Substrate) {
		return nil, nearest.Unknown("substrate", o.Substrate, Substrates)
	}
	began := time.Now()
	limited, stop := context.WithTimeout(ctx, o.Limit)
	defer stop()
	c := newCalibration(limited, o)
	before := lostShare(c.cores)
	if err := c.measureCosts(began.Add(o.Limit / 3)); err != nil {
		return nil, errors.Join(ctx.Err(), err)
	}
	c.report.Lost = (before + lostShare(c.cores)) / 2
	if err := c.fill(began); err != nil {
		return nil, errors.Join(ctx.Err(), err)
	}
	c.measureBenchmarks()
	return &c.report, ctx.Err()
}

func newCalibration(ctx context.Context, o Options) *calibration {
	if o.Say == nil {
		o.Say = func(string) {}
	}
	o.cores = cmp.Or(o.cores, min(runtime.GOMAXPROCS(0), experiment.MaxLivePEs))
	o.rounds, o.runs = cmp.Or(o.rounds, mostRounds), cmp.Or(o.runs, mostRuns)
	c := &calibration{
		Options: o, ctx: ctx, report: Report{Substrate: o.Substrate, Cores: o.cores},
		paces: paces(), parts: parts(o.Substrate, o.cores), known: map[string]sample{}, taken: map[string][]float64{},
	}
	if o.Substrate != "" {
		c.paces = slices.DeleteFunc(c.paces, func(p paced) bool { return p.substrate != o.Substrate })
	}
	if o.cores > 1 {
		c.wires = wires(o.Substrate)
	}
	return c
}

// measureCosts measures rounds until a time, at least one.
func (c *calibration) measureCosts(until time.Time) error {
	for round := 1; round <= c.rounds && (round == 1 || time.Now().Before(until)); round++ {
		c.Say(fmt.Sprintf("costs, round %d", round))
		values, err := c.round()
		switch {
		case err == nil:
			for name, ns := range values {
				c.taken[name] = append(c.taken[name], ns)
			}
		case c.ctx.Err() == nil:
			return err
		case round == 1:
			return ErrTooShort
		default:
			return nil // the earlier rounds suffice
		}
	}
	return nil
}

// round returns a value of each cost.
func (c *calibration) round() (map[string]float64, error) {
	values := map[string]float64{}
	var samples []sample
	forks := false
	for _, p := range c.paces {
		s, err := c.sample(p)
		if err != nil {
			return nil, err
		}
		if c.Substrate == "fghc" { // all its programs have the same share of forks, so that the two costs cannot be told apart
			s.forks = 0
		}
		samples = append(samples, s)
		forks = forks || s.forks > 0
	}
	instruction, fork := fitSpeed(samples)
	if values["instruction"] = instruction; forks {
		values["fork"] = fork
	}
	machine := machineWith(free, "instruction", instruction)
	machine = machineWith(machine, "fork", fork)
	if err := c.solveWires(machine, values); err != nil {
		return nil, err
	}
	if c.cores > 1 {
		ns, err := timeOfByte(c.ctx)
		if err != nil {
			return nil, err
		}
		values["byte"] = ns
	}
	for _, p := range c.parts {
		ns, err := p.program.elapsed(c.ctx, c.host)
		if err != nil {
			return nil, err
		}
		values[p.name] = ns / p.count
	}
	return values, nil
}

// solveWires adds the values of the costs between PEs. A message takes its latency and its overhead. The overhead of the
// sender is a part of the whole, so it is at most as large.
func (c *calibration) solveWires(machine string, values map[string]float64) error {
	for _, w := range c.wires {
		measured, err := w.program.elapsed(c.ctx, c.host)
		if err != nil {
			return err
		}
		ns, ok, err := solve(measured, mostOf(w.cost), func(ns float64) (float64, error) {
			return w.program.elapsed(c.ctx, machineWith(machine, w.cost, ns))
		})
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if w.cost == "overhead" {
			whole := values["latency"]
			ns = min(ns, whole)
			values["latency"] = whole - ns
			machine = machineWith(machine, "latency", whole-ns)
		}
		values[w.cost] = ns
		machine = machineWith(machine, w.cost, ns)
	}
	return nil
}

// sample measures a paced program.
func (c *calibration) sample(p paced) (sample, error) {
	name := p.program.run.Program
	s, known := c.known[name]
	if !known {
		unit := machineWith(free, "instruction", 1)
		instructions, err := p.program.elapsed(c.ctx, unit)
		if err != nil {
			return s, err
		}
		const fork = 1000
		with, err := p.program.elapsed(c.ctx, machineWith(unit, "fork", fork))
		if err != nil {
			return s, err
		}
		s = sample{instructions: instructions, forks: math.Round((with - instructions) / fork), weight: 1}
		for _, q := range c.paces {
			if q.substrate == p.substrate {
				s.weight++
			}
		}
		s.weight = 1 / (s.weight - 1)
		c.known[name] = s
	}
	var err error
	s.ns, err = p.program.elapsed(c.ctx, c.host)
	return s, err
}

// fill makes the machine and the figures of the medians.
func (c *calibration) fill(began time.Time) error {
	r := &c.report
	machine := other
	for i := range machines.Options {
		o := &machines.Options[i]
		f := Figure{Name: o.Name, Doc: o.Doc, Rounds: len(c.taken[o.Name])}
		switch {
		case f.Rounds > 0:
			f.Live = bootstrap.Median(c.taken[o.Name])
			machine = machineWith(machine, o.Name, f.Live.Value)
		case c.cores > 1: // the programs of the substrate do not have it
			machine = machineWith(machine, o.Name, 0)
		default:
			ns := o.Ns(machineNamed(other).Model)
			f.Live = bootstrap.Interval{Value: ns, Low: ns, High: ns}
		}
		r.Figures = append(r.Figures, f)
	}
	for _, p := range c.parts {
		ns, err := p.program.elapsed(context.WithoutCancel(c.ctx), machine) // takes some ms
		if err != nil {
			return err
		}
		r.Figures = append(r.Figures, Figure{
			Name: p.name, Doc: p.doc, Part: true, Live: bootstrap.Median(c.taken[p.name]), Rounds: len(c.taken[p.name]), Simulated: ns / p.count,
		})
	}
	r.Machine = machineNamed(machine)
	r.Machine.Name, r.Machine.PEs, r.Machine.Network = "measured", r.Cores, "bus"
	r.Machine.Doc = fmt.Sprintf("this computer (%s, %s), measured by whorl calibrate", runtime.GOOS, runtime.GOARCH)
	r.Machine.Source = "whorl calibrate, " + began.Format(time.DateOnly)
	if c.Substrate != "" {
		r.Machine.Source += ", fitted to programs of " + c.Substrate
	}
	return nil
}

// measureBenchmarks measures the rows until the limit of time. All rows get a run before one gets another.
func (c *calibration) measureBenchmarks() {
	type running struct {
		row     *Row
		program *named
		times   []float64
	}
	var all []*running
	r := &c.report
	for _, pes := range slices.Compact([]int{1, c.cores}) {
		for _, b := range experiment.Benchmarks() {
			p := newNamed(pes, b.Name)
			if substrate, err := p.run.Substrate(); c.Substrate == "" || err == nil && substrate == c.Substrate {
				r.Rows = append(r.Rows, Row{Program: b.Name, PEs: pes})
				all = append(all, &running{program: p})
			}
		}
	}
	for i, x := range all {
		x.row = &r.Rows[i]
	}
	for run := range c.runs {
		for _, x := range all {
			if c.ctx.Err() != nil {
				break
			}
			c.Say(fmt.Sprintf("%s on %d PEs, run %d", x.row.Program, x.row.PEs, run+1))
			ns, err := x.program.elapsed(c.ctx, c.host)
			if err == nil && run == 0 {
				x.row.Simulated, err = x.program.elapsed(c.ctx, costsOf(r.Machine))
			}
			if err == nil {
				x.times = append(x.times, ns)
			} else if c.ctx.Err() == nil {
				x.row.Err = err.Error()
			}
		}
		all = slices.DeleteFunc(all, func(x *running) bool { return x.row.Err != "" })
	}
	for _, x := range all {
		if x.row.Runs = len(x.times); x.row.Runs > 0 {
			x.row.Live = bootstrap.Median(x.times)
		}
	}
}
