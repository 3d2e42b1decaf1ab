package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/experiment"
	"whorl/fghc/system"
	"whorl/internal/fault"
	"whorl/internal/files"
)

// programs completes the name of a program.
func programs(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return names(experiment.Benchmarks()), cobra.ShellCompDirectiveDefault
}

func goalFlag(cmd *cobra.Command, r *experiment.Run) {
	cmd.Flags().StringVar(&r.Goal, "goal", "", "`query` of a source file, or another query for a benchmark")
}

func policyFlags(cmd *cobra.Command, r *experiment.Run) {
	cmd.Flags().IntVar(&r.PEs, "pes", r.PEs, "`number` of PEs, 1 to 1,048,576; with --machine the default is that of the machine")
	cmd.Flags().StringVar(&r.Policy, "policy", r.Policy, "scheduling `policy` (whorl list policies)")
	command.Complete(cmd, "policy", names(append(experiment.Policies(), experiment.PolicyOptions()...)))
}

func machineFlags(cmd *cobra.Command, r *experiment.Run) {
	f := cmd.Flags()
	f.StringVar(&r.Machine, "machine", r.Machine, "`machine` (whorl list machines) or a .toml file, with options: symmetry:latency=10us")
	f.StringVar(&r.Network, "net", "", "`network` (whorl list networks), in place of the machine's own")
	f.Uint64Var(&r.Seed, "seed", r.Seed, "`number` from which all random choices follow")
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
	f.Var(&command.Memory{Bytes: &r.Limits.Memory}, "max-memory", "stop when whorl uses this much `memory`: 500M, 2G")
}

// describe completes a run with the program, its arguments, and the flags that depend on each other.
func describe(cmd *cobra.Command, r *experiment.Run, args []string) {
	if dash := cmd.ArgsLenAtDash(); dash > 0 {
		args, r.Argv = args[:dash], args[dash:]
	}
	if len(args) > 0 {
		r.Program, r.Args = args[0], args[1:]
	}
	if f := cmd.Flags(); f.Changed("machine") && !f.Changed("pes") {
		r.PEs = experiment.OwnPEs
	}
}

// resolve resolves the names of a run. An interrupt ends it. A command with --all lists all errors of the program.
func resolve(cmd *cobra.Command, r *experiment.Run) (*experiment.Prepared, error) {
	var prepared *experiment.Prepared
	err := command.Await(cmd.Context(), func(*files.Writer) (err error) {
		prepared, err = r.Resolve()
		return err
	})
	if problems, ok := errors.AsType[fault.Errors](err); ok && cmd.Flags().Lookup("all") != nil {
		err = problemList(problems, wantsAll(cmd))
	}
	if err != nil {
		return nil, err
	}
	return prepared, nil
}

// anyHost is the name of the flag that lets sockets reach other hosts.
const anyHost = "any-host"

func hostFlag(cmd *cobra.Command) {
	cmd.Flags().Bool(anyHost, false, "let the sockets of the program reach and accept any host; without it only this machine")
}

// world returns the world of programs that run for the user.
func world(cmd *cobra.Command) experiment.World {
	any, _ := cmd.Flags().GetBool(anyHost) // the command has the flag
	return experiment.World{
		Stdin: cmd.InOrStdin(), Stdout: cmd.OutOrStdout(), Stderr: cmd.ErrOrStderr(), Files: true, System: system.Sockets{AnyHost: any},
	}
}

func names(items []experiment.Item) []string {
	all := make([]string, len(items))
	for i, it := range items {
		all[i] = it.Name
	}
	return all
}
