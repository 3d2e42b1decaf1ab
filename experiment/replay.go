package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/replay"
	"whorl/replay/collective"
	"whorl/replay/schedule"
	"whorl/sim"
	"whorl/sim/machines"
	"whorl/sim/policy"
	"whorl/tracer"
	"whorl/tracer/report"
)

// A Recorded is the program in a trace, ready to be replayed. Several runs may use it at a time. A viewer has only the exported fields without the
// Graph if a worker replays the program.
type Recorded struct {
	*replay.Recording
	Machine machines.Preset // that has recorded the trace; of real PEs, with the costs that the trace shows

	Doubts    []string // reasons why replays of the trace are guesses
	Own       int64    // ns of the replay of the trace as it was recorded; 0 before MeasureOwn
	Functions []string // that compute, those that compute longest first; nil before MeasureOwn

	Meta tracer.Meta // of the trace

	dict *tracer.Dict
	plan *schedule.Schedule // the schedule of which the program was made; nil for a trace
}

// Guess is the largest difference in percent between a recording and its replay as it was recorded. Beyond it, other replays are guesses.
const Guess = 15

// RecordedMachine is the name of the machine with the costs that a trace of real PEs shows.
const RecordedMachine = "recorded"

// RecordedOptions are choices of how the program in a trace is read.
type RecordedOptions struct {
	// Bytes of memory. Where the program takes more than half of them, its operations go to a temporary file; where the rest takes more than all of
	// them, the error is a *replay.MemoryError. 0 is no limit.
	Memory      int64
	Collectives string // one of CollectiveAlgorithms; "" for AsRecorded
}

// AsRecorded leaves the collective operations of a trace as they were recorded.
const AsRecorded = "recorded"

// CollectiveAlgorithms are the ways in which collective operations are replayed.
var CollectiveAlgorithms = append([]string{AsRecorded}, collective.Algorithms...)

// ReadRecorded reads the program in a trace.
func ReadRecorded(src tracer.Source, x RecordedOptions) (*Recorded, error) {
	meta := src.Meta()
	d := &Recorded{dict: src.Dict(), Meta: meta}
	o := replay.ReadOptions{Memory: x.Memory}
	if x.Collectives != "" && x.Collectives != AsRecorded {
		if err := collective.CheckAlgorithm(x.Collectives, CollectiveAlgorithms); err != nil {
			return nil, fmt.Errorf("--collectives: %w", err)
		}
		o.Collectives = x.Collectives
	}
	if meta.Mode == tracer.Sim && meta.Machine != "" {
		if name, _, _ := strings.Cut(meta.Machine, ":"); name == RecordedMachine {
			return nil, errors.New("the trace is itself a replay, on a machine with the times that a trace of real PEs shows: replay that trace instead")
		}
		m, err := Machine(meta.Machine)
		if err != nil {
			return nil, fmt.Errorf("the machine that has recorded the trace: %w", err)
		}
		d.Machine, o.Model = m, &m.Model
		if meta.Network != "" {
			d.Machine.Network = meta.Network
		}
	}
	var err error
	if d.Recording, err = replay.Read(src, o); err != nil {
		return nil, err
	}
	if o.Model == nil {
		d.Machine = machines.Preset{Name: RecordedMachine, Network: "bus", Model: d.Costs.Model()}
		if d.Pinned {
			d.Machine.Network = "all"
		}
	}
	d.Machine.PEs = d.PEs
	d.Doubts = d.doubts()
	return d, nil
}

// pinned is the policy of tasks that stay on their PEs.
const pinned = "static"

// Policy returns the default policy of replays: tasks that are processes stay where they are.
func (d *Recorded) Policy() string {
	switch {
	case d.Pinned:
		return pinned
	case d.Meta.Substrate == "go":
		return Goroutines
	case d.Measured:
		return "steal"
	}
	return policy.Default
}

// doubts returns the reasons why replays of the trace are guesses.
func (d *Recorded) doubts() (why []string) {
	say := func(format string, args ...any) { why = append(why, fmt.Sprintf(format, args...)) }
	l := &d.Left
	share := func(n int64) bool { return n*20 > l.Waits }
	if n := l.Outside; share(n) && n > 0 {
		say("%s of %s ended for something outside of the trace: the replay waits as long as the recording did", figures.Count(n), figures.Counted(l.Waits, "wait"))
	}
	if n := l.Inferred; share(n) && n > 0 {
		say("%s of %s ended by a task that the trace does not name, and that was inferred", figures.Count(n), figures.Counted(l.Waits, "wait"))
	}
	why = append(why, d.Faults()...)
	if n := l.Waiting; n > 0 && d.Meta.Substrate != "go" {
		say("%s at the end of the trace that nothing ends", figures.Counted(n, "wait"))
	}
	if d.Meta.Substrate == "go" && l.Observed == 0 {
		say("a Go trace holds the locks and channels that made somebody wait, without their identity; package observe records them all")
	}
	return why
}

