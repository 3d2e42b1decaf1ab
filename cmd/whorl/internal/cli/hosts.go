package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"whorl/dts"
	"whorl/dts/cluster"
	"whorl/experiment"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/tracer/store"
)

// A hostsPlan is what the flags of run say of several hosts.
type hostsPlan struct {
	nodes   int // processes to start here
	options cluster.Options
	host    cluster.Host
	job     string
}

func hostsFlags(cmd *cobra.Command, p *hostsPlan) {
	f := cmd.Flags()
	f.IntVar(&p.nodes, "nodes", 0, "run a program of threads on this `number` of nodes, processes of this host that work as hosts do")
	joinFlags(cmd, &p.options)
	f.StringVar(&p.host.Listen, "listen", "", "`address` at which further hosts can join: HOST:PORT")
	f.StringVar(&p.host.Store, "store", "", "`folder` in which jobs and results are kept, for a run that goes on after a crash")
	f.BoolVar(&p.host.SyncAlways, "sync", false, "what is stored is on the disk before it counts, for machines that may lose power")
	f.StringVar(&p.job, "job", "", "`name` of the job: the same name is the same job, and its result is asked for when it runs or is done already")
}

// wanted says whether a run is one of several hosts.
func (p *hostsPlan) wanted() bool {
	return p.nodes > 0 || p.options.URL != "" || p.host.Listen != "" || p.host.Store != "" || p.job != ""
}

// checkHosts says what does not go together with several hosts.
func checkHosts(cmd *cobra.Command, p *hostsPlan, r *experiment.Run, open bool) error {
	f := cmd.Flags()
	if r.Mode == experiment.Sim && f.Changed("mode") {
		return errors.New("nodes run on real cores: --nodes and --join go with --mode live")
	}
	for _, name := range []string{"machine", "net", "goal", "max-reductions", "max-memory"} {
		if f.Changed(name) {
			return fmt.Errorf("--%s does not go with nodes, which run on real cores and hosts", name)
		}
	}
	switch {
	case open:
		return errors.New("--open does not go with nodes: keep the trace with -o, and whorl view it")
	case p.options.URL != "" && (p.nodes > 0 || p.host != cluster.Host{}):
		return errors.New("--join is for a cluster that is there, and --nodes, --listen, --store and --sync make one: one or the other")
	case p.options.URL == "" && p.nodes == 0 && p.host.Listen == "":
		return errors.New("--store, --sync and --job are for runs on nodes: --nodes N, or --join URL")
	}
	return nil
}

// runHosts carries out a run on several hosts.
func runHosts(cmd *cobra.Command, p *hostsPlan, r experiment.Run, out string, stats, show bool) (err error) {
	if err := checkHosts(cmd, p, &r, show); err != nil {
		return err
	}
	if out != "" {
		if err := open.CheckName(out); err != nil {
			return err
		}
	}
	temp, err := os.MkdirTemp("", "whorl")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	c := &crew{cmd: cmd, plan: p, run: r, trace: out}
	if out == "" && stats {
		c.trace = filepath.Join(temp, "run.whorl")
	}
	c.options = p.options
	c.options.Log = func(format string, args ...any) { fmt.Fprintf(cmd.ErrOrStderr(), format+"\n", args...) }
	c.options.Trace = c.trace != ""
	c.options.Local = dts.Options{Policy: r.Policy}
	if cmd.Flags().Changed("pes") {
		c.options.Local.PEs = r.PEs
	}
	if isFolder(r.Program) {
		if c.program, err = buildFolder(cmd, r.Program, temp, true); err != nil {
			return err
		}
		if c.options.Version, err = folderVersion(c.program); err != nil {
			return err
		}
	} else {
		if c.bench, err = r.Hosted(); err != nil {
			return err
		}
		if c.program, err = os.Executable(); err != nil {
			return err
		}
		if c.options.Version, err = benchmarkVersion(c.bench.Name); err != nil {
			return err
		}
	}
	begin := time.Now()
	ended := c.carryOut()
	if stats && files.IsRegular(c.trace) {
		if err := printStats(cmd, nil, c.trace, time.Since(begin)); err != nil {
			return err
		}
	}
	return ended
}

// A crew is a run on several hosts with the processes that it has started.
type crew struct {
	cmd     *cobra.Command
	plan    *hostsPlan
	run     experiment.Run
	trace   string // file, "" for none
	program string // file of the nodes' program
	bench   *experiment.Hosted
	options cluster.Options

	nodes []*exec.Cmd
	gone  sync.WaitGroup
}

