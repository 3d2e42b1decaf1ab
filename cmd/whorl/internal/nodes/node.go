package nodes

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/build"
	"whorl/cmd/whorl/internal/command"
	"whorl/dts"
	"whorl/dts/cluster"
	"whorl/dts/launch"
	"whorl/experiment"
	"whorl/experiment/sweep"
)

// joinFlags adds the flags with which a process joins a cluster.
func joinFlags(cmd *cobra.Command, o *cluster.Options) {
	f := cmd.Flags()
	f.StringVar(&o.URL, "join", "", "`URL` of the servers of a cluster, separated by commas: nats://USER:SECRET@HOST:PORT, tls://...")
	f.StringVar(&o.Credentials, "creds", "", "`file` with the credentials of a user (.creds), instead of those in the URL")
	f.StringVar(&o.CA, "ca", "", "PEM `file` of authorities to trust beside those of the system")
	f.StringVar(&o.Cert, "cert", "", "PEM `file` with the certificate of this process, or with --listen of the server; needs --key")
	f.StringVar(&o.Key, "key", "", "PEM `file` with the key of --cert")
	f.StringVar(&o.Cluster, "cluster", "", "`name` of the cluster, for several clusters on one server")
	f.StringVar(&o.Policy, "placement", "", "`policy` for forks that go to other nodes: "+strings.Join(cluster.Policies(), ", ")+" (default "+cluster.DefaultPolicy+")")
	command.Complete(cmd, "placement", cluster.Policies())
}

// checkURLs returns an error unless each URL of --join names a protocol and a host.
func checkURLs(list string) error {
	if list == "" {
		return nil
	}
	for text := range strings.SplitSeq(list, ",") {
		u, err := url.Parse(strings.TrimSpace(text))
		if err != nil || u.Host == "" || !slices.Contains([]string{"nats", "tls", "ws", "wss"}, u.Scheme) {
			return errors.New("--join: expected URLs of servers, nats://USER:SECRET@HOST:PORT or tls://HOST:PORT, separated by commas")
		}
	}
	return nil
}

// withStatus returns an error of joining a cluster with its exit status. A server that cannot be reached is no error in the arguments.
func withStatus(err error) error {
	if _, network := errors.AsType[net.Error](err); network || errors.Is(err, cluster.ErrNoServer) {
		return command.Exit(command.ExitFailed, err)
	}
	return err
}

// NewCommand returns the command whorl node.
func NewCommand() *cobra.Command {
	var o cluster.Options
	var pes int
	var policy string
	cmd := &cobra.Command{
		Use:   "node --join URL [PROGRAM [ARGS]]",
		Short: "Add this host to a cluster that runs a program of threads",
		Long: `Make this process a node of a cluster. It executes jobs, and threads that other nodes fork. It ends when the run with the server
(whorl run --listen) ends. After Ctrl-C it ends when other nodes have taken over its work. It ends with exit status 1 when no server has
answered for half a minute.

PROGRAM is a benchmark (dts/...), sweep for the runs of a sweep (whorl sweep --listen), or a folder with a Go program that calls dts.Run or
cluster.Run (go doc whorl/dts/cluster); whorl builds the program and starts it with ARGS. All nodes must run the same version of the same program;
others are refused. Without PROGRAM the node runs the benchmark or the sweep of the cluster.

A program that is built already starts as a node with these variables: WHORL_JOIN=URL WHORL_NODE=NAME ./program.`,
		Example: `  whorl run dts/nqueens 10 --nodes 2 --listen 0.0.0.0:4222   # prints the URL
  whorl node --join nats://whorl:SECRET@first.example:4222
  whorl node --join tls://one.example,tls://two.example --creds lab.creds ./mine`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var hosted []string
			for _, b := range experiment.Benchmarks() {
				if len(args) == 0 && strings.HasPrefix(b.Name, "dts/") {
					hosted = append(hosted, b.Name)
				}
			}
			return hosted, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Local = dts.Options{PEs: pes, Policy: policy}
			if os.Getenv(cluster.EnvNode) == "" { // otherwise whorl run started it and prints its messages
				o.Log = func(format string, args ...any) { fmt.Fprintf(cmd.ErrOrStderr(), format+"\n", args...) }
			}
			if o.URL == "" && os.Getenv(cluster.EnvJoin) == "" {
				return errors.New("a node needs the cluster to join: --join URL, as whorl run --nodes N --listen HOST:PORT prints it")
			}
			if err := checkURLs(o.URL); err != nil {
				return err
			}
			if len(args) > 0 && build.IsFolder(args[0]) {
				return serveFolder(cmd, &o, args[0], args[1:])
			}
			program := ""
			switch len(args) {
			case 0:
			case 1:
				program = args[0]
			default:
				return fmt.Errorf("%s: the sizes of a benchmark come with the job; a node has none", strings.Join(args, " "))
			}
			return serveBenchmark(cmd, o.FromEnvironment(), program)
		},
	}
	f := cmd.Flags()
	joinFlags(cmd, &o)
	f.StringVar(&o.Name, "name", "", "`name` of this node (default host and process)")
	f.IntVar(&pes, "pes", 0, "`number` of PEs (default the number of cores)")
	f.StringVar(&policy, "policy", "", "scheduling `policy` among the PEs of this node (default "+experiment.Defaults("").Policy+")")
	f.BoolVar(&o.Trace, "trace", false, "record a trace for runs with -o")
	return cmd
}

