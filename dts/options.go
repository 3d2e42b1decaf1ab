package dts

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

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

// Options say how a program runs. What is zero is taken from the environment, as whorl run sets it, and else as it says here.
type Options struct {
	PEs     int    // WHORL_PES; live as many as GOMAXPROCS, simulated as many as the machine has
	Policy  string // WHORL_POLICY, a name of policy.All; on-demand
	Mode    string // WHORL_MODE, Live or Sim; Live
	Machine string // WHORL_MACHINE, simulated: a name of machines.All, or the path of a .toml file; symmetry
	Network string // WHORL_NET, a name of sim.Networks; that of the machine, live a bus
	Seed    uint64 // WHORL_SEED, of the policy's random choices; 1
	Limits  Limits // WHORL_MAX_TIME, WHORL_MAX_THREADS, WHORL_MAX_MEMORY; none

	// Recorder takes the trace. Where it is nil and WHORL_TRACE names a file, the trace goes there. Run does not close a Recorder.
	Recorder tracer.Recorder
	Program  string   // what the trace calls the program; the name of its file
	Args     []string // its arguments, for the trace; those of the process

	// Sources are texts of the program's files, for the trace, found by the last part of their names. Those that are missing are read from
	// where the program was built.
	Sources []tracer.SourceFile

	// Cost, simulated, is what a thread takes beside what it declares with Compute: it is asked once for each thread, with the name of the
	// function and its argument, and spent at the start. Nil costs nothing.
	Cost func(name string, arg any) time.Duration

	// Check is asked about the result of the main thread, when it has ended well, before the trace says how the run ended. Its error is that of
	// Run. Nil takes any result.
	Check func(result any) error

	// Watched, live, hands events to the Recorder several times a second, for those who look at the trace while it grows; WHORL_WATCHED.
	Watched bool

	// Control pauses the run and lets it go on. Nil lets it go.
	Control *Control

	Spin   bool      // live, Compute keeps the PE busy for as long as it says; else it takes no time
	Funcs  *Registry // the functions that other hosts can carry out
	Remote Remote    // takes forks of these to other hosts; nil keeps all here

	// Live, where the ids of threads and the numbers of PEs begin in the trace: each host of several has its own range.
	FirstTask uint64
	FirstPE   int

	Stats *Stats // is filled in at the end, where it is not nil
}

// Stats are the numbers of a run.
type Stats struct {
	PEs     int
	Steals  int64         // threads that another PE took
	Blocked int64         // joins that had to wait
	Elapsed time.Duration // real, or virtual
}

// resolved is what is known of a run when names have been found.
type resolved struct {
	Options
	policy sim.Policy
	net    sim.Network
	preset machines.Preset // simulated
}

// resolve fills in what is zero and finds what names name.
func resolve(o Options) (*resolved, error) {
	if err := o.fromEnvironment(os.LookupEnv); err != nil {
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
	if r.policy, err = policy.Named(r.Policy); err != nil {
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
		return nil, fmt.Errorf("%d PEs: %s, expected 1 to %d", r.PEs, r.Mode, most)
	}
	r.net, err = sim.NetworkNamed(r.Network, r.PEs)
	if r.Program == "" && len(os.Args) > 0 {
		r.Program, r.Args = filepath.Base(os.Args[0]), os.Args[1:]
	}
	return r, err
}

// preset is the machine of that name, or in that file.
func preset(name string) (machines.Preset, error) {
	if name == "" {
		name = machines.Default
	}
	if len(name) < 5 || name[len(name)-5:] != ".toml" {
		return machines.Named(name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return machines.Preset{}, err
	}
	return machines.Read(name, text)
}

// fromEnvironment fills in what is zero and what the environment says.
func (o *Options) fromEnvironment(lookup func(string) (string, bool)) error {
	var bad error
	text := func(field *string, key string) {
		if v, ok := lookup(key); ok && *field == "" {
			*field = v
		}
	}
	number := func(zero bool, key, expected string, parse func(string) error) {
		if v, ok := lookup(key); ok && v != "" && zero && parse(v) != nil && bad == nil {
			bad = fmt.Errorf("%s=%q: expected %s", key, v, expected)
		}
	}
	text(&o.Policy, EnvPolicy)
	text(&o.Mode, EnvMode)
	text(&o.Machine, EnvMachine)
	text(&o.Network, EnvNetwork)
	number(o.PEs == 0, EnvPEs, "a number of PEs", func(v string) (err error) { o.PEs, err = strconv.Atoi(v); return err })
	number(!o.Watched, EnvWatched, "true or false", func(v string) (err error) { o.Watched, err = strconv.ParseBool(v); return err })
	number(o.Seed == 0, EnvSeed, "a whole number of at least 0", func(v string) (err error) { o.Seed, err = strconv.ParseUint(v, 10, 64); return err })
	l := &o.Limits
	number(l.Time == 0, EnvMaxTime, "a duration such as 10s", func(v string) (err error) { l.Time, err = time.ParseDuration(v); return err })
	number(l.Threads == 0, EnvMaxThreads, "a whole number", func(v string) (err error) { l.Threads, err = strconv.ParseInt(v, 10, 64); return err })
	number(l.Memory == 0, EnvMaxMemory, "a number of bytes", func(v string) (err error) { l.Memory, err = strconv.ParseInt(v, 10, 64); return err })
	if bad == nil && (o.PEs < 0 || l.Time < 0 || l.Threads < 0 || l.Memory < 0) {
		bad = errors.New("dts: a number of PEs or a limit is negative")
	}
	return bad
}

// The variables of the environment that Options are taken from where they are zero.
const (
	EnvPEs        = "WHORL_PES"
	EnvPolicy     = "WHORL_POLICY"
	EnvMode       = "WHORL_MODE"
	EnvMachine    = "WHORL_MACHINE"
	EnvNetwork    = "WHORL_NET"
	EnvSeed       = "WHORL_SEED"
	EnvTrace      = "WHORL_TRACE"  // a file for the trace of the first run of the process
	EnvReport     = "WHORL_REPORT" // a file for how the first run ended
	EnvWatched    = "WHORL_WATCHED"
	EnvMaxTime    = "WHORL_MAX_TIME"
	EnvMaxThreads = "WHORL_MAX_THREADS"
	EnvMaxMemory  = "WHORL_MAX_MEMORY"
)