// carryOut starts what is to be started, has the job done, and collects the trace.
func (c *crew) carryOut() (err error) {
	ctx, cancel := context.WithCancelCause(c.cmd.Context())
	defer cancel(nil)
	if limit := c.run.Limits.Time; limit > 0 {
		stop := time.AfterFunc(limit, func() {
			cancel(&statusError{exitLimit, fmt.Errorf("stopped after %s", limit)})
		})
		defer stop.Stop()
	}
	if c.options.URL == "" {
		if err := c.secure(); err != nil {
			return err
		}
		s, err := cluster.StartServer(c.plan.host)
		if err != nil {
			return err
		}
		defer s.Close()
		c.options.Server = s
		if c.plan.host.Listen != "" {
			fmt.Fprintf(c.cmd.ErrOrStderr(), "other hosts join with: whorl node --join %s\n", s.URL())
		}
	}
	conn, err := cluster.Dial(ctx, c.options)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer c.dismiss(conn) // where that has not been done
	began := time.Now()
	if err := c.start(ctx, cancel); err != nil {
		return err
	}
	defer c.stop() // where that has not been done
	if err := c.await(ctx, conn); err != nil {
		return c.why(ctx, err)
	}
	ended := c.work(ctx, conn)
	c.stop()
	c.dismiss(conn) // who leaves in good order has sent all of its trace
	if c.trace != "" {
		if err := c.collect(conn, began); err != nil {
			return errors.Join(ended, err)
		}
	}
	return ended
}

// secure gives a server for other hosts its certificate.
func (c *crew) secure() error {
	if c.plan.host.Listen == "" {
		return nil
	}
	if c.options.Cert == "" && c.options.Key == "" {
		if host, _, err := net.SplitHostPort(c.plan.host.Listen); err == nil && host != "localhost" && !net.ParseIP(host).IsLoopback() {
			fmt.Fprintln(c.cmd.ErrOrStderr(), "what nodes send each other, and the secret, goes over the network as it is: --cert and --key make it TLS")
		}
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.options.Cert, c.options.Key)
	if err != nil {
		return fmt.Errorf("the certificate of the server (--cert and --key): %w", err)
	}
	c.plan.host.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	return nil
}

// start starts the nodes of this host. When all have ended the run cannot go on.
func (c *crew) start(ctx context.Context, cancel context.CancelCauseFunc) error {
	o := c.options
	if o.Server != nil {
		o.URL = o.Server.URL()
	}
	running := c.plan.nodes
	var mu sync.Mutex
	for i := range c.plan.nodes {
		name := "node" + strconv.Itoa(i+1)
		var args []string
		if c.bench != nil {
			args = []string{"node", c.bench.Name}
		}
		node := exec.Command(c.program, args...)
		node.Stdout, node.Stderr = c.cmd.ErrOrStderr(), c.cmd.ErrOrStderr()
		node.Env = append(os.Environ(), nodeEnvironment(&o, name)...)
		node.Env = append(node.Env, dts.EnvSeed+"="+strconv.FormatUint(c.run.Seed, 10), cluster.EnvPatience+"=5s", dts.EnvTrace+"=", dts.EnvReport+"=")
		if c.bench == nil {
			node.Args = append(node.Args, c.run.Args...)
		}
		apart(node) // Ctrl-C is for whorl, which ends them in order
		if err := node.Start(); err != nil {
			c.stop()
			return err
		}
		c.nodes = append(c.nodes, node)
		c.gone.Go(func() {
			err := node.Wait()
			mu.Lock()
			defer mu.Unlock()
			if running--; running == 0 && c.plan.host.Listen == "" {
				text := "all nodes have ended"
				if err != nil {
					text += ", the last with " + err.Error()
				}
				cancel(&statusError{exitFailed, errors.New(text)})
			}
		})
	}
	return nil
}

// await waits for the nodes of this host, or for any node.
func (c *crew) await(ctx context.Context, conn *cluster.Conn) error {
	told := time.AfterFunc(2*time.Second, func() {
		if len(conn.Nodes()) == 0 {
			fmt.Fprintln(c.cmd.ErrOrStderr(), "waiting for a node that runs this program: whorl node --join URL "+c.run.Program)
		}
	})
	defer told.Stop()
	if c.plan.nodes == 0 {
		return conn.AwaitNodes(ctx, 1)
	}
	const most = 20 * time.Second
	ctx, cancel := context.WithTimeoutCause(ctx, most, fmt.Errorf("the nodes have not come within %s: does %s call cluster.Run?", most, c.run.Program))
	defer cancel()
	return conn.AwaitNodes(ctx, c.plan.nodes)
}