// benchmarkVersion returns the version on which all nodes must agree: that of whorl, or that of the environment, followed by the benchmark.
func benchmarkVersion(name string) (string, error) {
	v := os.Getenv(cluster.EnvVersion)
	if v == "" {
		var err error
		if v, err = cluster.ProgramVersion(); err != nil {
			return "", err
		}
	}
	return v + "-" + strings.ReplaceAll(name, "/", "_"), nil
}

// folderVersion returns the version that the program of a folder will have.
func folderVersion(program string) (string, error) {
	if v := os.Getenv(cluster.EnvVersion); v != "" {
		return v, nil
	}
	return cluster.FileVersion(program)
}

// serveBenchmark makes this process a node for a benchmark. For the name "" the benchmark is that of the cluster.
func serveBenchmark(cmd *cobra.Command, o cluster.Options, name string) error {
	if name == "" {
		var err error
		if name, err = clusterBenchmark(cmd.Context(), o); err != nil {
			return withStatus(err)
		}
	}
	h, err := hosted(name)
	if err != nil {
		return err
	}
	if name == sweep.Program {
		o.Trace, o.Local.Wall = true, true // threads of a sweep, which always has a trace, wait for goroutines of simulated runs
	}
	if o.Version, err = benchmarkVersion(h.Name); err != nil {
		return err
	}
	o.Local.Funcs, o.Local.Program, o.Local.Sources = h.Funcs, h.Name, h.Sources
	n, err := cluster.Join(cmd.Context(), o)
	if cmd.Context().Err() != nil && err != nil {
		return nil
	}
	if err != nil {
		return withStatus(err)
	}
	defer n.Leave()
	if os.Getenv(cluster.EnvNode) == "" { // whorl run did not start it
		fmt.Fprintf(cmd.ErrOrStderr(), "node %s runs %s\n", n.Name(), h.Name)
	}
	err = n.Serve(cmd.Context())
	var limit *dts.LimitError
	switch {
	case errors.As(err, &limit):
		return command.Exit(command.ExitLimit, err)
	case err != nil:
		return command.Exit(command.ExitFailed, err)
	}
	return nil
}

// hosted returns what a node runs: a benchmark, or the runs of a sweep.
func hosted(name string) (*experiment.Hosted, error) {
	if name == sweep.Program {
		return &experiment.Hosted{Name: sweep.Program, Funcs: sweep.Functions()}, nil
	}
	r := experiment.Defaults(name)
	return r.Hosted()
}

// clusterBenchmark returns the benchmark, or the sweep, that the nodes of the cluster run.
func clusterBenchmark(ctx context.Context, o cluster.Options) (string, error) {
	version, err := cluster.RunningVersion(ctx, o)
	if err != nil {
		return "", err
	}
	if version == "" {
		return "", errors.New("the cluster runs no program yet; name one: whorl node --join URL PROGRAM")
	}
	name := version[strings.LastIndexByte(version, '-')+1:] // names of benchmarks have no dash
	if name = strings.Replace(name, "_", "/", 1); name != sweep.Program && !strings.HasPrefix(name, "dts/") {
		return "", fmt.Errorf("the cluster runs a program of its own, of version %s: whorl node --join URL ./folder, with its source", version)
	}
	return name, nil // joining fails if another version of whorl runs it
}

// serveFolder builds the program of a folder and runs it as a node.
func serveFolder(cmd *cobra.Command, o *cluster.Options, folder string, args []string) error {
	temp, err := os.MkdirTemp("", "whorl")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	built := build.Folder{Path: folder, Temp: temp, Nodes: true}
	program, err := built.Build(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return command.Interrupted(cmd, err)
	}
	name := o.Name
	if name == "" {
		name = "1"
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "a node runs %s\n", filepath.Clean(folder))
	child := exec.CommandContext(cmd.Context(), program, args...)
	child.Cancel = func() error { return child.Process.Signal(syscall.SIGTERM) }
	child.WaitDelay = 10 * time.Second
	child.Stderr = cmd.ErrOrStderr() // what main prints before it serves is printed by the run
	child.Env = append(os.Environ(), nodeEnvironment(o, name)...)
	lifeline, err := launch.NewLifeline()
	if err != nil {
		return err
	}
	defer lifeline.Close()
	lifeline.Tie(child)
	err = child.Run()
	var exit *exec.ExitError
	switch {
	case cmd.Context().Err() != nil:
		return nil
	case errors.As(err, &exit):
		return command.Exit(max(command.ExitFailed, exit.ExitCode()), fmt.Errorf("the node has ended: %w", err))
	}
	return err
}

// nodeEnvironment returns the variables that make a program a node.
func nodeEnvironment(o *cluster.Options, name string) []string {
	env := []string{cluster.EnvNode + "=" + name}
	add := func(key, value string) {
		if value != "" {
			env = append(env, key+"="+value)
		}
	}
	add(cluster.EnvJoin, o.URL)
	add(cluster.EnvCredentials, o.Credentials)
	add(cluster.EnvCA, o.CA)
	add(cluster.EnvCert, o.Cert)
	add(cluster.EnvKey, o.Key)
	add(cluster.EnvCluster, o.Cluster)
	add(cluster.EnvPlacement, o.Policy)
	add(launch.EnvPolicy, o.Local.Policy)
	if o.Local.PEs > 0 {
		add(launch.EnvPEs, strconv.Itoa(o.Local.PEs))
	}
	if o.Trace {
		add(cluster.EnvNodeTrace, "1")
	}
	return env
}
