// Package flow computes the pictures of views by a graph of named, pure stages (trace, derived structure, layout, colours). It keeps the last
// value of each stage and recomputes a stage only after one of its inputs or parameters has changed.
//
// A stage is a typed value. NewSource returns a stage with a value set by the caller, Derive a computed stage:
//
//	var Trace = flow.NewSource[tracer.Source]("trace")
//
//	var Tree = flow.Derive("tree", "the tree of tasks", flow.In(Trace), nil,
//		func(c *flow.Call[*spawntree.Tree]) (*spawntree.Tree, error) {
//			return spawntree.Grow(Trace.In(c), c.Prev, c.Tick)
//		})
//
// A stage reads only the inputs and parameters that it declares, so its value is a function of them. It also receives its previous value and
// may reuse parts of it: when a trace grows, a layout can grow, too. A long stage calls Tick, which reports progress, stops the stage when
// its value is no longer needed, and pauses it when the caller's time limit is reached.
//
// A Reader reads the value of one stage, with its own parameters. Readers share values: a value is identified by its stage, the stage's
// inputs and the values of the parameters that the stage declares. Stages should therefore be package variables, not made for each reader.
package flow

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// A Stage is a source or a pure function of the graph, with values of type T. Its identity is its address.
type Stage[T any] struct{ stage }

// stage is the part of a Stage that does not depend on the type of its value.
type stage struct {
	name, doc string
	inputs    []*stage
	params    Params
	run       func(c *call) (any, error) // nil for a source
	copied    bool                       // for a Mirror
}

// An Input is a stage of any type.
type Input interface{ base() *stage }

func (s *stage) base() *stage { return s }

// In returns the inputs of a stage as a list.
func In(stages ...Input) []Input { return stages }

// Params lists the names of the parameters that a stage reads.
type Params []string

// A Source is a stage with a value set by the caller.
type Source[T any] struct{ Stage[T] }

// NewSource returns a source. The name appears in errors.
func NewSource[T any](name string) *Source[T] { return &Source[T]{Stage[T]{stage{name: name}}} }

// Set sets the value of the source in a graph. Every call makes a new revision, even with a value that was modified in place.
func (s *Source[T]) Set(g *Graph, value T) {
	n := g.source(&s.stage)
	n.value, n.revision = value, g.next()
}

// Derive returns the stage that run computes from inputs and parameters. The name appears in errors. doc is a phrase for users about the
// result, such as "the layout of the tree".
func Derive[T any](name, doc string, in []Input, params Params, run func(c *Call[T]) (T, error)) *Stage[T] {
	s := &Stage[T]{stage{name: name, doc: doc, params: params}}
	for _, i := range in {
		s.inputs = append(s.inputs, i.base())
	}
	s.run = func(c *call) (any, error) {
		prev, _ := c.prev.(T)
		return run(&Call[T]{Context: c.ctx, Prev: prev, Params: c.params, Tick: c.tick, call: c})
	}
	return s
}

// A Call is one run of a stage with values of type T. The stage must return the error of Context when that is done, and an error of Tick
// immediately.
type Call[T any] struct {
	Context context.Context
	Prev    T      // previous value, zero at first; run must not modify it, and the result must not depend on it
	Params  Values // values of the parameters that the stage declares
	Tick    Tick

	call *call
}

// A Tick reports that done of total units of work are finished; total is 0 if unknown. A long stage calls it every few milliseconds. Tick may
// pause. If it returns an error, the stage must return that error.
type Tick func(done, total int64) error

// A Reading is a Call of any type. It holds the values of a stage's inputs.
type Reading interface{ input(s *stage) any }

func (c *Call[T]) input(s *stage) any {
	i := slices.Index(c.call.stage.inputs, s)
	if i < 0 {
		panic(fmt.Sprintf("the stage reads %s, which is not one of its inputs", s.name))
	}
	return c.call.in[i]
}

// In returns the value of s in the call of a stage with s as an input. It panics if s is not an input.
func (s *Stage[T]) In(c Reading) T {
	v, _ := c.input(&s.stage).(T) // a nil interface is not a T
	return v
}

// call is the part of a Call that does not depend on the type of the value.
type call struct {
	stage  *stage
	ctx    context.Context
	in     []any // by input
	prev   any
	params Values
	tick   Tick
}

// Values holds the values of parameters by name: bool, int64, float64 or string.
type Values map[string]any

// Bool returns a parameter, or false if it is not a bool.
func (p Values) Bool(name string) bool { v, _ := p[name].(bool); return v }

// Int returns a parameter, or 0 if it is not an int64.
func (p Values) Int(name string) int64 { v, _ := p[name].(int64); return v }

// Float returns a parameter, or 0 if it is not a float64.
func (p Values) Float(name string) float64 { v, _ := p[name].(float64); return v }

// Text returns a parameter, or "" if it is not a string.
func (p Values) Text(name string) string { v, _ := p[name].(string); return v }

// checkValue returns an error for values without equality, because results are found by comparing them.
func checkValue(v any) error {
	switch v := v.(type) {
	case bool, int64, string:
		return nil
	case float64:
		if math.IsNaN(v) {
			return fmt.Errorf("is not a number")
		}
		return nil
	}
	return fmt.Errorf("is a %T, expected bool, int64, float64 or string", v)
}
