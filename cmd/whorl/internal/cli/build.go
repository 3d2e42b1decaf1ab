package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/build"
	"whorl/experiment"
	"whorl/internal/files"
	"whorl/internal/nearest"
)

func newBuild() *cobra.Command {
	r := experiment.Defaults("")
	var out string
	cmd := &cobra.Command{
		Use:   "build PROGRAM [ARGS] [-o BINARY]",
		Short: "Make a program of its own of a program in FGHC, as fast as machine code",
		Long: `Compile a program in FGHC to machine code, by way of Go, and write it as a program of its own, which runs on real cores and needs nothing
but itself.

PROGRAM is a benchmark, whose ARGS are its sizes, or a source file (.fghc, .kl1), behind which more files of the program may stand, and
for which --goal gives the query. The program that is built has the flags of whorl run that are for real cores, --pes, --policy, --seed,
--goal, --output, --stats and the limits, gives the same answers and errors, and keeps the same trace; its own --help tells of them. It
runs on one PE unless --pes says otherwise.

The Go toolchain has to be installed (https://go.dev/doc/install). No network is asked for anything. GOOS and GOARCH say for which system it
builds.`,
		Example: `  whorl build primes 100000 -o primes && ./primes --stats
  whorl build sort.fghc --goal 'qsort([2,1,4,5,3],X)' && ./sort --pes 2 -o sort.whorl
  whorl build count.kl1 words.kl1 -o count && ./count -- -v < text`,
		Args:              aProgram,
		ValidArgsFunction: programs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := describe(cmd, &r, args); err != nil {
				return err
			}
			line := newProgress(cmd.ErrOrStderr())
			defer line.done()
			stop := line.keep("building " + r.Program)
			defer stop()
			var prepared *experiment.Prepared
			err := await(cmd.Context(), func(*files.Writer) (err error) {
				prepared, err = r.Resolve()
				return err
			})
			if err != nil {
				return err
			}
			err = buildProgram(cmd, prepared, out)
			if err != nil && cmd.Context().Err() != nil { // the toolchain has been stopped, and its folder is gone
				err = &statusError{exitInterrupted, errors.New("interrupted")}
			}
			return err
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&r.Goal, "goal", "", "`query` to run: of a source file, or instead of a benchmark's own")
	f.StringVarP(&out, "output", "o", "", "the `file` to write (the name of the program without its ending)")
	return cmd
}

// buildProgram builds a program.
func buildProgram(cmd *cobra.Command, prepared *experiment.Prepared, out string) error {
	d := prepared.Description
	sources, goal, ok := prepared.FGHC()
	switch {
	case !ok:
		return errors.New(d.Program + " is no program in FGHC: only those can be built")
	case len(d.Argv) > 0:
		return fmt.Errorf("what stands behind -- is for the program when it runs: %s", nearest.Quote(d.Argv[0]))
	}
	warned(cmd, prepared)
	if out == "" {
		out = strings.TrimSuffix(filepath.Base(d.Program), filepath.Ext(d.Program))
	}
	p := build.Program{Name: d.Program, Files: sources, Goal: goal}
	if len(sources) == 1 {
		p.Args = d.Args
	}
	var w files.Writer
	err := w.Write(out, func(w io.Writer) error { return p.Write(cmd.Context(), w) })
	var failure *build.Failure
	switch {
	case errors.As(err, &failure):
		return &statusError{exitFailed, err}
	case err != nil:
		return err
	}
	return executable(out)
}

// executable lets those run a file who may read it.
func executable(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	mode := info.Mode().Perm()
	return os.Chmod(path, mode|mode&0o444>>2)
}

// keep shows a text until it is stopped.
func (p *progress) keep(text string) (stop func()) {
	tick, over := time.NewTicker(200*time.Millisecond), make(chan struct{})
	go func() {
		for {
			select {
			case <-tick.C:
				p.say("%s", text)
			case <-over:
				return
			}
		}
	}()
	return func() {
		tick.Stop()
		close(over)
	}
}
