package calltable

import (
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/flow"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// A flat is the flat profile of the shown subtree, in descending order of exclusive values.
type flat struct{ functions []function }

// A function is a function with the distribution of its values over the processes.
type function struct {
	callingcontext.Function
	spread callingcontext.Spread
}

var flatStage = flow.Derive("flatprofile", "the functions with all their contexts, recursion counted once",
	flow.In(contexts.ValuesStage),
	flow.Params{view.Root},
	func(c *flow.Call[*flat]) (*flat, error) {
		v := contexts.ValuesStage.In(c)
		f := &flat{}
		for _, x := range v.Flat(v.Root(uint64(c.Params.Int(view.Root))), v.Sum) {
			f.functions = append(f.functions, function{Function: x})
		}
		sums, last := make([]int64, len(v.Processes)), make([]int32, len(v.Processes)) // last is the number of the last function with a value of the process, from 1
		var touched []int32
		var values []int64
		for k := range f.functions {
			if k%256 == 0 && c.Tick != nil {
				if err := c.Tick(int64(k), int64(len(f.functions))); err != nil {
					return nil, err
				}
			}
			touched = f.functions[k].add(v, sums, last, int32(k+1), touched[:0])
			values = values[:0]
			for _, p := range touched {
				values = append(values, sums[p])
				sums[p] = 0
			}
			f.functions[k].spread = callingcontext.SpreadOf(values, len(v.Processes))
		}
		return f, nil
	})

// add adds the values of the function with a number to sums, by process, and appends its processes to touched.
func (f *function) add(v *contexts.Values, sums []int64, last []int32, number int32, touched []int32) []int32 {
	nodes, all := f.Nodes, v.Tree.Exclusive[v.Metric]
	if v.Inclusive {
		nodes, all = f.Outermost, v.Tree.Inclusive[v.Metric]
	}
	for _, n := range nodes {
		for i := v.Start[n]; i < v.Start[n+1]; i++ {
			p := v.Tree.Process[i]
			if last[p] != number {
				last[p] = number
				touched = append(touched, p)
			}
			sums[p] = callingcontext.Plus(sums[p], all[i])
		}
	}
	return touched
}
