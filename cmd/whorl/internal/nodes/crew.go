package nodes

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/dts/cluster"
	"whorl/dts/launch"
	"whorl/experiment"
	"whorl/experiment/sweep"
)

// A crew is a run on nodes, with the processes that it has started.
type crew struct {
	cmd     *cobra.Command
	plan    *Plan
	run     experiment.Run
	trace   string             // file, "" for none
	program string             // binary of the nodes
	bench   *experiment.Hosted // nil for the program of a folder
	sweep   *sweep.Sweep       // nil for a program
	first   bool               // this process makes a sweep, or the program of the folder calls dts.Run: it is the first node itself
	report  string             // file where it reports how it ended
	options cluster.Options

	nodes    []*exec.Cmd
	gone     sync.WaitGroup
	lifeline *launch.Lifeline

	collected bool // the trace is complete

	mu       sync.Mutex
	running  int  // number of nodes of this host
	stopping bool // the run is over
}

// execute starts the server and the nodes, waits for the result of the job, and collects the trace.
func (c *crew) execute() (err error) {
	ctx, cancel := context.WithCancelCause(c.cmd.Context())
	defer cancel(nil)
	if limit := c.run.Limits.Time; limit > 0 {
		stop := time.AfterFunc(limit, func() {
			cancel(command.Exit(command.ExitLimit, fmt.Errorf("stopped after %s", limit)))
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
	}
	conn, err := cluster.Dial(ctx, c.options)
	if err != nil {
		return c.early(ctx, withStatus(err))
	}
	defer conn.Close()
	defer c.dismiss(conn)
	if s := c.options.Server; s != nil && c.plan.host.Listen != "" { // the cluster has the version of this run now; others are refused
		fmt.Fprintf(c.cmd.ErrOrStderr(), "other hosts join with: whorl node --join %s\n", s.URL())
	}
	if c.lifeline, err = launch.NewLifeline(); err != nil {
		return err
	}
	defer c.lifeline.Close()
	began := time.Now()
	if err := c.start(ctx, cancel); err != nil {
		return err
	}
	defer c.stop()
	if err := c.await(ctx, conn); err != nil {
		return c.early(ctx, c.why(ctx, err))
	}
	ended := c.work(ctx, conn)
	c.stop()
	c.dismiss(conn) // a node that leaves in good order has sent all of its trace
	if c.trace != "" {
		if err := c.collect(conn, began, command.OutcomeOf(ended)); err != nil {
			return errors.Join(ended, err)
		}
		c.collected = true
	}
	return ended
}

// early returns the error of a run that ended with err before its job began, without a trace.
func (c *crew) early(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	text := ", before the nodes had joined"
	if c.trace != "" {
		text += "; there is no trace"
	}
	return fmt.Errorf("%w%s", c.why(ctx, err), text)
}

// secure loads the certificate of a server for other hosts.
func (c *crew) secure() error {
	if c.plan.host.Listen == "" {
		return nil
	}
	if c.options.Cert == "" && c.options.Key == "" {
		if host, _, err := net.SplitHostPort(c.plan.host.Listen); err == nil && host != "localhost" && !net.ParseIP(host).IsLoopback() {
			fmt.Fprintln(c.cmd.ErrOrStderr(), "messages of nodes, and the secret, cross the network unencrypted; --cert and --key encrypt them with TLS")
		}
		return nil
	}
	var err error
	c.plan.host.TLS, err = cluster.ServerTLS(c.options.Cert, c.options.Key)
	if err != nil {
		return fmt.Errorf("%w (--cert and --key)", err)
	}
	return nil
}

// nodeName returns the name of a node of this host.
func nodeName(i int) string { return "node" + strconv.Itoa(i+1) }

// start starts the nodes of this host, without the program if it is one of them. If it is not, and other hosts cannot
// join, the run ends when all nodes have ended.
func (c *crew) start(ctx context.Context, cancel context.CancelCauseFunc) error {
	o := c.options
	if o.Server != nil {
		o.URL = o.Server.URL()
	}
	from := 0
	if c.first {
		from = 1
	}
	c.running = c.plan.nodes - from
	for i := from; i < c.plan.nodes; i++ {
		name := nodeName(i)
		var args []string
		switch {
		case c.bench != nil:
			args = []string{"node", c.bench.Name}
		case c.sweep != nil:
			args = []string{"node", sweep.Program}
		}
		node := exec.Command(c.program, args...)
		node.Stderr = c.cmd.ErrOrStderr() // what main prints before it serves is printed by the run
		node.Env = append(os.Environ(), nodeEnvironment(&o, name)...)
		node.Env = append(node.Env, launch.EnvSeed+"="+strconv.FormatUint(c.run.Seed, 10), cluster.EnvPatience+"=5s", launch.EnvTrace+"=", launch.EnvReport+"=")
		if c.bench == nil {
			node.Args = append(node.Args, c.run.Args...) // of the program of a folder
		}
		c.lifeline.Tie(node)
		command.Detach(node) // whorl ends the nodes in order after Ctrl-C
		if err := node.Start(); err != nil {
			c.stop()
			return err
		}
		c.nodes = append(c.nodes, node)
		c.gone.Go(func() { c.ended(name, node.Wait(), cancel) })
	}
	return nil
}

// ended records the end of a node of this host. The run goes on with the other nodes.
func (c *crew) ended(name string, err error, cancel context.CancelCauseFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running--
	if c.stopping {
		return
	}
	text := "it has left"
	if err != nil {
		text = err.Error()
	}
	if c.running == 0 && c.plan.host.Listen == "" && !c.first {
		cancel(command.Exit(command.ExitFailed, errors.New("all nodes have ended, the last with: "+text)))
		return
	}
	fmt.Fprintf(c.cmd.ErrOrStderr(), "%s has ended: %s\n", name, text)
}

// expected returns the number of nodes that the run waits for before it begins.
func (c *crew) expected() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.first {
		return c.running
	}
	return max(1, c.running)
}

// await waits for the nodes of this host, or for one node if none was started here.
func (c *crew) await(ctx context.Context, conn *cluster.Conn) error {
	if c.plan.nodes == 0 {
		notice := time.AfterFunc(2*time.Second, func() {
			if len(conn.Nodes()) == 0 {
				fmt.Fprintln(c.cmd.ErrOrStderr(), "waiting for a node that runs this program: whorl node --join URL "+c.run.Program)
			}
		})
		defer notice.Stop()
		return conn.AwaitNodes(ctx, c.expected)
	}
	const most = 20 * time.Second
	late := fmt.Errorf("the nodes did not join within %s", most)
	if c.bench == nil && c.sweep == nil {
		late = fmt.Errorf("%w: does %s call dts.Run or cluster.Run?", late, c.run.Program)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, most, late)
	defer cancel()
	return conn.AwaitNodes(ctx, c.expected)
}

// work gives the job to the cluster and prints the answer.
func (c *crew) work(ctx context.Context, conn *cluster.Conn) error {
	if c.sweep != nil {
		return c.workSweep(ctx)
	}
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
		return command.Exit(command.ExitFailed, err)
	}
	return nil
}