// work has the job done and prints its answer.
func (c *crew) work(ctx context.Context, conn *cluster.Conn) error {
	job := c.plan.job
	if job == "" {
		job = cluster.NewJob()
	}
	if c.plan.host.Store != "" || c.options.Server == nil {
		fmt.Fprintf(c.cmd.ErrOrStderr(), "job %s\n", job)
	}
	if c.bench == nil {
		return c.workFolder(ctx, job)
	}
	answer, err := cluster.Do(ctx, conn, job, c.bench.Main, c.bench.Sizes)
	if err != nil {
		return c.why(ctx, err)
	}
	fmt.Fprintln(c.cmd.OutOrStdout(), answer)
	if err := c.bench.Verify(answer); err != nil {
		return &statusError{exitFailed, err}
	}
	return nil
}

// workFolder runs the program of a folder, which gives the cluster its job.
func (c *crew) workFolder(ctx context.Context, job string) error {
	o := c.options
	if o.Server != nil {
		o.URL = o.Server.URL()
	}
	program := exec.CommandContext(ctx, c.program, append(c.run.Args, c.run.Argv...)...)
	program.Cancel = func() error { return program.Process.Signal(syscall.SIGTERM) }
	program.WaitDelay = 5 * time.Second
	program.Stdin, program.Stdout, program.Stderr = c.cmd.InOrStdin(), c.cmd.OutOrStdout(), c.cmd.ErrOrStderr()
	program.Env = append(os.Environ(), nodeEnvironment(&o, "")[1:]...)
	program.Env = append(program.Env, cluster.EnvJob+"="+job, cluster.EnvNode+"=")
	err := program.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		return &statusError{max(exitFailed, exit.ExitCode()), fmt.Errorf("%s: %w", c.run.Program, err)}
	}
	return c.why(ctx, err)
}

// why makes the error of the command of what ended the run, nil of nil.
func (c *crew) why(ctx context.Context, err error) error {
	var own *statusError
	switch cause := context.Cause(ctx); {
	case err == nil:
		return nil
	case errors.As(cause, &own):
		return own
	case c.cmd.Context().Err() != nil:
		return &statusError{exitInterrupted, errors.New("interrupted")}
	case cause != nil:
		return &statusError{exitFailed, cause}
	}
	var refused *cluster.RefusedError
	if errors.As(err, &refused) {
		return err
	}
	return &statusError{exitFailed, err}
}

// stop ends the nodes of this host, in good order if they can.
func (c *crew) stop() {
	for _, n := range c.nodes {
		_ = n.Process.Signal(syscall.SIGTERM)
	}
	late := time.AfterFunc(10*time.Second, func() {
		for _, n := range c.nodes {
			_ = n.Process.Kill()
		}
	})
	c.gone.Wait()
	late.Stop()
	c.nodes = nil
}

// dismiss ends the nodes of other hosts, where the server is going to be closed.
func (c *crew) dismiss(conn *cluster.Conn) {
	if c.options.Server == nil || c.plan.host.Listen == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.cmd.Context()), 5*time.Second)
	defer cancel()
	if err := conn.Dismiss(ctx); err != nil {
		fmt.Fprintln(c.cmd.ErrOrStderr(), "not all nodes of other hosts have left in good order")
	}
}

// collect writes the trace of all nodes. It is not cut short by what ended the run.
func (c *crew) collect(conn *cluster.Conn, since time.Time) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.cmd.Context()), time.Minute)
	defer cancel()
	if c.options.Server == nil {
		time.Sleep(300 * time.Millisecond) // the nodes go on, and send what they have a few times a second
	}
	w, err := open.Create(c.trace)
	if err != nil {
		return err
	}
	err = conn.Collect(ctx, w, since, func(m *tracer.Meta) {
		m.Program, m.Args = c.run.Program, c.run.Args
		if c.bench != nil {
			m.Program, m.Args = c.bench.Name, c.bench.Args
		} else {
			m.Source = sources(m.Source, c.run.Program, w.Dict())
		}
	})
	return closed(w, c.trace, err)
}

// closed closes a trace file.
func closed(w *store.Writer, path string, err error) error {
	if e := w.Close(); e != nil && err == nil {
		return files.CannotFinish(path, e)
	}
	if err != nil {
		return &statusError{exitFailed, err}
	}
	return nil
}
