package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/fetch"
	"whorl/cmd/whorl/internal/traces"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"

	"github.com/spf13/cobra"
)

func newRecord() *cobra.Command {
	r := &recorder{}
	cmd := &cobra.Command{
		Use:   "record [flags] URL | --pid PROCESS | -- COMMAND [ARGS]",
		Short: "Record a program or a server while it runs and write a trace",
		Long: `Record a real program: what its threads did, waited for and whom they woke, or samples of what they ran.

A URL is that of a Go server with net/http/pprof. It writes an execution trace for --for; the trace file grows meanwhile, and --open shows it. With
--kind profile it samples its processor time for --for. With heap, allocs, mutex, block or goroutine it sends what it has counted since it began, or
with --for what it counts in that time. A URL with a path is fetched as it is.

go test writes an execution trace of the tests of one package, go build and go install the graph of their actions, bazel build its profile. In a
build by GNU make 4, each target with a recipe is recorded with its prerequisites, also in the makes that make runs. For a build by Ninja its log is
read. cmake --build uses either. Any other program writes a trace if --trace-flag names its flag for the file of one, or --trace-env its environment
variable: an execution trace of Go, or any other trace that whorl reads (whorl list formats).

Of every other program, or with --samples also of these, Linux takes samples, and of the programs that it starts. It samples each of their threads
at regular intervals: functions, source lines, instructions and calling contexts, with a processor for each thread. Source lines and inlined
functions need the tables that compilers write with -g. Complete stacks need frame pointers (-fno-omit-frame-pointer), which Go always keeps.
Functions that were compiled at run time have names if the runtime writes them to /tmp/perf-PID.map (node --perf-basic-prof).

--pid samples a process that runs already, until it ends, for the time of --for, or until Ctrl+C.

The exit status is that of the program.`,
		Example: `  whorl record http://localhost:6060 --for 5s --open
  whorl record http://localhost:6060 --kind profile --for 10s -o server.whorl
  whorl record http://localhost:6060 --kind heap -o heap.whorl
  whorl record -o queue.whorl -- go test -run TestQueue ./queue
  whorl record -o build.whorl -- go build -a ./...
  whorl record -o build.whorl -- make -j4
  whorl record -o build.whorl -- cmake --build out
  whorl record --trace-flag -trace -- ./server -addr :8080
  whorl record -o heat.whorl -- ./heat 4000
  whorl record --samples -F 4999 --processor process -o make.whorl -- make -j4
  whorl record --pid 4711 --for 10s -o server.whorl`,
		Args: func(cmd *cobra.Command, args []string) error {
			if r.pid != 0 {
				return command.Exactly()(cmd, args)
			}
			if len(args) == 0 {
				return command.Exactly("a URL, or a command to run, as in whorl record -- ./heat 4000")(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if r.pid != 0 {
				var err error
				if args, err = commandOf(r.pid); err != nil {
					return err
				}
			} else if fetch.Is(args[0]) { // flags may follow a URL, which is no command with flags of its own
				if err := cmd.Flags().Parse(args[1:]); err != nil {
					return command.FlagError(cmd, err)
				}
				args = append(args[:1:1], cmd.Flags().Args()...)
			}
			use := r.use(args)
			if err := command.CheckScopes(cmd, recordScopes, use); err != nil {
				return err
			}
			if use == recordsServer && len(args) > 1 {
				return fmt.Errorf("%s: expected one URL", args[1])
			}
			if err := command.OneOf("kind", r.kind, fetch.Kinds); err != nil {
				return err
			}
			if use == recordsServer && cmd.Flags().Changed("kind") && !fetch.OnlyServer(args[0]) {
				return fmt.Errorf("%s: a URL with a path is fetched as it is; leave out --kind", args[0])
			}
			if use == recordsServer && !fetch.Lasts(r.kind) && !cmd.Flags().Changed("for") {
				r.length = 0
			}
			return r.run(cmd, use, args)
		},
	}
	f := cmd.Flags()
	f.SetInterspersed(false)
	f.StringVarP(&r.out, "output", "o", "", "trace to write, `FILE`.whorl (default COMMAND.whorl)")
	f.DurationVar(&r.length, "for", 5*time.Second, "URL or --pid: record for this `time`")
	f.StringVar(&r.kind, "kind", "trace", "URL of a server: record this `kind`: "+strings.Join(fetch.Kinds, ", "))
	command.Complete(cmd, "kind", fetch.Kinds)
	f.IntVar(&r.pid, "pid", 0, "sample the process with this `number`, which runs already")
	f.BoolVar(&r.open, "open", false, "show the trace in a window, while it grows if it is that of a server")
	f.StringVar(&r.traceFlag, "trace-flag", "", "the `flag` of the program that names the file of its trace, such as -trace")
	f.StringVar(&r.traceEnv, "trace-env", "", "the environment `variable` that names the file of its trace")
	f.BoolVar(&r.samples, "samples", false, "sample the program, although it can write a trace")
	f.IntVarP(&r.rate, "frequency", "F", 997, "samples: `number` for each second that a thread runs")
	traces.ProfileFlags(cmd, &r.reading)
	return cmd
}

// A recorder records a program or a server.
type recorder struct {
	out       string
	length    time.Duration
	kind      string // one of fetch.Kinds, of a server
	open      bool
	traceFlag string
	traceEnv  string
	samples   bool
	rate      int
	reading   open.Options
	pid       int // of a process that runs already, 0 for none
}

// A recordUse is a way of recording.
type recordUse int

const (
	recordsServer recordUse = iota
	recordsEvents           // the program writes a trace
	recordsSamples
	recordsProcess // samples of a process that runs already
)

// use returns how the recorder records these arguments.
func (r *recorder) use(args []string) recordUse {
	switch {
	case r.pid != 0:
		return recordsProcess
	case fetch.Is(args[0]):
		return recordsServer
	case r.samples:
		return recordsSamples
	case r.traceFlag != "" || r.traceEnv != "" || writesTrace(args) || builds(args):
		return recordsEvents
	}
	return recordsSamples
}

func (r *recorder) run(cmd *cobra.Command, use recordUse, args []string) error {
	if r.out == "" {
		r.out = filepath.Base(args[0]) + ".whorl"
		if use == recordsServer {
			r.out = fetch.Name(fetch.Pprof(args[0], r.kind, r.length)) + ".whorl"
		}
		if _, err := os.Lstat(r.out); err == nil {
			return fmt.Errorf("%s exists already: choose another file with -o", r.out)
		}
	}
	if err := cmp.Or(open.CheckName(r.out), files.CheckFolder(r.out)); err != nil {
		return err
	}
	if use == recordsServer {
		return r.server(cmd, fetch.Pprof(args[0], r.kind, r.length))
	}
	if _, err := exec.LookPath(args[0]); err != nil && use != recordsProcess {
		return cmp.Or(fetch.Refused(args[0]), fmt.Errorf("%s: no such command", args[0]))
	}
	if flag := ownFile(args); flag != "" && use == recordsEvents && r.traceFlag == "" && r.traceEnv == "" {
		return fmt.Errorf("%s %s: whorl record adds this flag with a file of its own; leave it out", args[0], flag)
	}
	dir, err := os.MkdirTemp("", "whorl")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	switch {
	case use == recordsProcess:
		err = r.attached(cmd, dir, args)
	case use == recordsSamples:
		err = r.sampled(cmd, dir, args)
	case r.traceFlag == "" && r.traceEnv == "" && builds(args):
		err = r.build(cmd, dir, args)
	default:
		err = r.events(cmd, dir, args)
	}
	if !r.open || !files.IsRegular(r.out) || cmd.Context().Err() != nil {
		return err
	}
	return thenShow(cmd, err, func() error { return viewTraces(cmd, []string{r.out}) })
}

// execute runs a program that whorl records, until its end or an interrupt, which reaches the program too. ended is the error of the program called
// name; err is set if the program could not be run.
func execute(cmd *cobra.Command, run *exec.Cmd, name string) (ended *command.StatusError, err error) {
	run.Stdin, run.Stdout, run.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	if out, ok := run.Stdout.(*command.Output); ok {
		run.Stdout = out.W // a terminal, or a pipe that what the program leaves behind may keep open
	}
	if err := run.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", run.Path, err)
	}
	stop := context.AfterFunc(cmd.Context(), func() { _ = run.Process.Signal(os.Interrupt) })
	err = run.Wait()
	stop()
	exit := (*exec.ExitError)(nil)
	switch {
	case cmd.Context().Err() != nil:
		return command.ErrInterrupted, nil
	case errors.As(err, &exit):
		return command.Exit(statusOf(exit), fmt.Errorf("%s has failed (%w)", name, exit)), nil
	}
	return nil, err
}

// A titled recorder adds the command to the metadata, and keeps their number of processors and what they say is missing.
type titled struct {
	tracer.Recorder
	args    []string
	pes     int
	missing string
}

func (t *titled) SetMeta(m tracer.Meta) {
	m.Program, m.Args, t.pes, t.missing = t.args[0], t.args[1:], m.PEs, m.Missing()
	t.Recorder.SetMeta(m)
}
