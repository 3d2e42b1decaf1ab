package cluster

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"whorl/dts"
	"whorl/dts/launch"
)

// Environment variables that FromEnvironment reads, so that programs need no flags.
const (
	EnvJoin        = launch.EnvJoin      // URLs of the servers
	EnvNode        = "WHORL_NODE"        // set: serve as a node with this name, or with a default name if it is "1"
	EnvMain        = "WHORL_MAIN"        // name of the node with the main thread of dts.Run
	EnvListen      = "WHORL_LISTEN"      // without URLs: be the server, at this address, and a node
	EnvCredentials = "WHORL_CREDENTIALS" // a .creds file
	EnvCA          = "WHORL_CA"          // PEM files
	EnvCert        = "WHORL_CERT"
	EnvKey         = "WHORL_KEY"
	EnvCluster     = "WHORL_CLUSTER"    // name of the cluster
	EnvPlacement   = "WHORL_PLACEMENT"  // where forks go, one of Policies
	EnvVersion     = "WHORL_VERSION"    // version of the program
	EnvJob         = "WHORL_JOB"        // name of the job of Run; equal names denote the same job
	EnvNodeTrace   = "WHORL_NODE_TRACE" // set: nodes record
	EnvPatience    = "WHORL_PATIENCE"   // Options.Patience, such as 30s
)

// FromEnvironment fills in fields that are zero from the environment.
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

// Run calls f and returns its result. Programs call it at the start of main. The environment fills in options that are
// zero and says where f runs:
//
//   - In a process started as a node (whorl node sets WHORL_NODE), Run serves and then exits the process. The status is
//     0 when the cluster is over or a signal (SIGINT, SIGTERM) ended it, 2 when it was refused, 3 at a limit, and 1
//     otherwise.
//   - With a URL (WHORL_JOIN) or a Server, the nodes of that cluster do the work. The job goes on if this process dies;
//     a new process with the same job name (WHORL_JOB) gets its result. The name is that of the first job of a process.
//   - With an address (WHORL_LISTEN), this process is a server and a node of its own. It logs the URL at which other
//     nodes can join.
//   - Otherwise f runs in this process alone, live or simulated, as f.Run does.
//
// If o.Local.Funcs is nil, it is the registry of f. Run returns an error about the options, a *RefusedError, a
// *LostError, or the panic of f.
func Run[A, R any](ctx context.Context, o Options, f dts.Func[A, R], arg A) (R, error) {
	o = o.FromEnvironment()
	o.Local.Funcs = cmp.Or(o.Local.Funcs, f.Registry())
	if os.Getenv(EnvNode) != "" {
		os.Exit(serveProcess(ctx, o))
	}
	name, listen := os.Getenv(EnvMain), os.Getenv(EnvListen)
	switch {
	case (o.URL != "" || o.Server != nil) && name == "":
		var none R
		c, err := Dial(ctx, o)
		if err != nil {
			return none, err
		}
		defer c.Close()
		return Do(ctx, c, launch.Claim(EnvJob), f, arg)
	case o.URL != "" || o.Server != nil:
		o.Name = name
		return doAndServe(ctx, o, f, arg)
	case listen != "":
		return doAndHost(ctx, o, listen, f, arg)
	}
	return f.Run(ctx, o.Local, arg)
}

// doAndHost is Do in a process that is the server and a node.
func doAndHost[A, R any](ctx context.Context, o Options, listen string, f dts.Func[A, R], arg A) (none R, err error) {
	host := Host{Listen: listen}
	if o.Cert != "" || o.Key != "" {
		if host.TLS, err = ServerTLS(o.Cert, o.Key); err != nil {
			return none, err
		}
	}
	if o.Server, err = StartServer(host); err != nil {
		return none, err
	}
	defer o.Server.Close()
	o.Log("other hosts can join at %s", o.Server.URL())
	return doAndServe(ctx, o, f, arg)
}

// doAndServe is Do in a process that is a node.
func doAndServe[A, R any](ctx context.Context, o Options, f dts.Func[A, R], arg A) (none R, err error) {
	n, err := Join(ctx, o)
	if err != nil {
		return none, err
	}
	defer n.Leave()
	serving, stop := context.WithCancel(ctx)
	var server sync.WaitGroup
	server.Go(func() { _ = n.Serve(serving) })
	defer func() {
		if o.Server != nil {
			bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), dismissal)
			defer cancel()
			_ = n.Dismiss(bounded) // others notice the end of the server
		}
		stop()
		server.Wait()
	}()
	return Do(ctx, n.Conn, launch.Claim(EnvJob), f, arg)
}

// Do submits the call of f with arg as a job and waits for its result. The name job may be "" for a new name.
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

// NewJob returns a new name for a job.
func NewJob() string { return strings.ToLower(rand.Text()[:10]) }

// serveProcess runs a process that is a node. It returns the exit status. What threads print goes to standard error.
func serveProcess(ctx context.Context, o Options) int {
	os.Stdout = os.Stderr
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

// ServeNode joins the cluster, serves and leaves. It returns nil when ctx or the cluster is over.
func ServeNode(ctx context.Context, o Options) error {
	n, err := Join(ctx, o)
	if err != nil {
		return err
	}
	defer n.Leave()
	return n.Serve(ctx)
}

// AwaitNodes waits until there are at least as many nodes as expected returns, which may change meanwhile.
func (c *Conn) AwaitNodes(ctx context.Context, expected func() int) error {
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for len(c.Nodes()) < expected() {
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
