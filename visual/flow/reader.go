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

// A Reader asks a graph for the values of stages, with parameters of its own. While it holds a stage, the graph remembers the value.
type Reader struct {
	graph  *Graph
	stages []Stage // each after those it reads
	names  []string
	params Params
	held   []*node // by stage; nil while nothing is held
	stale  bool    // parameters have changed since
	last   map[string]Result
}

// Reader makes a reader of stages. It refuses two things of one name, inputs that do not exist and stages that need each other in a circle.
func (g *Graph) Reader(stages ...Stage) (*Reader, error) {
	r := &Reader{graph: g, params: Params{}, last: map[string]Result{}, names: slices.Clone(g.sources)}
	for i := range stages {
		s := &stages[i]
		switch {
		case s.Name == "":
			return nil, errors.New("a stage has no name")
		case s.Run == nil:
			return nil, fmt.Errorf("stage %s computes nothing: it has no Run", s.Name)
		case slices.Contains(r.names, s.Name):
			return nil, fmt.Errorf("two stages are named %s", s.Name)
		}
		r.names = append(r.names, s.Name)
	}
	for i := range stages {
		for _, in := range stages[i].In {
			if !slices.Contains(r.names, in) {
				return nil, fmt.Errorf("stage %s: input: %w", stages[i].Name, nearest.Unknown("stage", in, r.names))
			}
		}
	}
	return r, r.order(stages)
}

// order sorts the stages so that each comes after those it reads.
func (r *Reader) order(stages []Stage) error {
	var path []string
	var visit func(name string) error
	visit = func(name string) error {
		i := slices.IndexFunc(stages, func(s Stage) bool { return s.Name == name })
		if i < 0 || slices.ContainsFunc(r.stages, func(s Stage) bool { return s.Name == name }) {
			return nil
		}
		if k := slices.Index(path, name); k >= 0 {
			return fmt.Errorf("stages need each other in a circle: %s", strings.Join(append(path[k:], name), " <- "))
		}
		path = append(path, name)
		for _, in := range stages[i].In {
			if err := visit(in); err != nil {
				return err
			}
		}
		path = path[:len(path)-1]
		r.stages = append(r.stages, stages[i])
		return nil
	}
	for i := range stages {
		if err := visit(stages[i].Name); err != nil {
			return err
		}
	}
	return nil
}

// SetParam gives a parameter a value: bool, int64, float64 or string. An equal value changes nothing. A stage reads a parameter that
// was never set as nil.
func (r *Reader) SetParam(name string, v any) error {
	if err := checkValue(v); err != nil {
		return fmt.Errorf("parameter %s %w", name, err)
	}
	r.stale = r.stale || r.params[name] != v
	r.params[name] = v
	return nil
}

// A Result is what Get found. Where Done is false the budget ran out while Stage was at progress At of Total, and Value is the last value
// that this reader got of the wanted stage, nil if none.
type Result struct {
	Value     any
	Revision  uint64 // changes when Value does
	Done      bool
	Stage     string
	At, Total int64
}

// Get brings a stage up to date and returns its value. A positive budget limits the time: when it is used up, Get returns, and the next
// Get waits for the rest, unless an input or a parameter changed meanwhile; where there are threads the work goes on between them. A
// budget of 0 sets no limit. An error names the stage that failed; when ctx is done, what ran is stopped before Get returns and values
// that were finished are kept.
func (r *Reader) Get(ctx context.Context, budget time.Duration, stage string) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	r.resolve()
	i := slices.IndexFunc(r.stages, func(s Stage) bool { return s.Name == stage })
	if i < 0 {
		return Result{}, nearest.Unknown("stage", stage, r.names)
	}
	g, n := r.graph, r.held[i]
	var until time.Duration
	if budget > 0 {
		until = g.now() + budget
	}
	done, err := g.update(ctx, n, until)
	if err != nil {
		return Result{}, err
	}
	if done {
		r.last[stage] = Result{Value: n.value, Revision: n.revision, Done: true}
		return r.last[stage], nil
	}
	out := r.last[stage]
	out.Done = false
	if j := g.job; j != nil {
		out.Stage, out.At, out.Total = j.node.id.name, j.at.Load(), j.total.Load()
	}
	return out, nil
}

// resolve finds the nodes of the reader's stages with the parameters as they are, and lets go of others that it held.
func (r *Reader) resolve() {
	if r.held != nil && !r.stale {
		return
	}
	before := r.held
	r.held, r.stale = make([]*node, len(r.stages)), false
	for i := range r.stages {
		var last *node
		if before != nil {
			last = before[i]
		}
		r.held[i] = r.node(&r.stages[i], last)
		r.held[i].readers++
	}
	r.graph.release(before)
}

// node finds or makes the node of a stage whose inputs are resolved. last is the one that the reader had of it.
func (r *Reader) node(s *Stage, last *node) *node {
	n := &node{stage: s, params: Params{}, id: identity{name: s.Name, doc: s.Doc}}
	for _, name := range s.In {
		in := r.graph.nodes[name]
		if in == nil {
			in = r.held[slices.IndexFunc(r.stages, func(s Stage) bool { return s.Name == name })]
		}
		n.in = append(n.in, in)
		n.id.in += fmt.Sprint(in.number, " ")
	}
	for _, p := range s.Params {
		v, ok := r.params[p]
		if ok {
			n.params[p] = v
		}
		n.id.params += fmt.Sprintf("%s %T %#v\n", p, v, v)
	}
	if known := r.graph.stages[n.id]; known != nil {
		return known
	}
	n.number = r.graph.next()
	if last != nil {
		if n.seed = last.seed; last.value != nil {
			n.seed = last.value
		}
	}
	r.graph.stages[n.id] = n
	return n
}

// release lets go of nodes; those that nobody holds any more are forgotten, with their values.
func (g *Graph) release(nodes []*node) {
	for _, n := range nodes {
		if n.readers--; n.readers == 0 {
			delete(g.stages, n.id)
			if g.job != nil && g.job.node == n {
				g.stop()
			}
		}
	}
}

// Rest lets go of everything until the next Get.
func (r *Reader) Rest() {
	r.graph.release(r.held)
	r.held = nil
	clear(r.last)
}
