package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/internal/nearest"
)

// programs completes the name of a program.
func programs(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return names(experiment.Benchmarks()), cobra.ShellCompDirectiveDefault
}

// machineFlags adds the flags of the machine and of the policy.
func machineFlags(cmd *cobra.Command, r *experiment.Run) {
	f := cmd.Flags()
	f.IntVar(&r.PEs, "pes", r.PEs, "`number` of PEs, 1 to 1048576; with --machine the default is that of the machine")
	f.StringVar(&r.Policy, "policy", r.Policy, "scheduling `policy` (whorl list policies)")
	f.StringVar(&r.Machine, "machine", r.Machine, "`machine` (whorl list machines), or a .toml file in the same form")
	f.StringVar(&r.Network, "net", "", "`network` (whorl list networks), in place of the machine's own")
	f.Uint64Var(&r.Seed, "seed", r.Seed, "seed of all random choices")
	command.Complete(cmd, "policy", names(experiment.Policies()))
	command.Complete(cmd, "machine", names(experiment.Machines()))
	command.Complete(cmd, "net", names(experiment.Networks()))
}

func modeFlag(cmd *cobra.Command, r *experiment.Run) {
	cmd.Flags().StringVar((*string)(&r.Mode), "mode", string(experiment.Sim), "`mode` of PEs: sim in virtual time, or live on real cores")
	command.Complete(cmd, "mode", []string{string(experiment.Sim), string(experiment.Live)})
}

func sliceFlag(cmd *cobra.Command, r *experiment.Run) {
	cmd.Flags().Int64Var(&r.Slice, "slice", 0, "live: let the goals of a PE take turns of this many `reductions`, the oldest first; 0 for the order of the policy")
}

func limitFlags(cmd *cobra.Command, r *experiment.Run) {
	f := cmd.Flags()
	f.DurationVar(&r.Limits.Time, "max-time", 0, "stop after this much real `time`: 10s, 2m")
	f.Int64Var(&r.Limits.Reductions, "max-reductions", 0, "stop after a `number` of reductions, or of forked threads")
	f.String("max-memory", "", "stop when whorl uses this much `memory`: 500M, 2G")
}

// describe completes a run with the program, its arguments, and the flags that depend on each other.
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

// world returns the world of programs that run for the user.
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
