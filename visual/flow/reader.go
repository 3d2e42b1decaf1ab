package flow

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Reader reads the value of one stage of a graph, with its own parameters. The graph keeps the values of all stages that readers hold: the
// wanted stages and the stages that they need.
type Reader[T any] struct {
	graph  *Graph
	stages []*stage // all needed stages except sources, each after its inputs; the wanted one last
	swaps  []Swap
	params Values
	held   []*node // by stage; nil while the reader holds nothing
	stale  bool    // parameters have changed since held was resolved
	last   Result[T]
}

// NewReader returns a reader of a stage. T is the type of the stage's value or an interface that this type implements.
func NewReader[T any](g *Graph, wanted Input, swaps ...Swap) *Reader[T] {
	return &Reader[T]{graph: g, stages: needs(wanted.base(), swaps, nil), swaps: swaps, params: Values{}}
}

// A Swap replaces a stage by another for a reader.
type Swap struct{ from, to *stage }

// Instead returns the Swap that replaces from by to.
func Instead[T any](from, to *Stage[T]) Swap { return Swap{&from.stage, &to.stage} }

// swapped returns the stage that replaces s, or s.
func swapped(s *stage, swaps []Swap) *stage {
	for _, w := range swaps {
		if w.from == s {
			return w.to
		}
	}
	return s
}

// needs appends to list a stage and all stages that it needs except sources, each once and after its inputs.
func needs(s *stage, swaps []Swap, list []*stage) []*stage {
	if s.run == nil || slices.Contains(list, s) {
		return list
	}
	for _, in := range s.inputs {
		list = needs(swapped(in, swaps), swaps, list)
	}
	return append(list, s)
}

// AllParams returns the parameters that a stage and the stages that it needs declare.
func AllParams(s Input, swaps ...Swap) Params {
	var all Params
	for _, n := range needs(s.base(), swaps, nil) {
		for _, p := range n.params {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// Reads reports whether the wanted stage depends on a parameter.
func (r *Reader[T]) Reads(param string) bool {
	return slices.ContainsFunc(r.stages, func(s *stage) bool { return slices.Contains(s.params, param) })
}

// SetParam sets a parameter to a bool, int64, float64 or string. Setting an equal value has no effect. Parameters never set read as zero.
func (r *Reader[T]) SetParam(name string, v any) error {
	if err := checkValue(v); err != nil {
		return fmt.Errorf("parameter %s %w", name, err)
	}
	r.stale = r.stale || r.params[name] != v
	r.params[name] = v
	return nil
}

// A Result is the result of Get. If Done is false, the budget ran out in the stage named Stage, which computes Doc, at Progress of Total.
// Value is then the reader's last value, zero if there is none.
type Result[T any] struct {
	Value           T
	Revision        uint64 // changes when Value does
	Done            bool
	Stage, Doc      string
	Progress, Total int64
}

// Get brings the stage up to date and returns its value. A positive budget limits the time: when it is used up, Get returns, and the next
// Get continues, unless an input or a parameter has changed. With threads, the work continues between the calls. A budget of 0 means no
// limit. An error names the stage that failed. When ctx is done, Get stops the running stage before it returns, and keeps the values of
// finished stages.
func (r *Reader[T]) Get(ctx context.Context, budget time.Duration) (Result[T], error) {
	if err := ctx.Err(); err != nil {
		return Result[T]{}, err
	}
	r.resolve()
	g, n := r.graph, r.held[len(r.held)-1]
	var until time.Duration
	if budget > 0 {
		until = g.now() + budget
	}
	g.driven = false
	done, err := g.update(ctx, n, until)
	if err != nil {
		return Result[T]{}, err
	}
	if done {
		value, _ := n.value.(T) // a nil interface is not a T
		r.last = Result[T]{Value: value, Revision: n.revision, Done: true}
		return r.last, nil
	}
	out := r.last
	out.Done = false
	if j := g.job; j != nil {
		out.Stage, out.Doc, out.Progress, out.Total = j.node.stage.name, j.node.stage.doc, j.progress.Load(), j.total.Load()
	}
	return out, nil
}

// resolve finds the nodes of the reader's stages for the current parameters and releases the nodes held before.
func (r *Reader[T]) resolve() {
	if r.held != nil && !r.stale {
		return
	}
	before := r.held
	r.held, r.stale = make([]*node, len(r.stages)), false
	for i, s := range r.stages {
		var last *node
		if before != nil {
			last = before[i]
		}
		r.held[i] = r.node(s, last)
		r.held[i].readers++
	}
	r.graph.release(before)
}

// node finds or makes the node of a stage after its inputs are resolved. last is the node that the reader held for the stage, or nil.
func (r *Reader[T]) node(s *stage, last *node) *node {
	n := &node{stage: s, params: Values{}}
	var in, params strings.Builder
	for _, input := range s.inputs {
		input = swapped(input, r.swaps)
		var from *node
		if i := slices.Index(r.stages, input); i >= 0 {
			from = r.held[i]
		} else {
			from = r.graph.source(input)
		}
		n.in = append(n.in, from)
		in.WriteString(strconv.FormatUint(from.number, 36) + " ")
	}
	for _, p := range s.params {
		v, ok := r.params[p]
		if ok {
			n.params[p] = v
		}
		fmt.Fprintf(&params, "%T %#v\n", v, v)
	}
	n.id = identity{s, in.String(), params.String()}
	if known := r.graph.nodes[n.id]; known != nil {
		return known
	}
	n.number = r.graph.next()
	if last != nil {
		if n.seed = last.seed; last.value != nil {
			n.seed = last.value
		}
	}
	r.graph.nodes[n.id] = n
	return n
}

// release releases nodes. The graph drops the nodes that no reader holds any more, with their values.
func (g *Graph) release(nodes []*node) {
	for _, n := range nodes {
		if n.readers--; n.readers == 0 {
			delete(g.nodes, n.id)
			if g.job != nil && g.job.node == n {
				g.stop()
			}
		}
	}
}

// Rest releases everything until the next Get.
func (r *Reader[T]) Rest() {
	r.graph.release(r.held)
	r.held, r.last = nil, Result[T]{}
}
