package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/internal/nearest"
)

// aProgram takes a program and what belongs to it.
func aProgram(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return exactly("a program")(cmd, args)
	}
	return nil
}

// programs completes the name of a program.
func programs(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return names(experiment.Benchmarks()), cobra.ShellCompDirectiveDefault
}

// machineFlags are the flags of a machine and of how work is spread over it.
func machineFlags(cmd *cobra.Command, r *experiment.Run) {
	f := cmd.Flags()
	f.IntVar(&r.PEs, "pes", r.PEs, "`number` of PEs, 1 to 1048576; that of the machine where --machine is given")
	f.StringVar(&r.Policy, "policy", r.Policy, "scheduling `policy` (whorl list policies)")
	f.StringVar(&r.Machine, "machine", r.Machine, "`machine` (whorl list machines), or a .toml file of that form")
	f.StringVar(&r.Network, "net", "", "`network` (whorl list networks), instead of the machine's own")
	f.Uint64Var(&r.Seed, "seed", r.Seed, "seed of all that is random")
	complete(cmd, "policy", names(experiment.Policies()))
	complete(cmd, "machine", names(experiment.Machines()))
	complete(cmd, "net", names(experiment.Networks()))
}

func modeFlag(cmd *cobra.Command, r *experiment.Run) {
	cmd.Flags().StringVar((*string)(&r.Mode), "mode", string(experiment.Sim), "how PEs run: `sim` in virtual time, or live on real cores")
	complete(cmd, "mode", []string{string(experiment.Sim), string(experiment.Live)})
}

func sliceFlag(cmd *cobra.Command, r *experiment.Run) {
	cmd.Flags().Int64Var(&r.Slice, "slice", 0, "live: the goals of a PE take turns, the oldest first, of so many `reductions`; 0 is the policy's order")
}

func limitFlags(cmd *cobra.Command, r *experiment.Run) {
	f := cmd.Flags()
	f.DurationVar(&r.Limits.Time, "max-time", 0, "stop after this much real `time`: 10s, 2m")
	f.Int64Var(&r.Limits.Reductions, "max-reductions", 0, "stop after so many reductions, or threads that were forked")
	f.String("max-memory", "", "stop when whorl has this much `memory` in use: 500M, 2G")
}

// describe completes the run of a program, and of what stands behind it, by what those flags say together.
func describe(cmd *cobra.Command, r *experiment.Run, args []string) error {
	if dash := cmd.ArgsLenAtDash(); dash > 0 {
		args, r.Argv = args[:dash], args[dash:]
	}
	if len(args) > 0 {
		r.Program, r.Args = args[0], args[1:]
	}
	f := cmd.Flags()
	if f.Changed("machine") && !f.Changed("pes") {
		r.PEs = experiment.OwnPEs
	}
	if memory := f.Lookup("max-memory"); memory != nil && memory.Changed {
		var err error
		r.Limits.Memory, err = parseMemory(memory.Value.String())
		return err
	}
	return nil
}

// parseMemory reads the value of --max-memory.
func parseMemory(text string) (int64, error) {
	n, ok := figures.Bytes(text)
	if !ok {
		return 0, fmt.Errorf("--max-memory %s: expected an amount such as 500M or 2G", nearest.Quote(text))
	}
	return n, nil
}

// world is what a program reaches that is run for the user.
func world(cmd *cobra.Command) experiment.World {
	return experiment.World{Stdin: cmd.InOrStdin(), Stdout: cmd.OutOrStdout(), Stderr: cmd.ErrOrStderr(), Files: true}
}

func names(items []experiment.Item) []string {
	all := make([]string, len(items))
	for i, it := range items {
		all[i] = it.Name
	}
	return all
}
