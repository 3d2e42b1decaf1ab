package run

import (
	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/build"
	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/program"
	"whorl/experiment"
)

// The tables of this file list the uses of run where each flag has an effect. Any other use refuses the flag.

// runUse describes a use of run.
type runUse struct {
	substrate string // of the program: fghc, dts or hpf
	live      bool
	nodes     bool // the run is on nodes: started here, of other hosts that may join, or of an existing cluster
	joins     bool // the cluster exists
	listens   bool // other hosts may join
	stores    bool // jobs are kept
	records   bool // there is a trace
}

// runScopes lists the uses of run where its flags have an effect.
var runScopes = []command.Scope[runUse]{
	{Flags: []string{"mode", "pes", "max-time", "output", "stats", "nodes", "join", "listen"}},
	{Flags: []string{"goal", "slice", program.AnyHost}, In: runUse.isFGHC, Only: "is for programs in FGHC"},
	{Flags: []string{"slice"}, In: func(u runUse) bool { return u.live }, Only: "is for goals on real cores, which take turns: --mode live"},
	{Flags: []string{"all"}, In: func(u runUse) bool { return u.substrate != "dts" }, Only: "is for programs in FGHC and HPF"},
	{Flags: []string{"break", "check-independent", "define", "sample", "files"}, In: runUse.isHPF, Only: "is for programs in HPF"},
	{Flags: []string{"sample"}, In: func(u runUse) bool { return u.records }, Only: "is for a trace: -o FILE.whorl, --stats or --open"},
	{Flags: []string{"policy", "seed", "max-reductions"}, In: func(u runUse) bool { return !u.isHPF() }, Only: "is for programs in FGHC and of threads"},
	{Flags: []string{"machine", "net", "max-reductions", "max-memory"}, In: func(u runUse) bool { return !u.nodes }, Only: "cannot be used with nodes, which run on real cores and hosts"},
	{Flags: []string{"speed"}, In: func(u runUse) bool { return !u.live && !u.nodes }, Only: "is for simulated runs"},
	{Flags: []string{"open"}, In: func(u runUse) bool { return !u.nodes }, Only: "cannot be used with nodes: keep the trace with -o and show it with whorl view"},
	{
		Flags: []string{"store", "sync", "job", "placement", "cluster", "creds", "ca", "cert", "key"},
		In:    func(u runUse) bool { return u.nodes }, Only: "is for runs on nodes: --nodes N, or --join URL",
	},
	{Flags: []string{"sync"}, In: func(u runUse) bool { return u.stores }, Only: "is for jobs that are kept: --store FOLDER"},
	{Flags: []string{"job"}, In: func(u runUse) bool { return u.stores || u.joins }, Only: "is for jobs that outlast a run: --store FOLDER or --join URL"},
	{Flags: []string{"creds"}, In: func(u runUse) bool { return u.joins }, Only: "is for an existing cluster: --join URL"},
	{Flags: []string{"cluster", "ca", "cert", "key"}, In: func(u runUse) bool { return u.joins || u.listens }, Only: "is for clusters of several hosts: --listen HOST:PORT or --join URL"},
}

func (u runUse) isFGHC() bool { return u.substrate == "fghc" }
func (u runUse) isHPF() bool  { return u.substrate == "hpf" }

// useOfRun returns the use of run for a program.
func useOfRun(cmd *cobra.Command, r *experiment.Run, nodes bool) (u runUse, err error) {
	changed := cmd.Flags().Changed
	u = runUse{
		substrate: "dts", live: r.Mode == experiment.Live, nodes: nodes, joins: changed("join"), listens: changed("listen"), stores: changed("store"),
		records: changed("output") || changed("stats") || changed("open"),
	}
	if !nodes && !build.IsFolder(r.Program) {
		u.substrate, err = r.Substrate()
	}
	return u, err
}

// recordScopes lists the uses of record where its flags have an effect.
var recordScopes = []command.Scope[recordUse]{
	{Flags: []string{"output", "open"}},
	{Flags: []string{"for"}, In: func(u recordUse) bool { return u == recordsServer || u == recordsProcess }, Only: "is for the URL of a server and for --pid"},
	{Flags: []string{"kind"}, In: func(u recordUse) bool { return u == recordsServer }, Only: "is for the URL of a server"},
	{Flags: []string{"trace-flag", "trace-env"}, In: func(u recordUse) bool { return u == recordsEvents }, Only: "is for a program that writes a trace, without --samples"},
	{Flags: []string{"samples"}, In: func(u recordUse) bool { return u == recordsSamples }, Only: "is for a program that starts"},
	{Flags: []string{"frequency"}, In: func(u recordUse) bool { return u == recordsSamples || u == recordsProcess }, Only: "is for programs of which samples are taken"},
	{Flags: []string{"pid"}, In: func(u recordUse) bool { return u == recordsProcess }, Only: "is for a process that runs already"},
	{Flags: []string{"processor", "merge", "binary", "source"}},
}
