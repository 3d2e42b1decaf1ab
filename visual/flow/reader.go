package flow

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Reader asks a graph for the value of one stage, with parameters of its own. While it holds the stage and all that the stage needs,
// the graph remembers their values.
type Reader[T any] struct {
	graph  *Graph
	stages []*stage // without sources; each after its inputs, the wanted one last
	swaps  []Swap
	params Values
	held   []*node // by stage; nil while nothing is held
	stale  bool    // whether parameters have changed since
	last   Result[T]
}

// NewReader returns a reader of a stage. T is the type of the stage's value, or an interface which that type implements.
func NewReader[T any](g *Graph, wanted Input, swaps ...Swap) *Reader[T] {
	return &Reader[T]{graph: g, stages: needs(wanted.base(), swaps, nil), swaps: swaps, params: Values{}}
}

// A Swap has a reader take one stage in place of another.
type Swap struct{ from, to *stage }

// Instead returns the swap of a stage for another one whose value has the same type.
func Instead[T any](from, to *Stage[T]) Swap { return Swap{&from.stage, &to.stage} }

// swapped returns the stage that is taken in place of s, s itself where there is none.
func swapped(s *stage, swaps []Swap) *stage {
	for _, w := range swaps {
		if w.from == s {
			return w.to
		}
	}
	return s
}

// needs appends a stage and all that it needs, without sources, each after its inputs and once.
func needs(s *stage, swaps []Swap, list []*stage) []*stage {
	if s.run == nil || slices.Contains(list, s) {
		return list
	}
	for _, in := range s.inputs {
		list = needs(swapped(in, swaps), swaps, list)
	}
	return append(list, s)
}

// AllParams lists the parameters that a stage and the stages that it needs declare.
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

// SetParam gives a parameter a value: bool, int64, float64 or string. An equal value changes nothing. A stage reads a parameter that
// was never set as zero.
func (r *Reader[T]) SetParam(name string, v any) error {
	if err := checkValue(v); err != nil {
		return fmt.Errorf("parameter %s %w", name, err)
	}
	r.stale = r.stale || r.params[name] != v
	r.params[name] = v
	return nil
}

// A Result is the answer of Get. When Done is false, the budget ran out while the stage named Stage, which computes Doc, was at progress
// At of Total, and Value is the last value that this reader got, zero if none.
type Result[T any] struct {
	Value      T
	Revision   uint64 // changes when Value does
	Done       bool
	Stage, Doc string
	At, Total  int64
}

// Get brings the stage up to date and returns its value. A positive budget limits the time: when it is used up, Get returns, and the next
// Get waits for the rest, unless an input or a parameter has changed meanwhile; where there are threads, the work goes on between the
// calls. A budget of 0 sets no limit. An error names the stage that failed. When ctx is done, Get stops the running stage before it
// returns, and keeps the values that were finished.
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
	done, err := g.update(ctx, n, until)
	if err != nil {
		return Result[T]{}, err
	}
	if done {
		value, _ := n.value.(T) // a nil interface is no T
		r.last = Result[T]{Value: value, Revision: n.revision, Done: true}
		return r.last, nil
	}
	out := r.last
	out.Done = false
	if j := g.job; j != nil {
		out.Stage, out.Doc, out.At, out.Total = j.node.stage.name, j.node.stage.doc, j.at.Load(), j.total.Load()
	}
	return out, nil
}

// resolve finds the nodes of the reader's stages for the current parameters, and releases the other nodes that it held.
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

// node finds or makes the node of a stage whose inputs are resolved. last is the node that the reader held for it, nil for none.
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

// release gives nodes back. The graph forgets those that no reader holds any more, with their values.
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
