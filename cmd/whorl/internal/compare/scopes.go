package compare

import "whorl/cmd/whorl/internal/command"

// The tables of this file list the uses of compare, replay and sweep where each flag has an effect. Any other use refuses the flag.

// compareUse describes a use of compare.
type compareUse struct {
	traces    bool   // it compares traces
	files     int    // their number
	substrate string // of the program
	picture   bool
}

// sweepUse describes a use of sweep.
type sweepUse struct {
	nodes   bool // the runs are made on nodes
	joins   bool // the cluster exists
	listens bool // other hosts may join
}

// sweepScopes lists the uses of sweep where its flags have an effect.
var sweepScopes = []command.Scope[sweepUse]{
	{Flags: []string{"output", "cores", "yes", "nodes", "join", "listen"}},
	{
		Flags: []string{"placement", "cluster", "creds", "ca", "cert", "key"},
		In:    func(u sweepUse) bool { return u.nodes }, Only: "is for sweeps on nodes: --nodes N, --listen HOST:PORT, or --join URL",
	},
	{Flags: []string{"creds"}, In: func(u sweepUse) bool { return u.joins }, Only: "is for an existing cluster: --join URL"},
	{
		Flags: []string{"cluster", "ca", "cert", "key"},
		In:    func(u sweepUse) bool { return u.joins || u.listens }, Only: "is for clusters of several hosts: --listen HOST:PORT or --join URL",
	},
}

// replayUse describes a use of replay.
type replayUse struct {
	one     bool // one replay, not several
	picture bool
}

// replayScopes lists the uses of replay where its flags have an effect.
var replayScopes = []command.Scope[replayUse]{
	{Flags: []string{"pes", "policy", "machine", "net", "seed", "speed", "zero", "map", "max-time", "max-memory", "anyway", "processor", "merge", "binary", "source", "program", "collectives"}},
	{
		Flags: []string{"output", "stats"},
		In:    func(u replayUse) bool { return u.one }, Only: "is for one replay: give one number of PEs and one policy",
	},
	{
		Flags: []string{"format", "picture", "view", "scale", "color", "background", "size"},
		In:    func(u replayUse) bool { return !u.one }, Only: "is for tables: give several numbers of PEs, or several policies",
	},
	{
		Flags: []string{"view", "scale", "color", "background", "size"},
		In:    func(u replayUse) bool { return u.picture }, Only: "is for a picture: --picture FILE.svg or FILE.png",
	},
}

// compareScopes lists the uses of compare where its flags have an effect.
var compareScopes = []command.Scope[compareUse]{
	{Flags: []string{"format"}},
	{
		Flags: []string{"pes", "policy", "goal", "mode", "machine", "net", "seed", "max-time", "max-reductions", "seeds", "picture", "view", "scale", "color", "background", "size"},
		In:    func(u compareUse) bool { return !u.traces }, Only: "is for comparing runs of a program; traces are compared by their calling contexts",
	},
	{
		Flags: []string{"processes", "metric", "processor", "merge", "binary", "source", "program"},
		In:    func(u compareUse) bool { return u.traces }, Only: "is for comparing traces, and the first argument is a program",
	},
	{Flags: []string{"processes"}, In: func(u compareUse) bool { return u.files < 2 }, Only: "compares processes of a single trace with its others"},
	{Flags: []string{"goal"}, In: func(u compareUse) bool { return u.traces || u.substrate == "fghc" }, Only: "is for programs in FGHC"},
	{Flags: []string{"seed", "seeds", "max-reductions"}, In: func(u compareUse) bool { return u.substrate != "hpf" }, Only: "is for programs in FGHC and of threads"},
	{
		Flags: []string{"view", "scale", "color", "background", "size"},
		In:    func(u compareUse) bool { return u.picture }, Only: "is for a picture: --picture FILE.svg or FILE.png",
	},
}
