// Package program lets commands take programs: the flags of a run, the program with its arguments, its errors and warnings, and its world.
package program

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/experiment"
	"whorl/fghc/system"
	"whorl/internal/fault"
	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/store"
)

// Complete completes the name of a program.
func Complete(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return Names(experiment.Benchmarks()), cobra.ShellCompDirectiveDefault
}

// GoalFlag adds the flag for the query of a program.
func GoalFlag(cmd *cobra.Command, r *experiment.Run) {
	cmd.Flags().StringVar(&r.Goal, "goal", "", "`query` of a source file, or another query for a benchmark")
}

// PolicyFlags adds the flags for the number of PEs and their policy.
func PolicyFlags(cmd *cobra.Command, r *experiment.Run) {
	cmd.Flags().IntVar(&r.PEs, "pes", r.PEs, "`number` of PEs, 1 to 1,048,576; with --machine the default is that of the machine")
	cmd.Flags().StringVar(&r.Policy, "policy", r.Policy, "scheduling `policy` (whorl list policies)")
	command.Complete(cmd, "policy", Names(append(experiment.Policies(), experiment.PolicyOptions()...)))
}

// MachineFlags adds the flags for the simulated machine.
func MachineFlags(cmd *cobra.Command, r *experiment.Run) {
	f := cmd.Flags()
	f.StringVar(&r.Machine, "machine", r.Machine, "`machine` (whorl list machines) or a .toml file, with options: symmetry:latency=10us")
	f.StringVar(&r.Network, "net", "", "`network` (whorl list networks), in place of the machine's own")
	f.Uint64Var(&r.Seed, "seed", r.Seed, "`number` from which all random choices follow")
	command.Complete(cmd, "machine", Names(experiment.Machines()))
	command.Complete(cmd, "net", Names(experiment.Networks()))
}

// ModeFlag adds the flag that chooses between simulated PEs and real cores.
func ModeFlag(cmd *cobra.Command, r *experiment.Run) {
	cmd.Flags().StringVar((*string)(&r.Mode), "mode", string(experiment.Sim), "`mode` of PEs: sim in virtual time, or live on real cores")
	command.Complete(cmd, "mode", []string{string(experiment.Sim), string(experiment.Live)})
}

// LimitFlags adds the flags that end a run early.
func LimitFlags(cmd *cobra.Command, r *experiment.Run) {
	f := cmd.Flags()
	f.DurationVar(&r.Limits.Time, "max-time", 0, "stop after this much real `time`: 10s, 2m")
	f.Int64Var(&r.Limits.Reductions, "max-reductions", 0, "stop after a `number` of reductions, or of forked threads")
	f.Var(&command.Memory{Bytes: &r.Limits.Memory}, "max-memory", "stop when whorl uses this much `memory`: 500M, 2G")
}

// Describe completes a run with the program, its arguments, and the flags that depend on each other.
func Describe(cmd *cobra.Command, r *experiment.Run, args []string) {
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

// Resolve resolves the names of a run. An interrupt ends it. A command with --all lists all errors of the program.
func Resolve(cmd *cobra.Command, r *experiment.Run) (*experiment.Prepared, error) {
	var prepared *experiment.Prepared
	err := command.Await(cmd.Context(), func(*files.Writer) (err error) {
		prepared, err = r.Resolve()
		return err
	})
	if problems, ok := errors.AsType[fault.Errors](err); ok && cmd.Flags().Lookup("all") != nil {
		err = Problems(problems, WantsAll(cmd))
	}
	if err != nil {
		return nil, err
	}
	return prepared, nil
}

// AnyHost is the name of the flag that lets sockets reach other hosts.
const AnyHost = "any-host"

// HostFlag adds the flag AnyHost.
func HostFlag(cmd *cobra.Command) {
	cmd.Flags().Bool(AnyHost, false, "let the sockets of the program reach and accept any host; without it only this machine")
}

// Files is the name of the flag for the folder of the program's files.
const Files = "files"

// FilesFlag adds the flag Files.
func FilesFlag(cmd *cobra.Command) {
	cmd.Flags().String(Files, "", "HPF: `folder` whose files the program may read and write; names are relative to it (default the working folder)")
	_ = cmd.MarkFlagDirname(Files) // the flag exists
}

// World returns the world of programs that run for the user.
func World(cmd *cobra.Command) experiment.World {
	any, _ := cmd.Flags().GetBool(AnyHost)    // the command has the flag
	folder, _ := cmd.Flags().GetString(Files) // "" for a command without the flag
	return experiment.World{
		Folder: folder,
		Stdin:  cmd.InOrStdin(), Stdout: cmd.OutOrStdout(), Stderr: cmd.ErrOrStderr(), Files: true, System: system.Sockets{AnyHost: any},
	}
}

// Names returns the names of items.
func Names(items []experiment.Item) []string {
	all := make([]string, len(items))
	for i, it := range items {
		all[i] = it.Name
	}
	return all
}

// AllFlag adds the flag that lists all errors and warnings.
func AllFlag(cmd *cobra.Command) {
	cmd.Flags().Bool("all", false, "print all errors and warnings of the program")
}

// WantsAll reports whether the command has the flag --all and it is set.
func WantsAll(cmd *cobra.Command) bool {
	all, err := cmd.Flags().GetBool("all")
	return err == nil && all
}

// Problems returns the errors and warnings of a program, in whole or with a hint how to see the others.
func Problems(errs fault.Errors, all bool) fault.Listing {
	return fault.Listing{Errors: errs, All: all, Hint: "--all shows them"}
}

// NoteWarnings prints the number of warnings about a program, or the warnings themselves with --all.
func NoteWarnings(cmd *cobra.Command, p *experiment.Prepared) {
	if len(p.Warnings) == 0 {
		return
	}
	if WantsAll(cmd) {
		fmt.Fprintln(cmd.ErrOrStderr(), command.Printable(strings.Join(p.Warnings, "\n")))
		return
	}
	d := p.Description
	fmt.Fprintf(cmd.ErrOrStderr(), "%s: whorl check %s\n", figures.Counted(int64(len(p.Warnings)), "warning"), strings.Join(append([]string{d.Program}, d.Args...), " "))
}

// Record makes a run without a viewer, recorded in rec, which may be nil, and closes the trace. out is the name of its file, for errors.
func Record(cmd *cobra.Command, prepared *experiment.Prepared, rec *store.Writer, out string) (*experiment.Result, error) {
	line := command.NewProgress(cmd.Context(), cmd.ErrOrStderr())
	defer line.Done()
	if rec == nil {
		return prepared.Run(cmd.Context(), nil, line.Report)
	}
	result, err := prepared.Run(cmd.Context(), rec, line.Report)
	if closed := rec.Close(); closed != nil {
		return result, errors.Join(err, files.CannotWrite(out, closed))
	}
	return result, err
}

// Ended returns the error of a run with its exit status, nil for a run that is done. out is the file of its trace, "" for none.
func Ended(result *experiment.Result, out string) error {
	status := max(command.ExitFailed, result.Status)
	switch result.Outcome {
	case tracer.Done:
		return nil
	case tracer.Limited:
		status = command.ExitLimit
	case tracer.Interrupted:
		status = command.ExitInterrupted
	}
	err := result.Err
	if result.Outcome != tracer.Failed {
		err = command.WithTrace(err, out)
	}
	return command.Exit(status, err)
}
