package cluster

import (
	"context"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"whorl/dts"
)

// A process that is told to join a cluster does so at its first dts.Run. Programs that do not call Run import this
// package for the effect alone; whorl run --nodes adds the import.
func init() {
	if os.Getenv(EnvJoin) != "" {
		dts.Attach(joiner())
	}
}

func joiner() dts.Join {
	var joined atomic.Bool // runs in a node's threads, and others at the same time, stay in the process
	return func(ctx context.Context, local dts.Options) (*dts.Host, func(), error) {
		if joined.Swap(true) {
			return nil, nil, nil
		}
		o := Options{Local: local}.FromEnvironment()
		if os.Getenv(EnvNode) != "" {
			os.Exit(serveProcess(ctx, o))
		}
		o.Name = os.Getenv(EnvMain)
		n, err := Join(ctx, o)
		if err != nil {
			joined.Store(false)
			return nil, nil, err
		}
		if local.Funcs.Empty() {
			o.Log("the program registers no function (dts.Register): all its threads stay on node %s", n.Name())
		}
		stop := n.lead(ctx)
		return n.host, func() {
			stop()
			n.Leave()
			joined.Store(false)
		}, nil
	}
}

// RunMain calls f as the main thread of a run on this node and leaves the cluster. Other nodes take threads that f forks.
func RunMain[R any](ctx context.Context, n *Node, f func(*dts.Worker) R) (R, error) {
	stop := n.lead(ctx)
	defer stop()
	defer n.Leave()
	return dts.RunOn(n.host, f)
}

// lead prepares the node for the main thread of a run, which ends with ctx until stop is called.
func (n *Node) lead(ctx context.Context) (stop func() bool) {
	n.waitsForMain()
	n.meet(ctx)
	return context.AfterFunc(ctx, func() { n.end(context.Cause(ctx)) })
}

// waitsForMain records that this node has the main thread of a run.
func (n *Node) waitsForMain() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.main = true
}

// meet waits until this node has heard of the nodes that entered before it, for at most a second.
func (n *Node) meet(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	keys, err := n.streams.nodes.Keys(ctx)
	if err != nil {
		return
	}
	entered := 0
	for _, key := range keys {
		if strings.HasPrefix(key, keyNode("")) {
			entered++
		}
	}
	_ = n.AwaitNodes(ctx, func() int { return entered }) // a node that died a moment ago sends no beat
}
