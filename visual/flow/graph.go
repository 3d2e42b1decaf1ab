package flow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"whorl/internal/nearest"
)

// A Graph holds stages, their parameters and their last values. It is used by one goroutine at a time.
type Graph struct {
	nodes   map[string]*node
	names   []string // of all nodes, sources first
	params  Params
	now     func() time.Duration // since any fixed moment
	counter uint64               // the last revision given
}

// node is a source (without a stage) or a stage with its last value.
type node struct {
	stage *Stage
	in    []*node

	value    any
	revision uint64 // 0: no value yet
	err      error  // of the last run, for the same key
	key      key
	runs     int
	job      *job // a run that is paused
}

// key is what a value was computed from.
type key struct {
	in     []uint64 // revisions of the inputs
	params []any
}

func (k key) equal(l key) bool { return slices.Equal(k.in, l.in) && slices.Equal(k.params, l.params) }

// New makes a graph of sources, whose values are set from outside, and stages. It refuses two things of one name, inputs that do not
// exist and stages that need each other in a circle.
func New(sources []string, stages ...Stage) (*Graph, error) {
	start := time.Now()
	g := &Graph{nodes: map[string]*node{}, params: Params{}, now: func() time.Duration { return time.Since(start) }}
	for _, s := range sources {
		if err := g.add(s, &node{}); err != nil {
			return nil, err
		}
	}
	for i := range stages {
		if stages[i].Run == nil {
			return nil, fmt.Errorf("stage %s computes nothing: it has no Run", stages[i].Name)
		}
		if err := g.add(stages[i].Name, &node{stage: &stages[i]}); err != nil {
			return nil, err
		}
	}
	for _, s := range stages {
		n := g.nodes[s.Name]
		for _, in := range s.In {
			m, err := g.find(in)
			if err != nil {
				return nil, fmt.Errorf("stage %s: input: %w", s.Name, err)
			}
			n.in = append(n.in, m)
		}
	}
	return g, g.checkCircles()
}

func (g *Graph) add(name string, n *node) error {
	if name == "" {
		return errors.New("a stage has no name")
	}
	if g.nodes[name] != nil {
		return fmt.Errorf("two stages are named %s", name)
	}
	g.nodes[name] = n
	g.names = append(g.names, name)
	return nil
}

func (g *Graph) find(name string) (*node, error) {
	if n := g.nodes[name]; n != nil {
		return n, nil
	}
	if near := nearest.Names(name, g.names); len(near) > 0 {
		return nil, fmt.Errorf("no stage is named %q; near: %s", name, strings.Join(near, ", "))
	}
	return nil, fmt.Errorf("no stage is named %q; there are %s", name, strings.Join(g.names, ", "))
}

func (g *Graph) checkCircles() error {
	done := map[*node]bool{}
	var path []string
	var visit func(name string) error
	visit = func(name string) error {
		n := g.nodes[name]
		if done[n] || n.stage == nil {
			return nil
		}
		if i := slices.Index(path, name); i >= 0 {
			return fmt.Errorf("stages need each other in a circle: %s", strings.Join(append(path[i:], name), " <- "))
		}
		path = append(path, name)
		for _, in := range n.stage.In {
			if err := visit(in); err != nil {
				return err
			}
		}
		path = path[:len(path)-1]
		done[n] = true
		return nil
	}
	for _, name := range g.names {
		if err := visit(name); err != nil {
			return err
		}
	}
	return nil
}

// Stages lists the names of sources and stages in the order they were given.
func (g *Graph) Stages() []string { return slices.Clone(g.names) }

// Set gives a source a value. Every call is a new revision, so that a value that grew in place counts as changed too.
func (g *Graph) Set(source string, value any) error {
	n, err := g.find(source)
	if err != nil {
		return err
	}
	if n.stage != nil {
		return fmt.Errorf("%s is a stage, its value cannot be set", source)
	}
	n.value, n.revision = value, g.next()
	return nil
}

func (g *Graph) next() uint64 {
	g.counter++
	return g.counter
}

// SetParam gives a parameter a value: bool, int64, float64 or string. An equal value changes nothing. A stage reads a parameter that
// was never set as nil.
func (g *Graph) SetParam(name string, v any) error {
	if err := checkValue(v); err != nil {
		return fmt.Errorf("parameter %s %w", name, err)
	}
	g.params[name] = v
	return nil
}

// Runs is how often a stage has been started, 0 for one that is not known.
func (g *Graph) Runs(stage string) int {
	if n := g.nodes[stage]; n != nil {
		return n.runs
	}
	return 0
}

// A Result is what Get found. Where Done is false the budget ran out in Stage at progress At of Total, and Value is the last value the
// wanted stage had, nil if none.
type Result struct {
	Value     any
	Revision  uint64 // changes when Value does
	Done      bool
	Stage     string
	At, Total int64
}

// Get brings a stage up to date and returns its value. A positive budget limits the time: when it is used up, the work pauses and the
// next Get goes on with it, unless an input or a parameter changed meanwhile. A budget of 0 sets no limit. An error names the
// stage that failed; when ctx is done, what ran is stopped before Get returns and values that were finished are kept.
func (g *Graph) Get(ctx context.Context, budget time.Duration, stage string) (Result, error) {
	n, err := g.find(stage)
	if err != nil {
		return Result{}, err
	}
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	var until time.Duration
	if budget > 0 {
		until = g.now() + budget
	}
	paused, err := g.update(ctx, stage, n, until)
	if err != nil {
		return Result{}, err
	}
	r := Result{Value: n.value, Revision: n.revision, Done: paused == nil}
	if paused != nil {
		r.Stage, r.At, r.Total = paused.stage, paused.at, paused.total
	}
	return r, nil
}

// update brings a node and what it reads up to date. It returns the job that paused, or nil.
func (g *Graph) update(ctx context.Context, name string, n *node, until time.Duration) (*job, error) {
	if n.stage == nil {
		if n.revision == 0 {
			return nil, fmt.Errorf("source %s has no value", name)
		}
		return nil, nil
	}
	k := key{in: make([]uint64, len(n.in)), params: make([]any, len(n.stage.Params))}
	for i, in := range n.in {
		if paused, err := g.update(ctx, n.stage.In[i], in, until); paused != nil || err != nil {
			return paused, err
		}
		k.in[i] = in.revision
	}
	for i, p := range n.stage.Params {
		k.params[i] = g.params[p]
	}
	if n.job == nil && n.key.equal(k) && (n.revision != 0 || n.err != nil) {
		return nil, n.err
	}
	if n.job != nil && !n.job.key.equal(k) {
		n.job.stop()
		n.job = nil
	}
	if n.job == nil {
		n.runs++
		n.job = g.start(n, k)
	}
	if !n.job.goOn(ctx, until) {
		return n.job, nil
	}
	j := n.job
	n.job = nil
	if j.panicked != nil {
		panic(j.panicked)
	}
	if j.err != nil && j.ctx.Err() != nil {
		return nil, fmt.Errorf("%s: %w", name, context.Cause(j.ctx)) // stopped, not failed: nothing to remember
	}
	n.key, n.err = k, nil
	if j.err != nil {
		n.err = fmt.Errorf("%s: %w", name, j.err)
		return nil, n.err
	}
	n.value, n.revision = j.value, g.next()
	return nil, nil
}

// Close stops what is paused. The graph can still be used afterwards.
func (g *Graph) Close() {
	for _, name := range g.names {
		if n := g.nodes[name]; n.job != nil {
			n.job.stop()
			n.job = nil
		}
	}
}
