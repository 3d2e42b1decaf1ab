package flow

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// A Graph holds the values of sources and the last values of the stages that its readers need. A stage that two readers need with the same
// inputs and parameters is computed once. A graph and its readers must be used by one goroutine at a time.
type Graph struct {
	sources map[*stage]*node
	nodes   map[identity]*node // nodes of stages that some reader holds
	runs    map[string]int     // by the name of the stage
	job     *job               // the running job, or nil
	driven  bool               // a job has run in this Get
	beside  bool               // jobs run while no Get waits for them
	jobs    sync.WaitGroup     // includes jobs that were told to stop
	now     func() time.Duration
	counter uint64 // last revision or number assigned
}

// node is a source, or a stage with values of its parameters, with its last value.
type node struct {
	stage   *stage
	id      identity
	number  uint64
	in      []*node
	params  Values // parameters that the stage declares
	readers int

	value    any
	revision uint64 // 0 before the first value
	spent    time.Duration
	seed     any   // last value of the stage with other parameters, before the first value
	err      error // error of the last run, for the same key
	key      []uint64
}

// identity identifies a node: the stage, the numbers of its input nodes, and the values of its parameters.
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

// Runs returns the number of times that stages with a name were started.
func (g *Graph) Runs(stage string) int { return g.runs[stage] }

// Held returns the sorted names of the stages that readers hold, once for each set of parameters.
func (g *Graph) Held() []string {
	var names []string
	for id := range g.nodes {
		names = append(names, id.stage.name)
	}
	slices.Sort(names)
	return names
}

// update brings a node and its inputs up to date. It returns false if the time limit is reached first.
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
		if g.driven && !g.beside && until > 0 && g.now() >= until {
			return false, nil // the next Get runs this stage, which may take long until its first tick
		}
		g.driven = true
		if over, err := g.drive(ctx, until); !over || err != nil {
			return false, err
		}
	}
	return n.err == nil, n.err
}

func (n *node) upToDate(k []uint64) bool {
	return (n.revision != 0 || n.err != nil) && slices.Equal(n.key, k)
}

// drive continues the running job and stores its value when it ends. It returns false if the time limit is reached first.
func (g *Graph) drive(ctx context.Context, until time.Duration) (bool, error) {
	j := g.job
	if !j.proceed(ctx, until) {
		return false, nil
	}
	g.job = nil
	if j.panicked != nil {
		panic(j.panicked)
	}
	n := j.node
	if j.err != nil && j.ctx.Err() != nil {
		return false, context.Cause(j.ctx) // stopped, not failed: store nothing
	}
	n.key, n.err, n.seed = j.key, j.err, nil
	if j.err != nil {
		return true, nil
	}
	n.value, n.revision, n.spent = j.value, g.next(), j.spent
	return true, nil
}

// stop stops the running job.
func (g *Graph) stop() {
	if g.job != nil {
		g.job.stop()
		g.job = nil
	}
}

// Close stops the running job and waits for its end. The graph remains usable.
func (g *Graph) Close() {
	g.stop()
	g.jobs.Wait()
}
