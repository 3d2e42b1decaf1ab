// Package flow computes what views draw: a graph of named, pure stages (trace, derived structure, layout, colours) that remembers the
// last value of each and computes again only what depends on something that changed.
//
// A stage says which inputs and which parameters it reads, and gets nothing else, so that its value is a function of them. It is also
// given its own previous value, from which it may take what still holds: a trace that grows makes a layout grow. Long stages tick; a
// tick is where a stage reports how far it is, where it is stopped, and where it pauses when the time a page can spare is used up, to
// go on at the next call. The module network that users edit is this graph.
package flow

import (
	"context"
	"fmt"
	"math"
)

// A Stage is one pure function of the graph. Its name is unique in the graph; In names the stages and sources it reads, Params the
// parameters.
type Stage struct {
	Name, Doc string
	In        []string
	Params    []string
	Run       Func
}

// A Func computes a stage's value from the values of its inputs, in the order of Stage.In, and from its parameters. prev is the last
// value this stage had, nil at first: it must not be changed (somebody may still draw it) and may only save work, never change the
// result. The function stops with ctx's error when that is done, and with tick's as soon as tick returns one.
type Func func(ctx context.Context, in []any, prev any, p Params, tick Tick) (any, error)

// A Tick says that done of total units of work are finished (total 0: not known). A long stage calls it every few milliseconds. It may
// pause; an error means that the stage must return it.
type Tick func(done, total int64) error

// Params are values of parameters by name: bool, int64, float64 or string.
type Params map[string]any

// Bool returns the parameter of that name, false where there is none of this type.
func (p Params) Bool(name string) bool { v, _ := p[name].(bool); return v }

// Int returns the parameter of that name, 0 where there is none of this type.
func (p Params) Int(name string) int64 { v, _ := p[name].(int64); return v }

// Float returns the parameter of that name, 0 where there is none of this type.
func (p Params) Float(name string) float64 { v, _ := p[name].(float64); return v }

// Text returns the parameter of that name, "" where there is none of this type.
func (p Params) Text(name string) string { v, _ := p[name].(string); return v }

// checkValue refuses what cannot be compared, for then nothing could be remembered.
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