// Faults returns the defects of a trace, whether or not they make replays guesses.
func (d *Recorded) Faults() (why []string) {
	if share := float64(d.OffCPU) / (float64(d.Elapsed) * float64(d.PEs)); share > 0.02 {
		why = append(why, "other programs had the cores for "+figures.Share(share, 0)+" of the time: the computer was busy, and the replay leaves that out")
	}
	if ran := d.ran(); d.Meta.Substrate == "go" && d.CPU > fewSamples && float64(d.CPU) < 0.85*float64(ran) {
		why = append(why, "tasks ran for "+figures.Duration(ran)+" and had a processor for "+figures.Duration(d.CPU)+" of that, as samples show: the computer was busy")
	}
	if n := d.Left.Early; n > 0 {
		why = append(why, figures.Counted(n, "message")+" received before the send: the clocks of PEs disagree, and the replay does not wait there")
	}
	if n := d.Left.Messages; n > 0 {
		why = append(why, figures.Counted(n, "message")+" without a sender or a receiver")
	}
	return why
}

// fewSamples is the processor time in ns below which a trace has too few samples to be judged by them.
const fewSamples = 200_000_000

// ran returns the ns of all computations.
func (d *Recorded) ran() (sum int64) {
	for _, ns := range d.Graph.WorkBy() {
		sum += ns
	}
	return sum
}

// Exact reports whether a replay has the events of a run of the program itself: of threads that were recorded on one PE of a simulated machine.
func (d *Recorded) Exact() bool {
	return d.PEs == 1 && !d.Measured && !d.Pinned && d.plan == nil && d.Meta.Substrate == "dts"
}

// Run returns the replay of the trace as it was recorded. name is that of the trace.
func (d *Recorded) Run(name string) Run {
	r := Run{Program: name, Trace: true, Recorded: d, PEs: d.PEs, Policy: d.Policy(), Machine: d.Machine.Name, Seed: max(1, d.Meta.Seed)}
	if !d.Measured && d.Meta.Policy != "" {
		r.Policy = d.Meta.Policy
	}
	return r
}

// ReplayOf reads the program in a trace and measures its replay as it was recorded, which it returns. name is that of the trace.
func ReplayOf(ctx context.Context, src tracer.Source, name string) (Run, error) {
	d, err := ReadRecorded(src, RecordedOptions{})
	if err == nil {
		err = d.MeasureOwn(ctx)
	}
	if err != nil {
		return Run{}, err
	}
	return d.Run(name), nil
}

// MeasureOwn replays the trace as it was recorded, and sets Own and Functions.
func (d *Recorded) MeasureOwn(ctx context.Context) (err error) {
	d.Functions = nil
	for _, g := range d.Parts(math.MaxInt) {
		if g.Kind == "function" {
			d.Functions = append(d.Functions, g.Name)
		}
	}
	d.Own, _, err = d.Run("the trace").replayed(ctx)
	return err
}

// ReplayPolicies lists the scheduling policies of replays.
func ReplayPolicies() []Item {
	return append(Policies(), Item{Goroutines, "replays: as the runtime system of Go: the work that a PE made ready last runs next, then its oldest work; an idle PE steals half of a queue"},
		Item{replay.Oracle, "replays: a PE takes the ready task with the longest remaining path, which only a replay knows"})
}

// Goroutines is the name of the policy of replays that schedules as the runtime system of Go.
const Goroutines = "goroutines"

// policyNamed is policy.Named, with the policies that only replays have.
func (r *Run) policyNamed(name string) (sim.Policy, error) {
	switch {
	case name == replay.Oracle && r.Recorded == nil:
		return nil, errors.New("the policy oracle needs the remaining paths of all tasks: it is for the replay of a trace (whorl replay)")
	case name == replay.Oracle:
		return policy.OnDemand{Victim: policy.Longest}, nil
	case name == Goroutines && r.Recorded == nil:
		return nil, errors.New("the policy goroutines is for the replay of a trace (whorl replay)")
	case name == Goroutines:
		return policy.Goroutines{}, nil
	case name == pinned && r.Recorded != nil && r.Recorded.plan != nil:
		return policy.Static{Queue: true}, nil
	}
	p, err := policy.Named(name)
	if err == nil || r.Recorded == nil {
		return p, err
	}
	base, _, _ := strings.Cut(name, ":")
	var known []string
	for _, it := range ReplayPolicies() {
		known = append(known, it.Name)
	}
	if slices.Contains(known, base) { // with wrong options
		return nil, err
	}
	return nil, nearest.Unknown("policy", base, known)
}

// describe adds the program to the metadata of a replay.
func (d *Recorded) describe(m tracer.Meta) tracer.Meta {
	m.Program, m.Args, m.Substrate, m.Goal, m.Source, m.CostModel = d.Meta.Program, d.Meta.Args, d.Meta.Substrate, d.Meta.Goal, d.Meta.Source, d.Meta.CostModel
	return m
}

// Paths returns the work and the span of a program that is replayed.
func (p *Prepared) Paths() (replay.Paths, error) {
	d := p.Description.Recorded
	speeds, err := sim.SpeedsOf(p.config.Speeds, d.Names.Functions)
	if err != nil {
		return replay.Paths{}, err
	}
	setup, err := d.setup(p)
	return d.Graph.Paths(p.config.Model, speeds, setup), err
}

// bound sets the bounds of a run. For a replay they are those of its program, otherwise those of its trace.
func (p *Prepared) bound(r *report.Run, trace tracer.Source) error {
	if p.Description.Recorded == nil {
		s, err := report.Summarise(trace)
		if err == nil {
			r.SetBounds(s.WorkNs, s.SpanNs)
		}
		return err
	}
	if paths, err := p.Paths(); err == nil { // else the run has the same error
		r.SetBounds(&paths.Work, &paths.Span)
	}
	return nil
}
