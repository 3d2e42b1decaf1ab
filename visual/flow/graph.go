package flow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"whorl/internal/nearest"
)

// A Graph holds sources, whose values are set from outside, and the last values of the stages that its readers have named. What two
// readers ask for in the same way is computed once. It is used, readers included, by one goroutine at a time.
type Graph struct {
	sources []string
	nodes   map[string]*node   // sources by name
	stages  map[identity]*node // that some reader holds
	runs    map[string]int     // by stage
	job     *job               // the one run that is under way, nil for none
	beside  bool               // it goes on while nobody waits for it
	jobs    sync.WaitGroup     // those that were told to stop included
	now     func() time.Duration
	counter uint64 // the last revision or number given
}

// node is a source (without a stage) or a stage with the values of its parameters, and its last value.
type node struct {
	id      identity
	number  uint64
	stage   *Stage
	in      []*node
	params  Params // that the stage reads
	readers int

	value    any
	revision uint64 // 0: no value yet
	seed     any    // before the first value: the last one of the stage with other parameters
	err      error  // of the last run, for the same key
	key      []uint64
}

// identity is what makes two readers' stages the same: what they are called and say of themselves, the nodes they read, and the values
// of their parameters.
type identity struct{ name, doc, in, params string }

// New makes a graph of sources.
func New(sources ...string) (*Graph, error) {
	start := time.Now()
	g := &Graph{
		nodes: map[string]*node{}, stages: map[identity]*node{}, runs: map[string]int{}, beside: Threads,
		now: func() time.Duration { return time.Since(start) },
	}
	for _, s := range sources {
		switch {
		case s == "":
			return nil, errors.New("a source has no name")
		case g.nodes[s] != nil:
			return nil, fmt.Errorf("two sources are named %s", s)
		}
		g.nodes[s] = &node{id: identity{name: s}, number: g.next()}
		g.sources = append(g.sources, s)
	}
	return g, nil
}

// Set gives a source a value. Every call is a new revision, so that a value that grew in place counts as changed too.
func (g *Graph) Set(source string, value any) error {
	n := g.nodes[source]
	if n == nil {
		return nearest.Unknown("stage", source, g.sources)
	}
	n.value, n.revision = value, g.next()
	return nil
}

func (g *Graph) next() uint64 {
	g.counter++
	return g.counter
}

// Runs is how often stages of a name have been started.
func (g *Graph) Runs(stage string) int { return g.runs[stage] }

// Held lists the names of the stages that readers hold, once for each set of parameters, in order.
func (g *Graph) Held() []string {
	var names []string
	for id := range g.stages {
		names = append(names, id.name)
	}
	slices.Sort(names)
	return names
}

// update brings a node and what it reads up to date. It returns false where the time is up first.
func (g *Graph) update(ctx context.Context, n *node, until time.Duration) (bool, error) {
	if n.stage == nil {
		if n.revision == 0 {
			return false, fmt.Errorf("source %s has no value", n.id.name)
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

// drive lets the job that is under way go on, and takes its value when it ends. It returns false where the time is up first.
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
		return false, fmt.Errorf("%s: %w", n.id.name, context.Cause(j.ctx)) // stopped, not failed: nothing to remember
	}
	n.key, n.err, n.seed = j.key, nil, nil
	if j.err != nil {
		n.err = fmt.Errorf("%s: %w", n.id.name, j.err)
		return true, nil
	}
	n.value, n.revision = j.value, g.next()
	return true, nil
}

// stop ends the job that is under way.
func (g *Graph) stop() {
	if g.job != nil {
		g.job.stop()
		g.job = nil
	}
}

// Close stops what is under way and waits for its end. The graph can still be used afterwards.
func (g *Graph) Close() {
	g.stop()
	g.jobs.Wait()
}
