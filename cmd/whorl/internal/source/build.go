package source

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/build"
	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/program"
	"whorl/experiment"
	"whorl/internal/files"
	"whorl/internal/nearest"
)

func newBuild() *cobra.Command {
	r := experiment.Defaults("")
	var out, functions string
	cmd := &cobra.Command{
		Use:   "build PROGRAM [ARGS] [-o BINARY]",
		Short: "Make a program in FGHC or HPF a binary of its own",
		Long: `Compile a program in FGHC to machine code, by way of Go, and write a binary that runs on real cores and needs no other file. For a program
in HPF, write a copy of whorl that runs it, simulated or live: a binary that needs no other file and has the flags of whorl run.

PROGRAM is a benchmark, with ARGS as its sizes, or a source file (.fghc, .kl1, .hpf, .f90 and the like). More files of the program may follow
it, and --goal is its query. The binary of a program in FGHC has the flags of whorl run for real cores (--pes, --policy, --seed, --goal,
--output, --stats and the limits), gives the same answers and errors, and records the same trace; its --help lists the flags. It runs on one
PE by default.

For FGHC the Go toolchain must be installed (https://go.dev/doc/install). The build does not use the network. GOOS and GOARCH select the system. A
binary of a program in HPF is for the system of this whorl.`,
		Example: `  whorl build primes 100000 -o primes && ./primes --stats
  whorl build sort.fghc --goal 'qsort([2,1,4,5,3],X)' && ./sort --pes 2 -o sort.whorl
  whorl build count.kl1 words.kl1 -o count && ./count -- -v < text
  whorl build heat.hpf -o heat && ./heat --pes 4 --stats`,
		Args:              command.AtLeast("a program"),
		ValidArgsFunction: program.Complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			program.Describe(cmd, &r, args)
			replaced, err := readInline(functions)
			if err != nil {
				return err
			}
			if replaced != nil {
				r.Functions = replaced.Names()
			}
			texts := map[string]string{}
			r.Read = func(path string, most int64) (string, error) {
				text, err := files.ReadText(path, most)
				if err == nil {
					texts[path] = text
				}
				return text, err
			}
			if experiment.IsHPF(r.Program) {
				r.PEs = experiment.CheckedProcessors // enough for its arrangements of processors
			}
			line := command.NewProgress(cmd.Context(), cmd.ErrOrStderr())
			defer line.Done()
			stop := line.Keep("building " + r.Program)
			defer stop()
			prepared, err := program.Resolve(cmd, &r)
			if err != nil {
				return err
			}
			if name, text, ok := prepared.HPF(); ok {
				p := &build.Appended{Program: name, Defines: r.Defines, Texts: texts}
				if experiment.IsHPF(r.Program) {
					p.Program, p.More = r.Program, r.Args
				} else {
					texts[name] = text
				}
				return buildHPF(cmd, prepared, p, out)
			}
			err = buildProgram(cmd, prepared, replaced, out)
			if err != nil && cmd.Context().Err() != nil { // the interrupt stopped the toolchain
				err = command.ErrInterrupted
			}
			return err
		},
	}
	f := cmd.Flags()
	program.GoalFlag(cmd, &r)
	f.StringVarP(&out, "output", "o", "", "`file` to write (default the name of the program without its ending)")
	f.StringArrayVarP(&r.Defines, "define", "D", nil, "HPF: define a macro of the preprocessor, as `NAME` or NAME=VALUE; repeat it for more")
	f.StringVar(&functions, "inline", "", "`FILE.go` with functions that replace C code of the program (docs/fghc.md)")
	return cmd
}

// readInline reads the file of the flag --inline, if it is set.
func readInline(name string) (*build.Inline, error) {
	if name == "" {
		return nil, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, files.OpenError(name, err)
	}
	return build.ReadInline(name, string(text))
}

// buildHPF writes the binary of a program in HPF.
func buildHPF(cmd *cobra.Command, prepared *experiment.Prepared, p *build.Appended, out string) error {
	d := prepared.Description
	switch {
	case len(d.Argv) > 0:
		return fmt.Errorf("a program in HPF takes no arguments: %s", nearest.Quote(d.Argv[0]))
	case len(d.Functions) > 0:
		return errors.New("--inline is for programs in FGHC")
	}
	program.NoteWarnings(cmd, prepared)
	if out == "" {
		out = strings.TrimSuffix(filepath.Base(p.Program), filepath.Ext(p.Program))
	}
	var w files.Writer
	if err := w.Write(out, p.Write); err != nil {
		return err
	}
	return executable(out)
}

// buildProgram writes the binary of a program.
func buildProgram(cmd *cobra.Command, prepared *experiment.Prepared, replaced *build.Inline, out string) error {
	d := prepared.Description
	sources, goal, ok := prepared.FGHC()
	switch {
	case !ok:
		return errors.New(d.Program + " is not a program in FGHC or HPF; only those can be built")
	case len(d.Argv) > 0:
		return fmt.Errorf("arguments after -- are for the binary when it runs: %s", nearest.Quote(d.Argv[0]))
	}
	program.NoteWarnings(cmd, prepared)
	if out == "" {
		out = strings.TrimSuffix(filepath.Base(d.Program), filepath.Ext(d.Program))
	}
	p := build.Program{Name: d.Program, Files: sources, Goal: goal, Inline: replaced}
	if len(sources) == 1 {
		p.Args = d.Args
	}
	var w files.Writer
	err := w.Write(out, func(w io.Writer) error { return p.Write(cmd.Context(), w) })
	var failure *build.Failure
	switch {
	case errors.As(err, &failure):
		return command.Exit(command.ExitFailed, err)
	case err != nil:
		return err
	}
	return executable(out)
}

// executable makes a file executable for all users who may read it.
func executable(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	mode := info.Mode().Perm()
	return os.Chmod(path, mode|mode&0o444>>2)
}
