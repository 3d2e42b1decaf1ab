// Package flow computes what views draw. It holds a graph of named, pure stages (trace, derived structure, layout, colours), remembers
// the last value of each stage, and computes a stage again only after something that it reads has changed.
//
// A stage is a typed value. NewSource makes one whose value is set from outside, Derive one that is computed:
//
//	var Trace = flow.NewSource[tracer.Source]("trace")
//
//	var Tree = flow.Derive("tree", "the tree of tasks", flow.In(Trace), nil,
//		func(c *flow.Call[*spawntree.Tree]) (*spawntree.Tree, error) {
//			return spawntree.Grow(Trace.In(c), c.Prev, c.Tick)
//		})
//
// A stage declares its inputs and its parameters and gets nothing else, so its value is a function of them. It also gets its own
// previous value, and may take over the parts that still hold: a trace that grows makes a layout grow. A long stage ticks. At a tick it
// reports its progress, stops when nobody wants its value any more, and pauses when the caller's time is up.
//
// A Reader asks for the value of one stage, with parameters of its own. Readers share what they need in the same way: a value is
// remembered by the identity of its stage, its inputs and the values of the parameters that the stage declares. Stages are therefore
// variables of packages, not made anew for each reader.
package flow

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// A Stage is a source or one pure function of the graph, whose value is a T. Its identity is its address.
type Stage[T any] struct{ stage }

// stage is the part of a Stage that does not depend on the type of its value.
type stage struct {
	name, doc string
	inputs    []*stage
	params    Params
	run       func(c *call) (any, error) // nil for a source
}

// An Input is a stage of any type.
type Input interface{ base() *stage }

func (s *stage) base() *stage { return s }

// In lists the inputs of a stage.
func In(stages ...Input) []Input { return stages }

// Params lists the names of the parameters that a stage reads.
type Params []string

// A Source is a stage whose value is set from outside.
type Source[T any] struct{ Stage[T] }

// NewSource returns a source. Errors name it.
func NewSource[T any](name string) *Source[T] { return &Source[T]{Stage[T]{stage{name: name}}} }

// Set gives the source a value in a graph. Every call makes a new revision, so a value that grew in place counts as changed, too.
func (s *Source[T]) Set(g *Graph, value T) {
	n := g.source(&s.stage)
	n.value, n.revision = value, g.next()
}

// Derive returns the stage that run computes from inputs and parameters. The name stands in errors; doc, a phrase such as "the layout of
// the tree", tells users what the stage computes.
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

// A Call is one run of a stage with values of type T. The stage returns the error of Context when that is done, and the error of Tick as
// soon as Tick returns one.
type Call[T any] struct {
	Context context.Context
	Prev    T      // the stage's last value, zero at first: it must not change, for others may draw it, nor affect the result
	Params  Values // of the parameters that the stage declares
	Tick    Tick

	call *call
}

// A Tick reports that done of total units of work are finished (total 0: unknown). A long stage calls it every few milliseconds. It may
// pause; when it returns an error, the stage must return that error.
type Tick func(done, total int64) error

// A Reading holds the values of a stage's inputs: a Call.
type Reading interface{ input(s *stage) any }

func (c *Call[T]) input(s *stage) any {
	i := slices.Index(c.call.stage.inputs, s)
	if i < 0 {
		panic(fmt.Sprintf("it reads %s, which is not among its inputs", s.name))
	}
	return c.call.in[i]
}

// In returns the value of s in the call of a stage that has s among its inputs. It panics for other stages.
func (s *Stage[T]) In(c Reading) T {
	v, _ := c.input(&s.stage).(T) // a nil interface is no T
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

// Values are the values of parameters by name: bool, int64, float64 or string.
type Values map[string]any

// Bool returns the parameter of that name, false where there is none of this type.
func (p Values) Bool(name string) bool { v, _ := p[name].(bool); return v }

// Int returns the parameter of that name, 0 where there is none of this type.
func (p Values) Int(name string) int64 { v, _ := p[name].(int64); return v }

// Float returns the parameter of that name, 0 where there is none of this type.
func (p Values) Float(name string) float64 { v, _ := p[name].(float64); return v }

// Text returns the parameter of that name, "" where there is none of this type.
func (p Values) Text(name string) string { v, _ := p[name].(string); return v }

// checkValue refuses values that cannot be compared, because nothing could be remembered for them.
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
	return fmt.Errorf("is a %T, want bool, int64, float64 or string", v)
}