// workFolder runs the program of a folder, which submits the job itself, or has the main thread. If the program is
// killed, it runs again.
func (c *crew) workFolder(ctx context.Context, job string) error {
	in, out := newInput(c.cmd.InOrStdin()), newTranscript(c.cmd.OutOrStdout())
	for attempt := 1; ; attempt++ {
		name := nodeName(0)
		if attempt > 1 {
			name = nodeName(c.plan.nodes + attempt - 2) // the servers keep the names of dead nodes for a while
		}
		err := c.runProgram(ctx, job, name, in, out)
		switch {
		case killed(err) && ctx.Err() == nil && attempt < mostAttempts && in.again():
			fmt.Fprintf(c.cmd.ErrOrStderr(), "%s was killed: the program begins again (attempt %d)\n", c.mainName(name), attempt+1)
			out.restart()
			continue
		case killed(err) && ctx.Err() == nil:
			return command.Exit(command.ExitFailed, fmt.Errorf("%s was killed in attempt %d and does not begin again (at most %d attempts, with at most %d MiB of input from a pipe)", c.mainName(name), attempt, mostAttempts, mostInput>>20))
		}
		if differs := out.check(); differs != nil && ctx.Err() == nil {
			return command.Exit(command.ExitFailed, fmt.Errorf("%s: %w", c.run.Program, differs))
		}
		if exit, ok := errors.AsType[*exec.ExitError](err); ok && ctx.Err() == nil {
			return command.Exit(max(command.ExitFailed, exit.ExitCode()), fmt.Errorf("%s: %w", c.run.Program, err))
		}
		return c.why(ctx, err)
	}
}

// mainName names the process of the program in messages.
func (c *crew) mainName(node string) string {
	if c.first {
		return fmt.Sprintf("%s, which runs main of %s,", node, c.run.Program)
	}
	return c.run.Program
}

// runProgram runs the program of a folder once, as the node with the given name if it has the main thread.
func (c *crew) runProgram(ctx context.Context, job, name string, in *input, out *transcript) error {
	o := c.options
	if o.Server != nil {
		o.URL = o.Server.URL()
	}
	stdin, end, err := in.open()
	if err != nil {
		return err
	}
	defer end()
	program := exec.CommandContext(ctx, c.program, append(c.run.Args, c.run.Argv...)...)
	program.Cancel = func() error { return program.Process.Signal(os.Interrupt) } // it may complete its trace
	program.WaitDelay = 5 * time.Second
	program.Stdin, program.Stdout, program.Stderr = stdin, out, c.cmd.ErrOrStderr()
	program.Env = append(os.Environ(), nodeEnvironment(&o, "")[1:]...)
	program.Env = append(program.Env, cluster.EnvJob+"="+job, cluster.EnvNode+"=", launch.EnvSeed+"="+strconv.FormatUint(c.run.Seed, 10), launch.EnvTrace+"=", launch.EnvReport+"="+c.report)
	if c.first {
		program.Env = append(program.Env, cluster.EnvMain+"="+name)
	}
	c.lifeline.Tie(program)
	return program.Run()
}

// why returns the error of the command for the error of the run, nil for nil.
func (c *crew) why(ctx context.Context, err error) error {
	var own *command.StatusError
	switch cause := context.Cause(ctx); {
	case err == nil:
		return nil
	case errors.As(cause, &own):
		return own
	case c.cmd.Context().Err() != nil:
		return command.ErrInterrupted
	case cause != nil:
		return command.Exit(command.ExitFailed, cause)
	}
	var refused *cluster.RefusedError
	if errors.As(err, &refused) {
		return err
	}
	return command.Exit(command.ExitFailed, err)
}

// stop ends the nodes of this host, in good order if they respond.
func (c *crew) stop() {
	c.mu.Lock()
	c.stopping = true
	c.mu.Unlock()
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

// dismiss ends the nodes of other hosts before the server is closed.
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
