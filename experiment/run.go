// Package experiment runs programs. A Run describes a run as plain data that can be stored and sent. Resolve finds the program, the machine
// and the policy that it names. An Execution then moves the run in slices, so that it can be watched, limited and interrupted.
//
// Package experiment/session pauses, steps and shows a run in progress; tracer/open reads its trace, and tracer/report computes its numbers.
package experiment

import (
	"errors"
	"fmt"
	"time"

	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/sim"
	"whorl/sim/live"
	"whorl/sim/machines"
	"whorl/sim/policy"
	"whorl/tracer"
)

// A Run describes a run of a program. Defaults returns a Run to start from; the zero Run is not valid.
type Run struct {
	Program string   `json:"program"`        // a benchmark ("fghc/pascal", "pascal") or the path of a source file
	Text    string   `json:"text,omitempty"` // the source text; Program is then only its name
	Args    []string `json:"args,omitempty"` // sizes of a benchmark, or further source files
	Goal    string   `json:"goal,omitempty"` // the query of a source file; a benchmark has its own
	Argv    []string `json:"argv,omitempty"` // arguments of the program, for unix:argv
	// Functions are the names of the C codes of a program in FGHC that Go functions replace when it is built.
	Functions []string `json:"-"`
	PEs       int      `json:"pes"`               // 1 to MaxPEs, or OwnPEs
	Mode      Mode     `json:"mode,omitempty"`    // "" is Sim
	Policy    string   `json:"policy"`            // a name of policy.All, for on-demand with options
	Slice     int64    `json:"slice,omitempty"`   // live: reductions after which another goal of the PE has its turn; 0 for the order of the policy
	Machine   string   `json:"machine"`           // a preset, or the path of a .toml file
	Network   string   `json:"network,omitempty"` // a topology; "" for the machine's own
	Seed      uint64   `json:"seed"`
	Speeds    []string `json:"speeds,omitempty"` // simulated: parts of the program with speeds of their own, as sim.ParseSpeed reads them
	Limits    Limits   `json:"limits"`

	// Trace says that Program is the file of a trace or of a schedule, whose program the run replays. Recorded is this program. An empty Machine is the one
	// that has recorded it.
	Trace    bool      `json:"trace,omitempty"`
	Recorded *Recorded `json:"-"`
	// Zero lists reasons for waits and classes of messages of a recorded program for which its tasks do not wait.
	Zero []string `json:"zero,omitempty"`
	// Map places the processes of a recorded program on PEs: block, cyclic, found, or a file with the PE of each; "" leaves them in their order.
	Map string `json:"map,omitempty"`

	// Sample is the time between two samples of the program counter of a processor, for programs in HPF; 0 is their default.
	Sample time.Duration `json:"sample_ns,omitempty"`
	// Break lists lines of a program in HPF, as FILE:LINE, before which the run stops to show values.
	Break []string `json:"break,omitempty"`
	// Defines are macros of the preprocessor for a program in HPF, as NAME or NAME=VALUE.
	Defines []string `json:"defines,omitempty"`
	// Read reads the files that the run names, of at most so many bytes; nil reads those of this computer.
	Read func(path string, most int64) (string, error) `json:"-"`
	// CheckIndependent watches the INDEPENDENT loops of programs in HPF and ends the run where two iterations depend on each other.
	CheckIndependent bool `json:"check_independent,omitempty"`
}

// A Mode selects simulated or real PEs.
type Mode string

// The modes.
const (
	Sim  Mode = tracer.Sim  // a simulated machine, in virtual time
	Live Mode = tracer.Live // goroutines on real cores, in real time
)

// Limits end a run that uses too much; 0 is no limit. The trace keeps the events until then.
type Limits struct {
	Time       time.Duration `json:"time_ns"`    // real time
	Reductions int64         `json:"reductions"` // commits of goals, or threads
	Memory     int64         `json:"memory"`     // bytes in use by the whole process
}

// Numbers of PEs.
const (
	MaxPEs     = sim.MaxPEs      // of the largest simulated machine
	MaxLivePEs = live.MaxWorkers // on real cores
	OwnPEs     = -1              // stands for the number of the machine
)

// CheckPEs returns an error for a number of PEs that no machine has.
func CheckPEs(n int) error {
	if n < 1 || n > MaxPEs {
		return fmt.Errorf("%s: a machine has 1 to %s", figures.Counted(int64(n), "PE"), figures.Count(MaxPEs))
	}
	return nil
}

// Defaults returns a run of a program with the defaults of the command line: 4 PEs, on demand, the first machine, seed 1.
func Defaults(program string) Run {
	return Run{Program: program, PEs: 4, Policy: policy.Default, Machine: machines.Default, Seed: 1}
}

// Check returns an error for values out of range.
func (r *Run) Check() error {
	switch {
	case r.Program == "":
		return errors.New("a run needs a program")
	case r.PEs != OwnPEs && CheckPEs(r.PEs) != nil:
		return CheckPEs(r.PEs)
	case r.Mode != "" && r.Mode != Sim && r.Mode != Live:
		return nearest.Unknown("mode", string(r.Mode), []string{string(Sim), string(Live)})
	case r.Mode == Live && r.PEs > MaxLivePEs:
		return fmt.Errorf("%s on real cores: expected 1 to %s", figures.Counted(int64(r.PEs), "PE"), figures.Count(MaxLivePEs))
	case r.Slice < 0:
		return fmt.Errorf("a slice of %d reductions: expected at least 1", r.Slice)
	case r.Slice > 0 && r.Mode != Live:
		return errors.New("goals take turns on real cores only: --slice needs --mode live")
	case len(r.Speeds) > 0 && r.Mode == Live:
		return errors.New("the speeds of procedures and lines can be chosen on simulated machines only")
	case r.Limits.Time < 0 || r.Limits.Reductions < 0 || r.Limits.Memory < 0:
		return errors.New("a limit is a positive number")
	case r.Sample < 0:
		return errors.New("the time between two samples is positive")
	}
	return nil
}

// checkHPF returns an error for settings that only programs in HPF have.
func (r *Run) checkHPF() error {
	for _, s := range []struct {
		flag  string
		given bool
	}{{"sample", r.Sample != 0}, {"check-independent", r.CheckIndependent}, {"break", len(r.Break) > 0}, {"define", len(r.Defines) > 0}} {
		if s.given {
			return errors.New("--" + s.flag + " is for programs in HPF")
		}
	}
	return nil
}
