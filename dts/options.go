package dts

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"whorl/dts/launch"
	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/sim"
	"whorl/sim/live"
	"whorl/sim/machines"
	"whorl/sim/policy"
	"whorl/tracer"
)

// The modes of a run.
const (
	Live = "live" // on real cores, each PE a goroutine, in real time
	Sim  = "sim"  // on a simulated machine, in virtual time
)

// Options configure a run. The environment, which whorl run sets, fills in fields that are zero; the comments name
// the variable and the default.
type Options struct {
	PEs     int    // WHORL_PES; live GOMAXPROCS, simulated the number of PEs of the machine
	Policy  string // WHORL_POLICY, a name in policy.All, for on-demand with ask of policy.Options; on-demand
	Mode    string // WHORL_MODE, Live or Sim; Live
	Machine string // WHORL_MACHINE, simulated only: a name in machines.All or the path of a .toml file; symmetry
	Network string // WHORL_NET, a name in sim.Networks; simulated the machine's network, live a bus
	Seed    uint64 // WHORL_SEED, for the policy's random choices; 1
	// Speeds are those of functions, simulated only. A function is named as in the trace.
	Speeds []sim.Speed
	Limits Limits // WHORL_MAX_TIME, WHORL_MAX_THREADS, WHORL_MAX_MEMORY; none

	// Recorder receives the trace. If it is nil, the trace goes to the file that WHORL_TRACE names, if any. Run does
	// not close a Recorder.
	Recorder tracer.Recorder
	Program  string   // the program's name in the trace; the name of its file
	Args     []string // the program's arguments in the trace; those of the process

	// Sources are the program's source files for the trace, matched by the last element of their names. Run reads
	// other files from the paths where the program was built.
	Sources []tracer.SourceFile

	// Cost returns the simulated time of a thread in addition to the durations that it declares with Compute. Run
	// calls Cost once for each thread, with the name of its function and its argument. The time passes at the start of
	// the thread. Nil means no cost.
	Cost func(name string, arg any) time.Duration

	// Check examines the result of a main thread that ended well, before the trace records how the run ended. Run
	// returns its error. Nil accepts every result.
	Check func(result any) error

	// Watched hands events of a live run to the Recorder several times a second, for a viewer of the growing trace;
	// WHORL_WATCHED.
	Watched bool

	// Wall makes the run times of threads in a live run times of the clock instead of processor times: for threads
	// that wait for goroutines of their own.
	Wall bool

	// Control pauses the run and resumes it. Nil means that the run is never paused.
	Control *Control

	Spin   bool      // live only: Compute keeps the PE busy for its duration; else Compute returns at once
	Funcs  *Registry // functions that other hosts can run; nil means all registered functions
	Remote Remote    // moves forks of functions in Funcs to other hosts; nil means a single host

	// FirstTask and FirstPE are the first id of a thread and the first number of a PE in the trace of a live run.
	// Each host of a cluster has a range of its own.
	FirstTask uint64
	FirstPE   int

	Stats *Stats // if not nil, Run fills it in at the end
}

// Stats are the counts of a run.
type Stats struct {
	PEs     int
	Steals  int64         // threads moved to another PE by stealing
	Blocked int64         // joins that had to wait
	Elapsed time.Duration // real, or virtual
}

// resolved holds the options of a run after names and defaults are resolved.
type resolved struct {
	Options
	policy sim.Policy
	net    sim.Network
	preset machines.Preset // simulated only
}

// resolve fills in defaults and looks up names.
func resolve(o Options) (*resolved, error) {
	if err := o.fromEnvironment(); err != nil {
		return nil, err
	}
	r := &resolved{Options: o}
	switch r.Mode {
	case "":
		r.Mode = Live
	case Live, Sim:
	default:
		return nil, nearest.Unknown("mode", r.Mode, []string{Live, Sim})
	}
	if r.Seed == 0 {
		r.Seed = 1
	}
	if r.Policy == "" {
		r.Policy = policy.Default
	}
	var err error
	if r.policy, err = policy.Unordered(r.Policy); err != nil {
		return nil, err
	}
	most := live.MaxWorkers
	if r.Mode == Sim {
		most = sim.MaxPEs
		if r.preset, err = preset(r.Machine); err != nil {
			return nil, err
		}
		if r.PEs == 0 {
			r.PEs = r.preset.PEs
		}
		if r.Network == "" {
			r.Network = r.preset.Network
		}
		if r.Remote != nil {
			return nil, errors.New("dts: a simulated run has no other hosts")
		}
	}
	if r.PEs == 0 {
		r.PEs = min(runtime.GOMAXPROCS(0), most)
	}
	if r.Network == "" {
		r.Network = "bus"
	}
	if r.PEs < 1 || r.PEs > most {
		return nil, fmt.Errorf("%s: %s, expected 1 to %s", figures.Counted(int64(r.PEs), "PE"), r.Mode, figures.Count(int64(most)))
	}
	r.net, err = sim.NetworkNamed(r.Network, r.PEs)
	if r.Program == "" && len(os.Args) > 0 {
		r.Program, r.Args = filepath.Base(os.Args[0]), os.Args[1:]
	}
	return r, err
}

// preset returns the machine with the given name, the default one for "".
func preset(name string) (machines.Preset, error) {
	if name == "" {
		name = machines.Default
	}
	return machines.Find(name, os.ReadFile)
}

// fromEnvironment sets fields that are zero from the environment.
func (o *Options) fromEnvironment() error {
	l := &o.Limits
	s := launch.Settings{
		PEs: o.PEs, Policy: o.Policy, Mode: o.Mode, Machine: o.Machine, Network: o.Network, Seed: o.Seed, Watched: o.Watched,
		MaxTime: l.Time, MaxThreads: l.Threads, MaxMemory: l.Memory,
	}
	err := s.Fill(os.LookupEnv)
	o.PEs, o.Policy, o.Mode, o.Machine, o.Network, o.Seed, o.Watched = s.PEs, s.Policy, s.Mode, s.Machine, s.Network, s.Seed, s.Watched
	*l = Limits{Time: s.MaxTime, Threads: s.MaxThreads, Memory: s.MaxMemory}
	return err
}
