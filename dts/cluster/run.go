package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"whorl/dts"
)

// The variables of the environment from which FromEnvironment takes Options, so that a program needs no flags for a cluster.
const (
	EnvJoin        = "WHORL_JOIN"        // URLs of the servers
	EnvNode        = "WHORL_NODE"        // set: this process only serves, as a node of this name, or of one of its own for "1"
	EnvCredentials = "WHORL_CREDENTIALS" // a .creds file
	EnvCA          = "WHORL_CA"          // PEM files
	EnvCert        = "WHORL_CERT"
	EnvKey         = "WHORL_KEY"
	EnvCluster     = "WHORL_CLUSTER"    // name of the cluster
	EnvPlacement   = "WHORL_PLACEMENT"  // where forks go, one of Policies
	EnvVersion     = "WHORL_VERSION"    // of the program
	EnvJob         = "WHORL_JOB"        // what the job of Run is called: the same name is the same job
	EnvNodeTrace   = "WHORL_NODE_TRACE" // set: nodes record
	EnvPatience    = "WHORL_PATIENCE"   // without a word of any server: 30s
)

// FromEnvironment fills in what is zero and what the environment says.
func (o Options) FromEnvironment() Options {
	for _, f := range []struct {
		field *string
		key   string
	}{
		{&o.Credentials, EnvCredentials},
		{&o.CA, EnvCA},
		{&o.Cert, EnvCert},
		{&o.Key, EnvKey},
		{&o.Cluster, EnvCluster},
		{&o.Policy, EnvPlacement},
		{&o.Version, EnvVersion},
	} {
		if *f.field == "" {
			*f.field = os.Getenv(f.key)
		}
	}
	if o.Server == nil && o.URL == "" {
		o.URL = os.Getenv(EnvJoin)
	}
	if name := os.Getenv(EnvNode); o.Name == "" && name != "1" {
		o.Name = name
	}
	if d, err := time.ParseDuration(os.Getenv(EnvPatience)); err == nil && o.Patience == 0 {
		o.Patience = d
	}
	o.Trace = o.Trace || os.Getenv(EnvNodeTrace) != ""
	if o.Log == nil {
		name := ""
		if os.Getenv(EnvNode) != "" && o.Name != "" {
			name = o.Name + ": "
		}
		o.Log = func(format string, args ...any) { fmt.Fprintf(os.Stderr, name+format+"\n", args...) }
	}
	return o
}

// Run calls f, a function of o.Local.Funcs, on a cluster and returns its result. It belongs at the start of main, where options come from
// the environment for what is zero:
//
//   - In a process that is started as a node (WHORL_NODE, as whorl node does it) Run serves, and ends the process when that is over: with 0 when
//     the cluster is, or it was told to (SIGINT, SIGTERM), 2 where it was refused, 3 at a limit, and else 1.
//   - Where there is a URL (WHORL_JOIN) the nodes of that cluster do the work. The job goes on if this process dies; who starts it again
//     under the same name (WHORL_JOB) gets its result.
//   - Else this process is a server and a node of its own, and others can join it at the URL that it tells.
//
// An error is what is wrong with the options, a *RefusedError, a *LostError, or the panic of f.
func Run[A, R any](ctx context.Context, o Options, f dts.Func[A, R], arg A) (R, error) {
	o = o.FromEnvironment()
	if os.Getenv(EnvNode) != "" {
		os.Exit(serveProcess(ctx, o))
	}
	var none R
	if o.URL == "" && o.Server == nil {
		s, err := StartServer(Host{})
		if err != nil {
			return none, err
		}
		defer s.Close()
		o.Server = s
		o.Log("other hosts join at %s", s.URL())
		n, err := Join(ctx, o)
		if err != nil {
			return none, err
		}
		defer n.Leave()
		serving, stop := context.WithCancel(ctx)
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = n.Serve(serving)
		}()
		defer func() {
			bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), dismissal)
			defer cancel()
			_ = n.Dismiss(bounded) // who does not leave notices that the server has gone
			stop()
			<-done
		}()
		return Do(ctx, n.Conn, os.Getenv(EnvJob), f, arg)
	}
	c, err := Dial(ctx, o)
	if err != nil {
		return none, err
	}
	defer c.Close()
	return Do(ctx, c, os.Getenv(EnvJob), f, arg)
}

// Do gives the cluster a job, f of arg, and waits for its result. Job is what it is called, "" for a name of its own.
func Do[A, R any](ctx context.Context, c *Conn, job string, f dts.Func[A, R], arg A) (R, error) {
	var none R
	data, err := f.Encode(arg)
	if err != nil {
		return none, fmt.Errorf("the argument of %s: %w", f.Name(), err)
	}
	if job == "" {
		job = NewJob()
	}
	if err := c.Submit(ctx, Job{ID: job, Function: f.Name(), Arg: data}); err != nil {
		return none, err
	}
	r, err := c.Wait(ctx, job)
	if err != nil {
		return none, err
	}
	if err := r.Err(); err != nil {
		return none, err
	}
	return f.Decode(r.Value)
}

// NewJob returns a name for a job that no other has.
func NewJob() string { return strings.ToLower(rand.Text()[:10]) }

// serveProcess is all that a process does that is a node. It returns the exit status.
func serveProcess(ctx context.Context, o Options) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := ServeNode(ctx, o); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, err)
		var refused *RefusedError
		var limit *dts.LimitError
		switch {
		case errors.As(err, &refused):
			return 2
		case errors.As(err, &limit):
			return 3
		}
		return 1
	}
	return 0
}

// ServeNode is Join, Serve and Leave: it returns nil when ctx or the cluster is over.
func ServeNode(ctx context.Context, o Options) error {
	n, err := Join(ctx, o)
	if err != nil {
		return err
	}
	defer n.Leave()
	return n.Serve(ctx)
}

// AwaitNodes returns when there are at least so many nodes.
func (c *Conn) AwaitNodes(ctx context.Context, count int) error {
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for len(c.Nodes()) < count {
		select {
		case <-ticker.C:
		case <-c.over.Done():
			return context.Cause(c.over)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
