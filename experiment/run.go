// Package experiment is what stands between a wish and a trace: a run is described (Run, plain data that can be stored and sent), resolved
// (names become a program, a machine and a policy, or an error that says which names there are), and carried out in slices that can be
// watched, limited and interrupted. Afterwards Stats says what the trace holds in numbers.
//
// The command line, and whatever else starts programs, talks to this package alone.
package experiment

import (
	"fmt"
	"time"

	"whorl/sim"
	"whorl/sim/machines"
	"whorl/sim/policy"
)

// A Run describes a run of a program. Its zero value is no run: start from Defaults.
type Run struct {
	Program string   `json:"program"`           // a benchmark ("fghc/pascal", "pascal") or the path of a source file
	Text    string   `json:"text,omitempty"`    // the program itself, in FGHC; Program is then only what it is called
	Args    []string `json:"args,omitempty"`    // sizes of a benchmark, in its order
	Goal    string   `json:"goal,omitempty"`    // query of a source file; a benchmark has one of its own
	Argv    []string `json:"argv,omitempty"`    // what unix:argv hands to the program
	PEs     int      `json:"pes"`               // 1 to MaxPEs, or OwnPEs
	Mode    Mode     `json:"mode,omitempty"`    // "" is Sim
	Policy  string   `json:"policy"`            // a name of policy.All
	Slice   int64    `json:"slice,omitempty"`   // live: the goals of a PE take turns of so many reductions; 0 is the policy's order
	Machine string   `json:"machine"`           // a preset, or the path of a .toml file
	Network string   `json:"network,omitempty"` // a topology; "" for the machine's own
	Seed    uint64   `json:"seed"`
	Limits  Limits   `json:"limits"`

	// Sample is the virtual time between two samples of a processor's program counter, for programs in HPF; 0 is their default.
	Sample time.Duration `json:"sample_ns,omitempty"`
	// Break are lines of a program in HPF, FILE:LINE, before which the run stops so that values can be looked at.
	Break []string `json:"break,omitempty"`
	// CheckIndependent watches the loops of programs in HPF that are said to be INDEPENDENT, and ends the run where one is not.
	CheckIndependent bool `json:"check_independent,omitempty"`
}

// A Mode is how PEs run.
type Mode string

// The modes.
const (
	Sim  Mode = "sim"  // on a simulated machine, in virtual time
	Live Mode = "live" // each a goroutine, on real cores and in real time
)

// Limits end a run that takes too much; 0 is no limit. What has happened until then is kept.
type Limits struct {
	Time       time.Duration `json:"time_ns"`    // real time, not the virtual one
	Reductions int64         `json:"reductions"` // commits
	Memory     int64         `json:"memory"`     // bytes of memory in use by the whole process
}

// Numbers of PEs: that of the largest simulated machine, and what stands for as many as the machine of the run has.
const (
	MaxPEs = sim.MaxPEs
	OwnPEs = -1
)

// Defaults returns a run of program with everything else as it is when nothing is said: 4 PEs, on demand, the first machine, seed 1.
func Defaults(program string) Run {
	return Run{Program: program, PEs: 4, Policy: policy.Default, Machine: machines.Default, Seed: 1}
}

// check says what is out of range.
func (r *Run) check() error {
	switch {
	case r.Program == "":
		return &InputError{"a run needs a program"}
	case (r.PEs < 1 || r.PEs > MaxPEs) && r.PEs != OwnPEs:
		return &InputError{fmt.Sprintf("%d PEs: a machine has 1 to %d", r.PEs, MaxPEs)}
	case r.Mode != "" && r.Mode != Sim && r.Mode != Live:
		return Unknown("mode", string(r.Mode), []string{string(Sim), string(Live)}, "")
	case r.Mode == Live && r.PEs > MaxLivePEs:
		return &InputError{fmt.Sprintf("%d PEs on real cores: expected 1 to %d", r.PEs, MaxLivePEs)}
	case r.Slice < 0:
		return &InputError{fmt.Sprintf("a slice of %d reductions: expected at least 1", r.Slice)}
	case r.Slice > 0 && r.Mode != Live:
		return &InputError{"goals take turns on real cores only: --slice with --mode live"}
	case r.Limits.Time < 0 || r.Limits.Reductions < 0 || r.Limits.Memory < 0:
		return &InputError{"a limit is a positive number"}
	case r.Sample < 0:
		return &InputError{"the time between two samples is positive"}
	}
	return nil
}
