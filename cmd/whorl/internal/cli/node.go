package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"whorl/dts"
	"whorl/dts/cluster"
	"whorl/experiment"
)

// joinFlags are the flags of how a process reaches a cluster.
func joinFlags(cmd *cobra.Command, o *cluster.Options) {
	f := cmd.Flags()
	f.StringVar(&o.URL, "join", "", "`URL` of the servers of a cluster, several with commas between: nats://USER:SECRET@HOST:PORT, tls://...")
	f.StringVar(&o.Credentials, "creds", "", "`file` with the credentials of a user (.creds), instead of those in the URL")
	f.StringVar(&o.CA, "ca", "", "PEM `file` of whom to trust beside the system")
	f.StringVar(&o.Cert, "cert", "", "PEM `file` of who this process is, with --key; with --listen, of the server")
	f.StringVar(&o.Key, "key", "", "PEM `file` of the key of --cert")
	f.StringVar(&o.Cluster, "cluster", "", "`name` of the cluster, where several share servers")
	f.StringVar(&o.Policy, "placement", "", "`policy` of the forks that go to other nodes: "+strings.Join(cluster.Policies(), ", ")+" (default "+cluster.DefaultPolicy+")")
	complete(cmd, "placement", cluster.Policies())
}

func newNode() *cobra.Command {
	var o cluster.Options
	var pes int
	var policy string
	cmd := &cobra.Command{
		Use:   "node --join URL [PROGRAM [ARGS]]",
		Short: "Add this host to a cluster that runs a program of threads",
		Long: `Make this process a node of a cluster: it carries out threads that other nodes fork, and jobs. It ends when the run that has the server
(whorl run --listen) ends; with Ctrl-C, when what it was at is done again elsewhere; or, with exit status 1, when no server has answered for
half a minute.

PROGRAM is a benchmark (dts/...), or a folder with a Go program that calls cluster.Run (go doc whorl/dts/cluster), which is built here, and
started with ARGS. All nodes must run the same program in the same version, and one that does not is refused. Without PROGRAM it is the
benchmark that the cluster runs.

Where no program is to be built, start it as a node by its environment: WHORL_JOIN=URL WHORL_NODE=NAME ./program.`,
		Example: `  whorl run dts/nqueens 10 --nodes 2 --listen 0.0.0.0:4222   # tells the URL
  whorl node --join nats://whorl:SECRET@first.example:4222
  whorl node --join tls://one.example,tls://two.example --creds lab.creds ./mine`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return hosted(args), cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Local = dts.Options{PEs: pes, Policy: policy}
			if os.Getenv(cluster.EnvNode) == "" { // else its lines have the name that whorl run has given it
				o.Log = func(format string, args ...any) { fmt.Fprintf(cmd.ErrOrStderr(), format+"\n", args...) }
			}
			if o.URL == "" && os.Getenv(cluster.EnvJoin) == "" {
				return errors.New("a node needs the cluster that it joins: --join URL, as whorl run --nodes N --listen HOST:PORT tells it")
			}
			if len(args) > 0 && isFolder(args[0]) {
				return folderNode(cmd, &o, args[0], args[1:])
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
	f.SortFlags = false
	joinFlags(cmd, &o)
	f.StringVar(&o.Name, "name", "", "`name` of this node (default host and process)")
	f.IntVar(&pes, "pes", 0, "`number` of PEs (default as many as there are cores)")
	f.StringVar(&policy, "policy", "", "scheduling `policy` among the PEs of this node (default "+experiment.Defaults("").Policy+")")
	f.BoolVar(&o.Trace, "trace", false, "record, for whoever runs a program with -o")
	return cmd
}

// hosted completes the name of a benchmark that nodes can run.
func hosted(args []string) []string {
	var all []string
	for _, name := range names(experiment.Benchmarks()) {
		if len(args) == 0 && strings.HasPrefix(name, "dts/") {
			all = append(all, name)
		}
	}
	return all
}

// benchmarkVersion is what all nodes have to agree on: this very whorl, or what the environment calls it, and the benchmark.
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

// folderVersion is what the program that has been built of a folder will say of itself.
func folderVersion(program string) (string, error) {
	if v := os.Getenv(cluster.EnvVersion); v != "" {
		return v, nil
	}
	return cluster.FileVersion(program)
}

// serveBenchmark is a node that runs a benchmark, "" for the one that the others run.
func serveBenchmark(cmd *cobra.Command, o cluster.Options, name string) error {
	if name == "" {
		var err error
		if name, err = programOf(cmd.Context(), o); err != nil {
			return err
		}
	}
	r := experiment.Defaults(name)
	h, err := r.Hosted()
	if err != nil {
		return err
	}
	if o.Version, err = benchmarkVersion(h.Name); err != nil {
		return err
	}
	o.Local.Funcs, o.Local.Program, o.Local.Sources = h.Funcs, h.Name, h.Sources
	n, err := cluster.Join(cmd.Context(), o)
	if err != nil {
		return err
	}
	defer n.Leave()
	if os.Getenv(cluster.EnvNode) == "" { // it was not whorl run that started it
		fmt.Fprintf(cmd.ErrOrStderr(), "node %s runs %s\n", n.Name(), h.Name)
	}
	err = n.Serve(cmd.Context())
	var limit *dts.LimitError
	switch {
	case errors.As(err, &limit):
		return &statusError{exitLimit, err}
	case err != nil:
		return &statusError{exitFailed, err}
	}
	return nil
}

// programOf asks the cluster which benchmark its nodes run.
func programOf(ctx context.Context, o cluster.Options) (string, error) {
	version, err := cluster.RunningVersion(ctx, o)
	if err != nil {
		return "", err
	}
	if version == "" {
		return "", errors.New("there is nobody yet who could say which program the cluster runs: whorl node --join URL PROGRAM")
	}
	name := version[strings.LastIndexByte(version, '-')+1:] // names of benchmarks have no dash
	if name = strings.Replace(name, "_", "/", 1); !strings.HasPrefix(name, "dts/") {
		return "", fmt.Errorf("the cluster runs a program of its own, of version %s: whorl node --join URL ./folder, with its source", version)
	}
	return name, nil // where it is not of this whorl, to join it says so
}

// folderNode builds the program of a folder and runs it as a node.
func folderNode(cmd *cobra.Command, o *cluster.Options, folder string, args []string) error {
	temp, err := os.MkdirTemp("", "whorl")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	program, err := buildFolder(cmd, folder, temp, true)
	if err != nil {
		return err
	}
	name := o.Name
	if name == "" {
		name = "1"
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "a node runs %s\n", filepath.Clean(folder))
	child := exec.CommandContext(cmd.Context(), program, args...)
	child.Cancel = func() error { return child.Process.Signal(syscall.SIGTERM) }
	child.WaitDelay = 10 * time.Second
	child.Stdout, child.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
	child.Env = append(os.Environ(), nodeEnvironment(o, name)...)
	err = child.Run()
	var exit *exec.ExitError
	switch {
	case cmd.Context().Err() != nil:
		return nil
	case errors.As(err, &exit):
		return &statusError{max(exitFailed, exit.ExitCode()), fmt.Errorf("the node has ended: %w", err)}
	}
	return err
}

// nodeEnvironment tells a program that it is a node.
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
	add(dts.EnvPolicy, o.Local.Policy)
	if o.Local.PEs > 0 {
		add(dts.EnvPEs, strconv.Itoa(o.Local.PEs))
	}
	if o.Trace {
		add(cluster.EnvNodeTrace, "1")
	}
	return env
}
