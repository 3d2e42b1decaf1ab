package flow

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// A Graph holds the values of sources and the last values of the stages that its readers need. What two readers need in the same way is
// computed once. One goroutine at a time uses a graph and its readers.
type Graph struct {
	sources map[*stage]*node
	nodes   map[identity]*node // of stages that some reader holds
	runs    map[string]int     // by the name of the stage
	job     *job               // the only run under way; nil for none
	beside  bool               // whether a job goes on while nobody waits for it
	jobs    sync.WaitGroup     // includes jobs that were told to stop
	now     func() time.Duration
	counter uint64 // the last revision or number given
}

// node is a source, or a stage with values of its parameters; and its last value.
type node struct {
	stage   *stage
	id      identity
	number  uint64
	in      []*node
	params  Values // that the stage declares
	readers int

	value    any
	revision uint64 // 0: no value yet
	seed     any    // before the first value: the last value of the stage with other parameters
	err      error  // of the last run, for the same key
	key      []uint64
}

// identity tells nodes apart: the stage, the numbers of the nodes that it reads, and the values of its parameters.
type identity struct {
	stage      *stage
	in, params string
}

// New returns an empty graph.
func New() *Graph {
	start := time.Now()
	return &Graph{
		sources: map[*stage]*node{}, nodes: map[identity]*node{}, runs: map[string]int{}, beside: Threads,
		now: func() time.Duration { return time.Since(start) },
	}
}

// source returns the node of a source.
func (g *Graph) source(s *stage) *node {
	n := g.sources[s]
	if n == nil {
		n = &node{stage: s, number: g.next()}
		g.sources[s] = n
	}
	return n
}

func (g *Graph) next() uint64 {
	g.counter++
	return g.counter
}

// Runs returns how often stages of a name have been started.
func (g *Graph) Runs(stage string) int { return g.runs[stage] }

// Held lists the names of the stages that readers hold, once for each set of parameters, in order.
func (g *Graph) Held() []string {
	var names []string
	for id := range g.nodes {
		names = append(names, id.stage.name)
	}
	slices.Sort(names)
	return names
}

// update brings a node and its inputs up to date. It returns false when the time is up first.
func (g *Graph) update(ctx context.Context, n *node, until time.Duration) (bool, error) {
	if n.stage.run == nil {
		if n.revision == 0 {
			return false, fmt.Errorf("source %s has no value", n.stage.name)
		}
		return true, nil
	}
	k := make([]uint64, len(n.in))
	for i, in := range n.in {
		if done, err := g.update(ctx, in, until); !done || err != nil {
			return false, err
		}
		k[i] = in.revision
	}
	for !n.upToDate(k) {
		switch {
		case g.job == nil:
			g.start(n, k)
		case g.job.node == n && !slices.Equal(g.job.key, k):
			g.stop()
			continue
		}
		if over, err := g.drive(ctx, until); !over || err != nil {
			return false, err
		}
	}
	return n.err == nil, n.err
}

func (n *node) upToDate(k []uint64) bool {
	return (n.revision != 0 || n.err != nil) && slices.Equal(n.key, k)
}

// drive lets the job under way go on, and takes its value when it ends. It returns false when the time is up first.
func (g *Graph) drive(ctx context.Context, until time.Duration) (bool, error) {
	j := g.job
	if !j.goOn(ctx, until) {
		return false, nil
	}
	g.job = nil
	if j.panicked != nil {
		panic(j.panicked)
	}
	n := j.node
	if j.err != nil && j.ctx.Err() != nil {
		return false, fmt.Errorf("%s: %w", n.stage.name, context.Cause(j.ctx)) // stopped, not failed: nothing to remember
	}
	n.key, n.err, n.seed = j.key, nil, nil
	if j.err != nil {
		n.err = fmt.Errorf("%s: %w", n.stage.name, j.err)
		return true, nil
	}
	n.value, n.revision = j.value, g.next()
	return true, nil
}

// stop ends the job under way.
func (g *Graph) stop() {
	if g.job != nil {
		g.job.stop()
		g.job = nil
	}
}

// Close stops the job under way and waits for its end. The graph can still be used afterwards.
func (g *Graph) Close() {
	g.stop()
	g.jobs.Wait()
}
